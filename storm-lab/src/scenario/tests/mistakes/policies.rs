use super::each_is_one_mistake;
use crate::scenario::tests::{SIMPLE, mistakes};

#[test]
fn policies_have_names_of_their_own_and_name_what_there_is() {
    each_is_one_mistake(&[
        (
            &[("\"default\"", "\"naive\"")],
            "policy.name",
            "\"naive\"",
            &["a second policy is called `naive`"],
        ),
        (&[("\"default\"", "\" \"")], "policy.name", "\" \"", &["empty"]),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\ntiers = { oders = '' }")],
            "policy.tiers.oders",
            "oders",
            &["no tier `oders`; did you mean `orders`?"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nhints = \"sleep\"")],
            "policy.hints",
            "\"sleep\"",
            &["`slept`"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nbackoff = \"full_jitter\"")],
            "policy.backoff",
            "\"full_jitter\"",
            &["`double_jitter`", "the others stand in `retry`"],
        ),
    ]);
    let none = SIMPLE.split("[[policy]]").next().unwrap();
    let all = mistakes(&format!("policy = []\n{none}"));
    assert!(all.len() == 1 && all[0].message.contains("there is no policy"), "{all:?}");
}

#[test]
fn budgets_are_used_and_what_is_used_is_declared() {
    each_is_one_mistake(&[
        (
            &[("attempts = 4, idempotent", "budget = \"orders\"")],
            "policy.retry",
            "\"orders\"",
            &["no budget `orders`", "[budgets.orders]"],
        ),
        (
            &[("[clients]", "[budgets.orders]\nburst = 3\n[clients]")],
            "budgets.orders",
            "orders",
            &["no policy uses the budget `orders`"],
        ),
        (
            &[
                ("[clients]", "[budgets.orders]\nburst = 3\n[clients]"),
                ("attempts = 4, idempotent", "budget = \"order\""),
                ("budget = none", "budget = \"orders\""),
            ],
            "policy.retry",
            "\"order\"",
            &["no budget `order`; did you mean `orders`?"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nbudgets.x = { burst = 1 }")],
            "policy.budgets.x",
            "x",
            &["no policy uses"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nown_budget = { brust = 1 }")],
            "policy.own_budget.brust",
            "brust = 1",
            &["did you mean `burst`?"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nown_budget = { ratio = -1.0 }")],
            "policy.own_budget.ratio",
            "ratio = -1.0",
            &["ratio"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nown_budget = { ratio = [1] }")],
            "policy.own_budget.ratio",
            "[1]",
            &["a number or a text, not a list"],
        ),
        (
            &[(
                "retry = 'attempts = 4, idempotent'",
                "retry = ''\nown_budget = { kind = \"grpc\", max_tokens = 10 }",
            )],
            "policy.own_budget.kind",
            "kind = \"grpc\"",
            &["token_ratio"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\nown_budget = 3")],
            "policy.own_budget",
            "3",
            &["a table"],
        ),
        (
            &[(
                "retry = 'attempts = 4, idempotent'",
                "retry = 'budget = none'\nown_budget = { burst = 1 }",
            )],
            "policy.own_budget",
            "own_budget",
            &["no call has a budget of its own here", "remove `own_budget`"],
        ),
        // The only tier has another `retry`.
        (
            &[(
                "retry = 'attempts = 4, idempotent'",
                "retry = ''\ntiers.orders = 'budget = none'\nown_budget = { burst = 1 }",
            )],
            "policy.own_budget",
            "own_budget",
            &["no call has a budget of its own here"],
        ),
    ]);
}

#[test]
fn what_is_wrong_with_a_policy_is_pointed_at_within_its_text() {
    each_is_one_mistake(&[
        (
            &[("'attempts = 4, idempotent'", "'attempts = 0, idempotent'")],
            "policy.retry",
            "0",
            &["`attempts` is 0"],
        ),
        (
            &[("'attempts = 4, idempotent'", "'attemps = 4, idempotent'")],
            "policy.retry",
            "attemps",
            &["attempts"],
        ),
        (
            &[("'attempts = 4, idempotent'", "\"base = \\\"50\\\", idempotent\"")],
            "policy.retry",
            "\\\"50\\\"",
            &["no unit"],
        ),
        (
            &[("'attempts = 4, idempotent'", "'''\nattempts = 4,\nbase = \"x\"'''")],
            "policy.retry",
            "\"x\"",
            &["duration"],
        ),
        (
            &[("retry = 'attempts = 4, idempotent'", "retry = ''\ntiers.orders = 'attempts = 0'")],
            "policy.tiers.orders",
            "0",
            &["`attempts` is 0"],
        ),
    ]);
}

#[test]
fn contention_stands_alone() {
    let row = "[contention]\nclients = 3\nlatency = \"1ms\"\n[[policy]]\nname = \"a\"\nretry = ''";
    assert_eq!(mistakes(row), []);
    let all = mistakes(&format!("clients = {{ rate = 1 }}\n{row}"));
    assert!(
        all.len() == 1 && all[0].key == "clients" && all[0].message.contains("no `clients`"),
        "{all:?}"
    );
    let all = mistakes(&format!("{row}\ntiers = {{ a = '' }}"));
    assert!(
        all.len() == 1 && all[0].key == "policy.tiers" && all[0].message.contains("no tiers"),
        "{all:?}"
    );
    let all = mistakes(&row.replace("clients = 3", "clients = 30_000"));
    assert!(all.len() == 1 && all[0].message.contains("to 10000"), "{all:?}");
}
