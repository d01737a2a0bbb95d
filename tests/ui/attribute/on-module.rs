use stormless::retry;

#[retry]
mod store { //~ ERROR `#[retry]` on a module: put it on the function that makes the
    pub fn load() {}
}

fn main() {}
