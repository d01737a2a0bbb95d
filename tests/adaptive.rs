//! `backoff = "adaptive"`: what the load and the latency do to the delays, as a user sees it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use stormless::{
    Backoff, Breaker, ConfigError, Policy, RetryEvent, Retryable, StopReason, Warning,
    adaptive::{self, Adaptive, AdaptiveDecision, Growth, Load},
    breaker, report, retry,
    testing::{self, Jitter, isolated},
    warnings,
};
use tokio::time::sleep;

#[derive(Debug, Retryable)]
enum Failure {
    #[retryable(transient)]
    Down,
    #[retryable(attempt_timeout)]
    TimedOut,
    #[retryable(breaker_open)]
    Refused,
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

use Failure::Down;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// What was decided before each retry, with the delay.
#[derive(Default)]
struct Log(Mutex<Vec<(Duration, AdaptiveDecision)>>);

impl Log {
    fn note(&self, event: &RetryEvent<'_, Failure>) {
        let decision = event.adaptive().expect("the strategy is adaptive");
        assert!((0.0..=1.0).contains(&decision.jitter()), "{decision}");
        self.0.lock().unwrap().push((event.delay(), decision));
    }

    fn take(&self) -> Vec<(Duration, AdaptiveDecision)> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    fn delays(&self) -> Vec<Duration> {
        self.take().into_iter().map(|(delay, _)| delay).collect()
    }

    fn growth(&self) -> Vec<Growth> {
        self.take().into_iter().map(|(_, decision)| decision.growth()).collect()
    }
}

/// A load that a test sets, in per cent of the processor; and how often it was asked for.
#[derive(Clone, Default)]
struct Probe {
    cpu: Arc<AtomicU64>,
    tasks: Arc<AtomicU64>,
    asked: Arc<AtomicU32>,
}

impl Probe {
    fn install() -> Self {
        let probe = Self::default();
        adaptive::install(probe.clone()).expect("the test has none yet");
        probe
    }

    fn set_cpu(&self, per_cent: u64) {
        self.cpu.store(per_cent, Ordering::Relaxed);
    }
}

impl adaptive::LoadProbe for Probe {
    fn load(&self) -> Load {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let cpu = u32::try_from(self.cpu.load(Ordering::Relaxed)).unwrap();
        let load = Load::new().cpu(f64::from(cpu) / 100.0);
        load.live_tasks(self.tasks.load(Ordering::Relaxed))
    }
}

#[retry(attempts = 5, backoff = "adaptive", breaker = none, base = "100ms", budget = none,
        on_retry = |event| log.note(event))]
async fn down(log: &Log) -> Result<(), Failure> {
    Err(Down)
}

#[tokio::test(start_paused = true)]
async fn delays_grow_linearly_under_load_and_exponentially_again_after_it() {
    isolated(async {
        testing::jitter(Jitter::Highest);
        let (log, probe) = (Log::default(), Probe::install());
        probe.set_cpu(30);
        down(&log).await.unwrap_err();
        assert_eq!(log.delays(), [ms(100), ms(200), ms(400), ms(800)]);

        probe.set_cpu(81);
        sleep(ms(100)).await;
        down(&log).await.unwrap_err();
        assert_eq!(log.delays(), [ms(100), ms(200), ms(300), ms(400)]);

        // Just below the threshold it stays as it was.
        probe.set_cpu(75);
        sleep(ms(100)).await;
        down(&log).await.unwrap_err();
        assert_eq!(log.growth(), [Growth::Linear; 4]);

        probe.set_cpu(70);
        sleep(ms(100)).await;
        down(&log).await.unwrap_err();
        assert_eq!(log.delays(), [ms(100), ms(200), ms(400), ms(800)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn too_many_live_tasks_are_a_load_as_well() {
    isolated(async {
        let (log, probe) = (Log::default(), Probe::install());
        probe.tasks.store(5_001, Ordering::Relaxed);
        down(&log).await.unwrap_err();
        let decisions = log.take();
        assert!(decisions.iter().all(|(_, decision)| decision.growth() == Growth::Linear));
        assert_eq!(decisions[0].1.load().task_count(), Some(5_001));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_load_changes_the_delays_of_a_call_in_progress() {
    #[retry(attempts = 5, backoff = "adaptive", breaker = none, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn busy_from_the_third_attempt_on(log: &Log, probe: &Probe) -> Result<(), Failure> {
        if stormless::current().is_some_and(|attempt| attempt.number() == 3) {
            probe.set_cpu(95);
        }
        Err(Down)
    }
    isolated(async {
        testing::jitter(Jitter::Highest);
        let (log, probe) = (Log::default(), Probe::install());
        busy_from_the_third_attempt_on(&log, &probe).await.unwrap_err();
        assert_eq!(log.delays(), [ms(100), ms(200), ms(300), ms(400)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_probe_is_asked_after_failures_alone_and_every_tenth_of_a_second_at_most() {
    #[retry(attempts = 2, backoff = "adaptive", breaker = none, base = "1ms", budget = none)]
    async fn answers(answer: Result<(), Failure>) -> Result<(), Failure> {
        sleep(ms(1)).await;
        match &answer {
            Ok(()) => Ok(()),
            Err(_) => Err(Down),
        }
    }
    isolated(async {
        let probe = Probe::install();
        let asked = || probe.asked.load(Ordering::Relaxed);
        for _ in 0..50 {
            answers(Ok(())).await.unwrap();
        }
        assert_eq!(asked(), 0);
        let begun = tokio::time::Instant::now();
        while begun.elapsed() < ms(95) {
            answers(Err(Down)).await.unwrap_err();
        }
        assert_eq!(asked(), 1);
        sleep(ms(10)).await;
        answers(Err(Down)).await.unwrap_err();
        assert_eq!(asked(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn while_everything_is_calm_half_of_each_delay_is_left_to_chance() {
    isolated(async {
        testing::jitter(Jitter::Lowest);
        let (log, _probe) = (Log::default(), Probe::install());
        down(&log).await.unwrap_err();
        let decisions = log.take();
        assert!(decisions.iter().all(|(_, decision)| decision.jitter() == 0.0));
        let delays: Vec<_> = decisions.iter().map(|(delay, _)| *delay).collect();
        assert_eq!(delays, [ms(50), ms(100), ms(200), ms(400)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn latencies_that_vary_and_a_busy_processor_spread_the_delays_more() {
    #[retry(attempts = 2, backoff = "adaptive", breaker = none, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn after(took: u64, answer: Result<(), Failure>, log: &Log) -> Result<(), Failure> {
        sleep(ms(took)).await;
        match &answer {
            Ok(()) => Ok(()),
            Err(_) => Err(Down),
        }
    }
    async fn coefficient(log: &Log, took: u64) -> f64 {
        after(took, Err(Down), log).await.unwrap_err();
        log.take()[0].1.jitter()
    }
    isolated(async {
        testing::jitter(Jitter::Lowest);
        let (log, probe) = (Log::default(), Probe::install());
        // 32 round trips of 15 ms and 25 ms: their variance is 25 ms², a quarter of all that counts.
        for call in 0..32 {
            after(if call % 2 == 0 { 15 } else { 25 }, Ok(()), &log).await.unwrap();
        }
        let quarter = coefficient(&log, 15).await;
        assert!((quarter - 0.7 * 0.25).abs() < 1e-9, "{quarter}");

        // 90 ms and 110 ms: 100 ms². The whole of it, and the processor's share as well.
        for call in 0..32 {
            after(if call % 2 == 0 { 90 } else { 110 }, Ok(()), &log).await.unwrap();
        }
        probe.set_cpu(100);
        sleep(ms(100)).await;
        after(90, Err(Down), &log).await.unwrap_err();
        let (delay, decision) = log.take()[0];
        assert!((decision.jitter() - 1.0).abs() < 1e-9, "{decision}");
        // With J = 1 the whole delay is left to chance: full jitter.
        assert_eq!(delay, Duration::ZERO);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn after_a_retry_that_took_much_longer_than_usual_the_base_is_shorter() {
    #[retry(attempts = 3, backoff = "adaptive", breaker = none, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn slow_in_its_second(log: &Log, second: u64) -> Result<(), Failure> {
        match stormless::current().map_or(0, |attempt| attempt.number()) {
            // A first attempt is no retry, however long it takes.
            1 if second > 0 => sleep(ms(900)).await,
            2 => sleep(ms(second)).await,
            _ => sleep(ms(10)).await,
        }
        if second == 0 { Ok(()) } else { Err(Down) }
    }
    isolated(async {
        testing::jitter(Jitter::Highest);
        let log = Log::default();
        for _ in 0..200 {
            slow_in_its_second(&log, 0).await.unwrap();
        }
        for (took, second_delay, factor) in [(28, 200, 1.0), (35, 140, 0.7)] {
            slow_in_its_second(&log, took).await.unwrap_err();
            let decisions = log.take();
            let delays: Vec<_> = decisions.iter().map(|(delay, _)| *delay).collect();
            assert_eq!(delays, [ms(100), ms(second_delay)], "{took} ms");
            let factors: Vec<_> = decisions.iter().map(|(_, each)| each.base_factor()).collect();
            assert_eq!(factors, [1.0, factor], "{took} ms");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_a_deadline_cut_says_nothing_about_the_latency_and_a_timeout_does() {
    #[retry(attempts = 1000, backoff = "adaptive", breaker = none, base = "1ms", max = "2ms", budget = none, idempotent,
            attempt_timeout = "20ms", deadline = left, time_per_attempt = "1us",
            on_retry = |event| log.note(event))]
    async fn hangs(log: &Log, left: Duration) -> Result<(), Failure> {
        std::future::pending().await
    }
    isolated(async {
        let log = Log::default();
        for _ in 0..40 {
            assert!(matches!(hangs(&log, ms(5)).await, Err(Failure::OutOfTime)));
        }
        assert_eq!(log.take().len(), 0);
        assert!(matches!(
            hangs(&log, ms(2_000)).await,
            Err(Failure::TimedOut | Failure::OutOfTime)
        ));
        // All that is known are the timeouts: 20 ms each, which do not vary.
        let decisions = log.take();
        assert!(decisions.len() > 50);
        for (_, decision) in decisions {
            assert!(decision.jitter() < 1e-9, "{decision}");
            assert!((decision.base_factor() - 1.0).abs() < 1e-9, "{decision}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_come_from_the_time_left() {
    #[retry(attempts = 10, backoff = "adaptive", breaker = none, base = "1ms", budget = none, deadline = left)]
    async fn within(left: Duration) -> Result<(), Failure> {
        Err(Down)
    }
    #[retry(attempts = 10, backoff = "adaptive", breaker = none, base = "1ms", max = "1ms", budget = none,
            deadline = left, time_per_attempt = "20ms")]
    async fn quick_within(left: Duration) -> Result<(), Failure> {
        Err(Down)
    }
    isolated(async {
        for (left, attempts) in [(100, 1), (199, 1), (200, 2), (499, 4), (500, 5), (60_000, 10)] {
            let (result, calls) = report(within(ms(left))).await;
            assert!(matches!(result, Err(Down)), "{left} ms: {result:?}");
            assert_eq!(calls[0].attempts(), attempts, "{left} ms");
        }
        // None: broken off at once, with an error.
        let (result, calls) = report(within(ms(99))).await;
        assert!(matches!(result, Err(Failure::OutOfTime)), "{result:?}");
        assert_eq!(calls[0].attempts(), 0);
        assert_eq!(calls[0].reason(), Some(StopReason::DeadlineTooClose));

        let (_, calls) = report(quick_within(ms(99))).await;
        assert_eq!(calls[0].attempts(), 4);
    })
    .await;
}

static PATIENT: Adaptive = Adaptive::new().cpu_above(0.5).min_spread(0.0).keep_base();
const BUSY: Adaptive = Adaptive::new().cpu_above(0.5);
static SHARED: Policy =
    Policy::new().attempts(5).backoff(Backoff::Adaptive(&PATIENT)).base(Duration::from_millis(100));

#[tokio::test(start_paused = true)]
async fn a_configuration_of_the_own_is_given_by_a_static_a_const_or_a_policy() {
    #[retry(attempts = 5, backoff = "adaptive", breaker = none, adaptive = PATIENT, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn by_static(log: &Log) -> Result<(), Failure> {
        Err(Down)
    }
    #[retry(attempts = 5, backoff = "adaptive", breaker = none, adaptive = BUSY, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn by_const(log: &Log) -> Result<(), Failure> {
        Err(Down)
    }
    #[retry(policy = SHARED, budget = none, on_retry = |event| log.note(event))]
    async fn by_policy(log: &Log) -> Result<(), Failure> {
        Err(Down)
    }
    isolated(async {
        testing::jitter(Jitter::Highest);
        let (log, probe) = (Log::default(), Probe::install());
        probe.set_cpu(51);
        for growth in [by_static(&log).await, by_const(&log).await, by_policy(&log).await] {
            growth.unwrap_err();
        }
        let decisions = log.take();
        assert_eq!(decisions.len(), 12);
        assert!(decisions.iter().all(|(_, decision)| decision.growth() == Growth::Linear));
    })
    .await;
}

trait Configured {
    const ADAPTIVE: Adaptive;
}

struct Wide;

impl Configured for Wide {
    const ADAPTIVE: Adaptive = Adaptive::new().min_spread(1.0);
}

#[tokio::test(start_paused = true)]
async fn a_configuration_may_depend_on_a_type() {
    #[retry(backoff = "adaptive", breaker = none, adaptive = C::ADAPTIVE, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn with<C: Configured>(log: &Log, _: C) -> Result<(), Failure> {
        Err(Down)
    }
    isolated(async {
        testing::jitter(Jitter::Lowest);
        let log = Log::default();
        with(&log, Wide).await.unwrap_err();
        assert_eq!(log.delays(), [Duration::ZERO; 2]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_faulty_configuration_known_at_run_time_alone_retries_nothing_and_says_so() {
    static FAULTY: Adaptive = Adaptive::new().cpu_above(80.0);
    #[retry(policy = policy, budget = none)]
    async fn by(policy: &Policy) -> Result<(), Failure> {
        Err(Down)
    }
    isolated(async {
        let policy = Policy::new().backoff(Backoff::Adaptive(&FAULTY));
        let (_, calls) = report(by(&policy)).await;
        assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
        let told = warnings().into_iter().any(|warning| {
            let wanted = matches!(warning, Warning::FaultyPolicy { .. });
            wanted && warning.to_string().contains("`cpu_above` must be a share")
        });
        assert!(told, "{:?}", warnings());
        assert!(matches!(policy.check(), Err(ConfigError::Adaptive { .. })));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn other_strategies_have_no_adaptive_decision() {
    #[retry(budget = none, on_retry = |event| assert_eq!(event.adaptive(), None))]
    async fn plain() -> Result<(), Failure> {
        Err(Down)
    }
    isolated(async {
        Probe::install();
        plain().await.unwrap_err();
        assert_eq!(warnings(), [], "the hook saw nothing else");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_panics_is_contained_and_knows_nothing() {
    isolated(async {
        let log = Log::default();
        adaptive::install(|| -> Load { panic!("the file is gone") }).unwrap();
        down(&log).await.unwrap_err();
        assert!(log.take().iter().all(|(_, decision)| decision.load() == Load::new()));
        let told = warnings().iter().any(|warning| {
            matches!(warning, Warning::HookPanicked { hook: "adaptive::install", .. })
        });
        assert!(told, "{:?}", warnings());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn tests_that_are_isolated_have_loads_and_latencies_of_their_own() {
    let log = &Log::default();
    let busy = isolated(async {
        Probe::install().set_cpu(99);
        assert!(adaptive::install(Load::new).is_err(), "once each");
        down(log).await.unwrap_err();
        log.growth()
    });
    assert_eq!(busy.await, [Growth::Linear; 4]);
    // Nothing is known here, neither of the other test's load nor of the machine's.
    isolated(down(log)).await.unwrap_err();
    for (_, decision) in log.take() {
        assert_eq!((decision.growth(), decision.load()), (Growth::Exponential, Load::new()));
    }
}

#[test]
fn a_blocking_function_adapts_as_well() {
    #[retry(blocking, attempts = 5, backoff = "adaptive", breaker = none, base = "100ms", budget = none,
            on_retry = |event| log.note(event))]
    fn fetch(log: &Log) -> Result<(), Failure> {
        Err(Down)
    }
    testing::isolated_sync(|| {
        testing::jitter(Jitter::Highest);
        let _no_sleep = testing::blocking_sleeps(|_| {});
        let (log, probe) = (Log::default(), Probe::install());
        probe.set_cpu(90);
        fetch(&log).unwrap_err();
        let decisions = log.take();
        assert_eq!(decisions.len(), 4);
        assert!(decisions.iter().all(|(_, decision)| decision.growth() == Growth::Linear));
    });
}

#[tokio::test]
async fn the_built_in_probe_counts_the_tasks_of_this_runtime() {
    #[retry(attempts = 2, backoff = "adaptive", breaker = none, base = "1ms", budget = none,
            on_retry = |event| log.note(event))]
    async fn once_more(log: &Log) -> Result<(), Failure> {
        Err(Down)
    }
    // Outside of an isolated test, where the process's own probe is asked.
    let log = Log::default();
    let tasks: Vec<_> = (0..3).map(|_| tokio::spawn(std::future::pending::<()>())).collect();
    once_more(&log).await.unwrap_err();
    let (_, decision) = log.take()[0];
    assert_eq!(decision.load().task_count(), Some(3), "{decision}");
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
}

breaker! {
    static STAGE: Breaker = Breaker::three_timeouts("adaptive-stage");
}

#[tokio::test(start_paused = true)]
async fn three_timeouts_end_it_for_thirty_seconds() {
    #[retry(backoff = "adaptive", attempts = 9, attempt_timeout = "1s", idempotent, breaker = STAGE, budget = none)]
    async fn hanging(bodies: &AtomicU32) -> Result<(), Failure> {
        bodies.fetch_add(1, Ordering::Relaxed);
        std::future::pending().await
    }
    isolated(async {
        let bodies = AtomicU32::new(0);
        let (result, calls) = report(hanging(&bodies)).await;
        assert!(matches!(result, Err(Failure::TimedOut)), "the last attempt's own error");
        assert_eq!((calls[0].attempts(), calls[0].reason()), (3, Some(StopReason::BreakerOpen)));
        sleep(ms(29_000)).await;
        assert!(matches!(hanging(&bodies).await, Err(Failure::Refused)));
        assert_eq!(bodies.load(Ordering::Relaxed), 3);
        sleep(ms(1_001)).await;
        let _ = hanging(&bodies).await;
        assert_eq!(bodies.load(Ordering::Relaxed), 4, "a probe");
    })
    .await;
}
