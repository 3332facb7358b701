//! Items that are being written, so that transactions and other calls can meet on them.
//!
//! On AWS a transaction takes its time, and what meets it on an item is refused: a write, another
//! transaction, and a transactional read, which is refused by any write. Here writes wait for each
//! other instead; this is for those who want to see the conflicts.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use monotable_database::ItemKey;

/// What a call does with its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Writes each for itself. A member of a batch that meets a transaction is left out.
    Write,
    /// Writes all together.
    TransactWrite,
    /// Reads all together.
    TransactRead,
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
    purpose: Purpose,
    keys: Vec<ItemKey>,
    token: Option<String>,
}

/// A transaction is under way under the same token.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InProgress;

impl Contention {
    /// Says for each item whether the call meets another on it, and lets others meet the call on
    /// those that it writes: on none, if it is a transaction and meets another. Of transactions
    /// with the same token, there is one at a time.
    pub(super) fn meet(
        &self,
        purpose: Purpose,
        keys: &[&ItemKey],
        token: Option<&str>,
    ) -> Result<(Vec<bool>, Hold<'_>), InProgress> {
        let mut busy = self.lock();
        if token.is_some_and(|token| busy.tokens.contains(token)) {
            return Err(InProgress);
        }
        let met: Vec<bool> = keys.iter().map(|key| busy.meets(purpose, key)).collect();
        let is_over = match purpose {
            Purpose::Write => false,
            Purpose::TransactWrite => met.contains(&true),
            Purpose::TransactRead => true,
        };
        let mut hold = Hold { contention: self, purpose, keys: Vec::new(), token: None };
        if is_over {
            return Ok((met, hold));
        }
        hold.token = token.map(str::to_owned);
        busy.tokens.extend(hold.token.clone());
        for (key, _) in keys.iter().zip(&met).filter(|(_, is_met)| !**is_met) {
            *busy.items.entry((*key).clone()).or_default().by(purpose) += 1;
            hold.keys.push((*key).clone());
        }
        Ok((met, hold))
    }

    fn lock(&self) -> MutexGuard<'_, Busy> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Busy {
    fn meets(&self, purpose: Purpose, key: &ItemKey) -> bool {
        let Some(writers) = self.items.get(key) else { return false };
        match purpose {
            Purpose::Write | Purpose::TransactWrite => writers.transactions > 0,
            Purpose::TransactRead => true,
        }
    }
}

impl Writers {
    fn by(&mut self, purpose: Purpose) -> &mut u32 {
        match purpose {
            Purpose::Write | Purpose::TransactRead => &mut self.singles,
            Purpose::TransactWrite => &mut self.transactions,
        }
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut busy = self.contention.lock();
        for key in &self.keys {
            let Some(writers) = busy.items.get_mut(key) else { continue };
            *writers.by(self.purpose) -= 1;
            if writers.singles == 0 && writers.transactions == 0 {
                busy.items.remove(key);
            }
        }
        if let Some(token) = &self.token {
            busy.tokens.remove(token);
        }
    }
}
