//! Answers that do not arrive whole.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use stormless::deadline;
use tokio::{io::copy_bidirectional, net::TcpStream, sync::Notify, time::Instant};

use crate::chain::listen;

/// What C leaves of the deadline when it cuts its answer.
pub const LEFT: Duration = Duration::from_millis(600);

/// When [`LEFT`] is left.
pub(crate) fn time_to_cut() -> Instant {
    let left = deadline::remaining().expect("the request came with one");
    Instant::now() + left.saturating_sub(LEFT)
}

/// Passes on what goes between whoever connects and this address, until told that the connections end.
pub(crate) async fn until_cut(to: SocketAddr, cut: Arc<Notify>) -> SocketAddr {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        while let Ok((mut from, _)) = listener.accept().await {
            let cut = cut.clone();
            tokio::spawn(async move {
                let mut to = TcpStream::connect(to).await.expect("C listens");
                tokio::select! {
                    _ended = copy_bidirectional(&mut from, &mut to) => {}
                    () = cut.notified() => {}
                }
            });
        }
    });
    address
}
