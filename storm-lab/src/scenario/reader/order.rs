//! The order of tiers: each before those that it calls.

use super::{table::quoted, value::Value};
use crate::scenario::Tier;

/// The tiers in order, with the numbers of their calls changed to it: first the one that nobody calls, which is what
/// clients call; otherwise as they were written. `places` are their names in the file.
pub(super) fn sort(tiers: Vec<Tier>, places: &[Value<'_>]) -> Option<Vec<Tier>> {
    let callers = callers(&tiers);
    let order = topological(&tiers, &callers);
    if order.len() < tiers.len() {
        let circle = circle(&callers, &order);
        if let Some(place) = circle.first().and_then(|at| places.get(*at)) {
            let names: Vec<&str> =
                circle.iter().chain(circle.first()).map(|at| tiers[*at].name.as_str()).collect();
            place.wrong(format!(
                "tiers call one another in a circle, `{}`: remove one of these from `calls`",
                names.join("` → `")
            ));
        }
        return None;
    }
    let first = *order.first()?;
    let mut lonely = order[1..].iter().filter(|at| callers[**at].is_empty()).peekable();
    if lonely.peek().is_some() {
        for at in lonely {
            if let Some(place) = places.get(*at) {
                place.wrong(format!(
                    "nobody calls {}: clients call {}, so name it in the `calls` of a tier, or remove it",
                    quoted(&tiers[*at].name),
                    quoted(&tiers[first].name),
                ));
            }
        }
        return None;
    }
    Some(rearranged(tiers, &order))
}

/// For each tier, those that call it.
fn callers(tiers: &[Tier]) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); tiers.len()];
    for (from, tier) in tiers.iter().enumerate() {
        for edge in &tier.calls {
            callers[edge.tier].push(from);
        }
    }
    callers
}

/// Of those whose callers all have their place already, the one that was written first comes next. Tiers in a
/// circle, and what only they call, are left out.
fn topological(tiers: &[Tier], callers: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(tiers.len());
    let ready = |order: &[usize], at: usize| {
        !order.contains(&at) && callers[at].iter().all(|caller| order.contains(caller))
    };
    while let Some(next) = (0..tiers.len()).find(|at| ready(&order, *at)) {
        order.push(next);
    }
    order
}

/// Among those that have no place, each has a caller that has none either: whoever goes back meets a circle.
fn circle(callers: &[Vec<usize>], order: &[usize]) -> Vec<usize> {
    let mut path: Vec<usize> = Vec::new();
    let mut next = (0..callers.len()).find(|at| !order.contains(at));
    while let Some(at) = next {
        if let Some(begin) = path.iter().position(|visited| *visited == at) {
            path.drain(..begin);
            path.reverse();
            // As it was written, whoever was met first.
            let least = (0..path.len()).min_by_key(|place| path[*place]).unwrap_or(0);
            path.rotate_left(least);
            return path;
        }
        path.push(at);
        next = callers[at].iter().copied().find(|caller| !order.contains(caller));
    }
    path
}

fn rearranged(tiers: Vec<Tier>, order: &[usize]) -> Vec<Tier> {
    let mut place = vec![0; tiers.len()];
    for (at, old) in order.iter().enumerate() {
        place[*old] = at;
    }
    let mut old: Vec<Option<Tier>> = tiers.into_iter().map(Some).collect();
    let mut sorted: Vec<Tier> = order.iter().filter_map(|at| old[*at].take()).collect();
    for edge in sorted.iter_mut().flat_map(|tier| &mut tier.calls) {
        edge.tier = place[edge.tier];
    }
    sorted
}
