//! Patterns.
//!
//! A pattern is taken apart once, before the first attempt, and all attempts borrow its parts.

use stormless::retry;

use crate::support::{Failed, Tries, send};

#[derive(Clone, Copy, Debug)]
struct Point {
    x: u8,
    y: u8,
}

struct Json<T>(T);

/// Tuple.
/// Each variable is an argument of its own.
#[tokio::test(start_paused = true)]
async fn tuple() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum((left, right): (u8, u8)) -> Result<u8, Failed> {
        TRIES.answer(left + right).await
    }
    assert_eq!(send(sum((1, 2))).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&x`.
/// The copy is made once.
#[tokio::test(start_paused = true)]
async fn reference() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn double(&number: &u8) -> Result<u8, Failed> {
        TRIES.answer(number * 2).await
    }
    assert_eq!(send(double(&4)).await, Ok(8));
    assert_eq!(TRIES.bodies(), 3);
}

/// Struct.
/// With or without `..`, owned or behind a reference.
#[tokio::test(start_paused = true)]
async fn fields() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum(Point { x, y }: Point, Point { x: more, .. }: &Point) -> Result<u8, Failed> {
        TRIES.answer(x + y + more).await
    }
    assert_eq!(send(sum(Point { x: 1, y: 2 }, &Point { x: 3, y: 0 })).await, Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

/// Struct behind `&mut`.
/// Each attempt changes the same fields.
#[tokio::test(start_paused = true)]
async fn exclusive_fields() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn step(Point { x, y }: &mut Point) -> Result<u8, Failed> {
        *x += 1;
        *y += *x;
        TRIES.answer(*y).await
    }
    assert_eq!(send(step(&mut Point { x: 0, y: 0 })).await, Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

/// Tuple struct, as extractors are written.
/// The value in it is borrowed by the attempts.
#[tokio::test(start_paused = true)]
async fn extractor() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn length(Json(text): Json<String>) -> Result<usize, Failed> {
        TRIES.answer(text.len()).await
    }
    assert_eq!(send(length(Json("four".to_owned()))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// Tuple struct with `clone(..)`.
/// `clone(..)` names the variable, wherever in a pattern it is bound.
#[tokio::test(start_paused = true)]
async fn cloned_extractor() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(text))]
    async fn echo(Json(text): Json<String>) -> Result<String, Failed> {
        TRIES.answer(text).await
    }
    assert_eq!(send(echo(Json("four".to_owned()))).await, Ok("four".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// Array and slice.
/// What `..` stands for is dropped when the call ends.
#[tokio::test(start_paused = true)]
async fn array() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn ends([first, .., last]: [u8; 4]) -> Result<u8, Failed> {
        TRIES.answer(first + last).await
    }
    assert_eq!(send(ends([1, 0, 0, 2])).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// `whole @ part`.
/// Both variables are there in each attempt.
#[tokio::test(start_paused = true)]
async fn bound_twice() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum(whole @ Point { x, .. }: Point) -> Result<u8, Failed> {
        TRIES.answer(whole.x + whole.y + x).await
    }
    assert_eq!(send(sum(Point { x: 1, y: 2 })).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// Nested.
/// To any depth.
#[tokio::test(start_paused = true)]
async fn nested() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum(
        (Point { x, .. }, [first, (second, _)]): (Point, [(u8, &str); 2]),
    ) -> Result<u8, Failed> {
        TRIES.answer(x + first.0 + second).await
    }
    assert_eq!(send(sum((Point { x: 1, y: 0 }, [(2, "a"), (3, "b")]))).await, Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

/// `_`.
/// Nobody sees the value; it is dropped when the call ends, as without the attribute.
#[tokio::test(start_paused = true)]
async fn wildcard() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn ping(_: String, (_, number): (String, u8)) -> Result<u8, Failed> {
        TRIES.answer(number).await
    }
    assert_eq!(send(ping(String::new(), (String::new(), 4))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `ref x`.
/// A borrow of an argument that the call owns.
#[tokio::test(start_paused = true)]
async fn by_ref() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[expect(clippy::toplevel_ref_arg, reason = "the shape under test")]
    async fn length(ref text: String) -> Result<usize, Failed> {
        TRIES.answer(text.len()).await
    }
    assert_eq!(send(length("four".to_owned())).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `mut` in a pattern.
/// With `clone(..)` each attempt starts from the value that the call was given.
#[tokio::test(start_paused = true)]
async fn changed_part() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(left))]
    async fn sum((mut left, right): (u8, u8)) -> Result<u8, Failed> {
        left += right;
        TRIES.answer(left).await
    }
    assert_eq!(send(sum((1, 2))).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}
