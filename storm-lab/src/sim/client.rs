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

/// One logical call of a tier's function.
///
/// This is what the attribute's expansion comes to, with a site and a policy that are known at run time only.
pub(super) async fn call(world: &World<'_>, place: Place) -> Result<(), Failure> {
    let function = world.function(place.tier);
    let mut call = begin(world, function, place);
    if function.is_gated() {
        // In a box, so that the others are not as large.
        return Box::pin(gated(world, function, call, place)).await;
    }
    let past = Past::default();
    loop {
        {
            let body = attempt(world, place, &past);
            let result = call.attempt(Plain(timeout_from, deadline_from), body).await;
            if call.decide(&function.policy, &result, by_trait) {
                return call.end(result);
            }
        }
    }
}

/// Where a call is made, and for whom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) process: u32,
    /// Its number among the calls of the attempt around it, from 1.
    pub(super) page: u32,
    pub(super) tier: u16,
    /// Whether the client's own call began in the window, so that all that becomes of it counts.
    pub(super) counted: bool,
}

/// What earlier attempts of a call have come to.
#[derive(Default)]
struct Past {
    tries: Cell<u32>,
    /// When the last answer has asked to come back, if it has; 0 if not.
    not_before: Cell<u64>,
}

fn begin(world: &World<'_>, function: &Function, place: Place) -> Call {
    let given = match world.functions.budget(function, place.process) {
        Some(budget) => Given::NONE.budget(budget),
        None => Given::NONE,
    };
    world.stats.borrow_mut().called(place.tier, place.counted);
    Call::begin_with(function.site, &function.policy, given)
}

/// The same loop with a breaker, which each process has for itself.
async fn gated(
    world: &World<'_>,
    function: &Function,
    call: Call,
    place: Place,
) -> Result<(), Failure> {
    let mut call = call.gated();
    let breaker = world.functions.breaker(function, place.process);
    let mut gate = Gate::new(function.site).asking(breaker);
    let past = Past::default();
    loop {
        {
            let body = attempt(world, place, &past);
            let cuts = Refusing(Plain(timeout_from, deadline_from), breaker_from);
            let result = call.attempt_gated(&mut gate, cuts, body).await;
            if call.decide_gated(&function.policy, &result, by_trait, &mut gate) {
                return call.end(result);
            }
        }
    }
}

/// The body of the annotated function.
async fn attempt(world: &World<'_>, place: Place, past: &Past) -> Result<(), Failure> {
    past.tries.set(past.tries.get() + 1);
    world.stats.borrow_mut().tried(place, past.tries.get() > 1, clock::now());
    let asked = past.not_before.take();
    if asked > 0 {
        world.stats.borrow_mut().came_back(asked, clock::now());
    }
    if let Some(row) = &world.row {
        return row.change().await;
    }
    let (answer, fault) = Asking::new(world, place).await;
    match answer.as_status() {
        Some(200) => {}
        None => return Err(Failure::TimedOut),
        Some(status) => {
            let wait = world.retry_after(fault);
            if let Some(wait) = wait {
                past.not_before.set(clock::now().saturating_add(nanos(wait)));
            }
            let hint = match (world.spec.hints, wait) {
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
    for edge in &world.topology.tiers[usize::from(place.tier)].calls {
        if edge.parallel {
            all((1..=edge.times)
                .map(|page| inner(world, *edge, Place { page, ..place }))
                .collect())
            .await?;
        } else {
            for page in 1..=edge.times {
                inner(world, *edge, Place { page, ..place }).await?;
            }
        }
    }
    Ok(())
}

/// A call from within an attempt. In a box, since tiers call tiers.
fn inner<'w>(world: &'w World<'_>, edge: Edge, place: Place) -> Calling<'w> {
    let tier = u16::try_from(edge.tier).unwrap_or(u16::MAX);
    let call = call(world, Place { tier, ..place });
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
    /// With the fault that has decided it.
    type Output = (Answer, u16);

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let (world, place) = (self.world, self.place);
        let id = *self.request.get_or_insert_with(|| world.send(place.tier, place.page));
        let mut requests = world.requests.borrow_mut();
        if world.is_stopped() {
            return Poll::Pending;
        }
        // It is there for as long as it is held.
        let Some(request) = requests.get(id) else { return Poll::Ready((Answer::TIMED_OUT, 0)) };
        if let Some(answer) = request.heard() {
            return Poll::Ready((answer, request.fault));
        }
        request.pending = true;
        Poll::Pending
    }
}

impl Drop for Asking<'_, '_> {
    fn drop(&mut self) {
        if let Some(id) = self.request {
            self.world.requests.borrow_mut().let_go(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size<'w, F: Future>(_: impl FnOnce(&'w World<'w>) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn a_call_in_progress_is_small() {
        // Thousands of them are in progress in a storm, and each event touches one.
        let call = size(|world| call(world, Place { process: 0, page: 1, tier: 0, counted: true }));
        assert!(call <= 400, "{call}");
    }
}
