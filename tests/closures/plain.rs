//! Closures that are retried like annotated functions.

use crate::script::{OK, Script, T, delays, ms, observed, row, secs, t};
use stormless::{Policy, testing::isolated};

const POLICY: Policy = Policy::new().base(ms(10)).max(secs(1)).backoff(stormless::Backoff::Fixed);

#[tokio::test(start_paused = true)]
async fn a_closure_runs_once_for_each_attempt() {
    isolated(async {
        let script = Script::new([T, t(1), OK]);
        let (result, call) = observed(async {
            POLICY.run(async || script.body().await).named("closures.thrice").await
        })
        .await;
        assert_eq!(result, Ok(()));
        assert_eq!((script.numbers(), script.gaps()), (vec![1, 2, 3], vec![ms(10), ms(10)]));
        assert_eq!((call.site(), delays(&call)), ("closures.thrice", vec![ms(10), ms(10)]));
        let row = row("closures.thrice");
        assert_eq!((row.failures(), row.retries(), row.recovered()), (2, 2, 1));
    })
    .await;
}
