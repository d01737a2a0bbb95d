//! The policy of a site as a chain of builder calls.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use retry_grammar::model::{
    Attempts, Backoff, Idempotent, Inner, Nested, Policy, Setting, Settings, Strategy, Value,
};
use syn::ExprPath;

use super::generic::Parameters;
use super::runtime::{Runtime, borrowed, first, generated};

/// The calls that the settings come to, in a fixed order: `base` before `max`, so that each is
/// checked against what stands there already.
pub(super) struct Chain<'a> {
    runtime: &'a Runtime,
    shared: Option<Step>,
    steps: Vec<Step>,
}

/// One builder call.
struct Step {
    call: TokenStream,
    /// Where the compiler's error belongs if the value is only known to it.
    checked_at: Option<TokenStream>,
    generic: bool,
}

impl<'a> Chain<'a> {
    pub(super) fn of(settings: &Settings, runtime: &'a Runtime, parameters: &Parameters) -> Self {
        let generic = |tokens: &TokenStream| parameters.may_be_in(tokens.clone());
        let shared = match &settings.policy {
            Some(Setting { value: Policy::Const(path), tokens, .. }) => Some(Step {
                call: shared(runtime, path),
                checked_at: Some(tokens.clone()),
                generic: generic(tokens),
            }),
            _ => None,
        };
        let mut chain = Self { runtime, shared, steps: Vec::new() };
        chain.add(settings.attempts.as_ref(), generic, |value| match value {
            Value::Literal(Attempts::Unlimited) => (generated!(unlimited()), false),
            Value::Literal(Attempts::Count(count)) => (generated!(attempts(#count)), false),
            Value::Const(path) => (generated!(attempts(#path)), true),
        });
        let adaptive = settings.backoff.as_ref().filter(|backoff| backoff.value.is_adaptive());
        chain
            .steps
            .extend(adaptive.map(|backoff| adaptive_step(settings, backoff, runtime, generic)));
        let fixed = settings.backoff.as_ref().filter(|backoff| !backoff.value.is_adaptive());
        chain.add(fixed, generic, |backoff| match backoff {
            Backoff::BuiltIn(strategy) => {
                let strategy = variant(*strategy);
                (generated!(backoff(#runtime::Backoff::#strategy)), false)
            }
            Backoff::Const(path) => (generated!(backoff(#path)), true),
            Backoff::Function(path) => {
                (generated!(backoff(#runtime::Backoff::Custom(#path))), true)
            }
        });
        for (method, setting) in [
            (generated!(base), &settings.base),
            (generated!(max), &settings.max),
            (generated!(min_remaining), &settings.min_remaining),
            (generated!(time_per_attempt), &settings.time_per_attempt),
            (generated!(max_retry_after), &settings.max_retry_after),
        ] {
            chain.add(setting.as_ref(), generic, |value| {
                let (length, checked) = length(value);
                (generated!(#method(#length)), checked)
            });
        }
        chain.add(settings.factor.as_ref(), generic, |value| match value {
            Value::Literal(factor) => (generated!(factor(#factor)), false),
            Value::Const(path) => (generated!(factor(#path)), true),
        });
        if let Some(idempotent) = &settings.idempotent {
            let call = match &idempotent.value {
                Idempotent::Flag => Some(generated!(idempotent())),
                Idempotent::Const(value) => Some(generated!(idempotent_if(#value))),
                Idempotent::Expression(_) => None,
            };
            let generic = generic(&idempotent.tokens);
            chain.steps.extend(call.map(|call| Step { call, checked_at: None, generic }));
        }
        chain.add(settings.nested.as_ref(), generic, |nested| {
            let nested = match nested {
                Nested::Suppress => generated!(Suppress),
                Nested::Independent => generated!(Independent),
            };
            (generated!(nested(#runtime::Nested::#nested)), false)
        });
        chain.add(settings.inner.as_ref(), generic, |inner| {
            let inner = match inner {
                Inner::Suppress => generated!(Suppress),
                Inner::Allow => generated!(Allow),
            };
            (generated!(inner(#runtime::Inner::#inner)), false)
        });
        chain
    }

    fn add<T>(
        &mut self,
        setting: Option<&Setting<T>>,
        generic: impl Fn(&TokenStream) -> bool,
        call: impl FnOnce(&T) -> (TokenStream, bool),
    ) {
        let Some(setting) = setting else { return };
        let (call, is_const) = call(&setting.value);
        self.steps.push(Step {
            call,
            checked_at: is_const.then(|| setting.tokens.clone()),
            generic: is_const && generic(&setting.tokens),
        });
    }

    /// Whether some value depends on the type that the function is instantiated with.
    pub(super) fn is_generic(&self) -> bool {
        self.shared.iter().chain(&self.steps).any(|step| step.generic)
    }

    /// The checked policy of a static: what is the same for all types.
    pub(super) fn common(&self) -> TokenStream {
        self.checked(|step| !step.generic)
    }

    /// The checked policy of an inline `const`.
    pub(super) fn complete(&self) -> TokenStream {
        self.checked(|_| true)
    }

    /// The policy that begins with an expression's value. It is not checked here: a faulty one is
    /// reported by the call that uses it.
    pub(super) fn after(&self, start: &TokenStream) -> TokenStream {
        let calls = self.steps.iter().map(|step| &step.call);
        generated!(#start #(.#calls)*)
    }

    fn checked(&self, wanted: impl Fn(&Step) -> bool) -> TokenStream {
        let runtime = self.runtime;
        let shared = self.shared.iter().filter(|step| wanted(step));
        let steps: Vec<&Step> = self.steps.iter().filter(|step| wanted(step)).collect();
        let start = shared
            .clone()
            .next()
            .map_or_else(|| generated!(#runtime::Policy::new()), |shared| shared.call.clone());
        // A fault is reported at the value after which it appears. Nothing can be wrong with the
        // literals: they have been checked already, though not against values that only the compiler
        // knows.
        let mut places =
            shared.chain(steps.iter().copied()).filter_map(|step| step.checked_at.as_ref());
        let last = places.clone().next_back();
        let chain = if places.by_ref().count() > 1 {
            steps.iter().fold(start, |chain, step| {
                let call = &step.call;
                let longer = generated!(#chain.#call);
                match step.checked_at.as_ref().filter(|_| !self.is_base_of_pair(step)) {
                    Some(value) => check(runtime, &longer, value),
                    None => longer,
                }
            })
        } else {
            let calls = steps.iter().map(|step| &step.call);
            generated!(#start #(.#calls)*)
        };
        if let Some(value) = last {
            check(runtime, &chain, value)
        } else {
            generated!(#runtime::Policy::checked(#chain))
        }
    }

    /// `base` can only be judged when the `max` that follows is known.
    fn is_base_of_pair(&self, step: &Step) -> bool {
        let begins = |step: &Step, word: &str| {
            step.call.clone().into_iter().next().is_some_and(|token| token.to_string() == word)
        };
        begins(step, "base") && self.steps.iter().any(|step| begins(step, "max"))
    }
}

/// `backoff = "adaptive"`, with the user's configuration or the runtime's. Without the feature the
/// runtime's function refuses it, at the value.
fn adaptive_step(
    settings: &Settings,
    backoff: &Setting<Backoff>,
    runtime: &Runtime,
    generic: impl Fn(&TokenStream) -> bool,
) -> Step {
    let tokens = &backoff.tokens;
    let own = settings.adaptive.as_ref();
    let config = match own {
        Some(own) => borrowed(&own.value),
        None => borrowed(&runtime.item_at("ADAPTIVE", first(tokens))),
    };
    let strategy = runtime.call_at("adaptive", tokens, &config);
    Step {
        call: generated!(backoff(#strategy)),
        checked_at: own.map(|own| own.tokens.clone()),
        generic: own.is_some_and(|own| generic(&own.tokens)),
    }
}

/// The start from a const or static.
fn shared(runtime: &Runtime, path: &ExprPath) -> TokenStream {
    runtime.method_at(("Policy", "from_shared"), path, &borrowed(path))
}

/// The call lies at `value`: that is where the compiler's error then points.
fn check(runtime: &Runtime, chain: &TokenStream, value: &TokenStream) -> TokenStream {
    runtime.method_at(("Policy", "checked"), value, chain)
}

/// A duration, and whether only the compiler knows it.
pub(super) fn length(value: &Value<Duration>) -> (TokenStream, bool) {
    match value {
        Value::Literal(length) => {
            let (seconds, nanos) = (length.as_secs(), length.subsec_nanos());
            (generated!(::core::time::Duration::new(#seconds, #nanos)), false)
        }
        Value::Const(path) => (path.to_token_stream(), true),
    }
}

/// The engine's variant, which is called as the grammar's is.
fn variant(strategy: Strategy) -> Ident {
    Ident::new(&format!("{strategy:?}"), Span::mixed_site())
}
