//! The engine that was chosen when the database was opened.
//!
//! The code above engines is compiled for one type of engine. This is that type, so that all of it
//! exists once, whichever engines there are. Closures go to them by pointer for the same reason.

use std::ops::{ControlFlow, RangeInclusive};

use bytes::Bytes;
use monotable_storage::{
    Decision, Direction, Engine, Error, ErrorKind, Key, KeyRange, MemoryEngine, MemorySnapshot,
    Reads, Result, Snapshot, Wants,
};
use monotable_storage_local::{LocalEngine, LocalSnapshot};

/// An engine in memory or in a directory.
pub(crate) enum Store {
    Memory(MemoryEngine),
    Local(LocalEngine),
}

/// One moment of a [`Store`].
#[derive(Clone)]
pub(crate) enum StoreSnapshot {
    Memory(MemorySnapshot),
    Local(LocalSnapshot),
}

/// Goes on with the engine or snapshot that is there.
macro_rules! chosen {
    ($self:expr, $kind:ident, $it:ident => $call:expr) => {
        match $self {
            $kind::Memory($it) => $call,
            $kind::Local($it) => $call,
        }
    };
}

impl Engine for Store {
    type Snapshot = StoreSnapshot;

    async fn snapshot(&self) -> Result<StoreSnapshot> {
        match self {
            Store::Memory(engine) => engine.snapshot().await.map(StoreSnapshot::Memory),
            Store::Local(engine) => engine.snapshot().await.map(StoreSnapshot::Local),
        }
    }

    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        chosen!(self, Store, it => it.get(key).await)
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        chosen!(self, Store, it => it.get_many(keys).await)
    }

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let mut answer = None;
        let decide: &mut (dyn FnMut(&Reads) -> Decision<()> + Send) =
            &mut |reads| decide(reads).answer_in(&mut answer);
        chosen!(self, Store, it => it.transact(wants, decide).await)?;
        answer.ok_or_else(|| Error::new(ErrorKind::Corrupt))
    }

    fn removes_ranges_whole(&self) -> bool {
        chosen!(self, Store, it => it.removes_ranges_whole())
    }

    async fn close(&self) -> Result<()> {
        chosen!(self, Store, it => it.close().await)
    }
}

impl Snapshot for StoreSnapshot {
    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        chosen!(self, StoreSnapshot, it => it.get(key).await)
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        chosen!(self, StoreSnapshot, it => it.get_many(keys).await)
    }

    async fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let visit: &mut (dyn FnMut(&[u8], Bytes) -> ControlFlow<()> + Send) = &mut visit;
        chosen!(self, StoreSnapshot, it => it.visit(range, direction, about, visit).await)
    }

    async fn visit_log(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let visit: &mut (dyn FnMut(u64, Bytes) -> ControlFlow<()> + Send) = &mut visit;
        chosen!(self, StoreSnapshot, it => {
            it.visit_log(log, positions, direction, about, visit).await
        })
    }

    async fn logs(&self) -> Result<Vec<Key>> {
        chosen!(self, StoreSnapshot, it => it.logs().await)
    }

    async fn counter(&self, counter: &[u8]) -> Result<i64> {
        chosen!(self, StoreSnapshot, it => it.counter(counter).await)
    }

    async fn visit_counters(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        about: usize,
        mut visit: impl FnMut(&[u8], i64) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let visit: &mut (dyn FnMut(&[u8], i64) -> ControlFlow<()> + Send) = &mut visit;
        chosen!(self, StoreSnapshot, it => it.visit_counters(prefix, after, about, visit).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    monotable_storage::engine_tests!(|| (Store::Memory(MemoryEngine::new()), ()));
}
