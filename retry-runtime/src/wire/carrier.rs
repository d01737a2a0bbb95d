//! What carries text by name from one process to another.

use std::{
    collections::{BTreeMap, HashMap},
    hash::BuildHasher,
};

/// What carries text by name from one process to another: headers, metadata, properties of a message.
///
/// Names are lower-case ASCII, and so are the values that are written, but for a text that a user gave: that
/// is visible ASCII and blanks. Names that differ in case alone may be the same to a carrier or not.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::{self, Carrier};
///
/// /// The headers of some message queue: pairs of bytes.
/// struct Headers(Vec<(String, Vec<u8>)>);
///
/// impl Carrier for Headers {
///     fn get(&self, name: &'static str) -> Option<&str> {
///         let mut found = self.0.iter().filter(|(key, _)| key == name);
///         let only = found.next().filter(|_| found.next().is_none());
///         std::str::from_utf8(&only?.1).ok()
///     }
///
///     fn set(&mut self, name: &'static str, value: &str) {
///         self.0.retain(|(key, _)| key != name);
///         self.0.push((name.to_owned(), value.into()));
///     }
/// }
///
/// let headers = Headers(vec![("stormless-attempt".to_owned(), b"2;max=5".to_vec())]);
/// assert_eq!(wire::extract(&headers).attempt(), Some(2));
/// ```
pub trait Carrier {
    /// The text of this name. `None` if there is none, if it is not text, or if there is more than one: each
    /// of these is said once, and which of two is to be believed is anybody's guess.
    fn get(&self, name: &'static str) -> Option<&str>;

    /// Sets the text of this name, in place of whatever was there.
    fn set(&mut self, name: &'static str, value: &str);
}

impl<S: BuildHasher> Carrier for HashMap<String, String, S> {
    fn get(&self, name: &'static str) -> Option<&str> {
        self.get(name).map(String::as_str)
    }

    fn set(&mut self, name: &'static str, value: &str) {
        self.insert(name.to_owned(), value.to_owned());
    }
}

impl Carrier for BTreeMap<String, String> {
    fn get(&self, name: &'static str) -> Option<&str> {
        self.get(name).map(String::as_str)
    }

    fn set(&mut self, name: &'static str, value: &str) {
        self.insert(name.to_owned(), value.to_owned());
    }
}

impl<C: Carrier + ?Sized> Carrier for &mut C {
    fn get(&self, name: &'static str) -> Option<&str> {
        (**self).get(name)
    }

    fn set(&mut self, name: &'static str, value: &str) {
        (**self).set(name, value);
    }
}
