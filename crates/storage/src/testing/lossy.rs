//! An engine that loses answers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{CommitId, Decision, Engine, Error, ErrorKind, Reads, Result, Settled, Wants};

/// Of this many commits the answer of one is lost, and one more is not made.
const LOST_ONE_IN: u64 = 3;

/// Answers some commits with [`ErrorKind::Unknown`], as an engine does whose connection breaks in
/// the middle of a commit. Of these some have committed and some have not, which `settle` tells.
pub struct LossyEngine<E> {
    inner: E,
    lost: Mutex<Lost>,
}

#[derive(Default)]
struct Lost {
    commits: u64,
    outcomes: BTreeMap<u128, Settled>,
}

impl<E: Engine> LossyEngine<E> {
    /// Loses answers of an engine.
    pub fn new(inner: E) -> LossyEngine<E> {
        LossyEngine { inner, lost: Mutex::new(Lost::default()) }
    }

    fn lock(&self) -> MutexGuard<'_, Lost> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to become of the next transaction, if its answer is to be lost.
    fn draw(&self) -> Option<(CommitId, Settled)> {
        let mut lost = self.lock();
        lost.commits += 1;
        let number = lost.commits;
        let outcome = match number % LOST_ONE_IN {
            0 => Settled::Committed,
            1 => Settled::NotCommitted,
            _ => return None,
        };
        Some((CommitId(number.into()), outcome))
    }

    fn lose(&self, commit: CommitId, outcome: Settled) -> Error {
        self.lock().outcomes.insert(commit.0, outcome);
        Error::unknown(commit)
    }
}

impl<E: Engine> Engine for LossyEngine<E> {
    crate::delegate_reads!(inner: E);
    crate::delegate_properties!(inner);

    async fn transact<T: Send>(
        &self,
        wants: Wants<'_>,
        mut decide: impl FnMut(&Reads) -> Decision<T> + Send,
    ) -> Result<T> {
        let Some((commit, outcome)) = self.draw() else {
            return self.inner.transact(wants, decide).await;
        };
        let mut is_commit = false;
        let decide = |reads: &Reads| match decide(reads) {
            Decision::Commit(_, answer) if outcome == Settled::NotCommitted => {
                is_commit = true;
                Decision::Keep(answer)
            }
            decision => {
                is_commit = matches!(decision, Decision::Commit(..));
                decision
            }
        };
        let answer = self.inner.transact(wants, decide).await?;
        if is_commit { Err(self.lose(commit, outcome)) } else { Ok(answer) }
    }

    async fn settle(&self, commit: CommitId) -> Result<Settled> {
        let outcome = self.lock().outcomes.remove(&commit.0);
        outcome.ok_or_else(|| Error::new(ErrorKind::Unavailable))
    }

    async fn close(&self) -> Result<()> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, MemoryEngine};

    #[test]
    fn what_became_of_a_lost_commit_can_be_asked() {
        let engine = LossyEngine::new(MemoryEngine::new());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            for number in 0..9_u8 {
                let mut batch = Batch::new();
                batch.put(vec![number], Vec::new());
                let committed = super::super::commit(&engine, &batch).await;
                let settled = match committed {
                    Ok(()) => Settled::Committed,
                    Err(error) => engine.settle(error.commit().unwrap()).await.unwrap(),
                };
                let is_there = engine.get(&[number]).await.unwrap().is_some();
                assert_eq!(settled == Settled::Committed, is_there, "{number}");
            }
        });
    }
}
