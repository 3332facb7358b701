//! A port whose connections lead to another server after a failover.

use std::net::Ipv4Addr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::store::runtime;

/// A port of the loopback interface that leads to another one.
pub(crate) struct Switch {
    port: u16,
    target: watch::Sender<Option<u16>>,
}

impl Switch {
    /// A port that leads to this one.
    pub(crate) fn to(target: u16) -> Switch {
        let listener = runtime().block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = listener.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let (target, targets) = watch::channel(Some(target));
        runtime().spawn(accept(listener, targets));
        Switch { port, target }
    }

    /// The address of the database `postgres` behind it.
    pub(crate) fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Leads to another port from now on. Connections that are open break.
    pub(crate) fn lead_to(&self, target: u16) {
        self.target.send_replace(Some(target));
    }

    /// Nothing is said any more on connections that are open, and nothing on new ones.
    pub(crate) fn fall_silent(&self) {
        self.target.send_replace(None);
    }
}

async fn accept(listener: TcpListener, targets: watch::Receiver<Option<u16>>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let mut targets = targets.clone();
        tokio::spawn(async move {
            let target = *targets.borrow_and_update();
            let server = match target {
                Some(target) => TcpStream::connect((Ipv4Addr::LOCALHOST, target)).await.ok(),
                None => None,
            };
            if let Some(mut server) = server {
                tokio::select! {
                    _ = targets.changed() => {}
                    _ = copy_bidirectional(&mut client, &mut server) => return,
                }
            }
            if targets.borrow_and_update().is_none() {
                // Both ends stay open until it leads somewhere again.
                let _ = targets.changed().await;
            }
        });
    }
}
