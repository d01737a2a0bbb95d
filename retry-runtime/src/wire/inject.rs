//! What a caller writes to its requests.

use std::time::{Duration, SystemTime};

use super::{ATTEMPT, Carrier, Facts, IDEMPOTENCY_KEY, aws, envoy, grpc};

/// Writes what is in force here to a request: see [`Inject`], which can write more. Outside of attempts and
/// deadlines it writes nothing.
///
/// Call it for each attempt, when the request is about to be sent: the time that is left is that of now.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::collections::HashMap;
/// use stormless::{Policy, wire};
///
/// const POLICY: Policy = Policy::new().attempts(4);
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let send = async || {
///     let mut headers = HashMap::new();
///     wire::inject(&mut headers);
///     Ok::<_, std::io::Error>(headers)
/// };
/// let headers = POLICY.run(send).await.unwrap();
/// assert_eq!(headers["stormless-attempt"], "1;max=4");
/// # }
/// ```
pub fn inject<C: Carrier + ?Sized>(carrier: &mut C) {
    Inject::new().write(carrier);
}

/// What is written to requests: the header `stormless-attempt`, and what else one asks for.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{collections::HashMap, time::Duration};
/// use stormless::{deadline, wire::Inject};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// const INJECT: Inject = Inject::new().grpc_timeout().margin(Duration::from_millis(20));
///
/// let headers = deadline::within(Duration::from_secs(1), async {
///     let mut headers = HashMap::new();
///     INJECT.write(&mut headers);
///     headers
/// });
/// let headers = headers.await.unwrap();
/// assert_eq!(headers["grpc-timeout"], "980000u");
/// assert_eq!(headers["stormless-attempt"], "1;max=1;remaining=980");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "it writes nothing by itself"]
pub struct Inject {
    margin: Duration,
    also: u8,
}

const KEY: u8 = 1;
const GRPC_TIMEOUT: u8 = 1 << 1;
const GRPC_ATTEMPTS: u8 = 1 << 2;
const ENVOY: u8 = 1 << 3;
const AWS: u8 = 1 << 4;

impl Inject {
    /// `stormless-attempt` alone.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, wire::Inject};
    /// use std::collections::BTreeMap;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let send = async || {
    ///     let mut headers = BTreeMap::new();
    ///     Inject::new().write(&mut headers);
    ///     Ok::<_, std::io::Error>(headers)
    /// };
    /// let headers = Policy::new().run(send).await?;
    /// assert_eq!(headers.into_keys().collect::<Vec<_>>(), ["stormless-attempt"]);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn new() -> Self {
        Self { margin: Duration::ZERO, also: 0 }
    }

    /// Tells the callee of less time than there is left, for what the way of request and answer takes. None by
    /// default.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{deadline, wire::Inject};
    /// use std::{collections::HashMap, time::Duration};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let sent = deadline::within(Duration::from_secs(1), async {
    ///     let mut headers = HashMap::new();
    ///     Inject::new().margin(Duration::from_millis(100)).write(&mut headers);
    ///     headers
    /// });
    /// assert_eq!(sent.await.unwrap()["stormless-attempt"], "1;max=1;remaining=900");
    /// # }
    /// ```
    pub const fn margin(mut self, margin: Duration) -> Self {
        self.margin = margin;
        self
    }

    /// Also the running call's [idempotency key](crate::Attempt::idempotency_key) as `Idempotency-Key`, unless
    /// the request has one: the same on all attempts. It is written as the
    /// [draft](https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/) wants it, in
    /// quotes; a key of yours that is not ASCII as a display string of RFC 9651, `%"caf%c3%a9"`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, wire::Inject};
    /// use std::collections::HashMap;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let send = async || {
    ///     let mut headers = HashMap::new();
    ///     Inject::new().idempotency_key().write(&mut headers);
    ///     Ok::<_, std::io::Error>(headers)
    /// };
    /// let headers = Policy::new().run(send).idempotency_key("order-17").await?;
    /// assert_eq!(headers["idempotency-key"], "\"order-17\"");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn idempotency_key(self) -> Self {
        self.with(KEY)
    }

    /// Also `grpc-timeout`, which servers keep to that do not know this crate. One that is there is only made
    /// shorter.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{deadline, wire::Inject};
    /// use std::{collections::HashMap, time::Duration};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let sent = deadline::within(Duration::from_secs(1), async {
    ///     let mut headers = HashMap::new();
    ///     Inject::new().grpc_timeout().write(&mut headers);
    ///     headers
    /// });
    /// assert_eq!(sent.await.unwrap()["grpc-timeout"], "1000000u");
    /// # }
    /// ```
    pub const fn grpc_timeout(self) -> Self {
        self.with(GRPC_TIMEOUT)
    }

    /// Also `grpc-previous-rpc-attempts`, from the second attempt on. On the first, one that is there already
    /// becomes `0`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current, wire::Inject};
    /// use std::{collections::HashMap, io};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> io::Result<()> {
    /// let send = async || {
    ///     if current().is_some_and(|attempt| !attempt.is_retry()) {
    ///         return Err(io::Error::from(io::ErrorKind::ConnectionRefused));
    ///     }
    ///     let mut headers = HashMap::new();
    ///     Inject::new().grpc_previous_attempts().write(&mut headers);
    ///     Ok(headers)
    /// };
    /// assert_eq!(Policy::new().run(send).await?["grpc-previous-rpc-attempts"], "1");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn grpc_previous_attempts(self) -> Self {
        self.with(GRPC_ATTEMPTS)
    }

    /// Also `x-envoy-attempt-count`, and `x-envoy-expected-rq-timeout-ms`, which is only made shorter.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, wire::Inject};
    /// use std::collections::HashMap;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let send = async || {
    ///     let mut headers = HashMap::new();
    ///     Inject::new().envoy().write(&mut headers);
    ///     Ok::<_, std::io::Error>(headers)
    /// };
    /// assert_eq!(Policy::new().run(send).await?["x-envoy-attempt-count"], "1");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn envoy(self) -> Self {
        self.with(ENVOY)
    }

    /// Also `amz-sdk-request`, with a `ttl` of the wall clock where there is a deadline.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, wire::Inject};
    /// use std::collections::HashMap;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let send = async || {
    ///     let mut headers = HashMap::new();
    ///     Inject::new().aws().write(&mut headers);
    ///     Ok::<_, std::io::Error>(headers)
    /// };
    /// assert_eq!(Policy::new().run(send).await?["amz-sdk-request"], "attempt=1; max=3");
    /// # Ok(())
    /// # }
    /// ```
    pub const fn aws(self) -> Self {
        self.with(AWS)
    }

    const fn with(mut self, also: u8) -> Self {
        self.also |= also;
        self
    }

    const fn writes(self, what: u8) -> bool {
        self.also & what != 0
    }

    /// Writes it to a request that is about to be sent, from within the attempt. What was there is replaced;
    /// outside of attempts and deadlines nothing is.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, wire::Inject};
    /// use std::collections::HashMap;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let mut outside = HashMap::new();
    /// Inject::new().write(&mut outside);
    /// assert!(outside.is_empty());
    ///
    /// let send = async || {
    ///     let mut headers = HashMap::new();
    ///     Inject::new().write(&mut headers);
    ///     Ok::<_, std::io::Error>(headers)
    /// };
    /// assert_eq!(Policy::new().run(send).await?["stormless-attempt"], "1;max=3");
    /// # Ok(())
    /// # }
    /// ```
    pub fn write<C: Carrier + ?Sized>(self, carrier: &mut C) {
        if self.writes(KEY) && carrier.get(IDEMPOTENCY_KEY).is_none() {
            if let Some(attempt) = crate::current() {
                carrier.set(IDEMPOTENCY_KEY, &quoted(attempt.idempotency_key().as_str()));
            }
        }
        let Some((facts, left)) = Facts::with_time_left(self.margin) else { return };
        carrier.set(ATTEMPT, &facts.to_string());
        if let Some(left) = left {
            self.write_time(carrier, left);
        }
        if self.writes(GRPC_ATTEMPTS) {
            if let Some(previous) = grpc::format_previous_attempts(facts.attempt()) {
                carrier.set(grpc::PREVIOUS_ATTEMPTS, &previous);
            } else if carrier.get(grpc::PREVIOUS_ATTEMPTS).is_some() {
                // Copied from another request, whose attempts are none of this one's.
                carrier.set(grpc::PREVIOUS_ATTEMPTS, "0");
            }
        }
        if self.writes(ENVOY) {
            carrier.set(envoy::ATTEMPT_COUNT, &facts.attempt().to_string());
        }
        if self.writes(AWS) {
            let request = aws::SdkRequest::new(facts.attempt(), facts.max());
            let until = left.and_then(|left| SystemTime::now().checked_add(left));
            let request = until.map_or(request, |until| request.until(until));
            carrier.set(aws::REQUEST, &request.to_string());
        }
    }

    fn write_time<C: Carrier + ?Sized>(self, carrier: &mut C, left: Duration) {
        let is_shorter = |there: Option<Duration>| there.is_none_or(|there| left < there);
        if self.writes(GRPC_TIMEOUT)
            && is_shorter(carrier.get(grpc::TIMEOUT).and_then(grpc::parse_timeout))
        {
            carrier.set(grpc::TIMEOUT, &grpc::format_timeout(left));
        }
        let name = envoy::EXPECTED_TIMEOUT;
        if self.writes(ENVOY)
            && is_shorter(carrier.get(name).and_then(envoy::parse_expected_timeout))
        {
            carrier.set(name, &envoy::format_expected_timeout(left));
        }
    }
}

/// A text as a structured field has it: a string, or a display string where it is not ASCII.
fn quoted(text: &str) -> String {
    let is_string = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push_str(if is_string { "\"" } else { "%\"" });
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' if is_string => quoted.extend(['\\', char::from(byte)]),
            b'"' | b'%' if !is_string => escape(&mut quoted, byte),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => escape(&mut quoted, byte),
        }
    }
    quoted.push('"');
    quoted
}

fn escape(text: &mut String, byte: u8) {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half & 15)]);
    text.extend(['%', digit(byte >> 4), digit(byte)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_quoted_so_that_a_header_can_have_them() {
        for (key, written) in [
            ("8c7e", r#""8c7e""#),
            ("", r#""""#),
            (r#"a"b\c %"#, r#""a\"b\\c %""#),
            ("café \"100%\"\n", r#"%"caf%c3%a9 %22100%25%22%0a""#),
        ] {
            assert_eq!(quoted(key), written);
        }
    }
}
