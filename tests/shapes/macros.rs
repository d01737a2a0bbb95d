//! Functions that `macro_rules!` write.
//!
//! Every fragment of a macro may stand where its kind may stand in a function or in a setting.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `$name:ident`, `$out:ty` and `$body:block`.
/// The whole function from fragments.
#[tokio::test(start_paused = true)]
async fn name_type_and_body() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($name:ident, $argument:ty, $out:ty, $body:block) => {
            #[retry]
            async fn $name(_: $argument) -> $out $body
        };
    }
    define!(number, &str, Result<u8, Failed>, { TRIES.answer(4).await });
    assert_eq!(send(number("a")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `$ok:ty` and `$error:ty` within `Result`.
/// The types need not be one fragment.
#[tokio::test(start_paused = true)]
async fn parts_of_the_type() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($ok:ty, $error:ty) => {
            #[retry]
            async fn number() -> Result<$ok, $error> {
                TRIES.answer(4).await
            }
        };
    }
    define!(u8, Failed);
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `$item:item` below the attribute.
/// A function that the macro's user wrote.
#[tokio::test(start_paused = true)]
async fn item() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! retried {
        ($item:item) => {
            #[retry]
            $item
        };
    }
    retried! {
        async fn number(id: &u8) -> Result<u8, Failed> {
            TRIES.answer(*id).await
        }
    }
    assert_eq!(send(number(&4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `self` from outside.
/// A method whose body the macro's user wrote.
#[tokio::test(start_paused = true)]
async fn receiver() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u8);
    macro_rules! define {
        ($name:ident, &$receiver:ident, $body:block) => {
            impl Store {
                #[retry]
                async fn $name(&$receiver) -> Result<u8, Failed> $body
            }
        };
    }
    define!(number, &self, { TRIES.answer(self.0).await });
    assert_eq!(send(Store(4).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `$argument:ident` in `clone(..)`.
/// The argument of the macro's user, cloned under its name.
#[tokio::test(start_paused = true)]
async fn cloned_argument() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($argument:ident: $ty:ty => $value:expr) => {
            #[retry(clone($argument))]
            async fn echo(mut $argument: $ty) -> Result<$ty, Failed> {
                $argument.push($value);
                TRIES.answer($argument).await
            }
        };
    }
    define!(words: Vec<u8> => 4);
    assert_eq!(send(echo(Vec::new())).await, Ok(vec![4]));
    assert_eq!(TRIES.bodies(), 3);
}

/// An argument of the macro's own.
/// Nobody else can name it, and `clone(..)` finds it.
#[tokio::test(start_paused = true)]
async fn own_argument() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($body:expr) => {
            #[retry(clone(text))]
            async fn echo(text: String) -> Result<(String, u8), Failed> {
                let number = $body;
                TRIES.answer((text, number)).await
            }
        };
    }
    define!({
        let text = 3;
        text + 1
    });
    assert_eq!(send(echo("a".to_owned())).await, Ok(("a".to_owned(), 4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// `$pattern:pat_param`, `$lifetime:lifetime` and `$bound:path`.
/// In the places of the signature where they belong.
#[tokio::test(start_paused = true)]
async fn pattern_lifetime_and_bound() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($pattern:pat_param, $lifetime:lifetime, $bound:path, $out:expr) => {
            #[retry]
            async fn pair<$lifetime, T: $bound>(
                $pattern: (&$lifetime T, u8),
            ) -> Result<(&$lifetime T, u8), Failed> {
                TRIES.answer($out).await
            }
        };
    }
    define!((left, right), 'a, Sync, (left, right));
    assert_eq!(send(pair((&"a", 4))).await, Ok((&"a", 4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// Several functions from one macro.
/// Each is a site of its own, with its own budget.
#[tokio::test(start_paused = true)]
async fn several() {
    static TRIES: Tries = Tries::failing(2);
    macro_rules! define {
        ($($name:ident => $number:literal),*) => {
            $(
                #[retry]
                async fn $name() -> Result<u8, Failed> {
                    TRIES.answer($number).await
                }
            )*
        };
    }
    define!(first_of_several => 1, second_of_several => 2);
    assert_eq!(send(first_of_several()).await, Ok(1));
    assert_eq!(send(second_of_several()).await, Ok(2));
    assert_eq!(TRIES.bodies(), 4);
    let own = |site: &&stormless::SiteRow| site.name().ends_with("_of_several");
    assert_eq!(stormless::sites().iter().filter(own).count(), 2);
}
