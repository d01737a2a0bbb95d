//! Places and qualifiers.
//!
//! The attribute leaves everything around the function's name where it is.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `pub(crate)` and other visibilities.
/// They stay as they are written.
#[tokio::test(start_paused = true)]
async fn visible() {
    mod store {
        use crate::support::{Failed, Tries};
        pub(super) static TRIES: Tries = Tries::failing(2);
        #[stormless::retry]
        pub(in crate::items) async fn ping() -> Result<(), Failed> {
            TRIES.answer(()).await
        }
    }
    assert_eq!(send(store::ping()).await, Ok(()));
    assert_eq!(store::TRIES.bodies(), 3);
}

/// A function within a function.
/// Its place is no matter.
#[tokio::test(start_paused = true)]
async fn in_a_function() {
    static TRIES: Tries = Tries::failing(2);
    async fn outer() -> Result<u8, Failed> {
        #[retry]
        async fn inner() -> Result<u8, Failed> {
            TRIES.answer(4).await
        }
        inner().await
    }
    assert_eq!(send(outer()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A method of an `impl` within a block.
/// `Self` is what it was.
#[tokio::test(start_paused = true)]
async fn in_a_block() {
    static TRIES: Tries = Tries::failing(2);
    let length = {
        struct Text(String);
        impl Text {
            #[retry]
            pub(self) async fn length(&self) -> Result<usize, Failed> {
                TRIES.answer(Self::measure(&self.0)).await
            }
            fn measure(text: &str) -> usize {
                text.len()
            }
        }
        send(Text("four".to_owned()).length()).await
    };
    assert_eq!((length, TRIES.bodies()), (Ok(4), 3));
}

/// `async unsafe fn`.
/// The caller's `unsafe` is asked for once, for all attempts.
#[tokio::test(start_paused = true)]
#[expect(unsafe_code, reason = "the shape under test")]
async fn unsafe_function() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async unsafe fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    // SAFETY: there is nothing to keep to.
    let call = unsafe { number() };
    assert_eq!(send(call).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `async extern "C" fn`.
/// The ABI stays, and so does what the compiler thinks of it.
#[tokio::test(start_paused = true)]
async fn extern_function() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[expect(improper_ctypes_definitions)]
    async extern "C" fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `async unsafe extern "C" fn`.
/// All qualifiers at once, in their order.
#[tokio::test(start_paused = true)]
#[expect(unsafe_code, reason = "the shape under test")]
async fn unsafe_extern_function() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    #[expect(improper_ctypes_definitions)]
    async unsafe extern "C" fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    // SAFETY: there is nothing to keep to.
    let call = unsafe { number() };
    assert_eq!(send(call).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// By its full path.
/// Nothing has to be imported.
#[tokio::test(start_paused = true)]
async fn full_path() {
    static TRIES: Tries = Tries::failing(2);
    #[::stormless::retry]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// Under another name.
/// Attributes are imported as anything else.
#[tokio::test(start_paused = true)]
async fn renamed() {
    use stormless::retry as with_retry;
    static TRIES: Tries = Tries::failing(2);
    #[with_retry]
    async fn number() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

static FLAKY: Tries = Tries::failing(2);

/// A test.
/// `#[retry]` stands above `#[tokio::test]`, which takes the `async` away.
#[retry]
#[tokio::test(start_paused = true)]
async fn flaky() -> Result<(), Failed> {
    FLAKY.answer(()).await?;
    assert_eq!(FLAKY.bodies(), 3);
    Ok(())
}
