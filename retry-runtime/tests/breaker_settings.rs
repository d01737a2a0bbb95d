//! What a breaker can be told, and what it refuses.

#[path = "common/breakers.rs"]
mod breakers;

use std::time::Duration;

use breakers::{assert_state, at, call, opened, refused};
use retry_runtime::__private::Seen;
use retry_runtime::{Breaker, BreakerState::*, ConfigError, Moment};

const ZERO: Duration = Duration::ZERO;

fn breaker() -> Breaker {
    Breaker::new("settings")
}

// R021
#[test]
fn what_is_zero_and_may_not_be_is_refused_by_name() {
    for (breaker, name) in [
        (breaker().open_for(ZERO), "open_for"),
        (breaker().max_open(ZERO), "max_open"),
        (breaker().window(ZERO), "window"),
        (breaker().probe_timeout(ZERO), "probe_timeout"),
        (breaker().slow_calls(0.5, ZERO), "slow_calls"),
    ] {
        assert_eq!(breaker.check(), Err(ConfigError::ZeroDuration(name)));
        assert!(breaker.check().is_err_and(|fault| fault.to_string().contains(name)));
    }
    for (breaker, name) in [
        (breaker().consecutive(0), "consecutive"),
        (breaker().consecutive_timeouts(0), "consecutive_timeouts"),
        (breaker().min_calls(0), "min_calls"),
        (breaker().probes(0), "probes"),
    ] {
        assert_eq!(breaker.check(), Err(ConfigError::ZeroCount(name)));
        assert!(breaker.check().is_err_and(|fault| fault.to_string().contains(name)));
    }
    assert_eq!(Breaker::new("").check(), Err(ConfigError::EmptyName));
    assert_eq!(Breaker::dynamic("").check(), Err(ConfigError::EmptyName));
}

#[test]
fn shares_and_factors_out_of_range_are_refused_by_name() {
    let named = |breaker: Breaker, name: &str| {
        assert!(breaker.check().is_err_and(|fault| fault.to_string().contains(name)), "{name}");
    };
    for share in [0.0, -0.0, -0.5, 1.000_001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        named(breaker().failure_rate(share), "`failure_rate`");
        named(breaker().slow_calls(share, Duration::from_secs(1)), "`slow_calls`");
    }
    for share in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        named(breaker().jitter(share), "jitter");
    }
    for factor in [0.0, 0.99, -2.0, f64::NAN, f64::INFINITY] {
        named(breaker().growth(factor), "`growth`");
    }
    for share in [f64::MIN_POSITIVE, 0.5, 1.0] {
        assert_eq!(breaker().failure_rate(share).check(), Ok(()));
    }
    for share in [0.0, 1.0] {
        assert_eq!(breaker().jitter(share).growth(1.0).check(), Ok(()));
    }
}

#[test]
fn an_open_time_above_the_longest_is_refused_in_either_order() {
    let (short, long) = (Duration::from_secs(10), Duration::from_secs(60));
    let fault = Err(ConfigError::OpenAboveMax { open_for: long, max_open: short });
    assert_eq!(breaker().open_for(long).max_open(short).check(), fault);
    assert_eq!(breaker().max_open(short).open_for(long).check(), fault);
    assert_eq!(breaker().max_open(long).open_for(long).check(), Ok(()));
    assert_eq!(breaker().open_for(Duration::from_secs(4_000)).check(), Ok(()));
}

#[test]
fn the_first_fault_is_remembered_and_its_setting_keeps_its_old_value() {
    let faulty = breaker().consecutive(7).consecutive(0).probes(0).open_for(ZERO);
    assert_eq!(faulty.check(), Err(ConfigError::ZeroCount("consecutive")));
    let settings = faulty.settings();
    assert_eq!((settings.consecutive, settings.probes), (Some(7), 1));
    assert_eq!(settings.open_for, Duration::from_secs(30));
    assert_eq!(breaker().failure_rate(2.0).settings().consecutive, Some(5));
}

// R021
#[test]
fn a_static_is_checked_when_it_is_compiled() {
    // That a fault fails there is shown beside `checked` and `breaker!`.
    static CHECKED: Breaker = Breaker::new("checked").open_for(Duration::from_nanos(1)).checked();
    assert_eq!(CHECKED.settings().open_for, Duration::from_nanos(1));
}

// R019
#[test]
fn the_longest_values_mean_never() {
    let longest = breaker()
        .consecutive(1)
        .open_for(Duration::MAX)
        .probe_timeout(Duration::MAX)
        .window(Duration::MAX)
        .jitter(1.0)
        .growth(f64::MAX);
    let breaker = opened(longest, 5.0);
    for now in [at(5.0), at(1e9), Moment::from_nanos(u64::MAX - 1)] {
        let open = breaker.admit(|| now).expect_err("it stays open");
        assert_eq!(open.retry_after(), Some(Duration::MAX));
    }
    breaker.close();
    call(breaker, 1e9, Seen::Success);
    let end = Moment::from_nanos(u64::MAX - 1);
    breaker.admit(|| end).expect("it is closed").settle(Seen::Failure, || end);
    assert_eq!(breaker.state_at(end), Open);
}

#[cfg_attr(miri, ignore = "a thousand calls")]
#[test]
fn the_largest_counts_never_open_it() {
    let most = breaker().consecutive(u32::MAX).failure_rate(1.0).min_calls(u32::MAX);
    let breaker = breakers::live(most.probes(u32::MAX));
    (0..1_000).for_each(|_| call(breaker, 0.0, Seen::Failure));
    assert_state(breaker, 0.0, Closed);
    breaker.open_at(at(0.0));
    let probes: Vec<_> = (0..100).map(|_| breakers::start(breaker, 30.0)).collect();
    assert!(probes.iter().all(retry_runtime::__private::Permit::is_probe));
}

#[test]
fn by_hand_it_opens_closes_and_is_isolated_until_it_is_closed() {
    let breaker = breakers::live(breaker());
    breaker.open_at(at(0.0));
    assert_eq!(refused(breaker, 10.0), Some(20.0));
    breaker.open_at(at(10.0));
    assert_eq!(refused(breaker, 10.0), Some(30.0), "from now on");
    breaker.close();
    assert_state(breaker, 10.0, Closed);
    breaker.isolate();
    breaker.isolate();
    breaker.open_at(at(11.0));
    for now in [11.0, 1e6] {
        assert_state(breaker, now, Isolated);
        assert_eq!(refused(breaker, now), None);
        assert_eq!(breaker.opens_in_at(at(now)), None);
    }
    assert_eq!(breaker.stats().opened, 2);
    breaker.close();
    assert_state(breaker, 1e6, Closed);
    assert_eq!(breaker.opens_in_at(at(1e6)), Some(ZERO));
}

#[test]
fn closing_by_hand_forgets_what_counts_towards_opening() {
    let breaker = breakers::live(breaker().consecutive(2).failure_rate(1.0).min_calls(2));
    call(breaker, 0.0, Seen::Failure);
    let under_way = breakers::start(breaker, 0.0);
    breaker.close();
    call(breaker, 0.0, Seen::Failure);
    under_way.settle(Seen::Failure, || at(0.0));
    assert_state(breaker, 0.0, Closed);
    call(breaker, 0.0, Seen::Failure);
    assert_state(breaker, 0.0, Open);
}

#[test]
fn a_probe_under_way_has_no_say_once_it_was_moved_by_hand() {
    for moved in [Breaker::isolate, Breaker::close] {
        for seen in [None, Some(Seen::Ignored), Some(Seen::Failure), Some(Seen::Success)] {
            let breaker = opened(breaker(), 0.0);
            let probe = breakers::start(breaker, 30.0);
            moved(breaker);
            let state = breaker.state_at(at(30.0));
            match seen {
                Some(seen) => probe.settle(seen, || at(30.0)),
                None => drop(probe),
            }
            assert_eq!(breaker.state_at(at(30.0)), state);
        }
    }
}

#[test]
fn settings_and_states_read_as_they_are_typed() {
    let text = breaker().settings().to_string();
    assert_eq!(text, "`consecutive` 5, `window` 60s, `open_for` 30s, `probes` 1");
    let all = breaker()
        .consecutive_timeouts(3)
        .failure_rate(0.25)
        .slow_calls(0.5, Duration::from_millis(1_500))
        .min_calls(7)
        .growth(2.0)
        .max_open(Duration::from_secs(90))
        .jitter(0.1)
        .probe_timeout(Duration::from_secs(4));
    assert_eq!(
        all.settings().to_string(),
        "`consecutive_timeouts` 3, `failure_rate` 0.25, `slow_calls` 0.5 over 1.5s, `min_calls` 7, \
         `window` 60s, `open_for` 30s, `growth` 2, `max_open` 90s, `jitter` 0.1, `probes` 1, \
         `probe_timeout` 4s"
    );
    let states = [Closed, Open, HalfOpen, Isolated].map(|state| (state.to_string(), state.label()));
    let names = ["closed", "open", "half-open", "isolated"].map(str::to_owned);
    assert_eq!(states.clone().map(|(name, _)| name), names);
    assert_eq!(states.map(|(_, label)| label), ["closed", "open", "half_open", "isolated"]);
}
