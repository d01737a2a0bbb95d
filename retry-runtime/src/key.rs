//! Idempotency keys: one for each logical call, the same on all of its attempts.

use std::{
    collections::hash_map::DefaultHasher,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

/// What a server needs to recognise that two requests are one operation.
///
/// From [`current()`](crate::current) inside an attempt; send it as it prints, for instance in an
/// `Idempotency-Key` header. Keys that are not yours look like a UUID.
///
/// The key of a call inside another one's attempt is derived from that one's key, so that the outer
/// call's next attempt sends the same. Derived keys are stable within one build of the program alone:
/// another one may derive others. What must be recognised after a restart or a deployment needs a key
/// from your own data: `idempotency_key = …`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{IdempotencyKey, Policy, current};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let key = async || Ok::<_, std::io::Error>(current().unwrap().idempotency_key());
/// let from_order = Policy::new().run(key).idempotency_key("order-17").await.unwrap();
/// assert_eq!(from_order, IdempotencyKey::new("order-17"));
/// assert_eq!(from_order.as_str(), "order-17");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Arc<str>);

impl IdempotencyKey {
    /// A key from your own data, such as an order number.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::IdempotencyKey;
    ///
    /// assert_eq!(IdempotencyKey::new(17).as_str(), "17");
    /// ```
    #[must_use]
    pub fn new(key: impl fmt::Display) -> Self {
        Self(key.to_string().into())
    }

    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Random, in the form of a UUID of version 4.
    pub(crate) fn random() -> Self {
        let mut generator = crate::isolation::key_generator();
        Self(uuid(generator.next_u64(), generator.next_u64(), 4))
    }

    /// A pure function of its arguments, in the form of a UUID of version 8 (RFC 9562, section 5.8).
    /// The hash may be another one in another release of the standard library, and `site` stands for
    /// a place in the source, so the result is stable within one build alone.
    pub(crate) fn derived(outer: &Self, site: u32, ordinal: u32) -> Self {
        let half = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, &outer.0, site, ordinal).hash(&mut hasher);
            hasher.finish()
        };
        Self(uuid(half(1), half(2), 8))
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn uuid(high: u64, low: u64, version: u64) -> Arc<str> {
    let high = high & !0xf000 | version << 12;
    let low = low & !(0b11 << 62) | 0b10 << 62;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_keys_depend_on_all_three_and_on_nothing_else() {
        let outer = IdempotencyKey::new("order-17");
        let key = IdempotencyKey::derived(&outer, 1, 0);
        assert_eq!(key, IdempotencyKey::derived(&outer, 1, 0));
        assert_ne!(key, IdempotencyKey::derived(&outer, 1, 1));
        assert_ne!(key, IdempotencyKey::derived(&outer, 2, 0));
        assert_ne!(key, IdempotencyKey::derived(&IdempotencyKey::new("order-18"), 1, 0));
    }

    #[test]
    fn keys_have_the_form_of_a_uuid() {
        assert_eq!(&*uuid(u64::MAX, u64::MAX, 4), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(&*uuid(0, 0, 8), "00000000-0000-8000-8000-000000000000");
    }
}
