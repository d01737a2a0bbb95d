//! The other half of `names`: a process with ten annotated functions and ten budgets.

mod measure;

#[global_allocator]
static ALLOCATOR: scale::heap::Counting = scale::heap::Counting;

fn main() {
    measure::print(10);
}
