use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(
    attempts = 0, //~ ERROR `attempts` is 0
    base = 50, //~ ERROR `50` has no unit
    max = "1", //~ ERROR `1` has no unit
    factor = 0.5, //~ ERROR `factor` is 0.5
    backoff = "jitter", //~ ERROR "jitter" is no value of `backoff`
    bugdet = "orders", //~ ERROR unknown setting `bugdet`
    budget = "", //~ ERROR `budget` is empty
    nested = "maybe", //~ ERROR "maybe" is no value of `nested`
    max_retry_after = "0s", //~ ERROR `max_retry_after` is zero
    uncut, //~ ERROR `uncut` needs a `deadline`
    clone(reqest), //~ ERROR `reqest` is no argument of this function
    name = 7, //~ ERROR `name` needs a string literal
    attempts = 2, //~ ERROR `attempts` is given twice
    on_retry = log(), //~ ERROR `on_retry` needs the path of a function or a closure
    "loose", //~ ERROR expected a setting such as `attempts = 3`
)]
async fn fetch(mut request: String) -> Result<String, MyError> { //~ ERROR changes of `request` in one attempt would be seen by the next
    request.push('a');
    Ok(request)
}

fn main() {
    drop(fetch(String::new()));
}
