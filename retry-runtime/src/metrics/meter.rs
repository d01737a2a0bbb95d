//! One recorder, and all that was registered with it.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock, RwLockReadGuard},
};

use ::metrics::Recorder;

use super::{catalogue, gauges::Gauges, site::SiteSeries};
use crate::{
    Event, What,
    site::{self, Site},
};

pub(super) type AnyRecorder = Box<dyn Recorder + Send + Sync>;

/// Everything is registered here once, and found again by the addresses of sites.
pub(super) struct Meter {
    recorder: AnyRecorder,
    gauges: Gauges,
    /// By the address of what changes about the site, which all sites of one closure share.
    sites: BTreeMap<usize, SiteSeries>,
}

fn address(site: &'static Site) -> usize {
    std::ptr::from_ref(site.process_state()).addr()
}

fn read(meter: &RwLock<Meter>) -> RwLockReadGuard<'_, Meter> {
    meter.read().unwrap_or_else(PoisonError::into_inner)
}

impl Meter {
    /// Describes all metrics, and registers what is known of already.
    pub(super) fn new(recorder: AnyRecorder) -> Self {
        catalogue::describe(&recorder);
        let gauges = Gauges::new(&recorder);
        let mut meter = Self { recorder, gauges, sites: BTreeMap::new() };
        let all = site::all();
        for (site, label) in all.iter().zip(site::labels(&all)) {
            meter.add(site, label);
        }
        meter
    }

    fn add(&mut self, site: &'static Site, label: String) {
        let series = SiteSeries::new(&self.recorder, site, label);
        // A closure has a site for each set of settings, and budgets are among those.
        for one in site::every().filter(|one| site.shares_row(one)) {
            series.meet(&self.recorder, &self.gauges, one);
        }
        self.sites.insert(address(site), series);
    }

    /// A site that came later: a series that exists keeps its name.
    fn meet(&mut self, site: &'static Site) {
        if !self.sites.contains_key(&address(site)) {
            let is_taken = |label: &str| self.sites.values().any(|known| known.label() == label);
            let shares_name = self.sites.values().any(|known| known.site.name() == site.name());
            let label = match (shares_name, site.at_line()) {
                (false, _) => site.name().to_owned(),
                (true, at_line) if is_taken(&at_line) => site.at_column(),
                (true, at_line) => at_line,
            };
            self.add(site, label);
        }
    }
}

/// Records an event.
pub(super) fn record(meter: &RwLock<Meter>, event: &Event) {
    let Some(origin) = event.origin() else {
        match event.what() {
            What::BreakerChanged { breaker, .. } => {
                let meter = read(meter);
                meter.gauges.refresh_breaker(&meter.recorder, breaker);
            }
            // Of whom, and what follows from it for switches, capacities and breakers, is not to be told from
            // the event alone.
            What::Overrides(_) => refresh(meter),
            _ => {}
        }
        return;
    };
    // Says nothing that is recorded, and every call has one.
    if matches!(event.what(), What::CallStarted) {
        return;
    }
    let tell = |meter: &Meter| {
        let series = meter.sites.get(&address(origin.site));
        let record = |series: &SiteSeries| {
            series.record(&meter.recorder, &meter.gauges, &origin, event.what());
        };
        series.map(record).is_some()
    };
    let told = tell(&read(meter));
    if !told {
        meter.write().unwrap_or_else(PoisonError::into_inner).meet(origin.site);
        tell(&read(meter));
    }
}

/// Sets all gauges, and makes known what came since.
pub(super) fn refresh(meter: &RwLock<Meter>) {
    let all = site::all();
    let has_all = |meter: &Meter| all.iter().all(|site| meter.sites.contains_key(&address(site)));
    if !has_all(&read(meter)) {
        let mut meter = meter.write().unwrap_or_else(PoisonError::into_inner);
        for site in all {
            meter.meet(site);
        }
    }
    let meter = read(meter);
    meter.gauges.refresh(&meter.recorder);
    meter.sites.values().for_each(SiteSeries::refresh);
}
