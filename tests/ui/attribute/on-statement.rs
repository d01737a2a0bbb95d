use stormless::retry;

fn main() {
    #[retry] //~ ERROR @attribute custom attributes cannot be applied to statements
    let answer: Result<u8, ()> = Ok(1); //~ ERROR `#[retry]` on a statement
    drop(answer);
}
