use stormless::Retryable;

#[derive(Retryable)]
#[retryable(forward)]
struct Wrapped<E>(E);

struct Unclassified;

fn main() {
    let wrapped = Wrapped(Unclassified);
    let _ = wrapped.classify(); //~ ERROR the method `classify` exists for struct `Wrapped<Unclassified>`
}
