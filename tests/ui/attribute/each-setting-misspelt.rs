use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(atempts = 3)] //~ ERROR unknown setting `atempts`; did you mean `attempts`?
async fn f00() -> Result<(), MyError> {
    Ok(())
}

#[retry(Attempts = 3)] //~ ERROR unknown setting `Attempts`; did you mean `attempts`?
async fn f01() -> Result<(), MyError> {
    Ok(())
}

#[retry(back_off = "fixed")] //~ ERROR unknown setting `back_off`; did you mean `backoff`?
async fn f02() -> Result<(), MyError> {
    Ok(())
}

#[retry(bas = "1s")] //~ ERROR unknown setting `bas`; did you mean `base`?
async fn f03() -> Result<(), MyError> {
    Ok(())
}

#[retry(maxx = "1s")] //~ ERROR unknown setting `maxx`; did you mean `max`?
async fn f04() -> Result<(), MyError> {
    Ok(())
}

#[retry(factr = 2)] //~ ERROR unknown setting `factr`; did you mean `factor`?
async fn f05() -> Result<(), MyError> {
    Ok(())
}

#[retry(budgets = "orders")] //~ ERROR unknown setting `budgets`; did you mean `budget`?
async fn f06() -> Result<(), MyError> {
    Ok(())
}

#[retry(dead_line = "1s")] //~ ERROR unknown setting `dead_line`; did you mean `deadline`?
async fn f07() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_time_out = "1s")] //~ ERROR unknown setting `attempt_time_out`
async fn f08() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_err = f)] //~ ERROR unknown setting `cut_err`; did you mean `cut_error`?
async fn f09() -> Result<(), MyError> {
    Ok(())
}

#[retry(un_cut)] //~ ERROR unknown setting `un_cut`; did you mean `uncut`?
async fn f10() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaning = "1s")] //~ ERROR unknown setting `min_remaning`; did you mean `min_remaining`?
async fn f11() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempts = "1s")] //~ ERROR unknown setting `time_per_attempts`
async fn f12() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_afer = "1s")] //~ ERROR unknown setting `max_retry_afer`
async fn f13() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotant)] //~ ERROR unknown setting `idempotant`; did you mean `idempotent`?
async fn f14() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_keys = id)] //~ ERROR unknown setting `idempotency_keys`
async fn f15() -> Result<(), MyError> {
    Ok(())
}

#[retry(clasify = f)] //~ ERROR unknown setting `clasify`; did you mean `classify`?
async fn f16() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_results = f)] //~ ERROR unknown setting `classify_results`
async fn f17() -> Result<(), MyError> {
    Ok(())
}

#[retry(nestd = "suppress")] //~ ERROR unknown setting `nestd`; did you mean `nested`?
async fn f18() -> Result<(), MyError> {
    Ok(())
}

#[retry(iner = "allow")] //~ ERROR unknown setting `iner`; did you mean `inner`?
async fn f19() -> Result<(), MyError> {
    Ok(())
}

#[retry(clones(id))] //~ ERROR unknown setting `clones`; did you mean `clone`?
async fn f20() -> Result<(), MyError> {
    Ok(())
}

#[retry(onretry = f)] //~ ERROR unknown setting `onretry`; did you mean `on_retry`?
async fn f21() -> Result<(), MyError> {
    Ok(())
}

#[retry(polcy = P)] //~ ERROR unknown setting `polcy`; did you mean `policy`?
async fn f22() -> Result<(), MyError> {
    Ok(())
}

#[retry(names = "a")] //~ ERROR unknown setting `names`; did you mean `name`?
async fn f23() -> Result<(), MyError> {
    Ok(())
}

#[retry(krate = a)] //~ ERROR unknown setting `krate`; did you mean `crate`?
async fn f24() -> Result<(), MyError> {
    Ok(())
}

#[retry(braker = "a")] //~ ERROR unknown setting `braker`; did you mean `breaker`?
async fn f25() -> Result<(), MyError> {
    Ok(())
}

#[retry(expects = "p95")] //~ ERROR unknown setting `expects`; did you mean `expect`?
async fn f26() -> Result<(), MyError> {
    Ok(())
}

#[retry(last_atempt_untimed)] //~ ERROR unknown setting `last_atempt_untimed`; did you mean `last_attempt_untimed`?
async fn f27() -> Result<(), MyError> {
    Ok(())
}

#[retry(adaptiv = A)] //~ ERROR unknown setting `adaptiv`; did you mean `adaptive`?
async fn f28() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
