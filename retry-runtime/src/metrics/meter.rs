//! One recorder, and all that was registered with it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard},
};

use ::metrics::Recorder;

use super::{
    catalogue,
    gauges::Gauges,
    labels::{Label, Labels, address},
    site::SiteSeries,
};
use crate::{
    Event, What,
    site::{self, Site},
};

pub(super) type AnyRecorder = Box<dyn Recorder + Send + Sync>;

/// Everything is registered here once, and found again by the addresses of sites.
pub(super) struct Meter {
    books: Arc<Books>,
    sites: BTreeMap<usize, Arc<SiteSeries>>,
}

/// What it takes to make series. Held without the lock of the meter, which every event passes: making those of
/// one site takes as long as dozens of calls.
struct Books {
    recorder: AnyRecorder,
    gauges: Gauges,
    labels: Mutex<Labels>,
    /// The series of all closures for which there was no room.
    others: OnceLock<Arc<SiteSeries>>,
}

fn read(meter: &RwLock<Meter>) -> RwLockReadGuard<'_, Meter> {
    meter.read().unwrap_or_else(PoisonError::into_inner)
}

impl Books {
    /// The series of a row, whose sites these are: a closure has one for each set of settings, and budgets
    /// are among those. Two who make the same are told the same series by the recorder.
    fn make(&self, site: &'static Site, sharing: &[&'static Site]) -> Arc<SiteSeries> {
        let label = self.labels.lock().unwrap_or_else(PoisonError::into_inner).of(site);
        let make = || Arc::new(SiteSeries::new(&self.recorder, site, &label));
        let series = match label {
            Label::Own(_) => make(),
            Label::Others => Arc::clone(self.others.get_or_init(make)),
        };
        for one in sharing {
            series.meet(&self.recorder, &self.gauges, one);
        }
        series
    }

    /// The series of several.
    fn make_all(&self, wanted: &[&'static Site]) -> BTreeMap<usize, Arc<SiteSeries>> {
        let mut rows: BTreeMap<usize, Vec<&'static Site>> =
            wanted.iter().map(|site| (address(site), Vec::new())).collect();
        for site in site::every() {
            if let Some(row) = rows.get_mut(&address(site)) {
                row.push(site);
            }
        }
        let row = |site: &&'static Site| {
            let address = address(site);
            let sharing = rows.get(&address).map(Vec::as_slice).unwrap_or_default();
            (address, self.make(site, sharing))
        };
        wanted.iter().map(row).collect()
    }
}

impl Meter {
    /// Describes all metrics, and registers what is known of already.
    pub(super) fn new(recorder: AnyRecorder) -> Self {
        catalogue::describe(&recorder);
        let all = site::all();
        let books = Arc::new(Books {
            gauges: Gauges::new(&recorder),
            recorder,
            labels: Mutex::new(Labels::new(&all)),
            others: OnceLock::new(),
        });
        Self { sites: books.make_all(&all), books }
    }

    /// Takes what was made, unless another recorder has taken the place of the one that it was made for. What
    /// is there has counted already, and stays.
    fn add(&mut self, books: &Arc<Books>, made: BTreeMap<usize, Arc<SiteSeries>>) {
        if Arc::ptr_eq(&self.books, books) {
            for (address, series) in made {
                self.sites.entry(address).or_insert(series);
            }
        }
    }
}

fn meet(meter: &RwLock<Meter>, wanted: impl FnOnce(&Meter) -> Vec<&'static Site>) {
    let (books, wanted) = {
        let meter = read(meter);
        (Arc::clone(&meter.books), wanted(&meter))
    };
    if !wanted.is_empty() {
        let made = books.make_all(&wanted);
        meter.write().unwrap_or_else(PoisonError::into_inner).add(&books, made);
    }
}

/// Records an event.
pub(super) fn record(meter: &RwLock<Meter>, event: &Event) {
    let Some(origin) = event.origin() else {
        match event.what() {
            What::BreakerChanged { breaker, .. } => {
                let books = &read(meter).books;
                books.gauges.refresh_breaker(&books.recorder, breaker);
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
        let record = |series: &Arc<SiteSeries>| {
            let Books { recorder, gauges, .. } = &*meter.books;
            series.record(recorder, gauges, &origin, event.what());
        };
        series.map(record).is_some()
    };
    // Another recorder may come in between, and then it is that one's to be told.
    while !tell(&read(meter)) {
        meet(meter, |_| vec![origin.site]);
    }
}

/// Sets all gauges, and makes known what came since.
pub(super) fn refresh(meter: &RwLock<Meter>) {
    let all = site::all();
    meet(meter, |meter| {
        let is_new = |site: &&&'static Site| !meter.sites.contains_key(&address(site));
        all.iter().filter(is_new).copied().collect()
    });
    let meter = read(meter);
    meter.books.gauges.refresh(&meter.books.recorder);
    meter.sites.values().for_each(|series| series.refresh());
}
