//! Statics that register themselves.

/// A static that `budget!` or `breaker!` declares.
#[doc(hidden)]
#[macro_export]
macro_rules! __shared_static {
    ($entry:ident, $(#[$attribute:meta])* $visibility:vis static $name:ident: $kind:ty = $value:expr;) => {
        $(#[$attribute])*
        $visibility static $name: $kind = {
            // In here it shares the attributes of the static, `#[cfg]` among them.
            $crate::__private::inventory::submit! { $crate::__private::$entry(&$name) }
            $value.checked()
        };
    };
}
