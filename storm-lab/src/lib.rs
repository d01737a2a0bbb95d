//! Tries a policy against a storm before it is shipped.
