//! What a body may do.
//!
//! `?`, `return` and labels mean what they meant: they end the attempt, not the loop around it.

use std::num::ParseIntError;

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `?` with a conversion.
/// By `From`, into the error that the function says.
#[tokio::test(start_paused = true)]
async fn question_mark() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn parse(text: &str) -> Result<u32, Failed> {
        TRIES.answer(()).await?;
        Ok(text.parse::<u32>()?)
    }
    assert_eq!(send(parse("7")).await, Ok(7));
    assert_eq!(TRIES.bodies(), 3);
}

/// Early `return`.
/// It ends the attempt: an error is retried, a value ends the call.
#[tokio::test(start_paused = true)]
async fn early_return() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(ready: bool) -> Result<u8, Failed> {
        if TRIES.run().is_err() {
            return Err(Failed);
        }
        if ready {
            return Ok(4);
        }
        Ok(5)
    }
    assert_eq!(send(number(true)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// Labelled loops with values.
/// `break 'label value` and `continue 'label` stay within the body.
#[tokio::test(start_paused = true)]
async fn labelled_loops() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn find(numbers: &[&str], wanted: u32) -> Result<usize, Failed> {
        let mut rounds = 0;
        let found = 'search: loop {
            rounds += 1;
            'next: for (index, text) in numbers.iter().enumerate() {
                for number in text.split(' ') {
                    if number.parse::<u32>()? != wanted {
                        continue 'next;
                    }
                }
                if rounds == 2 {
                    break 'search index;
                }
            }
        };
        TRIES.answer(found).await
    }
    assert_eq!(send(find(&["1 2", "2 2"], 2)).await, Ok(1));
    assert_eq!(TRIES.bodies(), 3);
}

/// A labelled block.
/// `break 'label` leaves the block and nothing else.
#[tokio::test(start_paused = true)]
async fn labelled_block() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(text: &str) -> Result<u32, Failed> {
        let number = 'number: {
            if text.is_empty() {
                break 'number 0;
            }
            text.parse()?
        };
        TRIES.answer(number).await
    }
    assert_eq!(send(number("")).await, Ok(0));
    assert_eq!(TRIES.bodies(), 3);
}

/// Closures with `?` and `return` of their own.
/// They end the closure.
#[tokio::test(start_paused = true)]
async fn closures() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum(numbers: &[&str]) -> Result<u32, Failed> {
        let parse = |text: &&str| -> Result<u32, ParseIntError> {
            if text.is_empty() {
                return Ok(0);
            }
            Ok(text.parse::<u32>()? + 1)
        };
        let numbers = numbers.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        TRIES.answer(numbers.iter().sum()).await
    }
    assert_eq!(send(sum(&["1", "", "2"])).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// Local items.
/// Functions, consts, types and their implementations, and `use` of them.
#[tokio::test(start_paused = true)]
async fn local_items() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn turn(times: u8) -> Result<u8, Failed> {
        use Side::{Left, Right};
        const FIRST: Side = Left;
        enum Side {
            Left,
            Right,
        }
        impl Side {
            fn other(self) -> Self {
                match self {
                    Left => Right,
                    Right => Left,
                }
            }
        }
        let side = (0..times).fold(FIRST, |side, _| side.other());
        TRIES.answer(side as u8).await
    }
    assert_eq!(send(turn(3)).await, Ok(1));
    assert_eq!(TRIES.bodies(), 3);
}

/// Local `macro_rules!`, with a `return` in them.
/// The macro returns from the attempt.
#[tokio::test(start_paused = true)]
async fn local_macros() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn parse(text: &str) -> Result<u32, Failed> {
        macro_rules! unwrap_or_return {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(_) => return Err(Failed),
                }
            };
        }
        unwrap_or_return!(TRIES.run());
        let number = unwrap_or_return!(text.parse());
        Ok(number)
    }
    assert_eq!(send(parse("7")).await, Ok(7));
    assert_eq!(TRIES.bodies(), 3);
}

/// Names in format strings.
/// `{self}`, `{argument}` and local variables.
#[tokio::test(start_paused = true)]
async fn format_strings() {
    static TRIES: Tries = Tries::failing(2);
    trait Greet: std::fmt::Display + Sync {
        #[retry]
        async fn greet(&self, word: &str) -> Result<String, Failed> {
            let mark = '!';
            TRIES.answer(format!("{word} {self}{mark}")).await
        }
    }
    impl Greet for u8 {}
    assert_eq!(send(4.greet("hello")).await, Ok("hello 4!".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// Attributes in the body.
/// On statements, expressions and arms.
#[tokio::test(start_paused = true)]
async fn attributes() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number(text: &str) -> Result<u8, Failed> {
        #[cfg(not(test))]
        let number = 1;
        #[cfg(test)]
        let number = 4;
        #[expect(unused_variables)]
        let unused = text;
        match text {
            #[cfg(not(test))]
            "" => Err(Failed),
            _ => TRIES.answer(number).await,
        }
    }
    assert_eq!(send(number("")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
