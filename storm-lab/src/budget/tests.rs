use std::time::Duration;

use retry_runtime::{Budget, BudgetSettings, Kind as Failure, Moment, Refund};

use super::keys::Key;
use super::kinds::Kind;
use super::{BudgetSpec, PairValue};

fn good(text: &str) -> BudgetSpec {
    BudgetSpec::read(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn built(text: &str) -> BudgetSettings {
    let budget = good(text).build("orders".into());
    assert_eq!((budget.name(), budget.check()), ("orders", Ok(())));
    budget.settings()
}

fn assert_errors(text: &str, wanted: &[(&str, &str)]) {
    let errors = BudgetSpec::read(text).expect_err(text);
    assert_eq!(errors.len(), wanted.len(), "{text}: {errors:?}");
    for (error, (key, part)) in errors.iter().zip(wanted) {
        assert!(error.key == *key && error.message.contains(part), "{text}: {errors:?}");
    }
}

#[test]
fn each_kind_is_productions_own() {
    for (text, budget) in [
        ("", Budget::new("b")),
        ("burst=20,ratio=0.05", Budget::new("b").burst(20).ratio(0.05)),
        ("kind=tokens", Budget::tokens("b", 100, 10, 1)),
        ("kind=tokens,capacity=5,cost=2,reward=3", Budget::tokens("b", 5, 2, 3)),
        ("kind=window", Budget::sliding_window("b")),
        (
            "kind=window,ratio=0.2,window=10s,min_samples=5",
            Budget::sliding_window("b").ratio(0.2).window(Duration::from_secs(10)).min_samples(5),
        ),
        ("kind=aws_standard", Budget::aws_standard("b")),
        ("kind=aws_legacy", Budget::aws_legacy("b")),
        ("kind=grpc,max_tokens=10,token_ratio=0.1", Budget::grpc_throttling("b", 10, 0.1)),
        ("kind=finagle_per_request,reserve=0", Budget::finagle_per_request("b").reserve(0)),
        ("kind=finagle_per_success,ratio=0.1", Budget::finagle_per_success("b").ratio(0.1)),
        (
            "kind=envoy,ratio=0.5,min_concurrency=1",
            Budget::envoy("b").ratio(0.5).min_concurrency(1),
        ),
        ("kind=sre,shed=1.5", Budget::sre_throttling("b").shed(1.5)),
        (
            "floor=2,floor_silence=5s,per_call=0.2,refund=last_cost,observe_only=true",
            Budget::new("b")
                .floor(2, Duration::from_secs(5))
                .per_call(0.2)
                .refund(Refund::LastCost)
                .observe_only(),
        ),
        (
            "cost_of_timeout=4,cost_of_throttled=3,cost_of_transient=2,cost_of_conflict=5",
            Budget::new("b")
                .cost_of(Failure::Timeout, 4)
                .cost_of(Failure::Throttled, 3)
                .cost_of(Failure::Transient, 2)
                .cost_of(Failure::Conflict, 5),
        ),
    ] {
        assert_eq!(budget.check(), Ok(()), "{text}");
        assert_eq!(built(text), budget.settings(), "{text}");
    }
    assert_eq!(Kind::ALL.len(), 10);
}

#[test]
fn the_order_of_the_pairs_makes_no_difference() {
    assert_eq!(built("cost_of_timeout=15,burst=20"), built("burst=20,cost_of_timeout=15"));
    assert_eq!(built("silence=5s,floor=2"), built("floor=2,floor_silence=5s"));
    assert_eq!(built("capacity=5,kind=tokens,cost=2"), built("kind=tokens,cost=2,capacity=5"));
}

#[test]
fn each_budget_that_is_made_is_a_full_one_of_its_own() {
    let spec = good("burst=1");
    let (one, other) = (spec.build("orders".into()), spec.build("orders".into()));
    let now = Moment::from_nanos(0);
    assert!(one.withdraw(1, now).is_some() && one.withdraw(1, now).is_none());
    assert!(other.withdraw(1, now).is_some());
    // The name is kept once.
    assert!(std::ptr::eq(super::names::kept("a".into()), super::names::kept("a".into())));
    assert!(spec.build(String::new()).check().is_err());
}

#[test]
fn the_canonical_text_is_read_back() {
    for (text, canonical) in [
        ("", "kind=bucket"),
        ("kind=bucket", "kind=bucket"),
        (" ratio = 0.10 , burst = 10, ", "burst=10,ratio=0.1"),
        ("kind=\"window\",window=1m30s,ratio=1e-3", "kind=window,ratio=0.001,window=90s"),
        ("kind=window,window=1.5ms", "kind=window,window=1500us"),
        ("kind=window,window=7ns", "kind=window,window=7ns"),
        (
            "silence=250ms,floor=1,observe_only=false",
            "floor=1,floor_silence=250ms,observe_only=false",
        ),
        ("kind=envoy,refund=nothing", ""),
        ("ratio=0.30000000000000004", "ratio=0.30000000000000004"),
        ("refund=nothing,per_call=1", "per_call=1,refund=nothing"),
    ] {
        if canonical.is_empty() {
            assert_errors(text, &[("refund", "not a setting of this kind")]);
            continue;
        }
        let spec = good(text);
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(good(canonical), spec);
    }
}

#[test]
fn every_key_belongs_to_some_kind_and_its_sample_is_read() {
    for key in Key::ALL {
        let (name, sample) = (key.name(), key.sample());
        let partners = match key {
            Key::Floor => ",floor_silence=1s",
            Key::FloorSilence => ",floor=1",
            Key::MaxTokens => ",token_ratio=0.1",
            Key::TokenRatio => ",max_tokens=10",
            _ => "",
        };
        let taken = Kind::ALL.iter().filter(|kind| {
            let text = format!("kind={},{name}={sample}{partners}", kind.name());
            BudgetSpec::read(&text).is_ok_and(|spec| spec.to_string().contains(name))
        });
        assert!(taken.count() > 0, "{name}");
    }
}

#[test]
fn what_production_refuses_is_refused_in_its_words() {
    for (text, key, part) in [
        ("burst=0", "burst", "a budget that holds no retry refuses every one"),
        ("ratio=-0.1", "ratio", "`ratio` is -0.1: it must be a finite number of at least 0"),
        ("ratio=inf", "ratio", "`ratio` is inf: it must be a finite number"),
        ("ratio=NaN", "ratio", "`ratio` is NaN: it must be a finite number"),
        ("kind=window,ratio=1", "ratio", "it must be at least 0 and below 1"),
        ("kind=window,window=0s", "window", "`window` is zero"),
        ("kind=tokens,cost=0", "cost", "a retry must cost at least 1 token"),
        ("kind=tokens,capacity=0", "capacity", "`capacity` is 0"),
        ("kind=tokens,capacity=5,cost=6", "cost", "`cost` (6) is above `capacity` (5)"),
        ("kind=tokens,capacity=5", "capacity", "`cost` (10) is above `capacity` (5)"),
        ("cost_of_timeout=11", "cost_of_timeout", "`cost` (11) is above `capacity` (10)"),
        ("kind=grpc,max_tokens=1001,token_ratio=1", "max_tokens", "it must lie between 1 and 1000"),
        ("kind=grpc,max_tokens=10,token_ratio=0", "token_ratio", "`ratio` is 0"),
        ("kind=sre,shed=0.5", "shed", "`shed` is 0.5: it must lie between 1 and 1000"),
        ("per_call=0", "per_call", "`per_call` is 0: it must be above 0 and at most 1"),
        ("floor=0,silence=1s", "floor", "`floor` is 0"),
        ("floor=1,silence=0s", "silence", "`floor` is zero"),
        ("kind=envoy,ratio=2", "ratio", "`ratio` is 2"),
        ("kind=envoy,cost_of_timeout=2", "cost_of_timeout", "not a setting of this kind"),
    ] {
        assert_errors(text, &[(key, part)]);
    }
}

#[test]
fn a_key_of_another_kind_is_told_what_its_kind_takes() {
    assert_errors(
        "window=60s,capacity=5",
        &[
            (
                "window",
                "`window` is not a setting of this kind of budget: kind `bucket` takes `burst`, `ratio`, `shed`",
            ),
            ("capacity", "kind `bucket` takes"),
        ],
    );
    let errors = BudgetSpec::read("kind=envoy,burst=1").unwrap_err();
    assert!(
        errors[0].message.ends_with(
            "kind `envoy` takes `ratio`, `min_concurrency`, `shed`, `per_call`, `floor`, `floor_silence`, `observe_only`"
        ),
        "{errors:?}"
    );
}

#[test]
fn unknown_words_name_the_nearest_and_what_is_allowed() {
    for (text, key, near, all) in [
        ("brust=10", "brust", "did you mean `burst`?", "kind `bucket` takes `burst`"),
        ("kind=windwo", "kind", "did you mean `window`?", "use one of `bucket`, `tokens`"),
        ("zzz=1", "zzz", "unknown key `zzz`: kind `bucket`", "`ratio`"),
        ("kind=5", "kind", "5 is no kind of budget: use one of", "`sre`"),
    ] {
        let errors = BudgetSpec::read(text).unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        let message = &errors[0].message;
        assert!(
            errors[0].key == key && message.contains(near) && message.contains(all),
            "{message}"
        );
    }
    // Without a kind nothing is said against keys that some kind has.
    assert_errors(
        "kind=x,window=1s,brust=1",
        &[("kind", "no kind"), ("brust", "use one of `burst`")],
    );
}

#[test]
fn values_of_another_kind_are_shown_how() {
    for (text, key, part) in [
        (
            "burst=-1",
            "burst",
            "`burst` is -1: it must be a whole number of at most 4294967295, as in `10`",
        ),
        ("burst=4294967296", "burst", "at most 4294967295"),
        ("burst=99999999999999999999", "burst", "whole number"),
        ("burst=1.5", "burst", "`burst` is 1.5: it must be a whole number"),
        ("burst=ten", "burst", "`burst` is \"ten\""),
        ("ratio=much", "ratio", "`ratio` is \"much\": it must be a number, as in `0.1`"),
        ("kind=window,window=60", "window", "a duration with its unit, as in `60s`"),
        ("kind=window,window=60 s", "window", "`window`: ` s` is not a unit"),
        ("refund=all", "refund", "`nothing` or `last_cost`"),
        ("observe_only=1", "observe_only", "`true` or `false`"),
    ] {
        assert_errors(text, &[(key, part)]);
    }
}

#[test]
fn pairs_that_are_none_and_what_is_missing_or_twice_is_said_at_once() {
    assert_errors(
        "burst,,ratio=,envoy,=5,burst=1,burst=2",
        &[
            ("burst", "write `burst=10`"),
            ("", "between two commas"),
            ("ratio", "write `ratio=0.1`"),
            ("envoy", "write `kind=envoy`"),
            ("", "unknown key"),
            ("burst", "given twice"),
        ],
    );
    assert_errors(
        "kind=grpc,token_ratio=1",
        &[("kind", "needs `max_tokens`, as in `max_tokens=10`")],
    );
    assert_errors("floor=1", &[("floor", "`floor` needs `floor_silence`")]);
    assert_errors("silence=1s", &[("floor_silence", "needs `floor`")]);
    assert_errors("kind=envoy,kind=sre", &[("kind", "given twice")]);
    // What was refused is not missing.
    assert_errors("floor=1,silence=5", &[("silence", "a duration with its unit")]);
    assert_errors("kind=grpc,token_ratio=x,max_tokens=1", &[("token_ratio", "must be a number")]);
}

#[test]
fn a_table_is_read_as_a_line_is() {
    let pairs = [
        ("kind", PairValue::Text("window".into())),
        ("ratio", PairValue::Float(0.5)),
        ("min_samples", PairValue::Integer(7)),
        ("window", PairValue::Text("5s".into())),
    ];
    let spec = BudgetSpec::from_pairs(pairs).unwrap();
    assert_eq!(spec, good("kind=window,ratio=0.5,min_samples=7,window=5s"));
    let errors =
        BudgetSpec::from_pairs([("ratio\u{1b}", PairValue::Text("\u{1b}".into()))]).unwrap_err();
    assert_eq!(errors[0].key, "ratio\u{1b}");
    assert!(!errors[0].to_string().contains('\u{1b}'));
}

#[test]
fn any_line_is_read_or_refused() {
    for text in [
        "=",
        ",",
        "==",
        "a=b=c",
        "\u{1f300}=\u{1f300}",
        "kind",
        "kind=",
        "\"",
        "burst=\"",
        "burst=\"10\"",
        "ratio=1e999",
    ] {
        if let Err(errors) = BudgetSpec::read(text) {
            assert!(!errors.is_empty());
        }
    }
}
