//! References by name.

use std::sync::OnceLock;

use super::{Shared, registry};

/// One place that refers to something by its name. Finds it once; after that it costs two loads, and a
/// later declaration is seen all the same.
#[derive(Debug)]
pub struct NameRef<T: 'static> {
    name: &'static str,
    found: OnceLock<&'static T>,
}

impl<T> NameRef<T> {
    /// A reference that looks nothing up yet.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, found: OnceLock::new() }
    }

    /// The name that it refers to.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What was found under the name at first. What is in effect by now knows itself.
    #[inline]
    pub(crate) fn found(&self) -> &'static T
    where
        T: Shared,
    {
        match self.found.get() {
            Some(found) => found,
            None => self.find(),
        }
    }

    /// Outside of the cell's own lock, because whoever hears that nobody declared the name may ask for it too.
    #[cold]
    fn find(&self) -> &'static T
    where
        T: Shared,
    {
        let found = registry::resolve(self.name);
        self.found.get_or_init(|| found)
    }
}
