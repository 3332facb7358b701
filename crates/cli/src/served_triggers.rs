//! The triggers that run inside the server, as clients of its own address.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use monotable_database::{Clock, Ids};
use monotable_remote::{self as remote, Endpoint, Identity};
use monotable_trigger::{Trigger, TriggerOptions};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::commands::trigger::owner;
use crate::system::SystemClock;

/// How long batches under way may take when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// Triggers under way.
pub(crate) struct ServedTriggers {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl ServedTriggers {
    /// Starts triggers on the server at an address, which call it as somebody. The age of records
    /// is counted by the database's clock.
    pub(crate) fn start(
        triggers: Vec<TriggerOptions>,
        address: SocketAddr,
        identity: &Identity,
        database_clock: &Arc<dyn Clock>,
        ids: &dyn Ids,
    ) -> Result<ServedTriggers> {
        let stop = watch::Sender::new(false);
        let mut tasks = JoinSet::new();
        for options in triggers {
            let clock = Arc::new(ServedClock(database_clock.clone()));
            let url = format!("http://{address}");
            let endpoint = Arc::new(Endpoint::new(&url, identity.clone(), clock)?);
            let name = options.name.clone();
            let trigger = Trigger::new(endpoint, options, owner(ids));
            let stop = stop.subscribe();
            tasks.spawn(async move {
                if let Err(error) = trigger.keep_running(stop).await {
                    tracing::error!(trigger = name, %error, "the trigger has ended");
                }
            });
        }
        Ok(ServedTriggers { stop, tasks })
    }

    /// Lets batches under way end. The server must still answer meanwhile, or their checkpoints are
    /// lost.
    pub(crate) async fn stop(mut self) {
        self.stop.send_replace(true);
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        tokio::select! {
            () = ended => {}
            () = Clock::sleep(&SystemClock, STOP_TIMEOUT) => {
                tracing::warn!("cut off triggers that would not finish their batches");
            }
        }
    }
}

/// Tells the time by the database's clock, and waits by the machine's: a trigger that waits for
/// records must go on while a manual clock stands still.
struct ServedClock(Arc<dyn Clock>);

impl remote::Clock for ServedClock {
    fn now_millis(&self) -> u64 {
        self.0.now_millis()
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Clock::sleep(&SystemClock, duration)
    }
}
