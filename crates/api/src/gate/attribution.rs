//! A call as an observer sees it.

use std::ops::Bound;

use monotable_database::schema::TableSchema;
use monotable_database::{Output, PageRequest, SortCondition, Span, WriteKind};
use monotable_item::Value;
use monotable_item::stored::ItemView;
use monotable_observe::{
    Call, CalledKey, CalledTable, Comparison, Group, ItemCall, ItemKind, KeyBytes, Observer,
    PageCall, SortAsked,
};
use monotable_storage::Direction;

use super::member::{Access, Member};
use super::{Entry, Form};
use crate::observation;

/// Has an observer say what a call is, and notes it.
pub(super) fn attribute(observer: &Observer, entry: &Entry<'_>) {
    let found = match (entry.form, entry.members.as_slice()) {
        (Form::Single, [member]) => attribute_one(observer, member),
        (Form::Single | Form::Batch | Form::Transaction, members) => {
            let calls: Option<Vec<_>> = members.iter().map(item_call).collect();
            calls.and_then(|calls| {
                let group = group(entry.form, members)?;
                observer.attribute(&Call::Group(group, &calls))
            })
        }
    };
    match found {
        Some(found) => observation::note_attribution(found),
        None => entry.members.iter().for_each(|member| count_key(observer, member)),
    }
}

/// Counts the key of a call on a table without a model, if insights are enabled for it.
fn count_key(observer: &Observer, member: &Member<'_>) {
    if has_insights(member) {
        with_key(member, |key| observer.count_key(called(member.table.schema()), key));
    }
}

fn has_insights(member: &Member<'_>) -> bool {
    let index = member.index().map(|index| index.name.as_str());
    let insights = member.table.schema().insights_of(index);
    insights.is_some_and(|insights| insights.is_enabled)
}

/// Counts the keys of a call that is throttled.
pub(super) fn count_throttled(observer: &Observer, entry: &Entry<'_>) {
    for member in &entry.members {
        let table = called(member.table.schema());
        if observer.knows(table) || has_insights(member) {
            with_key(member, |key| observer.count_throttled(table, key));
        }
    }
}

/// Does something with the partition key of a member, if it has one.
fn with_key(member: &Member<'_>, work: impl FnOnce(CalledKey<'_>)) {
    let index = member.index().map(|index| index.name.as_str());
    let hash = match &member.access {
        Access::Page(request) => match &request.span {
            Span::Partition(selection) => {
                let values: Vec<_> =
                    selection.partition.iter().filter_map(KeyBytes::of_value).collect();
                return work(CalledKey {
                    index,
                    hash: selection.partition_hash(),
                    values: &values,
                });
            }
            Span::Everything | Span::Segment { .. } => return,
        },
        Access::Get { key, .. } => key.partition_hash(),
        Access::Write { write, .. } => write.key().partition_hash(),
    };
    if let Some((_, item)) = item_call(member) {
        work(CalledKey { index, hash, values: &[item.partition] });
    }
}

fn attribute_one(
    observer: &Observer,
    member: &Member<'_>,
) -> Option<monotable_observe::Attribution> {
    match &member.access {
        Access::Page(request) => {
            let schema = member.table.schema();
            observer.attribute(&Call::Page(called(schema), page_call(schema, request)))
        }
        Access::Get { .. } | Access::Write { .. } => {
            let (table, item) = item_call(member)?;
            observer.attribute(&Call::Item(table, item))
        }
    }
}

/// How the members belong together.
fn group(form: Form, members: &[Member<'_>]) -> Option<Group> {
    let reads = match &members.first()?.access {
        Access::Get { .. } => true,
        Access::Write { .. } => false,
        Access::Page(_) => return None,
    };
    Some(match (form, reads) {
        (Form::Transaction, true) => Group::TransactGet,
        (Form::Transaction, false) => Group::TransactWrite,
        (Form::Single | Form::Batch, true) => Group::BatchGet,
        (Form::Single | Form::Batch, false) => Group::BatchWrite,
    })
}

fn called(schema: &TableSchema) -> CalledTable<'_> {
    CalledTable { id: schema.id.0, name: &schema.name }
}

/// A call on one item; none if its key cannot be read.
fn item_call<'a>(member: &'a Member<'_>) -> Option<(CalledTable<'a>, ItemCall<'a>)> {
    let schema = member.table.schema();
    let (kind, key, attributes) = match &member.access {
        Access::Get { key, attributes, .. } => (ItemKind::Get, *key, *attributes),
        Access::Write { write, attributes } => (kind_of(write.kind()), write.key(), *attributes),
        Access::Page(_) => return None,
    };
    let (partition, sort) = key_of(schema, attributes)?;
    let (update, condition, projection) = match &member.access {
        Access::Write { write, .. } => (write.changes(), write.condition(), None),
        Access::Get { projection, .. } => (None, None, *projection),
        Access::Page(_) => (None, None, None),
    };
    let call = ItemCall {
        kind,
        partition,
        sort,
        partition_hash: key.partition_hash(),
        update,
        condition,
        projection,
    };
    Some((called(schema), call))
}

/// The key among the attributes of an item, which are read once.
fn key_of<'a>(
    schema: &TableSchema,
    attributes: &'a [u8],
) -> Option<(KeyBytes<'a>, Option<KeyBytes<'a>>)> {
    let partition_name = schema.key.partition.first()?.name.as_bytes();
    let sort_name = schema.key.sort.first().map(|sort| sort.name.as_bytes());
    let (mut partition, mut sort) = (None, None);
    let mut rest = ItemView::new(attributes).ok()?.attributes();
    while partition.is_none() || sort.is_none() && sort_name.is_some() {
        let mut is_sort = false;
        let value = rest.next_wanted(|name| {
            is_sort = sort_name == Some(name);
            is_sort || name == partition_name
        });
        let value = KeyBytes::of_view(value.ok()??)?;
        if is_sort {
            sort = Some(value);
        } else {
            partition = Some(value);
        }
    }
    Some((partition?, sort))
}

fn kind_of(kind: WriteKind) -> ItemKind {
    match kind {
        WriteKind::Put => ItemKind::Put,
        WriteKind::Update => ItemKind::Update,
        WriteKind::Delete => ItemKind::Delete,
        WriteKind::Check => ItemKind::Check,
    }
}

fn page_call<'a>(schema: &'a TableSchema, request: &'a PageRequest) -> PageCall<'a> {
    let index = request.index.and_then(|index| schema.index_by_id(index));
    let selection = match &request.span {
        Span::Partition(selection) => Some(selection),
        Span::Everything | Span::Segment { .. } => None,
    };
    PageCall {
        index: index.map(|index| index.name.as_str()),
        partition: selection.map(|selection| selection.partition.as_slice()),
        partition_hash: selection.map_or(0, |selection| selection.partition_hash()),
        sort_equal: selection.map_or(&[], |selection| selection.sort_equal.as_slice()),
        sort: selection.and_then(|selection| selection.sort_last.as_ref()).and_then(asked),
        filter: request.filter.as_ref(),
        projection: match &request.output {
            Output::Parts(projection) => Some(projection),
            Output::Count | Output::Whole => None,
        },
        is_descending: request.direction == Direction::Backward,
        has_limit: request.limit.is_some(),
    }
}

fn asked(condition: &SortCondition) -> Option<SortAsked<'_>> {
    let (comparison, value, upper) = match condition {
        SortCondition::Less(value) | SortCondition::LessOrEqual(value) => {
            (Comparison::Before, value, None)
        }
        SortCondition::Greater(value) | SortCondition::GreaterOrEqual(value) => {
            (Comparison::After, value, None)
        }
        SortCondition::Between(value, upper) => (Comparison::Between, value, Some(upper)),
        SortCondition::Within(lower, upper) => match (bound(lower), bound(upper)) {
            (Some(value), Some(upper)) => (Comparison::Between, value, Some(upper)),
            (Some(value), None) => (Comparison::After, value, None),
            (None, Some(value)) => (Comparison::Before, value, None),
            (None, None) => return None,
        },
        SortCondition::BeginsWith(value) => (Comparison::BeginsWith, value, None),
    };
    Some(SortAsked { comparison, value, upper })
}

fn bound(bound: &Bound<Value>) -> Option<&Value> {
    match bound {
        Bound::Included(value) | Bound::Excluded(value) => Some(value),
        Bound::Unbounded => None,
    }
}
