//! Items that are being written, so that transactions and other calls can meet on them.
//!
//! On AWS a transaction takes its time, and what meets it on an item is refused: a write, another
//! transaction, and a transactional read, which is refused by any write. Here writes wait for each
//! other instead; this is for those who want to see the conflicts.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use monotable_database::ItemKey;

/// Who writes an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// A write of its own, or the member of a batch.
    Single,
    /// A transaction.
    Transaction,
}

/// The items that are being written.
#[derive(Debug, Default)]
pub(super) struct Contention {
    busy: Mutex<Busy>,
}

#[derive(Debug, Default)]
struct Busy {
    items: HashMap<ItemKey, Writers>,
    tokens: HashSet<String>,
}

#[derive(Debug, Default)]
struct Writers {
    singles: u32,
    transactions: u32,
}

/// Items that one call writes, until it is dropped.
#[derive(Debug)]
pub(super) struct Hold<'c> {
    contention: &'c Contention,
    writer: Writer,
    keys: Vec<ItemKey>,
    token: Option<String>,
}

/// A transaction is under way under the same token.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InProgress;

impl Contention {
    /// For each item, whether a transaction is writing it.
    pub(super) fn in_transactions<'k>(
        &self,
        keys: impl Iterator<Item = Option<&'k ItemKey>>,
    ) -> Vec<bool> {
        let busy = self.lock();
        let is_busy =
            |key: &ItemKey| busy.items.get(key).is_some_and(|writers| writers.transactions > 0);
        keys.map(|key| key.is_some_and(is_busy)).collect()
    }

    /// For each item, whether anything is writing it.
    pub(super) fn written<'k>(&self, keys: impl Iterator<Item = Option<&'k ItemKey>>) -> Vec<bool> {
        let busy = self.lock();
        keys.map(|key| key.is_some_and(|key| busy.items.contains_key(key))).collect()
    }

    /// Writes these items from here on. Of one transaction with a token at a time.
    pub(super) fn hold(
        &self,
        writer: Writer,
        keys: Vec<ItemKey>,
        token: Option<&str>,
    ) -> Result<Hold<'_>, InProgress> {
        let mut busy = self.lock();
        let token = token.map(str::to_owned);
        if let Some(token) = &token
            && !busy.tokens.insert(token.clone())
        {
            return Err(InProgress);
        }
        for key in &keys {
            *busy.items.entry(key.clone()).or_default().of(writer) += 1;
        }
        Ok(Hold { contention: self, writer, keys, token })
    }

    fn lock(&self) -> MutexGuard<'_, Busy> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writers {
    fn of(&mut self, writer: Writer) -> &mut u32 {
        match writer {
            Writer::Single => &mut self.singles,
            Writer::Transaction => &mut self.transactions,
        }
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut busy = self.contention.lock();
        for key in &self.keys {
            let Some(writers) = busy.items.get_mut(key) else { continue };
            *writers.of(self.writer) -= 1;
            if writers.singles == 0 && writers.transactions == 0 {
                busy.items.remove(key);
            }
        }
        if let Some(token) = &self.token {
            busy.tokens.remove(token);
        }
    }
}
