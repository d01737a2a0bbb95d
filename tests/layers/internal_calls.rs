//! Methods that are called from their own object retry as any other call does.

use crate::bodies::{Answer, Dependency, T};
use stormless::retry;

/// A dependency that fails once.
fn flaky() -> Dependency {
    Dependency::script([Err(T), Ok(())])
}

struct Client;

impl Client {
    #[retry(backoff = "none", budget = none)]
    async fn inner(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }

    async fn outer(&self, dependency: &Dependency) -> Answer {
        self.inner(dependency).await
    }

    #[retry(backoff = "none", budget = none)]
    async fn generic<D: AsRef<Dependency> + Sync>(&self, dependency: &D) -> Answer {
        dependency.as_ref().answer()
    }

    async fn outer_of_generic(&self, dependency: &Dependency) -> Answer {
        struct Lent<'a>(&'a Dependency);
        impl AsRef<Dependency> for Lent<'_> {
            fn as_ref(&self) -> &Dependency {
                self.0
            }
        }
        self.generic(&Lent(dependency)).await
    }

    #[retry(blocking, backoff = "none", budget = none)]
    fn inner_blocking(&self, dependency: &Dependency) -> Answer {
        let Self = self;
        dependency.answer()
    }

    fn outer_blocking(&self, dependency: &Dependency) -> Answer {
        self.inner_blocking(dependency)
    }
}

trait Fetch {
    #[retry(backoff = "none", budget = none)]
    async fn by_default(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }

    async fn by_impl(&self, dependency: &Dependency) -> Answer;

    async fn outer_of_default(&self, dependency: &Dependency) -> Answer {
        self.by_default(dependency).await
    }

    async fn outer_of_impl(&self, dependency: &Dependency) -> Answer {
        self.by_impl(dependency).await
    }
}

impl Fetch for Client {
    #[retry(backoff = "none", budget = none)]
    async fn by_impl(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }
}

// R165
#[tokio::test(start_paused = true)]
async fn a_method_that_is_called_from_its_own_object_retries() {
    let dependency = flaky();
    assert_eq!((Client.outer(&dependency).await, dependency.bodies()), (Ok(()), 2));
    let dependency = flaky();
    assert_eq!((Client.outer_blocking(&dependency), dependency.bodies()), (Ok(()), 2));
}

// R165
#[tokio::test(start_paused = true)]
async fn so_does_a_default_method_one_of_an_impl_and_a_generic_one() {
    let dependency = flaky();
    assert_eq!((Client.outer_of_default(&dependency).await, dependency.bodies()), (Ok(()), 2));
    let dependency = flaky();
    assert_eq!((Client.outer_of_impl(&dependency).await, dependency.bodies()), (Ok(()), 2));
    let dependency = flaky();
    assert_eq!((Client.outer_of_generic(&dependency).await, dependency.bodies()), (Ok(()), 2));
}
