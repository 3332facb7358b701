//! A call as an observer sees it.

use std::ops::Bound;

use monotable_database::schema::TableSchema;
use monotable_database::{
    Insights, InsightsMode, ItemKey, Output, PageRequest, SortCondition, Span, Write, WriteKind,
};
use monotable_item::Value;
use monotable_item::stored::ItemView;
use monotable_observe::{
    Attribution, CalledKey, CalledTable, Comparison, FittingMembers, Group, ItemCall, ItemKind,
    KeyBytes, Observer, PageCall, SortAsked,
};
use monotable_storage::Direction;

use super::member::{Access, Member};
use super::{Entry, Form};
use crate::observation;
use crate::throughput::Throttled;

/// Has an observer say what a call is, and notes it. Returns the members whose items fit. A call
/// that was seen before does not count as a request for its keys again.
pub(super) fn attribute(
    observer: &Observer,
    entry: &Entry<'_>,
    counts_keys: bool,
) -> FittingMembers {
    let fitting = observation::note_attribution(|| match (entry.form, entry.members()) {
        (Form::Single, [member]) => attribute_one(observer, member, counts_keys),
        (form, members) => attribute_group(observer, form, members, counts_keys),
    });
    fitting.unwrap_or_else(|| {
        let counted = entry.members().iter().filter(|_| counts_keys);
        counted.for_each(|member| count_key(observer, member));
        FittingMembers::default()
    })
}

/// Notes that only the other members of a batch are done: these are left for the client to send
/// again. Their keys are counted already.
pub(super) fn leave_out(observer: &Observer, entry: &Entry<'_>, is_left: &[bool]) {
    let members = || entry.members().iter().zip(is_left).filter(|(_, is_left)| !**is_left);
    let done = group(entry.form, entry.members()).and_then(|group| {
        let calls = members().map(|(member, _)| item_call(member, false));
        observer.attribute_group(group, calls)
    });
    observation::revise_attribution(|attribution| match done {
        Some(done) => attribution.take_entities_of(done),
        None => attribution.take_no_entities(),
    });
}

/// Counts the key of a call on a table without a model, if insights into all calls are enabled.
fn count_key(observer: &Observer, member: &Member<'_>) {
    if insights(member).is_some_and(|insights| insights.mode == InsightsMode::AccessedAndThrottled)
    {
        with_key(member, |key| observer.count_key(called(member.table.schema()), key));
    }
}

/// The insights of the table or index of a member, if they are enabled.
fn insights(member: &Member<'_>) -> Option<Insights> {
    let index = member.index().map(|index| index.name.as_str());
    member.table.schema().insights_of(index).filter(|insights| insights.is_enabled)
}

/// Counts the keys of the members of a call that meet limits of throughput.
pub(super) fn count_throttled(
    observer: &Observer,
    entry: &Entry<'_>,
    throttled: &[Option<Throttled>],
) {
    let members = entry.members().iter().zip(throttled);
    for (member, _) in members.filter(|(_, throttled)| throttled.is_some()) {
        let table = called(member.table.schema());
        if observer.knows(table) || insights(member).is_some() {
            with_key(member, |key| observer.count_throttled(table, key));
        }
    }
}

/// Does something with the partition key of a member, if it has one.
fn with_key(member: &Member<'_>, work: impl FnOnce(CalledKey<'_>)) {
    let index = member.index().map(|index| index.name.as_str());
    let (key, attributes) = match &member.access {
        Access::Page(request) => match &request.span {
            Span::Partition(selection) => {
                let values: Vec<_> =
                    selection.partition.iter().filter_map(KeyBytes::of_value).collect();
                return work(CalledKey {
                    index,
                    hash: selection.partition_hash(),
                    values: &values,
                    sort: None,
                });
            }
            Span::Everything | Span::Segment { .. } => return,
        },
        Access::Get { key, attributes, .. } => (*key, *attributes),
        Access::Write { write, attributes } => (write.key(), *attributes),
    };
    if let Some((partition, sort)) = key_bytes(member.table.schema(), key, attributes) {
        work(CalledKey { index, hash: key.partition_hash(), values: &[partition], sort });
    }
}

fn attribute_one(
    observer: &Observer,
    member: &Member<'_>,
    counts_keys: bool,
) -> Option<Attribution> {
    match &member.access {
        Access::Page(request) => {
            let schema = member.table.schema();
            observer.attribute_page(called(schema), &page_call(schema, request, counts_keys))
        }
        // By reference, because a call is large and would be copied.
        Access::Get { .. } | Access::Write { .. } => match &item_call(member, counts_keys) {
            Some((table, item)) => observer.attribute_item(*table, item),
            None => None,
        },
    }
}

#[inline(never)]
fn attribute_group(
    observer: &Observer,
    form: Form,
    members: &[Member<'_>],
    counts_keys: bool,
) -> Option<Attribution> {
    let calls = members.iter().map(|member| item_call(member, counts_keys));
    let found = observer.attribute_group(group(form, members)?, calls)?;
    let first = members.first()?.table.schema().id;
    if counts_keys && members.iter().any(|member| member.table.schema().id != first) {
        // The keys of tables with a model are counted already.
        let is_unknown = |member: &&Member<'_>| !observer.knows(called(member.table.schema()));
        members.iter().filter(is_unknown).for_each(|member| count_key(observer, member));
    }
    Some(found)
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

pub(crate) fn called(schema: &TableSchema) -> CalledTable<'_> {
    CalledTable { id: schema.id.0, name: &schema.name, account: schema.home.account() }
}

/// A call on one item; none if its key cannot be read.
#[inline(always)]
fn item_call<'a>(
    member: &Member<'a>,
    counts_keys: bool,
) -> Option<(CalledTable<'a>, ItemCall<'a>)> {
    let schema = member.table.schema();
    let (key, attributes, write, returned) = match &member.access {
        Access::Get { key, attributes, projection, .. } => (*key, *attributes, None, *projection),
        Access::Write { write, attributes } => (write.key(), *attributes, Some(*write), None),
        Access::Page(_) => return None,
    };
    let (partition, sort) = key_bytes(schema, key, attributes)?;
    let kind = write.map_or(ItemKind::Get, |write| kind_of(write.kind()));
    let call = ItemCall {
        kind,
        partition,
        sort,
        counted_hash: counts_keys.then(|| key.partition_hash()),
        update: write.and_then(Write::changes),
        condition: write.and_then(Write::condition),
        projection: returned,
        item: (kind == ItemKind::Put).then_some(attributes),
    };
    Some((called(schema), call))
}

/// The values of a key: as they lie in it, or else among the attributes of the item.
#[inline]
pub(crate) fn key_bytes<'a>(
    schema: &TableSchema,
    key: &'a ItemKey,
    attributes: &'a [u8],
) -> Option<(KeyBytes<'a>, Option<KeyBytes<'a>>)> {
    match key.texts(schema) {
        Some((partition, sort)) => Some((KeyBytes::Text(partition), sort.map(KeyBytes::Text))),
        None => key_of(schema, attributes),
    }
}

/// The key among the attributes of an item, which are read once.
#[cold]
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

fn page_call<'a>(
    schema: &'a TableSchema,
    request: &'a PageRequest,
    counts_keys: bool,
) -> PageCall<'a> {
    let index = request.index.and_then(|index| schema.index_by_id(index));
    let selection = match &request.span {
        Span::Partition(selection) => Some(selection),
        Span::Everything | Span::Segment { .. } => None,
    };
    PageCall {
        index: index.map(|index| index.name.as_str()),
        partition: selection.map(|selection| selection.partition.as_slice()),
        counted_hash: selection.filter(|_| counts_keys).map(|one| one.partition_hash()),
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
