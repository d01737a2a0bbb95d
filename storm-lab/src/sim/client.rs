//! What a simulated process runs: the loop that `#[retry]` generates, around a request and further calls.

use std::{
    cell::Cell,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use retry_runtime::__private::{
    Call, Gate, Given, Plain, Refusing, breaker_from, by_trait, deadline_from, timeout_from,
};

use super::{
    clock,
    dice::nanos,
    failure::Failure,
    functions::Function,
    requests::{Answer, RequestId},
    world::World,
};
use crate::scenario::{Edge, Hints};

type Calling<'w> = Pin<Box<dyn Future<Output = Result<(), Failure>> + 'w>>;

/// One logical call of a tier's function. `page` is its number among the calls of the attempt around it.
///
/// This is what the attribute's expansion comes to, with a site and a policy that are known at run time only.
pub(super) async fn call(
    world: &World<'_>,
    tier: usize,
    process: u32,
    page: u32,
) -> Result<(), Failure> {
    let site = world.routes.borrow_mut().below(world.topology.tiers[tier].sites);
    let function = world.functions.get(tier, site);
    let given = world
        .functions
        .budget(function, process)
        .map_or(Given::NONE, |budget| Given::NONE.budget(budget));
    let mut call = Call::begin_with(function.site, &function.policy, given);
    world.stats.borrow_mut().called(tier, clock::now());
    let Some(breaker) = world.functions.breaker(function, process) else {
        return ungated(world, function, call, Place { tier, process, page }).await;
    };
    call = call.gated();
    let mut gate = Gate::new(function.site).asking(Some(breaker));
    let tries = Cell::new(0);
    loop {
        {
            let body = attempt(world, Place { tier, process, page }, &tries);
            let cuts = Refusing(Plain(timeout_from, deadline_from), breaker_from);
            let result = call.attempt_gated(&mut gate, cuts, body).await;
            if call.decide_gated(&function.policy, &result, by_trait, &mut gate) {
                return call.end(result);
            }
        }
    }
}

/// Where a call is made, and for whom.
#[derive(Clone, Copy)]
struct Place {
    tier: usize,
    process: u32,
    page: u32,
}

async fn ungated(
    world: &World<'_>,
    function: &Function,
    mut call: Call,
    place: Place,
) -> Result<(), Failure> {
    let tries = Cell::new(0);
    loop {
        {
            let body = attempt(world, place, &tries);
            let result = call.attempt(Plain(timeout_from, deadline_from), body).await;
            if call.decide(&function.policy, &result, by_trait) {
                return call.end(result);
            }
        }
    }
}

/// The body of the annotated function.
async fn attempt(world: &World<'_>, place: Place, tries: &Cell<u32>) -> Result<(), Failure> {
    tries.set(tries.get() + 1);
    world.stats.borrow_mut().tried(place.tier, tries.get() > 1, clock::now());
    if let Some(row) = &world.row {
        return row.change().await;
    }
    match Asking::new(world, place).await {
        Answer::Ok => {}
        Answer::TimedOut => return Err(Failure::TimedOut),
        Answer::Status { status, retry_after } => {
            let hint = match (world.spec.hints, retry_after) {
                (Hints::Honoured, hint) => hint,
                (Hints::Slept, Some(wait)) => {
                    clock::sleep_until(clock::now().saturating_add(nanos(wait))).await;
                    None
                }
                (Hints::Slept | Hints::Ignored, _) => None,
            };
            return Err(Failure::Status(status, hint));
        }
    }
    for edge in &world.topology.tiers[place.tier].calls {
        if edge.parallel {
            all((1..=edge.times).map(|page| inner(world, *edge, place.process, page)).collect())
                .await?;
        } else {
            for page in 1..=edge.times {
                inner(world, *edge, place.process, page).await?;
            }
        }
    }
    Ok(())
}

/// A call from within an attempt. In a box, since tiers call tiers.
fn inner<'w>(world: &'w World<'_>, edge: Edge, process: u32, page: u32) -> Calling<'w> {
    let call = call(world, edge.tier, process, page);
    if edge.apart { Box::pin(retry_runtime::Context::root().scope(call)) } else { Box::pin(call) }
}

/// All of them at once; the first failure drops the others, as `try_join_all` does. Each is polled whenever any of
/// them may go on: wakers would tell which, and nobody has any here.
async fn all(calls: Vec<Calling<'_>>) -> Result<(), Failure> {
    let mut calls: Vec<Option<Calling<'_>>> = calls.into_iter().map(Some).collect();
    std::future::poll_fn(|task| {
        let mut waiting = false;
        for place in &mut calls {
            let Some(call) = place else { continue };
            match call.as_mut().poll(task) {
                Poll::Ready(Ok(())) => *place = None,
                Poll::Ready(Err(failure)) => return Poll::Ready(Err(failure)),
                Poll::Pending => waiting = true,
            }
        }
        if waiting { Poll::Pending } else { Poll::Ready(Ok(())) }
    })
    .await
}

/// A request, from its sending to its answer.
struct Asking<'w, 'a> {
    world: &'w World<'a>,
    place: Place,
    request: Option<RequestId>,
}

impl<'w, 'a> Asking<'w, 'a> {
    const fn new(world: &'w World<'a>, place: Place) -> Self {
        Self { world, place, request: None }
    }
}

impl Future for Asking<'_, '_> {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Answer> {
        let (world, place) = (self.world, self.place);
        let id = *self.request.get_or_insert_with(|| world.send(place.tier, place.page));
        let mut requests = world.requests.borrow_mut();
        // It is there for as long as it is held.
        let Some(request) = requests.get(id) else { return Poll::Ready(Answer::TimedOut) };
        match request.heard {
            Some(answer) => Poll::Ready(answer),
            None => {
                request.pending = true;
                Poll::Pending
            }
        }
    }
}

impl Drop for Asking<'_, '_> {
    fn drop(&mut self) {
        if let Some(id) = self.request {
            self.world.requests.borrow_mut().let_go(id);
        }
    }
}
