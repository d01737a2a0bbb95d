//! `lapin` 4.12.

use std::io;

use ::lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use ::lapin::protocol::{AMQPErrorKind, AMQPHardError as Hard, AMQPSoftError as Soft};
use ::lapin::{
    BasicProperties, Channel, Confirmation, Connection, ConnectionProperties, Error, ErrorKind,
    Result,
};
use stormless::{Budget, Classification, Cut, Retryable, budget, retry};
use tokio::sync::Mutex;

/// What an error of `lapin` means for a retry of a function that opens its channel, and the connection if need
/// be, itself. On a channel or a connection that was closed everything fails again.
pub fn classify(error: &Error) -> Classification {
    match error.kind() {
        // A cut of stormless is one of these, too.
        ErrorKind::IOError(error) => error.classify(),
        ErrorKind::MissingHeartbeatError => Classification::transient().maybe_executed(),
        // Closed before: nothing was sent.
        ErrorKind::InvalidChannel(_)
        | ErrorKind::InvalidChannelState(..)
        | ErrorKind::InvalidConnectionState(_) => Classification::transient(),
        ErrorKind::ProtocolError(error) => by_code(error.kind()),
        // This process has as many as the broker allows on one connection.
        ErrorKind::ChannelsLimitReached => Classification::throttled().local(),
        ErrorKind::RuntimeShutdownError(_) => Classification::cancelled(),
        // Versions, frames that nobody can read, credentials, mistakes in the use of lapin.
        _ => Classification::permanent(),
    }
}

/// `can_be_recovered` of lapin says yes to all of them, a wrong password included.
fn by_code(kind: &AMQPErrorKind) -> Classification {
    match kind {
        // An operator closed the connection or stopped the broker; or it failed inside.
        AMQPErrorKind::Hard(Hard::CONNECTIONFORCED | Hard::INTERNALERROR) => {
            Classification::transient().maybe_executed()
        }
        AMQPErrorKind::Hard(Hard::RESOURCEERROR) => Classification::throttled().maybe_executed(),
        // Held by another connection: often one's own of before, which the broker has not missed yet.
        AMQPErrorKind::Soft(Soft::RESOURCELOCKED | Soft::NOCONSUMERS) => {
            Classification::transient()
        }
        AMQPErrorKind::Soft(_) | AMQPErrorKind::Hard(_) => Classification::permanent().executed(),
    }
}

/// Nacks are no errors of lapin: the broker failed inside and gave the message back. One that came back with an
/// ack could not be routed, and is the caller's.
pub fn classify_confirmation(result: &Result<Confirmation>) -> Option<Classification> {
    match result {
        Ok(Confirmation::Nack(_)) => Some(Classification::transient().maybe_executed()),
        _ => None,
    }
}

/// A broker, and the connection to it.
pub struct Broker {
    uri: String,
    connection: Mutex<Option<Connection>>,
}

budget! { static MAIL: Budget = Budget::new("mail"); }

impl Broker {
    /// Nothing is connected yet.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), connection: Mutex::new(None) }
    }

    /// Publishes to a queue and waits for the broker's word. `idempotent`, because the consumers drop what they
    /// have seen under the same id.
    ///
    /// # Errors
    ///
    /// What lapin says, or a cut at the deadline.
    #[retry(
        classify = classify,
        classify_result = classify_confirmation,
        cut_error = cut,
        deadline = "10s",
        budget = MAIL,
        idempotent
    )]
    pub async fn publish(&self, queue: &str, id: &str, mail: &[u8]) -> Result<Confirmation> {
        let channel = self.channel().await?;
        channel.confirm_select(ConfirmSelectOptions::default()).await?;
        let properties = BasicProperties::default().with_message_id(id.into());
        let options = BasicPublishOptions { mandatory: true, ..Default::default() };
        channel.basic_publish("".into(), queue.into(), options, mail, properties).await?.await
    }

    /// A channel of its own for each attempt: a failure closes it.
    async fn channel(&self) -> Result<Channel> {
        let mut slot = self.connection.lock().await;
        if let Some(connection) = slot.as_ref().filter(|connection| connection.status().connected())
        {
            return connection.create_channel().await;
        }
        let connection = Connection::connect(&self.uri, ConnectionProperties::default()).await?;
        slot.insert(connection).create_channel().await
    }
}

fn cut(cut: Cut) -> Error {
    io::Error::other(cut).into()
}

#[cfg(test)]
mod tests;
