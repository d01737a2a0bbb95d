//! A service behind the layer.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use stormless::{
    Quantile,
    tower::{PerRequest, RetryLayer},
};
use tower::{Layer, Service, ServiceExt};

use crate::{
    attribute::explain,
    observe::{Answer, Bodies, FORMS, Form, GUARD, SHEDS, of_error, of_result},
    row::{Row, Shape},
    script::Failure,
};

const LIMIT: Duration = Duration::from_millis(100);
const HEDGE: Duration = Duration::from_millis(30);

/// A service that runs the bodies, one for each call.
#[derive(Clone)]
struct Serving<'a>(&'a Bodies);

impl<'a> Service<&'static str> for Serving<'a> {
    type Response = u32;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Answer> + 'a>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: &'static str) -> Self::Future {
        assert_eq!(request, "the request");
        Box::pin(self.0.body())
    }
}

pub(crate) struct Layered;

impl Form for Layered {
    fn site(_: Shape) -> String {
        "forms.tower".to_owned()
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        let layer = RetryLayer::new(row.policy).named("forms.tower");
        let service = Serving(bodies);
        macro_rules! through {
            ($layer:expr) => {
                $layer.layer(service).oneshot("the request").await
            };
        }
        match row.shape {
            Shape::Paid => through!(layer.budget(&FORMS).deadline(row.deadline)),
            Shape::Own => through!(layer.deadline(row.deadline)),
            Shape::Named => through!(layer.budget("forms")),
            Shape::Unpaid => through!(layer.no_budget()),
            Shape::Timed => through!(layer.budget(&FORMS).attempt_timeout(LIMIT)),
            Shape::LastUntimed => {
                let layer = layer.budget(&FORMS).attempt_timeout(LIMIT).last_attempt_untimed();
                through!(layer.deadline(row.deadline))
            }
            Shape::Guarded => through!(layer.budget(&FORMS).breaker(&GUARD)),
            Shape::Answering => through!(layer.budget(&FORMS).classify_result(of_result)),
            Shape::Classed => through!(layer.budget(&FORMS).classify(of_error)),
            Shape::Keyed => {
                let order = bodies.order;
                through!(layer.budget(&FORMS).per_request(
                    move |_: &&'static str, call: &mut PerRequest| {
                        call.idempotency_key(order);
                    }
                ))
            }
            Shape::Explained => through!(layer.explain().budget(&FORMS)).map_err(explain),
            Shape::Uncut => through!(layer.budget(&FORMS).uncut_deadline(row.deadline)),
            Shape::Hedged => {
                let policy = row.policy.idempotent_if(row.harmless);
                let layer = RetryLayer::new(policy).named("forms.tower");
                through!(layer.budget(&FORMS).hedge(HEDGE))
            }
            Shape::Foreseen => {
                through!(layer.budget(&FORMS).deadline(row.deadline).expect(Quantile::P95))
            }
            Shape::ByKey => through!(layer.budget_key(&FORMS, bodies.order)),
            Shape::Shed => through!(layer.budget(&SHEDS).shed()),
            Shape::Told => through!(layer.budget(&FORMS).on_retry(|event| bodies.tell(event))),
            Shape::Harmless => {
                let harmless = row.harmless;
                through!(layer.budget(&FORMS).per_request(
                    move |_: &&'static str, call: &mut PerRequest| {
                        call.set_policy(call.policy().idempotent_if(harmless));
                    }
                ))
            }
        }
    }
}
