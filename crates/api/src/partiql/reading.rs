//! A `SELECT` on its table: a lookup, some ranges of keys, or a scan.

use std::ops::Bound;

use monotable_database::schema::{IndexKind, IndexSchema, IndexStatus, KeySchema, TableSchema};
use monotable_database::{KeySelection, PageRequest, SortCondition, Span};
use monotable_expr::partiql::{KeyPlan, KeyRead, OrderKey, SortRange};
use monotable_expr::{Condition, KeyComparison, KeyCondition};
use monotable_item::{Item, Value};
use monotable_storage::Direction;

use super::next_token::NextToken;
use super::prepared::Prepared;
use crate::error::ApiError;
use crate::operations::page;
use crate::validate::keys::KeyRefusal;
use crate::validate::select::PageOutput;
use crate::validate::{index, key_selection, keys, start_key};
use crate::wording::partiql;

/// What a `SELECT` reads.
pub(crate) struct Reading<'s> {
    schema: &'s TableSchema,
    index: Option<&'s IndexSchema>,
    spans: Spans,
    direction: Direction,
    filter: Option<Condition>,
}

enum Spans {
    /// Everything.
    Scan,
    /// Ranges of partitions, in the order in which they are read.
    Ranges(Vec<KeyRead>),
}

/// The index that a statement reads, which must be complete and have a key that PartiQL can read.
pub(crate) fn find_index<'s>(
    schema: &'s TableSchema,
    name: Option<&str>,
    consistent_read: Option<bool>,
) -> Result<Option<&'s IndexSchema>, ApiError> {
    let Some(name) = name else { return Ok(None) };
    index::check_scanned(schema, Some(name))?;
    let index = schema.index(name).filter(|index| index.status != IndexStatus::Deleting);
    let index = index.ok_or_else(partiql::index_not_found)?;
    if index.key.partition.len() > 1 || index.key.sort.len() > 1 {
        return Err(partiql::several_key_attributes());
    }
    if consistent_read == Some(true) && index.kind == IndexKind::Global {
        return Err(partiql::consistent_read_of_global_index());
    }
    if index.status == IndexStatus::Creating {
        return Err(ApiError::validation(format!(
            "Cannot read from backfilling global secondary index: {name}"
        )));
    }
    Ok(Some(index))
}

impl<'s> Reading<'s> {
    /// Plans the reads of a statement. Keys of the wrong type cancel a transaction.
    pub(crate) fn new(
        schema: &'s TableSchema,
        index: Option<&'s IndexSchema>,
        prepared: &Prepared,
    ) -> Result<Reading<'s>, KeyRefusal> {
        let refuse = KeyRefusal::Refuses;
        let key = index.map_or(&schema.key, |index| &index.key);
        let condition = prepared.condition();
        keys::check_condition(schema, condition).map_err(refuse)?;
        let plan = condition.map(|condition| plan(key, condition)).transpose().map_err(refuse)?;
        let order = prepared.statement.order();
        check_order_keys(key, order).map_err(refuse)?;
        let Some(plan) = plan.flatten() else {
            if !order.is_empty() {
                return Err(refuse(partiql::order_without_partition()));
            }
            let filter = condition.cloned();
            let (spans, direction) = (Spans::Scan, Direction::Forward);
            return Ok(Reading { schema, index, spans, direction, filter });
        };
        check_types(key, &plan).map_err(KeyRefusal::Cancels)?;
        let mut reads = plan.reads().map_err(|error| refuse(partiql::plan(error)))?;
        check_projected(schema, index, &plan).map_err(refuse)?;
        let direction = ordered(key, order, &mut reads).map_err(refuse)?;
        let filter = condition.filter(|_| !plan.is_exact()).cloned();
        Ok(Reading { schema, index, spans: Spans::Ranges(reads), direction, filter })
    }

    /// Returns the key of the one item that is read, if it is in the table and nothing else is
    /// read.
    pub(crate) fn lookup(&self) -> Option<Item> {
        let Spans::Ranges(reads) = &self.spans else { return None };
        let ([read], None, None) = (reads.as_slice(), self.index, &self.filter) else {
            return None;
        };
        let partition = self.schema.key.partition.first()?;
        let mut key = Item::from([(partition.name.clone(), read.partition.clone())]);
        if let Some(sort) = self.schema.key.sort.first() {
            let value = read.sort.as_ref().and_then(SortRange::only)?;
            key.insert(sort.name.clone(), value.clone());
        }
        Some(key)
    }

    /// Returns whether one of the reads is of a single item, whose key the statement names.
    pub(crate) fn is_of_one_item(&self, position: usize) -> bool {
        let Spans::Ranges(reads) = &self.spans else { return false };
        let has_sort_key = !self.schema.key.sort.is_empty();
        let names_sort_key =
            |read: &KeyRead| read.sort.as_ref().and_then(SortRange::only).is_some();
        self.index.is_none() && (!has_sort_key || reads.get(position).is_some_and(names_sort_key))
    }

    /// How many reads there are.
    pub(crate) fn count(&self) -> usize {
        match &self.spans {
            Spans::Scan => 1,
            Spans::Ranges(reads) => reads.len(),
        }
    }

    /// The page of one of the reads.
    pub(crate) fn page(
        &self,
        position: usize,
        start: Option<&Item>,
        limit: Option<usize>,
        consistent_read: Option<bool>,
        output: PageOutput,
    ) -> Result<PageRequest, ApiError> {
        let (span, start) = match &self.spans {
            Spans::Scan => self.scan(start)?,
            Spans::Ranges(reads) => {
                let read = reads.get(position).ok_or_else(partiql::invalid_token)?;
                self.range(read, start)?
            }
        };
        Ok(PageRequest {
            index: self.index.map(|index| index.id),
            span,
            direction: self.direction,
            start,
            limit,
            consistency: page::consistency(consistent_read),
            filter: self.filter.clone(),
            output: output.output,
            fetch_items: output.fetch_items,
        })
    }

    fn scan(
        &self,
        start: Option<&Item>,
    ) -> Result<(Span, Option<monotable_database::StartKey>), ApiError> {
        let Some(start) = start else { return Ok((Span::Everything, None)) };
        start_key::check_scanned(self.schema, self.index, start)?;
        let start = start_key::of_scan(self.schema, self.index, start, &Span::Everything)?;
        Ok((Span::Everything, Some(start)))
    }

    fn range(
        &self,
        read: &KeyRead,
        start: Option<&Item>,
    ) -> Result<(Span, Option<monotable_database::StartKey>), ApiError> {
        let key = self.index.map_or(&self.schema.key, |index| &index.key);
        let selection = selection(key, read, start)?;
        if let Some(start) = start {
            start_key::check_queried(self.schema, self.index, start)?;
        }
        let start =
            start.map(|start| start_key::of_query(self.schema, self.index, start, &selection));
        Ok((Span::Partition(selection), start.transpose()?))
    }

    /// Returns where to begin, according to the token of the client.
    pub(crate) fn beginning(&self, token: Option<NextToken>) -> Result<NextToken, ApiError> {
        let token = token.unwrap_or_default();
        if token.read == 0 || token.read < self.count() {
            Ok(token)
        } else {
            Err(partiql::invalid_token())
        }
    }
}

fn plan(key: &KeySchema, condition: &Condition) -> Result<Option<KeyPlan>, ApiError> {
    let partition = key.partition.first().map_or("", |part| &part.name);
    let sort = key.sort.first().map(|part| part.name.as_str());
    KeyPlan::new(condition, partition, sort).map_err(partiql::plan)
}

fn selection(
    key: &KeySchema,
    read: &KeyRead,
    start: Option<&Item>,
) -> Result<KeySelection, ApiError> {
    let mut comparisons = Vec::with_capacity(2);
    if let Some(partition) = key.partition.first() {
        comparisons.push((partition.name.clone(), KeyComparison::Equal(read.partition.clone())));
    }
    if let Some((sort, range)) = key.sort.first().zip(read.sort.as_ref()) {
        comparisons.extend(checked_comparison(range).map(|it| (sort.name.clone(), it)));
    }
    let condition = KeyCondition::of_comparisons(comparisons);
    let mut selection = key_selection::select(key, &condition, start)?;
    if let Some(SortRange::Within { lower, upper }) = &read.sort {
        selection.sort_last = Some(SortCondition::Within(lower.clone(), upper.clone()));
    }
    Ok(selection)
}

/// The comparison as which the values of a range are checked, like those of a query.
fn checked_comparison(range: &SortRange) -> Option<KeyComparison> {
    match range {
        SortRange::Comparison(comparison) => Some(comparison.clone()),
        SortRange::Within { lower, upper } => {
            Some(KeyComparison::Between(end(lower)?.clone(), end(upper)?.clone()))
        }
    }
}

fn end(bound: &Bound<Value>) -> Option<&Value> {
    match bound {
        Bound::Included(value) | Bound::Excluded(value) => Some(value),
        Bound::Unbounded => None,
    }
}

/// Refuses comparisons of keys with values of other types.
fn check_types(key: &KeySchema, plan: &KeyPlan) -> Result<(), ApiError> {
    let (partition_values, sort_values) = plan.values();
    let parts = [(key.partition.first(), partition_values), (key.sort.first(), sort_values)];
    for (part, values) in parts {
        let Some(part) = part else { continue };
        if values.iter().any(|value| value.kind() != part.kind.value_type()) {
            return Err(partiql::wrong_key_type(&part.name));
        }
    }
    Ok(())
}

/// Refuses conditions on attributes that an index does not hold, unless one of their alternatives
/// needs only what it holds. The last alternative is the one reported.
fn check_projected(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    plan: &KeyPlan,
) -> Result<(), ApiError> {
    let Some(index) = index else { return Ok(()) };
    let mut unprojected = Vec::new();
    for names in plan.filtered() {
        let names = names.iter().map(String::as_str);
        unprojected = names.filter(|name| !index.projects(&schema.key, name)).collect();
        if unprojected.is_empty() {
            return Ok(());
        }
    }
    if unprojected.is_empty() {
        Ok(())
    } else {
        Err(partiql::filter_not_projected(&index.name, unprojected))
    }
}

fn check_order_keys(key: &KeySchema, order: &[OrderKey]) -> Result<(), ApiError> {
    let is_key =
        |order_key: &OrderKey| order_key.path.is_attribute() && key.contains(&order_key.path.root);
    match order.iter().find(|order_key| !is_key(order_key)) {
        Some(other) => Err(partiql::order_by_other(&other.path)),
        None => Ok(()),
    }
}

/// Sorts the reads as the statement demands. Where it orders by the partition key alone, sort keys
/// descend.
fn ordered(
    key: &KeySchema,
    order: &[OrderKey],
    reads: &mut [KeyRead],
) -> Result<Direction, ApiError> {
    if order.is_empty() {
        return Ok(Direction::Forward);
    }
    let by = |part: Option<&monotable_database::schema::KeyAttribute>| {
        let name = part.map(|part| part.name.as_str());
        order.iter().find(|order_key| Some(order_key.path.root.as_str()) == name)
    };
    let partition = by(key.partition.first());
    let has_several = reads.windows(2).any(|pair| match pair {
        [first, second] => first.partition != second.partition,
        _ => false,
    });
    if has_several && partition.is_none() {
        return Err(partiql::order_without_partition_key());
    }
    let ascends = by(key.sort.first()).is_some_and(|sort| !sort.descends);
    if !ascends {
        reads.reverse();
    }
    // The ranges of one partition stay in the order of the sort keys.
    let descends = partition.is_some_and(|partition| partition.descends);
    if descends == ascends {
        reverse_partitions(reads);
    }
    Ok(if ascends { Direction::Forward } else { Direction::Backward })
}

/// Reverses the order of the partitions, but not that of the ranges within one.
fn reverse_partitions(reads: &mut [KeyRead]) {
    reads.reverse();
    reads
        .chunk_by_mut(|first, second| first.partition == second.partition)
        .for_each(<[_]>::reverse);
}
