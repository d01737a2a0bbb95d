//! What a child process does. It lives no longer than its standard input.

use std::{
    io::{BufRead, BufReader, Read, Write, stdin, stdout},
    process::{ExitCode, exit},
    sync::Arc,
    thread,
    time::Instant,
};

use tokio::{
    runtime,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::sleep,
};

use super::{
    LoadError,
    client::{self, TELL},
    ledger::Ledger,
    protocol::{ClientOrder, GO, LONGEST_LINE, Message, Order, STOP, ServerOrder},
    server::Server,
};

/// The parent is gone, however it went.
const ORPHANED: i32 = 3;

/// Does what standard input says. For the hidden subcommand.
pub fn child() -> ExitCode {
    let (heard, hear) = unbounded_channel();
    thread::spawn(move || listen(&heard));
    let (tell, told) = unbounded_channel();
    let writer = thread::spawn(move || write(told));
    let result = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(LoadError::from)
        .and_then(|runtime| runtime.block_on(obey(hear, tell.clone())));
    let code = match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = tell.send(Message::Refused { why: error.to_string() });
            ExitCode::FAILURE
        }
    };
    drop(tell);
    // It has nothing that could panic; what it could not write, nobody reads.
    let _ = writer.join();
    code
}

/// A thread, so that the end of the parent is seen whatever else goes on.
fn listen(heard: &UnboundedSender<String>) {
    let mut input = BufReader::new(stdin());
    loop {
        let mut line = String::new();
        match input.by_ref().take(LONGEST_LINE).read_line(&mut line) {
            Ok(0) | Err(_) => exit(ORPHANED),
            // It no longer listens because it is about to end.
            Ok(_) if heard.send(line.trim_end().to_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// A thread, so that a slow reader does not keep anybody from serving or calling.
fn write(mut messages: UnboundedReceiver<Message>) {
    while let Some(message) = messages.blocking_recv() {
        let Ok(mut line) = serde_json::to_string(&message) else { continue };
        line.push('\n');
        let mut output = stdout().lock();
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            exit(ORPHANED);
        }
    }
}

async fn obey(
    mut hear: UnboundedReceiver<String>,
    tell: UnboundedSender<Message>,
) -> Result<(), LoadError> {
    let order = hear.recv().await.unwrap_or_default();
    match serde_json::from_str(&order).map_err(LoadError::Order)? {
        Order::Serve(order) => serve(order, hear, &tell).await?,
        Order::Call(order) => call(order, hear, &tell).await?,
    }
    // The writer ends with the channel; if it is gone already, so is the parent.
    let _ = tell.send(Message::Done);
    Ok(())
}

async fn serve(
    order: ServerOrder,
    mut hear: UnboundedReceiver<String>,
    tell: &UnboundedSender<Message>,
) -> Result<(), LoadError> {
    let server = Server::bind(order).await?;
    let address = Some(server.address()?);
    let _ = tell.send(Message::Ready { address });
    if hear.recv().await.as_deref() != Some(GO) {
        return Ok(());
    }
    let (watcher, serving) = server.run(Instant::now());
    let telling = async {
        loop {
            sleep(TELL).await;
            let _ = tell.send(Message::Served(watcher.take()));
        }
    };
    tokio::select! {
        never = serving => match never {},
        () = telling => {}
        () = stopped(&mut hear) => {}
    }
    let _ = tell.send(Message::Served(watcher.take()));
    Ok(())
}

async fn call(
    order: ClientOrder,
    mut hear: UnboundedReceiver<String>,
    tell: &UnboundedSender<Message>,
) -> Result<(), LoadError> {
    let client = client::prepare(&order)?;
    let _ = tell.send(Message::Ready { address: None });
    if hear.recv().await.as_deref() != Some(GO) {
        return Ok(());
    }
    let ledger = Arc::new(Ledger::new(Instant::now()));
    let function = order.function;
    tokio::select! {
        () = client::run(order, client, Arc::clone(&ledger), tell.clone()) => {}
        () = stopped(&mut hear) => {}
    }
    let _ = tell.send(Message::Called(ledger.take(function)));
    Ok(())
}

async fn stopped(hear: &mut UnboundedReceiver<String>) {
    while let Some(line) = hear.recv().await {
        if line == STOP {
            return;
        }
    }
}
