//! The experiment in the words of a scenario, so that its outcomes go where those of simulations go.

use std::time::Duration;

use super::{ATTEMPT_TIMEOUT, Function, LoadError, Report, faults::Fault};
use crate::{
    attribute,
    budget::BudgetSpec,
    runner::Results,
    scenario::{
        self, Clients, Distribution, FaultKind, Hints, PolicySpec, Scenario, Server, Tier,
        Topology, Window, Work,
    },
};

/// What the experiment's files are called.
pub const NAME: &str = "load";

impl Report {
    /// What the table, the files and the report of simulations are made from.
    ///
    /// # Errors
    ///
    /// If an attribute that is compiled in cannot be read; it can.
    pub fn results(&self) -> Result<Results, LoadError> {
        Ok(Results {
            scenario: self.scenario()?,
            outcomes: self.arms.iter().map(|arm| arm.outcome.clone()).collect(),
            failures: Vec::new(),
            complete: self.complete,
        })
    }

    fn scenario(&self) -> Result<Scenario, LoadError> {
        let arguments = self.settings.arguments();
        let policies = arguments.policy.iter().map(|function| policy(*function));
        Ok(Scenario {
            name: NAME.to_owned(),
            title: "real clients and a real server on loopback".to_owned(),
            about: format!(
                "{} client processes for each policy make {} calls a second each, to a server of the policy's own that \
                 serves {} requests a second. Measured, not simulated.",
                arguments.processes, arguments.rate, arguments.capacity
            ),
            source: String::new(),
            duration: self.settings.length(),
            window: Window { from: Duration::ZERO, to: self.length },
            seeds: vec![arguments.seed],
            work: Work::Services(self.topology()),
            policies: policies.collect::<Result<_, _>>()?,
        })
    }

    fn topology(&self) -> Topology {
        let arguments = self.settings.arguments();
        let (workers, service) = self.settings.workers();
        let clients = Clients {
            processes: arguments.processes,
            rate: arguments.rate,
            callers: 0,
            think: Distribution::ZERO,
            waves: Vec::new(),
        };
        let server = Server {
            workers,
            service: Distribution::Fixed(service),
            queue: Some(self.settings.queue()),
            shed: false,
            endpoints: 1,
        };
        let tier = Tier {
            name: "server".to_owned(),
            sites: 1,
            timeout: Some(ATTEMPT_TIMEOUT),
            latency: Distribution::ZERO,
            server: Some(server),
            calls: Vec::new(),
        };
        Topology { clients, tiers: vec![tier], faults: self.faults(), watch: 0 }
    }

    /// The last one first: a scenario's first fault is the one that it must recover from.
    fn faults(&self) -> Vec<scenario::Fault> {
        let kind = |fault| match fault {
            Fault::Loss { request, response } => {
                FaultKind::Loss { request, response: response / (1.0 - request) }
            }
            Fault::Outage { after_ms } => FaultKind::Outage {
                status: 503,
                after: Distribution::Fixed(Duration::from_millis(after_ms)),
                retry_after: None,
                share: 1.0,
            },
            Fault::Stall => FaultKind::Stall,
        };
        let planned = self.schedule.faults().rev();
        planned
            .map(|(window, fault)| scenario::Fault { tier: 0, window, kind: kind(fault) })
            .collect()
    }
}

fn policy(function: Function) -> Result<PolicySpec, LoadError> {
    let unreadable = |why: String| LoadError::Policy { function, why };
    let budget = match function {
        Function::Naive | Function::FullJitter => None,
        Function::Ratio => Some("kind=window"),
        Function::Success => Some("burst=10,ratio=0.1"),
    };
    let budget = budget.map(|text| {
        let spec =
            BudgetSpec::read(text).map_err(|mistakes| unreadable(format!("{mistakes:?}")))?;
        Ok::<_, LoadError>((function.name().to_owned(), spec))
    });
    Ok(PolicySpec {
        name: function.name().to_owned(),
        attribute: attribute::read(function.attribute())
            .map_err(|mistakes| unreadable(mistakes.to_string()))?,
        tiers: Vec::new(),
        budgets: budget.transpose()?.into_iter().collect(),
        own_budget: None,
        hints: Hints::Honoured,
    })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn what_is_compiled_in_can_be_read() {
        for function in Function::value_variants() {
            let policy = policy(*function).unwrap();
            assert_eq!(
                policy.attribute.policy.max_attempts(),
                u32::try_from(Function::MOST_ATTEMPTS).ok()
            );
        }
    }
}
