//! One bucket for each key under a budget, in a table that never grows beyond its size.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use super::Budget;
use super::options::Options;
use super::shedding::Shedding;
use crate::{Moment, isolation};

/// Below this many keys one lock is enough.
const FEW: usize = 64;
const SHARDS: usize = 16;
/// Among how many buckets the one is found that was used longest ago. All of a shard's, where nobody asks
/// for more keys than usual.
const LOOKS: usize = 64;

/// The buckets of one budget.
///
/// Keys are known by their hash alone, which is seeded at random for each budget: two keys that share one
/// share a bucket, and nobody can find such keys on purpose.
#[derive(Debug)]
pub(super) struct Keys {
    hasher: RandomState,
    shards: Vec<Mutex<Shard>>,
}

#[derive(Debug)]
struct Shard {
    places: HashMap<u64, usize>,
    buckets: Vec<Kept>,
    most: usize,
    uses: u64,
    /// Where the search for one that can go continues.
    hand: usize,
    /// For keys that come while every bucket is in use.
    overflow: Option<&'static Budget>,
}

#[derive(Debug)]
struct Kept {
    hash: u64,
    budget: &'static Budget,
    /// The shard's count of uses when it was used last.
    used: u64,
}

impl Keys {
    fn new(most: u32) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let shards = if most < FEW { 1 } else { SHARDS };
        let shard = || Shard {
            places: HashMap::new(),
            buckets: Vec::new(),
            most: most / shards,
            uses: 0,
            hand: 0,
            overflow: None,
        };
        Self {
            hasher: RandomState::new(),
            shards: (0..shards).map(|_| Mutex::new(shard())).collect(),
        }
    }

    fn enter(&self, of: &'static Budget, key: &(impl Hash + ?Sized)) -> &'static Budget {
        let hash = self.hasher.hash_one(key);
        let shard = (hash >> 32) as usize % self.shards.len();
        let mut shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        let budget = shard.find(of, hash);
        // Under the lock, so that whoever looks for one that can go sees every user.
        budget.options.users.fetch_add(1, Ordering::Relaxed);
        budget
    }

    /// See [`Budget::forget_lead`].
    pub(super) fn forget_leads(&self) {
        self.each(Budget::forget_lead);
    }

    fn each(&self, then: impl Fn(&'static Budget)) {
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.buckets.iter().map(|kept| kept.budget).chain(shard.overflow).for_each(&then);
        }
    }

    fn len(&self) -> usize {
        let count = |shard: &Mutex<Shard>| {
            shard.lock().unwrap_or_else(PoisonError::into_inner).buckets.len()
        };
        self.shards.iter().map(count).sum()
    }
}

impl Shard {
    fn find(&mut self, of: &'static Budget, hash: u64) -> &'static Budget {
        self.uses += 1;
        let used = self.uses;
        if let Some(kept) = self.places.get(&hash).and_then(|place| self.buckets.get_mut(*place)) {
            kept.used = used;
            return kept.budget;
        }
        if self.buckets.len() < self.most {
            let budget = of.under();
            self.places.insert(hash, self.buckets.len());
            self.buckets.push(Kept { hash, budget, used });
            return budget;
        }
        let Some(place) = self.find_idle() else {
            return self.overflow.get_or_insert_with(|| {
                let budget = of.under();
                budget.empty();
                budget
            });
        };
        let kept = &mut self.buckets[place];
        // Where keys come and go faster than the table holds them, each would start full again and again.
        kept.budget.empty();
        self.places.remove(&kept.hash);
        self.places.insert(hash, place);
        (kept.hash, kept.used) = (hash, used);
        kept.budget
    }

    /// The one that was used longest ago, of those that no call uses.
    fn find_idle(&mut self) -> Option<usize> {
        let (all, from) = (self.buckets.len(), self.hand);
        let looks = all.min(LOOKS);
        self.hand = (from + looks) % all;
        // A call that has left has left everything it did there.
        let idle =
            |place: &usize| self.buckets[*place].budget.options.users.load(Ordering::Acquire) == 0;
        let places = (from..from + looks).map(|place| place % all).filter(idle);
        places.min_by_key(|place| self.buckets[*place].used)
    }
}

/// The bucket of one key, while somebody holds it. From [`Budget::keyed`].
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget};
///
/// budget! { static HOSTS: Budget = Budget::new("hosts").burst(10); }
///
/// let one = HOSTS.keyed("one.example");
/// assert_eq!(one.balance(), 10.0);
/// assert_eq!(HOSTS.keys(), 1);
/// ```
#[must_use = "the bucket can go to another key once this is dropped"]
pub struct KeyedBudget(&'static Budget);

impl KeyedBudget {
    /// The bucket, held until [`Budget::end_call`] says otherwise.
    pub(crate) fn into_call(self) -> &'static Budget {
        let budget = self.0;
        std::mem::forget(self);
        budget
    }
}

impl Clone for KeyedBudget {
    fn clone(&self) -> Self {
        if self.0.options.keyed {
            self.0.options.users.fetch_add(1, Ordering::Relaxed);
        }
        Self(self.0)
    }
}

impl Deref for KeyedBudget {
    type Target = Budget;

    fn deref(&self) -> &Budget {
        self.0
    }
}

impl Drop for KeyedBudget {
    fn drop(&mut self) {
        self.0.leave_key();
    }
}

impl fmt::Debug for KeyedBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyedBudget").field(self.0).finish()
    }
}

impl Budget {
    /// The bucket of this key under this budget, such as one for each host or tenant. It has this budget's
    /// settings and starts full, and every retry that it pays for is paid by this budget too.
    ///
    /// At most [`max_keys`](Self::max_keys) are kept apart. A key that is new while they are all taken gets
    /// the bucket that was used longest ago, of those that no call uses, and starts empty; if calls use
    /// them all, the new ones share one. So keys that somebody makes up take no memory, and bring no
    /// retries.
    ///
    /// Takes a lock that few others share. Only token buckets keep keys apart: of the other kinds this is
    /// the budget itself.
    ///
    /// ```standalone_crate
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::Moment; } }
    /// use stormless::{Budget, budget, engine::Moment};
    ///
    /// budget! { static HOSTS: Budget = Budget::new("hosts").burst(10); }
    ///
    /// let now = Moment::from_nanos(0);
    /// let one = HOSTS.keyed("one.example");
    /// assert!(one.withdraw(4, now).is_some());
    /// assert_eq!((one.balance(), HOSTS.keyed("two.example").balance(), HOSTS.balance()), (6.0, 10.0, 6.0));
    /// ```
    pub fn keyed(&'static self, key: &(impl Hash + ?Sized)) -> KeyedBudget {
        let budget = isolation::own(self.in_effect());
        if budget.options.keyed || !(budget.is_bucket() || budget.options.half_full) {
            return KeyedBudget(budget);
        }
        let keys = budget.options.keys.get_or_init(|| Box::new(Keys::new(budget.options.max_keys)));
        KeyedBudget(keys.enter(budget, key))
    }

    /// The buckets of all keys, each while no key is looked for beside it.
    pub(super) fn each_key(&self, then: impl Fn(&'static Self)) {
        if let Some(keys) = self.options.keys.get() {
            keys.each(then);
        }
    }

    /// How many keys are kept apart now.
    pub fn keys(&self) -> usize {
        isolation::view(self).options.keys.get().map_or(0, |keys| keys.len())
    }

    /// Whether this is the bucket of a key, which belongs to whoever the budget above belongs to.
    #[cfg(feature = "testing")]
    pub(crate) const fn is_keyed(&self) -> bool {
        self.options.keyed
    }

    /// A bucket for one key, for as long as the process runs.
    fn under(&'static self) -> &'static Self {
        let mut bucket = self.fresh_copy();
        bucket.options = Options { keyed: true, shedding: Shedding::never(), ..bucket.options };
        let bucket = Box::leak(Box::new(bucket.parent(self)));
        bucket.follow(self, Moment::from_nanos(0));
        bucket
    }

    /// Takes away whatever there is.
    fn empty(&self) {
        self.bucket.take_up_to(u64::MAX);
        if let Some(floor) = &self.options.floor {
            floor.forget();
        }
    }

    /// A user of a key's bucket is gone.
    pub(super) fn leave_key(&self) {
        if self.options.keyed {
            let fewer = |users: u32| users.checked_sub(1);
            let _at_zero =
                self.options.users.fetch_update(Ordering::Release, Ordering::Relaxed, fewer);
        }
    }
}
