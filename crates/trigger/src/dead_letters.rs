//! The file of records that were given up: one line of JSON each.

use std::path::PathBuf;

use serde_json::json;
use tokio::fs::OpenOptions;
use tokio::io::AsyncWriteExt;
use tokio::sync::Mutex;

use crate::delivery::GivenUp;
use crate::error::Error;

/// Appends to a file that is made when the first record is given up.
pub(crate) struct DeadLetters {
    path: PathBuf,
    /// Held while lines are written, so that those of different shards do not mix.
    writing: Mutex<()>,
}

impl DeadLetters {
    pub(crate) fn new(path: PathBuf) -> DeadLetters {
        DeadLetters { path, writing: Mutex::new(()) }
    }

    /// Writes the records, and returns when they are on disk: after that, nothing else remembers
    /// them.
    pub(crate) async fn write(
        &self,
        trigger: &str,
        shard: &str,
        given_up: &GivenUp,
        now_millis: u64,
    ) -> Result<(), Error> {
        let mut lines = String::new();
        for record in &given_up.records {
            let line = json!({
                "trigger": trigger, "shard": shard, "reason": given_up.reason,
                "attempts": given_up.attempts, "epochMillis": now_millis, "record": record.event(),
            });
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
        let _writing = self.writing.lock().await;
        let written = async {
            let mut file = OpenOptions::new().create(true).append(true).open(&self.path).await?;
            file.write_all(lines.as_bytes()).await?;
            file.sync_data().await
        };
        written.await.map_err(|source| Error::DeadLetters { path: self.path.clone(), source })
    }
}
