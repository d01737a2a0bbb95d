//! What the settings come to in production's own types.

use std::time::Duration;

use retry_grammar::Key;
use retry_grammar::model::{
    Attempts, Backoff as Written, Breaker, Budget, Deadline, Inner, Nested, Setting, Settings,
    Strategy, Value,
};
use retry_grammar::text::{self, Mistake};
use retry_runtime::{self as runtime, Backoff, Policy};

use super::Payer;

/// A builder's method.
type Set = fn(Policy, Duration) -> Policy;

/// Turns settings into values, and takes down those that it cannot.
pub(super) struct Values<'a> {
    pub(super) text: &'a str,
    pub(super) mistakes: &'a mut Vec<Mistake>,
}

impl Values<'_> {
    pub(super) fn policy(&mut self, settings: &Settings) -> Policy {
        let mut policy = Policy::new();
        match self.known(settings.attempts.as_ref(), Key::Attempts) {
            Some(Attempts::Count(count)) => policy = policy.attempts(count),
            Some(Attempts::Unlimited) => policy = policy.unlimited(),
            None => {}
        }
        if let Some(backoff) = self.backoff(settings) {
            policy = policy.backoff(backoff);
        }
        let durations: [(_, Set); 5] = [
            (&settings.base, Policy::base),
            (&settings.max, Policy::max),
            (&settings.min_remaining, Policy::min_remaining),
            (&settings.time_per_attempt, Policy::time_per_attempt),
            (&settings.max_retry_after, Policy::max_retry_after),
        ];
        for (setting, set) in durations {
            if let Some(duration) = self.duration(setting.as_ref()) {
                policy = set(policy, duration);
            }
        }
        if let Some(factor) = self.known(settings.factor.as_ref(), Key::Factor) {
            policy = policy.factor(factor);
        }
        policy = match settings.nested.as_ref().map(|nested| nested.value) {
            Some(Nested::Independent) => policy.nested(runtime::Nested::Independent),
            Some(Nested::Suppress) | None => policy,
        };
        policy = match settings.inner.as_ref().map(|inner| inner.value) {
            Some(Inner::Allow) => policy.inner(runtime::Inner::Allow),
            Some(Inner::Suppress) | None => policy,
        };
        policy.idempotent_if(self.idempotent(settings))
    }

    fn backoff(&mut self, settings: &Settings) -> Option<Backoff> {
        let backoff = settings.backoff.as_ref()?;
        Some(match &backoff.value {
            Written::BuiltIn(Strategy::Adaptive) => {
                let why =
                    "backoff \"adaptive\" goes by the load and the latency of a running program";
                return self.refuse(backoff, &format!("{why}: write one of {}", strategies()));
            }
            Written::BuiltIn(strategy) => named(*strategy)?,
            Written::Const(_) | Written::Function(_) => {
                let why = self.unknown(backoff);
                return self.refuse(backoff, &format!("{why}: write one of {}", strategies()));
            }
        })
    }

    pub(super) fn budget(&mut self, settings: &Settings) -> Payer {
        let Some(budget) = &settings.budget else { return Payer::Own };
        match &budget.value {
            Budget::Off => Payer::None,
            Budget::Named(name) => Payer::Named(name.value()),
            Budget::Static(_) => {
                self.refuse_static(budget, Key::Budget);
                Payer::Own
            }
            Budget::Expression(_) => {
                let message = "an expression has no value without a program: write the budget's name, as in `budget = \"orders\"`, or `budget = none`";
                self.refuse::<()>(budget, message);
                Payer::Own
            }
        }
    }

    pub(super) fn breaker(&mut self, settings: &Settings) -> Option<String> {
        let breaker = settings.breaker.as_ref()?;
        match &breaker.value {
            Breaker::Off => None,
            Breaker::Named(name) => Some(name.value()),
            Breaker::Static(_) => {
                self.refuse_static(breaker, Key::Breaker);
                None
            }
        }
    }

    pub(super) fn deadline(&mut self, settings: &Settings) -> Option<Duration> {
        let deadline = settings.deadline.as_ref()?;
        match &deadline.value {
            Deadline::Off => None,
            Deadline::After(Value::Literal(after)) => Some(*after),
            Deadline::After(Value::Const(_)) => {
                let why = self.unknown(deadline);
                self.refuse(deadline, &instead(&why, Key::Deadline))
            }
            Deadline::Expression(_) => self.refuse(
                deadline,
                &instead("an expression has no value without a program", Key::Deadline),
            ),
        }
    }

    pub(super) fn duration(
        &mut self,
        setting: Option<&Setting<Value<Duration>>>,
    ) -> Option<Duration> {
        let key = Key::ALL.iter().find(|key| setting.is_some_and(|it| it.key == key.name()))?;
        self.known(setting, *key)
    }

    fn idempotent(&mut self, settings: &Settings) -> bool {
        let Some(idempotent) = &settings.idempotent else { return false };
        idempotent.value.literal().unwrap_or_else(|| {
            let message = format!(
                "`{}` has no value without a program: write `idempotent` if a repeat is harmless, or leave it out",
                self.written(idempotent)
            );
            self.refuse::<bool>(idempotent, &message).unwrap_or_default()
        })
    }

    /// A value that is written out.
    fn known<T: Copy>(&mut self, setting: Option<&Setting<Value<T>>>, key: Key) -> Option<T> {
        let setting = setting?;
        match &setting.value {
            Value::Literal(value) => Some(*value),
            Value::Const(_) => {
                let why = self.unknown(setting);
                self.refuse(setting, &instead(&why, key))
            }
        }
    }

    fn written<T>(&self, setting: &Setting<T>) -> &str {
        self.text.get(text::range(&setting.tokens, self.text)).unwrap_or_default()
    }

    fn unknown<T>(&self, setting: &Setting<T>) -> String {
        let written = self.written(setting);
        format!("`{written}` belongs to your program, of which nothing is known here")
    }

    /// A static has a name beside its path, which is most often the same in small letters.
    fn refuse_static<T>(&mut self, setting: &Setting<T>, key: Key) {
        let last = self.written(setting).rsplit([':', '&', ' ']).next().unwrap_or_default();
        let name = last.to_lowercase();
        let why = self.unknown(setting);
        let message =
            format!("{why}: write the name that it was given, as in `{key} = \"{name}\"`");
        self.refuse::<()>(setting, &message);
    }

    fn refuse<U>(&mut self, setting: &Setting<impl Sized>, message: &str) -> Option<U> {
        let range = text::range(&setting.tokens, self.text);
        self.mistakes.push(Mistake { range, message: message.to_owned() });
        None
    }
}

fn instead(why: &str, key: Key) -> String {
    format!("{why}: write the value, as in `{}`", key.example())
}

/// Production's strategy of the same name.
fn named(strategy: Strategy) -> Option<Backoff> {
    let (word, _) = Strategy::ALL.into_iter().find(|(_, known)| *known == strategy)?;
    Backoff::named().find(|(name, _)| *name == word).map(|(_, backoff)| backoff)
}

/// The words that can be taken.
fn strategies() -> String {
    let words = Strategy::ALL.iter().filter(|(_, strategy)| *strategy != Strategy::Adaptive);
    words.map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}
