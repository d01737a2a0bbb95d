//! The annotated function.

use stormless::{RetryError, retry};

use crate::{
    observe::{Answer, Bodies, FORMS, Form, GUARD, SHEDS, of_error, of_result},
    row::{Row, Shape},
    script::Failure,
};

pub(crate) struct Attribute;

impl Form for Attribute {
    fn site(shape: Shape) -> String {
        format!("forms.attribute.{shape:?}")
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        match row.shape {
            Shape::Paid => paid(row, bodies).await,
            Shape::Own => own(row, bodies).await,
            Shape::Named => named(row, bodies).await,
            Shape::Unpaid => unpaid(row, bodies).await,
            Shape::Timed => timed(row, bodies).await,
            Shape::LastUntimed => last_untimed(row, bodies).await,
            Shape::Guarded => guarded(row, bodies).await,
            Shape::Answering => answering(row, bodies).await,
            Shape::Classed => classed(row, bodies).await,
            Shape::Keyed => keyed(row, bodies).await,
            Shape::Explained => explained(row, bodies).await.map_err(explain),
            Shape::Uncut => uncut(row, bodies).await,
            Shape::Hedged => hedged(row, bodies).await,
            Shape::Foreseen => foreseen(row, bodies).await,
            Shape::ByKey => by_key(row, bodies).await,
            Shape::Shed => shed(row, bodies).await,
            Shape::Told => told(row, bodies).await,
            Shape::Harmless => harmless(row, bodies).await,
        }
    }
}

/// Its own error, whose record is that of the report.
pub(crate) fn explain(error: RetryError<Failure>) -> Failure {
    assert_eq!((error.attempts(), error.slept().as_millis()), (2, 10));
    error.into_inner().expect("the last attempt ran")
}

#[retry(policy = row.policy, budget = FORMS, deadline = row.deadline, name = "forms.attribute.Paid")]
async fn paid(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, deadline = row.deadline, name = "forms.attribute.Own")]
async fn own(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = "forms", name = "forms.attribute.Named")]
async fn named(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = none, name = "forms.attribute.Unpaid")]
async fn unpaid(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, attempt_timeout = "100ms", name = "forms.attribute.Timed")]
async fn timed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(
    policy = row.policy,
    budget = FORMS,
    attempt_timeout = "100ms",
    last_attempt_untimed,
    deadline = row.deadline,
    name = "forms.attribute.LastUntimed"
)]
async fn last_untimed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, breaker = GUARD, name = "forms.attribute.Guarded")]
async fn guarded(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, classify_result = of_result, name = "forms.attribute.Answering")]
async fn answering(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, classify = of_error, name = "forms.attribute.Classed")]
async fn classed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, idempotency_key = bodies.order, name = "forms.attribute.Keyed")]
async fn keyed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, name = "forms.attribute.Explained")]
async fn explained(row: &Row, bodies: &Bodies) -> Result<u32, RetryError<Failure>> {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, deadline = row.deadline, uncut, name = "forms.attribute.Uncut")]
async fn uncut(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, hedge = "30ms", idempotent = row.harmless, name = "forms.attribute.Hedged")]
async fn hedged(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, deadline = row.deadline, expect = "p95", name = "forms.attribute.Foreseen")]
async fn foreseen(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, budget_key = bodies.order, name = "forms.attribute.ByKey")]
async fn by_key(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = SHEDS, shed, name = "forms.attribute.Shed")]
async fn shed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, on_retry = |event| bodies.tell(event), name = "forms.attribute.Told")]
async fn told(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}

#[retry(policy = row.policy, budget = FORMS, idempotent = row.harmless, name = "forms.attribute.Harmless")]
async fn harmless(row: &Row, bodies: &Bodies) -> Answer {
    bodies.body().await
}
