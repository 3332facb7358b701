//! Executes one statement.

use std::sync::Arc;

use bytes::Bytes;
use monotable_database::Table;
use monotable_database::capacity::Consumed;
use monotable_database::{Got, ItemKey, WriteError};
use monotable_expr::partiql::Columns;
use monotable_item::limits::PAGE_BYTES_MAX;
use monotable_item::{Item, stored};
use monotable_protocol::ResponseItem;
use monotable_storage::Engine;

use super::next_token::NextToken;
use super::prepared::Prepared;
use super::reading::{Reading, find_index};
use super::writing::{Form, Writing};
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Spent};
use crate::observation;
use crate::operations::get_item::projected;
use crate::operations::page;
use crate::operations::update_item::returned;
use crate::session::Session;
use crate::validate::enums::ReturnOnFailure;
use crate::validate::index;
use crate::validate::keys::{self, KeyRefusal};
use crate::validate::select::PageOutput;
use crate::wording::key::NOT_OF_SCHEMA;
use crate::wording::{partiql, write};

/// How many reads contribute items to one answer. AWS documents that the values of an `IN` come ten
/// to a page; the alternatives of an `OR` are counted in the same way.
const PAGE_READS_MAX: usize = 10;

/// A statement on its table.
pub(crate) struct Execution<'a, 'g, E: Engine> {
    pub(crate) api: &'a Session<'g, E>,
    /// The operation that it is part of.
    pub(crate) operation: &'static str,
    pub(crate) prepared: &'a Prepared,
    pub(crate) table: &'a Arc<Table>,
    pub(crate) consistent_read: Option<bool>,
}

/// What a read that may continue needs to know.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) token: Option<NextToken>,
    /// The most items to evaluate.
    pub(crate) limit: Option<usize>,
}

/// The outcome of a statement.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) items: Vec<ResponseItem>,
    /// How many items it has written.
    pub(crate) written: usize,
    /// Where to continue, if there may be more.
    pub(crate) next: Option<NextToken>,
    pub(crate) consumed: Consumed,
}

impl<E: Engine> Execution<'_, '_, E> {
    /// Executes a `SELECT`.
    pub(crate) async fn select(&self, options: Options) -> Result<Outcome, ApiError> {
        let schema = self.table.schema();
        let name = self.prepared.statement.index();
        let index = find_index(schema, name, self.consistent_read)?;
        index::check_settled(index, || self.api.database.now_millis())?;
        let reading = Reading::new(schema, index, self.prepared).map_err(KeyRefusal::into_error)?;
        keys::check_projection(schema, self.prepared.projection.as_ref())?;
        if let (Some(key), None) = (reading.lookup(), &options.token) {
            return self.look_up(&key).await;
        }
        Box::pin(self.read(&reading, options)).await
    }

    /// Returns the key of the item that a `SELECT` looks up, if that is all it does.
    pub(crate) fn lookup_key(&self, form: Form) -> Result<Option<(Bytes, ItemKey)>, KeyRefusal> {
        let schema = self.table.schema();
        let name = self.prepared.statement.index();
        let index = find_index(schema, name, self.consistent_read).map_err(KeyRefusal::Refuses)?;
        let reading = Reading::new(schema, index, self.prepared);
        let reading = reading.map_err(|refusal| match (refusal, form) {
            (KeyRefusal::Cancels(_), Form::Transaction) => {
                KeyRefusal::Cancels(ApiError::validation(NOT_OF_SCHEMA))
            }
            (refusal, _) => refusal,
        })?;
        let Some(key) = reading.lookup() else { return Ok(None) };
        let attributes: Bytes = stored::encode(&key).into();
        let key = keys::lookup_in_transaction(schema, &attributes)?;
        Ok(Some((attributes, key)))
    }

    async fn look_up(&self, key: &Item) -> Result<Outcome, ApiError> {
        let attributes: Bytes = stored::encode(key).into();
        let key = keys::lookup(self.table.schema(), &attributes)?;
        let consistency = page::consistency(self.consistent_read);
        let member = || Member::get(self.table, &key, &attributes, consistency);
        let pass = gate::enter(self.api, || Entry::single(self.operation, member())).await?;
        let got = match pass.stale_age(0) {
            None => self.api.database.get(self.table, &key, consistency).await?,
            // Behind a pointer, so that reads of now have no room for it.
            Some(age) => Box::pin(self.api.database.get_before(&key, age)).await?,
        };
        let consumed = Consumed::on_table(got.units(consistency));
        observation::note_items(usize::from(got.item.is_some()));
        pass.leave(|| vec![Spent::read(0, &consumed)])?;
        let items = self.prepared.found(got)?.into_iter().collect();
        Ok(Outcome { items, consumed, ..Outcome::default() })
    }

    /// Reads pages until there are enough items for one answer.
    async fn read(&self, reading: &Reading<'_>, options: Options) -> Result<Outcome, ApiError> {
        let NextToken { read, mut start } = reading.beginning(options.token)?;
        let mut outcome = Outcome::default();
        let (mut left, mut returned_bytes) = (options.limit, 0);
        for position in read..reading.count() {
            let is_enough = position - read == PAGE_READS_MAX;
            if is_enough || left == Some(0) || returned_bytes >= PAGE_BYTES_MAX {
                outcome.next = Some(NextToken { read: position, start: None });
                break;
            }
            let output = self.output()?;
            let start = start.take();
            let request =
                reading.page(position, start.as_ref(), left, self.consistent_read, output)?;
            let page = page::read(self.api, self.operation, self.table, &request).await?;
            left = left.map(|left| left.saturating_sub(page.scanned_count));
            returned_bytes += page.items.iter().map(Bytes::len).sum::<usize>();
            outcome.consumed.absorb(&page.consumed);
            for item in page.items {
                outcome.items.push(columns_of(self.prepared.statement.columns(), item)?);
            }
            // A read of one item ends with it, even though its page is full.
            if page.last_key.is_some() && !reading.is_of_one_item(position) {
                outcome.next = Some(NextToken { read: position, start: page.last_key });
                break;
            }
        }
        Ok(outcome)
    }

    fn output(&self) -> Result<PageOutput, ApiError> {
        let schema = self.table.schema();
        let index = self.prepared.statement.index().and_then(|name| schema.index(name));
        PageOutput::new(schema, index, None, self.prepared.projection.clone())
    }

    /// Executes a write.
    pub(crate) async fn write(&self, on_failure: ReturnOnFailure) -> Result<Outcome, ApiError> {
        let writing = Writing::new(self.table.schema(), self.prepared, Form::Single);
        let writing = writing.map_err(KeyRefusal::into_error)?;
        let member = || Member::write(self.table, &writing.write, &writing.attributes);
        let pass = gate::enter(self.api, || Entry::single(self.operation, member())).await?;
        let outcome = self.api.database.write(self.table, &writing.write).await;
        let outcome = outcome.map_err(|error| refusal(error, &writing, on_failure))?;
        let written = usize::from(outcome.has_written(writing.write.kind()));
        observation::note_items(written);
        pass.leave(|| vec![Spent::write(0, &outcome)])?;
        let item = returned(&outcome, writing.write.changes(), writing.returns)?;
        let items = item.into_iter().collect();
        Ok(Outcome { items, written, next: None, consumed: outcome.consumed })
    }
}

impl Prepared {
    /// What a `SELECT` returns of an item that was looked up.
    pub(crate) fn found(&self, got: Got) -> Result<Option<ResponseItem>, ApiError> {
        let Some(item) = got.item else { return Ok(None) };
        match self.statement.columns().filter(|columns| !columns.are_attributes()) {
            None => projected(item, self.projection.as_ref()).map(Some),
            columns => columns_of(columns, item).map(Some),
        }
    }
}

/// Returns the columns of an item, or of the attributes that contain them.
fn columns_of(columns: Option<&Columns>, item: Bytes) -> Result<ResponseItem, ApiError> {
    match columns.filter(|columns| !columns.are_attributes()) {
        None => Ok(ResponseItem::Stored(item)),
        Some(columns) => Ok(ResponseItem::Values(columns.of(&stored::decode(&item)?))),
    }
}

/// Why a write did not happen.
fn refusal(error: WriteError, writing: &Writing, on_failure: ReturnOnFailure) -> ApiError {
    match error {
        WriteError::ConditionFailed { .. } if writing.is_insert => ApiError::duplicate_item(),
        WriteError::ItemTooDeep => partiql::item_too_deep(),
        other => write::word(other, on_failure),
    }
}
