//! The statics that describe an annotated function, and the start of a call.

use proc_macro2::TokenStream;
use quote::ToTokens;
use retry_grammar::model::{Budget, Deadline, Idempotent, Policy, Setting, Value};
use syn::ext::IdentExt;

use super::Checked;
use super::gate;
use super::generic::Parameters;
use super::hedge;
use super::policy::{Chain, length};
use super::runtime::{Runtime, borrowed, generated, lent};

/// What stands before the loop.
pub(super) struct Start {
    /// The statics and their registration.
    pub(super) statics: TokenStream,
    /// What binds `__policy`, if anything must.
    pub(super) policy_binding: TokenStream,
    /// A `&Policy`.
    pub(super) policy: TokenStream,
    /// The `Call` that begins.
    pub(super) begin: TokenStream,
    /// What binds `__gate`, if there is one.
    pub(super) gate: TokenStream,
}

pub(super) fn start(checked: &Checked, runtime: &Runtime) -> Start {
    let parameters = Parameters::of(&checked.function.sig.generics);
    let chain = Chain::of(&checked.settings, runtime, &parameters);
    let (policy_binding, policy) = policy(checked, runtime, &chain);
    let given = given(checked, runtime, &parameters);
    let mut begin = begin(&policy, given.as_ref(), runtime);
    let mut gate = TokenStream::new();
    if checked.settings.has_gate() {
        begin = generated!(#begin.gated());
        gate = generated!(let mut __gate = #runtime::Gate::new(&__STORMLESS_SITE););
    } else if !checked.clones().is_empty() && !checked.is_hedged() {
        // Those of hedged attempts are made inside them.
        begin = generated!(#begin.with_arguments());
    }
    if checked.settings.last_attempt_untimed.is_some() {
        begin = generated!(#begin.last_untimed(#policy));
    }
    let statics = statics(checked, runtime, &chain, &parameters);
    Start { statics, policy_binding, policy, begin, gate }
}

fn statics(
    checked: &Checked,
    runtime: &Runtime,
    chain: &Chain<'_>,
    parameters: &Parameters,
) -> TokenStream {
    let settings = &checked.settings;
    let name = if let Some(name) = &settings.name {
        name.value.to_token_stream()
    } else {
        let function = checked.function.sig.ident.unraw().to_string();
        generated!(::core::concat!(::core::module_path!(), "::", #function))
    };
    let policy = chain.common();
    let mut calls = Vec::new();
    if settings.blocking.is_some() {
        calls.push(generated!(blocking()));
    }
    if settings.is_single() {
        calls.push(generated!(single()));
    }
    if checked.can_time_out() && settings.attempt_timeout.is_none() {
        calls.push(generated!(times_out()));
    }
    if matches!(&settings.deadline, Some(Setting { value: Deadline::Off, .. })) {
        calls.push(generated!(deadline(#runtime::DeadlineRule::None)));
    }
    let mut named = TokenStream::new();
    if let Some(budget) = &settings.budget {
        let budget = match &budget.value {
            Budget::Off => generated!(None),
            Budget::Named(name) => {
                named = generated! {
                    static __STORMLESS_BUDGET: #runtime::NamedBudget = #runtime::NamedBudget::new(#name);
                };
                generated!(Named(&__STORMLESS_BUDGET))
            }
            Budget::Static(path) if parameters.own(path) => {
                generated!(Given)
            }
            Budget::Static(path) => {
                let budget = borrowed(path);
                generated!(Static(#budget))
            }
            Budget::Expression(_) => generated!(Given),
        };
        calls.push(generated!(budget(#runtime::BudgetRef::#budget)));
    }
    if settings.shed.is_some() {
        calls.push(generated!(sheds()));
    }
    calls.extend(gate::breaker(settings, runtime, &mut named));
    calls.extend(gate::expectation(settings, runtime, &mut named));
    named.extend(hedge::statics(settings, runtime));
    if settings.last_attempt_untimed.is_some() {
        calls.push(generated!(last_untimed()));
    }
    let mut latency = TokenStream::new();
    if settings.keeps_latency() {
        latency = generated! {
            static __STORMLESS_LATENCY: #runtime::Latency = #runtime::Latency::new();
        };
        calls.push(generated!(latency_in(&__STORMLESS_LATENCY)));
    }
    let per_call = matches!(settings.policy, Some(Setting { value: Policy::Expression(_), .. }));
    if chain.is_generic() || per_call {
        calls.push(generated!(varying()));
    }
    let site = generated! {
        #runtime::Site::new(
            #name,
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
            #policy,
            &__STORMLESS_STATE,
        )#(.#calls)*
    };
    let site = with_lengths(site, checked, runtime, parameters);
    let import = runtime.import();
    generated! {
        #import
        static __STORMLESS_STATE: #runtime::SiteState = #runtime::SiteState::new();
        #named
        #latency
        static __STORMLESS_SITE: #runtime::Site = #site;
        #runtime::submit_site!(__STORMLESS_SITE);
    }
}

/// Adds what is checked in const evaluation, each call located at its value.
fn with_lengths(
    mut site: TokenStream,
    checked: &Checked,
    runtime: &Runtime,
    parameters: &Parameters,
) -> TokenStream {
    if let Some(timeout) = &checked.settings.attempt_timeout {
        let length = length(&timeout.value).0;
        let arguments = generated!(#site, #length);
        site = runtime.method_at(("Site", "attempt_timeout"), &timeout.tokens, &arguments);
    }
    if let Some(Setting { value: Deadline::After(value), tokens, .. }) = &checked.settings.deadline
    {
        if !parameters.may_be_in(tokens.clone()) {
            let length = length(value).0;
            let rule = generated!(#site, #runtime::DeadlineRule::After(#length));
            site = runtime.method_at(("Site", "deadline"), tokens, &rule);
        }
    }
    hedge::site(site, checked, runtime)
}

/// The binding of `__policy` and the way to name the policy.
fn policy(checked: &Checked, runtime: &Runtime, chain: &Chain<'_>) -> (TokenStream, TokenStream) {
    let settings = &checked.settings;
    let idempotent = match &settings.idempotent {
        Some(Setting { value: Idempotent::Expression(value), .. }) => {
            Some(generated!(.idempotent_if(#value)))
        }
        _ => None,
    };
    if let Some(Setting { value: Policy::Expression(value), .. }) = &settings.policy {
        let value = lent(value);
        let policy = chain.after(&generated!(#runtime::shared_policy(#value)));
        return (
            generated!(let __policy: #runtime::Policy = #policy #idempotent;),
            generated!(&__policy),
        );
    }
    let fixed = if chain.is_generic() {
        let policy = chain.complete();
        generated!(const { &#policy })
    } else {
        generated!(__STORMLESS_SITE.policy())
    };
    match idempotent {
        Some(idempotent) => (
            generated!(let __policy: #runtime::Policy = #runtime::Policy::from_shared(#fixed) #idempotent;),
            generated!(&__policy),
        ),
        None if chain.is_generic() => {
            (generated!(let __policy: &'static #runtime::Policy = #fixed;), generated!(__policy))
        }
        None => (TokenStream::new(), fixed),
    }
}

fn begin(policy: &TokenStream, given: Option<&TokenStream>, runtime: &Runtime) -> TokenStream {
    match given {
        None => generated!(#runtime::Call::begin(&__STORMLESS_SITE, #policy)),
        Some(given) => generated!(#runtime::Call::begin_with(&__STORMLESS_SITE, #policy, #given)),
    }
}

/// The values of expressions, in the order in which the user wrote them.
fn given(checked: &Checked, runtime: &Runtime, parameters: &Parameters) -> Option<TokenStream> {
    let settings = &checked.settings;
    let mut calls: Vec<(usize, TokenStream)> = Vec::new();
    if let Some(budget) = &settings.budget {
        let value = match &budget.value {
            Budget::Expression(value) => Some(value.to_token_stream()),
            Budget::Static(path) if parameters.own(path) => Some(path.to_token_stream()),
            _ => None,
        };
        calls.extend(value.map(|value| (budget.position, generated!(.budget(#value)))));
    }
    if let Some(key) = &settings.budget_key {
        let value = lent(&key.value);
        // After the budget, which may be an expression.
        let budget = settings.budget.as_ref().map_or(0, |budget| budget.position);
        let call = generated!(.budget_key(&__STORMLESS_SITE, #value));
        calls.push((key.position.max(budget), call));
    }
    if let Some(deadline) = &settings.deadline {
        let value = match &deadline.value {
            Deadline::Expression(value) => Some(value.to_token_stream()),
            Deadline::After(Value::Const(path)) if parameters.may_be_in(path.to_token_stream()) => {
                Some(path.to_token_stream())
            }
            _ => None,
        };
        calls.extend(value.map(|value| (deadline.position, generated!(.deadline(#value)))));
    }
    if let Some(key) = &settings.idempotency_key {
        let value = lent(&key.value);
        calls.push((key.position, generated!(.key(#value))));
    }
    calls.sort_by_key(|(position, _)| *position);
    let calls: Vec<TokenStream> = calls.into_iter().map(|(_, call)| call).collect();
    (!calls.is_empty()).then(|| generated!(#runtime::Given::NONE #(#calls)*))
}
