//! Failures that suppression kept from being retried by anybody are counted, and warned about once.

use crate::bodies::{Answer, Dependency, P, T, site};
use stormless::{Warning, retry, testing::isolated, warnings};

#[retry(attempts = 3, backoff = "none", budget = none, name = "leaf")]
async fn leaf(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "mapping")]
async fn mapping(dependency: &Dependency) -> Answer {
    leaf(dependency).await.map_err(|_| P)
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "swallowing")]
async fn swallowing(dependency: &Dependency) -> Answer {
    leaf(dependency).await.or(Ok(()))
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "passing")]
async fn passing(dependency: &Dependency) -> Answer {
    leaf(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "around_mapping")]
async fn around_mapping(dependency: &Dependency) -> Answer {
    mapping(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "repairing")]
async fn repairing(dependency: &Dependency) -> Answer {
    mapping(dependency).await.map_err(|_| T)
}

#[retry(attempts = 1, budget = none, name = "single")]
async fn single(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "around_single")]
async fn around_single(dependency: &Dependency) -> Answer {
    single(dependency).await.map_err(|_| P)
}

fn lost() -> u64 {
    site("leaf").lost_to_nesting()
}

fn warning(outer: &'static str) -> Warning {
    Warning::LostToNesting { site: "leaf", outer }
}

trait Tell {
    fn about_nesting(self) -> Vec<Warning>;
}

impl Tell for Vec<Warning> {
    fn about_nesting(mut self) -> Self {
        self.retain(|warning| matches!(warning, Warning::LostToNesting { .. }));
        self
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_the_outer_call_takes_for_final_is_lost() {
    isolated(async {
        let dead = Dependency::dead();
        for call in 1..=5 {
            assert_eq!(mapping(&dead).await, Err(P));
            assert_eq!(lost(), call);
        }
        assert_eq!(warnings().about_nesting(), [warning("mapping")], "once for five");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_the_outer_call_takes_for_a_success_is_lost() {
    isolated(async {
        assert_eq!(swallowing(&Dependency::dead()).await, Ok(()));
        assert_eq!(lost(), 1);
        assert_eq!(warnings().about_nesting(), [warning("swallowing")]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_pair_of_functions_has_a_warning_of_its_own() {
    isolated(async {
        let dead = Dependency::dead();
        for _ in 0..2 {
            assert_eq!(mapping(&dead).await, Err(P));
            assert_eq!(swallowing(&dead).await, Ok(()));
        }
        assert_eq!(lost(), 4);
        assert_eq!(warnings().about_nesting(), [warning("mapping"), warning("swallowing")]);
        assert_eq!(
            warning("mapping").to_string(),
            "a failure of `leaf` was retried neither by it nor by `mapping` around it: annotate one \
             of the two, or give `leaf` `nested = \"independent\"`"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_the_outer_call_retries_is_not_lost() {
    isolated(async {
        assert_eq!(passing(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        assert_eq!(passing(&Dependency::dead()).await, Err(T));
        assert_eq!((lost(), warnings().about_nesting()), (0, vec![]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn whether_it_is_lost_is_for_the_outermost_call_to_say() {
    isolated(async {
        assert_eq!(around_mapping(&Dependency::dead()).await, Err(P));
        assert_eq!(lost(), 1);
        assert_eq!(warnings().about_nesting(), [warning("around_mapping")]);
    })
    .await;
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!((repairing(&dead).await, dead.bodies()), (Err(T), 3));
        assert_eq!((lost(), warnings().about_nesting()), (0, vec![]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_the_inner_call_would_not_have_retried_either_is_not_lost() {
    isolated(async {
        assert_eq!(mapping(&Dependency::always(Err(P))).await, Err(P));
        assert_eq!(around_single(&Dependency::dead()).await, Err(P));
        assert_eq!((lost(), site("single").lost_to_nesting()), (0, 0));
        assert_eq!(warnings().about_nesting(), []);
    })
    .await;
}
