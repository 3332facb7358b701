//! Transactions: up to a hundred writes that happen together or not at all, and reads of one
//! moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use monotable_item::limits::REQUEST_TOKEN_SECS;
use monotable_storage::{Batch, Decision, Engine, Key, Reads, Wants};

use crate::Database;
use crate::database::commit_some;
use crate::error::{CorruptRecord, TransactError};
use crate::fence::Fences;
use crate::home::Home;
use crate::item_guard::{self, ItemGuard};
use crate::keyspace::request_token::{self, TokenRecord};
use crate::lease::Lease;
use crate::off_worker;
use crate::schema::TableId;
use crate::stream::Cause;
use crate::table::Table;
use crate::write::{Write, WriteContext, WriteOutcome};

/// A token that makes a transaction happen once, however often it is sent in ten minutes.
#[derive(Debug, Clone)]
pub struct RequestToken {
    /// Whose token it is: another account may use the same.
    pub home: Home,
    /// What the client sent.
    pub token: String,
    /// A digest of everything in the request that must not differ.
    pub digest: u128,
}

/// One write of a transaction.
#[derive(Debug, Clone)]
pub struct TransactWrite {
    /// The table.
    pub table: Arc<Table>,
    /// The write.
    pub write: Write,
}

/// What a transaction did.
#[derive(Debug)]
pub enum TransactOutcome {
    /// It was done: what each write did, in order.
    Done(Vec<WriteOutcome>),
    /// It had been done before under the same token: the items as they are, in order.
    Replayed(Vec<ReplayedItem>),
}

/// An item of a transaction that had been done before.
#[derive(Debug)]
pub struct ReplayedItem {
    /// The item as it is.
    pub item: Option<Bytes>,
    /// The bytes of its item collection, on a table that has collections of limited size.
    pub collection_bytes: Option<u64>,
}

/// What the storage transaction of a transaction answers.
type TransactResult = Result<TransactOutcome, TransactError>;

impl<E: Engine> Database<E> {
    /// Does all writes, which were checked against these versions of their tables, or none.
    pub async fn transact_write(
        &self,
        writes: &[TransactWrite],
        token: Option<&RequestToken>,
    ) -> Result<TransactOutcome, TransactError> {
        let collections = self.check_collections(writes).await?;
        let now_millis = self.clock.now_millis();
        // Tokens are compared by a time that all servers agree on.
        let token_millis =
            if token.is_some() { self.store_now_millis().await? } else { now_millis };
        let keys = keys(writes, token);
        let fences = Fences::of(writes.iter().map(|member| (&*member.table, &member.write.key)));
        let guard = self.guard.guard();
        let contexts: Vec<WriteContext<'_>> = writes
            .iter()
            .map(|member| WriteContext::new(&member.table, now_millis, Cause::Client))
            .map(|context| context.guarded(guard.as_deref()))
            .collect();
        let transaction = Transaction { contexts: &contexts, writes, fences: &fences };
        let decide = |reads: &Reads| match token_state(token, reads, writes.len(), token_millis) {
            Err(corrupt) => Decision::Keep(Err(corrupt.into())),
            Ok(TokenState::Mismatch) => Decision::Keep(Err(TransactError::TokenMismatch)),
            Ok(TokenState::Known) => Decision::Keep(Ok(replayed(reads, &collections))),
            Ok(TokenState::New) => {
                let decide = || transaction.decide(token, reads, token_millis);
                off_worker::run(transaction.work_bytes(reads), decide)
            }
        };
        let wants = Wants::locked(&keys).and_shared(&fences.keys);
        let written = self.transact(wants, decide).await?;
        tell_guard(guard.as_deref(), writes, &written);
        let mut outcome = match written {
            Err(TransactError::SchemaChanged) => {
                for member in writes {
                    Box::pin(self.reload_table(&member.table)).await?;
                }
                return Err(TransactError::SchemaChanged);
            }
            outcome => outcome?,
        };
        if let TransactOutcome::Done(outcomes) = &mut outcome
            && collections.iter().any(Option::is_some)
        {
            add_collections(writes, &collections, outcomes);
        }
        Ok(outcome)
    }

    /// Refuses writes to item collections that are full; returns the sizes of all.
    async fn check_collections(
        &self,
        writes: &[TransactWrite],
    ) -> Result<Vec<Option<u64>>, TransactError> {
        let mut sizes = Vec::with_capacity(writes.len());
        let mut reasons = Vec::with_capacity(writes.len());
        if !writes.iter().any(|member| member.table.schema().has_local_index()) {
            sizes.resize(writes.len(), None);
            return Ok(sizes);
        }
        for member in writes {
            match self.check_collection(member.table.schema(), &member.write).await {
                Ok(size) => {
                    sizes.push(size);
                    reasons.push(None);
                }
                Err(reason) => reasons.push(Some(reason)),
            }
        }
        if reasons.iter().any(Option::is_some) {
            Err(TransactError::Cancelled(reasons))
        } else {
            Ok(sizes)
        }
    }

    /// Forgets the tokens that are older than ten minutes.
    pub(crate) async fn forget_tokens(&self, lease: &Lease<'_>) -> monotable_storage::Result<()> {
        let now_millis = self.store_now_millis().await?;
        let is_old = |value: &Bytes| {
            request_token::decode_value(value).is_none_or(|record| !is_fresh(record, now_millis))
        };
        self.forget(request_token::range(), is_old, lease).await
    }

    /// Forgets all tokens.
    pub(crate) async fn forget_all_tokens(
        &self,
        lease: &Lease<'_>,
    ) -> monotable_storage::Result<()> {
        self.forget(request_token::range(), |_| true, lease).await
    }
}

/// Reports the outcome of the writes to the guard.
fn tell_guard(guard: Option<&dyn ItemGuard>, writes: &[TransactWrite], written: &TransactResult) {
    if guard.is_none() {
        return;
    }
    let schemas = writes.iter().map(|member| member.table.schema());
    match written {
        Ok(TransactOutcome::Done(outcomes)) => {
            schemas
                .zip(outcomes)
                .for_each(|(schema, out)| item_guard::tell(guard, schema, Ok(out)));
        }
        Err(TransactError::Cancelled(reasons)) => {
            let failed = schemas.zip(reasons).filter_map(|(of, why)| Some((of, why.as_ref()?)));
            failed.for_each(|(schema, why)| item_guard::tell(guard, schema, Err(why)));
        }
        Ok(TransactOutcome::Replayed(_)) | Err(_) => {}
    }
}

/// The keys of all items, then that of the token.
fn keys(writes: &[TransactWrite], token: Option<&RequestToken>) -> Vec<Key> {
    let items = writes.iter().map(|member| member.write.key.storage_key().clone());
    items.chain(token.map(|token| request_token::encode_key(&token.home, &token.token))).collect()
}

enum TokenState {
    New,
    Known,
    Mismatch,
}

fn token_state(
    token: Option<&RequestToken>,
    reads: &Reads,
    position: usize,
    now_millis: u64,
) -> Result<TokenState, CorruptRecord> {
    let Some((token, value)) = token.zip(reads.get(position)) else { return Ok(TokenState::New) };
    let record = request_token::decode_value(value).ok_or(CorruptRecord("request token"))?;
    if !is_fresh(record, now_millis) {
        return Ok(TokenState::New);
    }
    let is_same = record.digest == token.digest;
    Ok(if is_same { TokenState::Known } else { TokenState::Mismatch })
}

fn is_fresh(record: TokenRecord, now_millis: u64) -> bool {
    now_millis.saturating_sub(record.committed_millis) < REQUEST_TOKEN_SECS * 1000
}

fn replayed(reads: &Reads, collections: &[Option<u64>]) -> TransactOutcome {
    let items = reads.iter().zip(collections).map(|(item, collection_bytes)| ReplayedItem {
        item: item.cloned(),
        collection_bytes: *collection_bytes,
    });
    TransactOutcome::Replayed(items.collect())
}

/// Notes how large the item collections are after all writes of a transaction.
fn add_collections(
    writes: &[TransactWrite],
    collections: &[Option<u64>],
    outcomes: &mut [WriteOutcome],
) {
    let mut growth: BTreeMap<(TableId, &[u8]), i64> = BTreeMap::new();
    let collection = |member: &'_ TransactWrite| member.table.schema().id;
    for (member, outcome) in writes.iter().zip(&*outcomes) {
        let key = (collection(member), member.write.key.partition());
        *growth.entry(key).or_default() += outcome.collection_growth;
    }
    for ((member, outcome), before) in writes.iter().zip(outcomes).zip(collections) {
        let key = (collection(member), member.write.key.partition());
        let grown = growth.get(&key).copied().unwrap_or(0);
        outcome.collection_bytes = before.map(|before| before.saturating_add_signed(grown));
    }
}

/// The writes of a transaction, and what they stand on.
struct Transaction<'a> {
    contexts: &'a [WriteContext<'a>],
    writes: &'a [TransactWrite],
    fences: &'a Fences,
}

impl Transaction<'_> {
    /// About how many bytes are looked at to decide all writes.
    fn work_bytes(&self, reads: &Reads) -> usize {
        let members = self.writes.iter().zip(reads.iter());
        members.map(|(member, item)| member.write.work_bytes(item)).sum()
    }

    /// Runs every write on what was read. All are run even after one has failed, because the answer
    /// names the reason for each.
    fn decide(
        &self,
        token: Option<&RequestToken>,
        reads: &Reads,
        token_millis: u64,
    ) -> Decision<TransactResult> {
        let mut batch = Batch::new();
        let mut results = Vec::with_capacity(self.writes.len());
        let members = self.contexts.iter().zip(self.writes).zip(reads.iter());
        for (index, ((context, member), item)) in members.enumerate() {
            let unfilled = match self.fences.check(index, &member.table, &member.write.key, reads) {
                Ok(unfilled) => unfilled,
                Err(error) => return Decision::Keep(Err(error.into())),
            };
            results.push(member.write.run(context, &unfilled, item, &mut batch));
        }
        if results.iter().any(Result::is_err) {
            let reasons = results.into_iter().map(Result::err).collect();
            return Decision::Keep(Err(TransactError::Cancelled(reasons)));
        }
        if let Some(token) = token {
            let record = TokenRecord { committed_millis: token_millis, digest: token.digest };
            let value = request_token::encode_value(record);
            batch.put(request_token::encode_key(&token.home, &token.token), value);
        }
        let outcomes = results.into_iter().flatten().collect();
        commit_some(batch, Ok(TransactOutcome::Done(outcomes)))
    }
}
