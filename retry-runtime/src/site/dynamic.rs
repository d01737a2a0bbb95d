//! Sites that no attribute declares: of closures, and of clients that are decorated. They are made at their
//! first use, and found again without a lock.

use std::{
    panic::Location,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{Latency, Policy, control, names::registry};

use super::{
    Site, SiteState,
    chain::Chain,
    place_hash,
    shape::{Asked, PaidBy, Shape},
};

/// What a call is known by: its name, or where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whence {
    name: Option<&'static str>,
    location: &'static Location<'static>,
}

impl Whence {
    #[track_caller]
    #[inline]
    pub(crate) fn here() -> Self {
        Self { name: None, location: Location::caller() }
    }

    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// What tells it from others in one look. Text that lives for ever is the same text at the same place
    /// for ever, and so is a location.
    #[inline]
    fn address(self) -> (usize, usize) {
        match self.name {
            Some(name) => (name.as_ptr().addr(), name.len()),
            None => (std::ptr::from_ref(self.location).addr(), usize::MAX),
        }
    }

    /// One place of the source, or one name, may be at several addresses.
    fn is(self, place: &Place) -> bool {
        let at = self.location;
        match (self.name, place.named) {
            (Some(name), true) => place.name == name,
            (None, false) => {
                (place.file, place.line, place.column) == (at.file(), at.line(), at.column())
            }
            _ => false,
        }
    }

    fn hash(self) -> u32 {
        let at = self.location;
        match self.name {
            Some(name) => place_hash(name, "", 0, 0),
            None => place_hash("", at.file(), at.line(), at.column()),
        }
    }
}

/// Everything that calls of one name, or from one line, have in common. One row of the table.
#[derive(Debug)]
pub(crate) struct Place {
    name: &'static str,
    named: bool,
    file: &'static str,
    line: u32,
    column: u32,
    key: u32,
    state: SiteState,
    expected: OnceLock<Box<Latency>>,
    hedged: OnceLock<Box<Latency>>,
    latency: OnceLock<Box<Latency>>,
    sites: Chain<Known>,
    rich: AtomicUsize,
}

#[derive(Debug)]
struct Known {
    shape: Shape,
    site: Site,
}

#[derive(Debug)]
struct Alias {
    address: (usize, usize),
    place: &'static Place,
}

/// So many names have rows of their own. Where more are made up at run time, the others share one row, and one
/// bucket where they name no budget.
const MOST_NAMES: usize = 4_096;
/// So many addresses are remembered; those beyond are found by what is there, which takes longer.
const MOST_ADDRESSES: usize = 4 * MOST_NAMES;
/// So many pairs of a budget and a breaker that calls of one place use are shown in tables.
const MOST_RICH: usize = 64;
const BUCKETS: usize = 512;

/// The name of the row that all share for whom there was no room.
const OTHERS: &str = "(other closures)";

static ALIASES: [Chain<Alias>; BUCKETS] = [const { Chain::new() }; BUCKETS];
static PLACES: [Chain<Place>; BUCKETS] = [const { Chain::new() }; BUCKETS];
static ELSEWHERE: OnceLock<Place> = OnceLock::new();
static KNOWN_ALIASES: AtomicUsize = AtomicUsize::new(0);
static KNOWN_NAMES: AtomicUsize = AtomicUsize::new(0);

/// The site of a call, made if this is the first of its kind.
#[inline]
pub(crate) fn find(whence: Whence, shape: Shape, policy: &Policy) -> &'static Site {
    let address = whence.address();
    let aliases = &ALIASES[bucket(address)];
    let place = match aliases.iter().find(|alias| alias.address == address) {
        Some(alias) => alias.place,
        None => meet(whence, aliases),
    };
    match place.sites.iter().find(|known| known.shape.is(&shape)) {
        Some(known) => {
            place.see(&known.site, policy);
            &known.site
        }
        None => place.make(shape, policy),
    }
}

/// Multiplied by an odd number whose bits look like chance, the upper bits of a product depend on all of
/// the lower ones of its factor.
#[inline]
const fn bucket((address, length): (usize, usize)) -> usize {
    let mixed = (address as u64 ^ (length as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 55) as usize % BUCKETS
}

/// A name or a place at an address where none was known.
#[cold]
fn meet(whence: Whence, aliases: &'static Chain<Alias>) -> &'static Place {
    let place = place(whence);
    if KNOWN_ALIASES.load(Ordering::Relaxed) < MOST_ADDRESSES {
        let address = whence.address();
        aliases.find_or_add(
            |alias| alias.address == address,
            || {
                KNOWN_ALIASES.fetch_add(1, Ordering::Relaxed);
                Alias { address, place }
            },
        );
    }
    place
}

fn place(whence: Whence) -> &'static Place {
    let hash = whence.hash();
    let places = &PLACES[hash as usize % BUCKETS];
    if let Some(known) = places.iter().find(|place| whence.is(place)) {
        return known;
    }
    // There are as many lines as the program has, but names may be made up at run time.
    if whence.name.is_some() && KNOWN_NAMES.load(Ordering::Relaxed) >= MOST_NAMES {
        let others = Whence { name: Some(OTHERS), ..whence };
        return ELSEWHERE.get_or_init(|| Place::new(others, others.hash()));
    }
    places.find_or_add(
        |place| whence.is(place),
        || {
            if whence.name.is_some() {
                KNOWN_NAMES.fetch_add(1, Ordering::Relaxed);
            }
            Place::new(whence, hash)
        },
    )
}

/// The sites of all places that were called so far.
pub(super) fn sites() -> impl Iterator<Item = &'static Site> {
    places().flat_map(|place| place.sites.iter().map(|known| &known.site))
}

/// The same, but one of each place.
pub(super) fn rows() -> impl Iterator<Item = &'static Site> {
    places().filter_map(|place| place.sites.iter().next().map(|known| &known.site))
}

fn places() -> impl Iterator<Item = &'static Place> {
    PLACES.iter().flat_map(Chain::iter).chain(ELSEWHERE.get())
}

impl Place {
    fn new(whence: Whence, key: u32) -> Self {
        let at = whence.location;
        Self {
            name: whence.name.unwrap_or_else(|| format!("{}:{}", at.file(), at.line()).leak()),
            named: whence.name.is_some(),
            file: at.file(),
            line: at.line(),
            column: at.column(),
            key,
            state: SiteState::new(),
            expected: OnceLock::new(),
            hedged: OnceLock::new(),
            latency: OnceLock::new(),
            sites: Chain::new(),
            rich: AtomicUsize::new(0),
        }
    }

    /// Tables show the number of attempts if all calls have it in common.
    #[inline]
    fn see(&self, site: &Site, policy: &Policy) {
        if site.policy.max_attempts() != policy.max_attempts() {
            self.state.note_variety();
        }
    }

    #[cold]
    fn make(&'static self, mut shape: Shape, policy: &Policy) -> &'static Site {
        if !shape.is_plain() && self.rich.fetch_add(1, Ordering::Relaxed) >= MOST_RICH {
            // So that it does not run over.
            self.rich.store(MOST_RICH, Ordering::Relaxed);
            shape = shape.plain();
        }
        // That a static is used here is as good as a declaration of it.
        if let PaidBy::Static(budget) = shape.budget {
            registry::adopt(budget);
        }
        if let Asked::Static(breaker) = shape.breaker {
            registry::adopt(breaker);
        }
        let make = || Known { shape, site: shape.site(self, *policy) };
        let site = &self.sites.find_or_add(|known| known.shape.is(&shape), make).site;
        control::appeared();
        self.see(site, policy);
        site
    }

    /// A site of this place, without settings.
    pub(super) fn site(&'static self, policy: Policy) -> Site {
        let mut site = Site::new(self.name, self.file, self.line, self.column, policy, &self.state);
        // A name stands for all places where it is used, whichever came first.
        site.key = self.key;
        site
    }

    /// How long attempts take, for calls that start none that would not end in time.
    pub(super) fn expected(&'static self) -> &'static Latency {
        self.expected.get_or_init(Box::default)
    }

    /// How long attempts take, for calls that hedge by it.
    pub(super) fn hedged(&'static self) -> &'static Latency {
        self.hedged.get_or_init(Box::default)
    }

    /// How long attempts take, for backoffs that go by it.
    pub(super) fn latency(&'static self) -> &'static Latency {
        self.latency.get_or_init(Box::default)
    }
}
