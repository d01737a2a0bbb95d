//! The randomness of one failure.

use crate::{Generator, Uniform, isolation, random::Stream};

/// Draws from the call's stream, and looks for one at the first draw: neither a failure that stops a call
/// nor a delay without jitter asks for any.
pub(super) struct Jitter<'a> {
    stream: &'a mut Option<Stream>,
    step: u32,
    generator: Option<Generator>,
}

impl<'a> Jitter<'a> {
    pub(super) const fn new(stream: &'a mut Option<Stream>, step: u32) -> Self {
        Self { stream, step, generator: None }
    }
}

impl Uniform for Jitter<'_> {
    fn up_to(&mut self, top: u64) -> u64 {
        let generator = self.generator.get_or_insert_with(|| {
            let stream = *self.stream.get_or_insert_with(isolation::stream);
            isolation::generator_at(stream, self.step)
        });
        generator.up_to(top)
    }
}
