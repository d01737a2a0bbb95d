//! How an attribute takes over a policy that stands elsewhere.

use super::Policy;

impl Policy {
    /// A copy to which a site's own keys are added.
    #[doc(hidden)]
    pub const fn from_shared(shared: &Self) -> Self {
        *shared
    }

    /// The policy itself, if it makes sense.
    ///
    /// # Panics
    ///
    /// With the fault's text. Only called in `const` evaluation, where that is a compile error at the
    /// caller's line.
    #[doc(hidden)]
    #[track_caller]
    pub const fn checked(self) -> Self {
        match self.check() {
            Ok(()) => self,
            Err(fault) => panic!("{}", fault.requirement()),
        }
    }
}

/// What the attribute's `policy = …` may be: a policy, or what refers to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Policy`",
    label = "`policy` takes a `Policy`, or a reference or smart pointer to one"
)]
pub trait SharedPolicy {
    /// A copy of it.
    fn shared(&self) -> Policy;
}

#[diagnostic::do_not_recommend]
impl<P: std::borrow::Borrow<Policy>> SharedPolicy for P {
    fn shared(&self) -> Policy {
        *self.borrow()
    }
}

/// A policy from an expression that yields one or refers to one. Only a look is taken at it, so that
/// `self.policy` may be an `Arc`.
pub fn shared_policy(policy: &impl SharedPolicy) -> Policy {
    policy.shared()
}
