//! What a run says besides the figures that simulations have.

use std::time::Duration;

use super::{Arm, LoadError, Report, measure::Usage};
use crate::{
    measured::{Cost, Measured, PhaseFigures, Requests, Used},
    output::Finished,
    scenario::Window,
};

impl Report {
    /// Figures, costs and phases, for the same outputs as those of simulations.
    ///
    /// # Errors
    ///
    /// If an attribute that is compiled in cannot be read; it can.
    pub fn finished(&self) -> Result<Finished, LoadError> {
        Ok(Finished::measured(self.results()?, self.measured()))
    }

    /// What was seen and what it cost.
    pub fn measured(&self) -> Measured {
        Measured {
            asked: self.settings.length(),
            seen: self.length,
            troubles: self.troubles.clone(),
            costs: self.arms.iter().map(|arm| self.cost(arm)).collect(),
        }
    }

    fn cost(&self, arm: &Arm) -> Cost {
        let all = Window { from: Duration::ZERO, to: self.length };
        let used = |usage: &Usage| Used {
            processes: usage.pids().count(),
            cores: usage.share(all),
            by_second: usage.by_second(self.length),
            peak_kib: usage.peak_kib(),
        };
        let served = &arm.served;
        Cost {
            policy: arm.function.name().to_owned(),
            server: used(&arm.server),
            clients: used(&arm.clients),
            requests: Requests {
                arrived: served.arrived,
                served: served.served,
                wasted: served.wasted,
                lost: served.lost,
                unanswered: served.unanswered,
                failed: served.failed,
                refused: served.refused,
            },
            failed: arm.failed(),
            unfinished: arm.unfinished(),
            failures: arm.failures.clone(),
            whole: Some(arm.phase("all", all)),
            phases: self.phases().iter().map(|phase| arm.phase(phase.name, phase.window)).collect(),
        }
    }
}

impl Arm {
    fn phase(&self, name: &str, window: Window) -> PhaseFigures {
        PhaseFigures {
            name: name.to_owned(),
            window,
            calls: self.calls_in(window),
            success: self.success_in(window),
            attempts_per_call: self.amplification_in(window),
            peak_1s: self.peak_1s_in(window),
            goodput: self.goodput_in(window),
            server_cores: self.server.share(window),
            clients_cores: self.clients.share(window),
        }
    }
}
