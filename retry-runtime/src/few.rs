//! Lists that are nearly always of one.

use std::iter::Chain;

/// A list whose first element lies in place, so that a list of one takes nothing from the heap.
#[derive(Debug)]
pub(crate) struct Few<T> {
    /// `None` only if `more` is empty too.
    first: Option<T>,
    more: Vec<T>,
}

impl<T> Few<T> {
    pub(crate) const fn new() -> Self {
        Self { first: None, more: Vec::new() }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(crate) fn push(&mut self, element: T) {
        if self.first.is_none() {
            self.first = Some(element);
        } else {
            self.more.push(element);
        }
    }

    /// Puts an element before all others.
    pub(crate) fn push_front(&mut self, element: T) {
        if let Some(second) = self.first.replace(element) {
            self.more.insert(0, second);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.first = None;
        self.more.clear();
    }

    pub(crate) fn iter(&self) -> Chain<std::option::Iter<'_, T>, std::slice::Iter<'_, T>> {
        self.first.iter().chain(&self.more)
    }

    pub(crate) fn iter_mut(
        &mut self,
    ) -> Chain<std::option::IterMut<'_, T>, std::slice::IterMut<'_, T>> {
        self.first.iter_mut().chain(&mut self.more)
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = Chain<std::option::IntoIter<T>, std::vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().chain(self.more)
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = Chain<std::option::Iter<'a, T>, std::slice::Iter<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut elements = elements.into_iter();
        Self { first: elements.next(), more: elements.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_in_order_from_either_end() {
        let mut few = Few::new();
        assert!(few.is_empty());
        few.push(2);
        few.push_front(1);
        few.push(3);
        few.push_front(0);
        assert!(!few.is_empty());
        assert_eq!(few.iter().copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
        few.iter_mut().for_each(|element| *element *= 10);
        assert_eq!(few.into_iter().collect::<Vec<_>>(), [0, 10, 20, 30]);
        assert_eq!((0..3).collect::<Few<_>>().into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn a_list_that_was_cleared_is_empty() {
        let mut few: Few<_> = (0..3).collect();
        few.clear();
        assert!(few.is_empty());
        assert_eq!(few.iter().count(), 0);
    }
}
