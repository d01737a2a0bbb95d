//! The annotated function that blocks.

use stormless::{RetryError, retry};

use crate::{
    attribute::explain,
    observe::{Answer, Bodies, FORMS, Form, GUARD, SHEDS, of_error, of_result},
    row::{Row, Shape},
    script::Failure,
};

pub(crate) struct AttributeBlocking;

impl Form for AttributeBlocking {
    const BLOCKING: bool = true;

    fn site(shape: Shape) -> String {
        format!("forms.blocking.{shape:?}")
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        match row.shape {
            Shape::Paid => paid(row, bodies),
            Shape::Own => own(row, bodies),
            Shape::Named => named(row, bodies),
            Shape::Unpaid => unpaid(row, bodies),
            Shape::Timed | Shape::LastUntimed | Shape::Hedged => {
                unreachable!("what runs on its thread is alone there, and is not cut")
            }
            Shape::Guarded => guarded(row, bodies),
            Shape::Answering => answering(row, bodies),
            Shape::Classed => classed(row, bodies),
            Shape::Keyed => keyed(row, bodies),
            Shape::Explained => explained(row, bodies).map_err(explain),
            Shape::Uncut => uncut(row, bodies),
            Shape::Foreseen => foreseen(row, bodies),
            Shape::ByKey => by_key(row, bodies),
            Shape::Shed => shed(row, bodies),
            Shape::Told => told(row, bodies),
            Shape::Harmless => harmless(row, bodies),
        }
    }
}

#[retry(blocking, policy = row.policy, budget = FORMS, deadline = row.deadline, name = "forms.blocking.Paid")]
fn paid(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, deadline = row.deadline, name = "forms.blocking.Own")]
fn own(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = "forms", name = "forms.blocking.Named")]
fn named(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = none, name = "forms.blocking.Unpaid")]
fn unpaid(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, breaker = GUARD, name = "forms.blocking.Guarded")]
fn guarded(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, classify_result = of_result, name = "forms.blocking.Answering")]
fn answering(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, classify = of_error, name = "forms.blocking.Classed")]
fn classed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, idempotency_key = bodies.order, name = "forms.blocking.Keyed")]
fn keyed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, name = "forms.blocking.Explained")]
fn explained(row: &Row, bodies: &Bodies) -> Result<u32, RetryError<Failure>> {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, deadline = row.deadline, uncut, name = "forms.blocking.Uncut")]
fn uncut(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, deadline = row.deadline, expect = "p95", name = "forms.blocking.Foreseen")]
fn foreseen(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, budget_key = bodies.order, name = "forms.blocking.ByKey")]
fn by_key(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = SHEDS, shed, name = "forms.blocking.Shed")]
fn shed(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, on_retry = |event| bodies.tell(event), name = "forms.blocking.Told")]
fn told(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}

#[retry(blocking, policy = row.policy, budget = FORMS, idempotent = row.harmless, name = "forms.blocking.Harmless")]
fn harmless(row: &Row, bodies: &Bodies) -> Answer {
    bodies.blocking_body()
}
