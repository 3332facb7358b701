//! An engine on which every transaction meets another one.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::{
    CommitId, Decision, Direction, Engine, Key, RangeRead, Reads, Result, Settled, Snapshot, Wants,
};

/// How many transactions pass before the state that they first decide on is taken again.
const STALE_TRANSACTIONS: u32 = 7;

/// Runs every `decide` twice: at first on an older state, as if another transaction had come in
/// between, and then on what is there. What the first run decided is thrown away.
///
/// A `decide` that is no pure function of what it reads shows on this engine.
pub struct ContendedEngine<E: Engine> {
    inner: E,
    stale: Mutex<Option<Stale<E::Snapshot>>>,
}

struct Stale<S> {
    snapshot: S,
    transactions: u32,
}

impl<E: Engine> ContendedEngine<E> {
    /// Makes all transactions on an engine meet others.
    pub fn new(inner: E) -> ContendedEngine<E> {
        ContendedEngine { inner, stale: Mutex::new(None) }
    }

    async fn stale_snapshot(&self) -> Result<E::Snapshot> {
        {
            let mut stale = self.stale.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(stale) = stale.as_mut().filter(|it| it.transactions < STALE_TRANSACTIONS) {
                stale.transactions += 1;
                return Ok(stale.snapshot.clone());
            }
        }
        let snapshot = self.inner.snapshot().await?;
        let stale = Stale { snapshot: snapshot.clone(), transactions: 0 };
        *self.stale.lock().unwrap_or_else(PoisonError::into_inner) = Some(stale);
        Ok(snapshot)
    }
}

impl<E: Engine> Engine for ContendedEngine<E> {
    crate::delegate_reads!(inner: E);
    crate::delegate_properties!(inner);

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let stale = read(&self.stale_snapshot().await?, wants).await?;
        drop(decide(&stale));
        self.inner.transact(wants, decide).await
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        self.inner.settle(commit).await
    }

    async fn close(&self) -> Result<()> {
        self.stale.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.inner.close().await
    }
}

async fn read<S: Snapshot>(snapshot: &S, wants: Wants<'_>) -> Result<Reads> {
    let mut values = snapshot.get_many(wants.locked).await?;
    values.extend(snapshot.get_many(wants.shared).await?);
    let (mut ranges, mut ends) = (Vec::new(), Vec::new());
    for wanted in wants.ranges {
        ranges.push(read_range(snapshot, wanted).await?);
    }
    for log in wants.ends {
        ends.push(log_end(snapshot, log, 0..=u64::MAX).await?);
    }
    Ok(Reads::new(values, wants.locked.len()).with(ranges, ends))
}

async fn read_range<S: Snapshot>(snapshot: &S, wanted: &RangeRead) -> Result<Vec<(Key, Bytes)>> {
    let mut entries = Vec::new();
    let visit = |key: &[u8], value: Bytes| {
        if entries.len() == wanted.limit {
            return ControlFlow::Break(());
        }
        entries.push((key.to_vec(), value));
        ControlFlow::Continue(())
    };
    snapshot.visit(&wanted.range, wanted.direction, wanted.limit, visit).await?;
    Ok(entries)
}

async fn log_end<S: Snapshot>(
    snapshot: &S,
    log: &[u8],
    positions: RangeInclusive<u64>,
) -> Result<u64> {
    let mut end = 0;
    let visit = |position: u64, _: Bytes| {
        end = position;
        ControlFlow::Break(())
    };
    snapshot.visit_log(log, positions, Direction::Backward, 1, visit).await?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryEngine;

    crate::engine_tests!(|| (ContendedEngine::new(MemoryEngine::new()), ()));
}
