//! Transactions: up to a hundred writes that happen together or not at all, and reads of one moment.

use std::sync::Arc;

use bytes::Bytes;
use monotable_item::limits::REQUEST_TOKEN_SECS;
use monotable_storage::{Batch, Decision, Engine, Key, Reads};

use crate::Database;
use crate::error::{CorruptRecord, TransactError, WriteError};
use crate::keyspace::request_token::{self, TokenRecord};
use crate::schema::TableSchema;
use crate::stream::Cause;
use crate::table::Table;
use crate::write::{Write, WriteContext, WriteOutcome};

/// A token that makes a transaction happen once, however often it is sent in ten minutes.
#[derive(Debug, Clone)]
pub struct RequestToken {
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
    Replayed(Vec<Option<Bytes>>),
}

/// What the storage transaction of a transaction answers.
type Answer = Result<TransactOutcome, TransactError>;

impl<E: Engine> Database<E> {
    /// Does all writes, or none.
    pub async fn transact_write(
        &self,
        writes: &[TransactWrite],
        token: Option<&RequestToken>,
    ) -> Result<TransactOutcome, TransactError> {
        let tables: Vec<Arc<Table>> = writes.iter().map(|write| write.table.clone()).collect();
        let Some(_in_use) = Table::use_all_for_writing(&tables).await else {
            return Err(dropped(&tables));
        };
        let schemas: Vec<Arc<TableSchema>> = tables.iter().map(|table| table.schema()).collect();
        self.check_collections(&schemas, writes).await?;
        let now_millis = self.clock.now_millis();
        let keys = keys(writes, token);
        let contexts: Vec<WriteContext<'_>> = std::iter::zip(&tables, &schemas)
            .map(|(table, schema)| WriteContext::new(table, schema, now_millis, Cause::Client))
            .collect();
        let decide = |reads: &Reads| match token_state(token, reads, writes.len(), now_millis) {
            Err(corrupt) => Decision::Keep(Err(corrupt.into())),
            Ok(TokenState::Mismatch) => Decision::Keep(Err(TransactError::TokenMismatch)),
            Ok(TokenState::Known) => Decision::Keep(Ok(replayed(reads, writes.len()))),
            Ok(TokenState::New) => decide(&contexts, writes, token, reads, now_millis),
        };
        self.engine.transact(&keys, decide).await?
    }

    async fn check_collections(
        &self,
        schemas: &[Arc<TableSchema>],
        writes: &[TransactWrite],
    ) -> Result<(), TransactError> {
        let mut reasons = Vec::with_capacity(writes.len());
        for (schema, member) in schemas.iter().zip(writes) {
            reasons.push(self.check_collection(schema, &member.write).await.err());
        }
        match reasons.iter().any(Option::is_some) {
            true => Err(TransactError::Cancelled(reasons)),
            false => Ok(()),
        }
    }

    /// Forgets the tokens that are older than ten minutes.
    pub(crate) async fn forget_tokens(&self) -> monotable_storage::Result<()> {
        let now_millis = self.clock.now_millis();
        let expired = |_: &[u8], value: &Bytes| {
            request_token::decode_value(value).is_none_or(|record| !is_fresh(record, now_millis))
        };
        self.delete_where(&request_token::range(), expired).await
    }
}

fn dropped(tables: &[Arc<Table>]) -> TransactError {
    let reason = |table: &Arc<Table>| table.is_dropped().then_some(WriteError::TableNotFound);
    TransactError::Cancelled(tables.iter().map(reason).collect())
}

/// The keys of all items, then that of the token.
fn keys(writes: &[TransactWrite], token: Option<&RequestToken>) -> Vec<Key> {
    let items = writes.iter().map(|member| member.write.key.storage_key().clone());
    items.chain(token.map(|token| request_token::encode_key(&token.token))).collect()
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
    Ok(match is_fresh(record, now_millis) {
        false => TokenState::New,
        true if record.digest == token.digest => TokenState::Known,
        true => TokenState::Mismatch,
    })
}

fn is_fresh(record: TokenRecord, now_millis: u64) -> bool {
    now_millis.saturating_sub(record.committed_millis) < REQUEST_TOKEN_SECS * 1000
}

fn replayed(reads: &Reads, count: usize) -> TransactOutcome {
    TransactOutcome::Replayed(reads.iter().take(count).map(Option::<&Bytes>::cloned).collect())
}

/// Runs every write on what was read. All are run even after one has failed, because the answer names the
/// reason for each.
fn decide(
    contexts: &[WriteContext<'_>],
    writes: &[TransactWrite],
    token: Option<&RequestToken>,
    reads: &Reads,
    now_millis: u64,
) -> Decision<Answer> {
    let mut batch = Batch::new();
    let mut results = Vec::with_capacity(writes.len());
    for ((context, member), item) in contexts.iter().zip(writes).zip(reads.iter()) {
        results.push(member.write.run(context, item, &mut batch));
    }
    if results.iter().any(Result::is_err) {
        let reasons = results.into_iter().map(Result::err).collect();
        return Decision::Keep(Err(TransactError::Cancelled(reasons)));
    }
    if let Some(token) = token {
        let record = TokenRecord { committed_millis: now_millis, digest: token.digest };
        let value = request_token::encode_value(record);
        batch.put(request_token::encode_key(&token.token), value);
    }
    let outcomes = results.into_iter().flatten().collect();
    let done = Ok(TransactOutcome::Done(outcomes));
    if batch.is_empty() { Decision::Keep(done) } else { Decision::Commit(batch, done) }
}
