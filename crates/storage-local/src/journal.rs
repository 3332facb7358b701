//! The two steps of a commit that touch the disk, apart from the committer so that tests can make
//! them fail.

use fjall::{Database, OwnedWriteBatch, PersistMode};

use crate::Durability;

/// Where commits go.
pub(crate) trait Journal: Send + Sync + 'static {
    /// Writes a batch so that it is as durable as its answer will say.
    fn write(&self, batch: OwnedWriteBatch) -> fjall::Result<()>;

    /// Brings everything written so far to disk.
    fn sync(&self) -> fjall::Result<()>;
}

/// The tree's own journal.
pub(crate) struct TreeJournal {
    database: Database,
    mode: PersistMode,
}

impl TreeJournal {
    pub(crate) fn new(database: &Database, durability: Durability) -> TreeJournal {
        let mode = match durability {
            Durability::Sync => PersistMode::SyncData,
            Durability::Interval(_) => PersistMode::Buffer,
        };
        TreeJournal { database: database.clone(), mode }
    }
}

impl Journal for TreeJournal {
    fn write(&self, batch: OwnedWriteBatch) -> fjall::Result<()> {
        // The tree syncs its journal before it applies the batch, so a failed sync leaves no trace
        // in memory.
        batch.durability(Some(self.mode)).commit()
    }

    fn sync(&self) -> fjall::Result<()> {
        self.database.persist(PersistMode::SyncData)
    }
}
