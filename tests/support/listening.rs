//! An observer that keeps the warnings that it is told.

use std::sync::{Arc, Mutex};

use stormless::{Event, Observing, What, observe};

/// What an observer is warned about, from here on.
pub(crate) fn listening() -> (Observing, impl Fn(&Observing) -> Vec<String>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let observing = observe(move |event: &Event| {
        if let What::Warned(warning) = event.what() {
            heard.lock().unwrap().push(warning.to_string());
        }
    });
    let so_far = move |observing: &Observing| {
        observing.flush();
        told.lock().unwrap().clone()
    };
    (observing, so_far)
}
