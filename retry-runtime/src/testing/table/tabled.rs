//! What the derive writes for a table, and how it finds out whether a forwarded type has one.

use std::{marker::PhantomData, ops::Deref};

use crate::Classification;

/// Types whose classes can be listed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the classes of `{Self}` cannot be listed, since no derive wrote them",
    label = "no `#[derive(Retryable)]`",
    note = "add `#[derive(stormless::Retryable)]` to it and classify its variants",
    note = "where `Retryable` is implemented by hand, compare what `classify` says of each value"
)]
pub trait Tabled {
    /// Its variants, in their order.
    fn variants() -> Vec<TabledVariant>;

    /// Tells it from other types; the same for a type and what only wraps it.
    #[must_use]
    fn name() -> &'static str {
        std::any::type_name::<Self>()
    }
}

/// What is known of one variant without a value of it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TabledVariant {
    pub name: &'static str,
    /// How the value tells the hint, such as `retry_after = wait`.
    pub hint: Option<&'static str>,
    pub label: Option<&'static str>,
    pub decided: Decided,
}

/// Who decides, and what is certain: functions take what only a value can tell.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Decided {
    Class(Classification),
    Default(Classification),
    Marker(&'static str, Classification),
    Status(&'static str, fn(u16) -> Classification),
    With(&'static str, fn(Classification) -> Classification),
    Forward(&'static str, fn(Classification) -> Classification, Option<InnerTable>),
}

/// The table of a forwarded type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct InnerTable {
    pub(super) name: fn() -> &'static str,
    pub(super) variants: fn() -> Vec<TabledVariant>,
}

impl InnerTable {
    pub(super) fn of<E: Tabled + ?Sized>() -> Self {
        Self { name: E::name, variants: E::variants }
    }
}

/// Asks for a type's table where nobody knows whether it has one: methods of its own come before those of what it
/// stands for, so [`NoTable`] answers for types that have none.
#[doc(hidden)]
pub struct Probe<E: ?Sized>(PhantomData<E>, NoTable);

/// The answer of types without a table.
#[doc(hidden)]
#[derive(Debug)]
pub struct NoTable;

impl<E: ?Sized> Probe<E> {
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData, NoTable)
    }
}

impl<E: ?Sized> Default for Probe<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: ?Sized> std::fmt::Debug for Probe<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Probe").finish_non_exhaustive()
    }
}

impl<E: Tabled + ?Sized> Probe<E> {
    #[must_use]
    pub fn table(&self) -> Option<InnerTable> {
        Some(InnerTable::of::<E>())
    }
}

impl<E: ?Sized> Deref for Probe<E> {
    type Target = NoTable;

    fn deref(&self) -> &NoTable {
        &self.1
    }
}

impl NoTable {
    #[must_use]
    pub const fn table(&self) -> Option<InnerTable> {
        None
    }
}
