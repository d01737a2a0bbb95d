use stormless::retry;

fn main() {
    #[retry]
    let answer: Result<u8, ()> = Ok(1);
    drop(answer);
}
