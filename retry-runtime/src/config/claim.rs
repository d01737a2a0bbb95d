//! One file at a time: two would each take away what the other one says.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::ConfigFileError;

/// Which test, or 0 for the process, watches what.
static CLAIMED: Mutex<Vec<(u32, PathBuf)>> = Mutex::new(Vec::new());

/// The right to be the layer `file`, for the process or an isolated test.
pub(super) struct Claim(u32);

impl Claim {
    pub(super) fn of(path: &Path) -> Result<Self, ConfigFileError> {
        #[cfg(feature = "testing")]
        let whose = crate::context::ambient().test();
        #[cfg(not(feature = "testing"))]
        let whose = 0;
        let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, path)) = claimed.iter().find(|(other, _)| *other == whose) {
            return Err(ConfigFileError::Watched { path: path.clone() });
        }
        claimed.push((whose, path.to_owned()));
        Ok(Self(whose))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        CLAIMED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|(whose, _)| *whose != self.0);
    }
}
