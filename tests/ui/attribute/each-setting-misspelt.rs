use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(atempts = 3)]
async fn f00() -> Result<(), MyError> {
    Ok(())
}

#[retry(Attempts = 3)]
async fn f01() -> Result<(), MyError> {
    Ok(())
}

#[retry(back_off = "fixed")]
async fn f02() -> Result<(), MyError> {
    Ok(())
}

#[retry(bas = "1s")]
async fn f03() -> Result<(), MyError> {
    Ok(())
}

#[retry(maxx = "1s")]
async fn f04() -> Result<(), MyError> {
    Ok(())
}

#[retry(factr = 2)]
async fn f05() -> Result<(), MyError> {
    Ok(())
}

#[retry(budgets = "orders")]
async fn f06() -> Result<(), MyError> {
    Ok(())
}

#[retry(dead_line = "1s")]
async fn f07() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_time_out = "1s")]
async fn f08() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_err = f)]
async fn f09() -> Result<(), MyError> {
    Ok(())
}

#[retry(un_cut)]
async fn f10() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaning = "1s")]
async fn f11() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempts = "1s")]
async fn f12() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_afer = "1s")]
async fn f13() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotant)]
async fn f14() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotency_keys = id)]
async fn f15() -> Result<(), MyError> {
    Ok(())
}

#[retry(clasify = f)]
async fn f16() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_results = f)]
async fn f17() -> Result<(), MyError> {
    Ok(())
}

#[retry(nestd = "suppress")]
async fn f18() -> Result<(), MyError> {
    Ok(())
}

#[retry(iner = "allow")]
async fn f19() -> Result<(), MyError> {
    Ok(())
}

#[retry(clones(id))]
async fn f20() -> Result<(), MyError> {
    Ok(())
}

#[retry(onretry = f)]
async fn f21() -> Result<(), MyError> {
    Ok(())
}

#[retry(polcy = P)]
async fn f22() -> Result<(), MyError> {
    Ok(())
}

#[retry(names = "a")]
async fn f23() -> Result<(), MyError> {
    Ok(())
}

#[retry(krate = a)]
async fn f24() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
