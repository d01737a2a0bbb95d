//! The calls that a half-open breaker lets through, each with a lease.

use std::time::Duration;

use super::Moment;

/// How many calls at once, and for how long each holds its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeRules {
    pub(crate) most: u32,
    pub(crate) lease: Duration,
}

#[derive(Debug)]
struct Lease {
    ticket: u64,
    until: Moment,
}

/// The leases of one half-open period; at most as many as there may be probes.
#[derive(Debug)]
pub(crate) struct Probes {
    leases: Vec<Lease>,
    /// Tickets are never given twice, so that one whose lease ran out says nothing about another.
    next: u64,
}

impl Probes {
    pub(crate) const fn new() -> Self {
        Self { leases: Vec::new(), next: 0 }
    }

    /// Takes a free place, that of a probe whose lease has run out included.
    pub(crate) fn grant(&mut self, now: Moment, rules: ProbeRules) -> Option<u64> {
        self.leases.retain(|lease| lease.until > now);
        if self.is_full(rules) {
            return None;
        }
        let ticket = self.next;
        self.next += 1;
        self.leases.push(Lease { ticket, until: now.after(rules.lease) });
        Some(ticket)
    }

    /// Gives a place back: until when it was leased, if it had not been taken away.
    pub(crate) fn take(&mut self, ticket: u64) -> Option<Moment> {
        let held = self.leases.iter().position(|lease| lease.ticket == ticket)?;
        Some(self.leases.swap_remove(held).until)
    }

    /// When a place is free: now, which is any moment that has passed, or when the first lease runs out.
    pub(crate) fn free_at(&self, rules: ProbeRules) -> Moment {
        let first = self.leases.iter().map(|lease| lease.until).min();
        first.filter(|_| self.is_full(rules)).unwrap_or(Moment::from_nanos(0))
    }

    /// All places are free again, and whoever held one holds it no more.
    pub(crate) fn clear(&mut self) {
        self.leases.clear();
    }

    fn is_full(&self, rules: ProbeRules) -> bool {
        self.leases.len() as u64 >= u64::from(rules.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: ProbeRules = ProbeRules { most: 2, lease: Duration::from_nanos(10) };

    fn at(nanos: u64) -> Moment {
        Moment::from_nanos(nanos)
    }

    #[test]
    fn a_place_is_free_when_it_is_given_back_or_its_lease_has_run_out() {
        let mut probes = Probes::new();
        assert_eq!(probes.free_at(RULES), at(0));
        let first = probes.grant(at(0), RULES).expect("nobody is there");
        assert_eq!(probes.free_at(RULES), at(0));
        let second = probes.grant(at(3), RULES).expect("there is room for two");
        assert_eq!(probes.free_at(RULES), at(10));
        assert_eq!(probes.grant(at(9), RULES), None);
        assert_eq!(probes.take(second), Some(at(13)));
        assert_eq!(probes.take(second), None);
        let third = probes.grant(at(9), RULES).expect("one was given back");
        let fourth = probes.grant(at(10), RULES).expect("the first lease has run out");
        assert_eq!(probes.take(first), None, "its place is another's");
        assert_ne!(third, fourth);
        assert_eq!(probes.free_at(RULES), at(19));
        probes.clear();
        assert_eq!(probes.take(third), None);
    }

    #[test]
    fn a_lease_without_end_never_runs_out() {
        let rules = ProbeRules { most: 1, lease: Duration::MAX };
        let mut probes = Probes::new();
        assert!(probes.grant(at(5), rules).is_some());
        assert_eq!(probes.grant(at(u64::MAX - 1), rules), None);
        assert_eq!(probes.free_at(rules), Moment::NEVER);
    }
}
