//! Which calls a fault hits.

use std::borrow::Cow;

use crate::fault::FaultKind;

/// Which calls a fault hits. What is not given does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// How likely a call is hit, of those that everything else selects.
    pub rate: f64,
    /// The table.
    pub table: Option<String>,
    /// The index that is read.
    pub index: Option<String>,
    /// The operations.
    pub operations: Vec<String>,
    /// The partition key of an item.
    pub key: Option<KeyPattern>,
    /// Only so many calls, the first ones.
    pub first: Option<u64>,
    /// Only every so manieth call.
    pub every: Option<u64>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            rate: 1.0,
            table: None,
            index: None,
            operations: Vec::new(),
            key: None,
            first: None,
            every: None,
        }
    }
}

/// What a partition key value must be like, in its text form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPattern {
    /// This value.
    Equals(String),
    /// One that begins so.
    Prefix(String),
}

/// A call as faults see it.
#[derive(Debug, Clone)]
pub struct FaultyCall<'a> {
    /// The name of the operation.
    pub operation: &'a str,
    /// The items, or the parts of tables, that it is about. Of a call on a table there is one.
    pub items: Vec<CalledItem<'a>>,
}

/// An item, or a part of a table or index, that a call is about.
#[derive(Debug, Clone)]
pub struct CalledItem<'a> {
    /// The table.
    pub table: Cow<'a, str>,
    /// The index that is read.
    pub index: Option<Cow<'a, str>>,
    /// Whether that is a global one.
    pub is_of_global_index: bool,
    /// The partition key value as a text: a string as it is, a number in plain digits, bytes in
    /// Base64. A scan has none.
    pub key: Option<String>,
    /// Whether it is read, and what is read may be stale.
    pub may_be_stale: bool,
}

impl Selection {
    /// The positions of the items that a fault of this kind hits if it happens; none if the call is
    /// not one of those that are selected.
    pub(crate) fn matching(&self, kind: &FaultKind, call: &FaultyCall<'_>) -> Option<Vec<usize>> {
        let is_named = self.operations.iter().any(|operation| operation == call.operation);
        if !is_named && (!self.operations.is_empty() || !hits_unnamed(kind, call.operation)) {
            return None;
        }
        if !can_hit(kind, call.operation) {
            return None;
        }
        let names_items = self.table.is_some() || self.index.is_some() || self.key.is_some();
        let of_items = matches!(kind, FaultKind::Stale(_) | FaultKind::IndexLag(_));
        let items = call.items.iter().enumerate();
        let items = items.filter(|(_, item)| self.selects(item) && can_hit_item(kind, item));
        let matching: Vec<usize> = items.map(|(position, _)| position).collect();
        let is_match = !matching.is_empty() || !(names_items || of_items);
        is_match.then_some(matching)
    }

    fn selects(&self, item: &CalledItem<'_>) -> bool {
        let is_table = self.table.as_deref().is_none_or(|table| table == item.table);
        let is_index = self.index.is_none() || self.index.as_deref() == item.index.as_deref();
        is_table && is_index && self.key.as_ref().is_none_or(|key| key.matches(item.key.as_deref()))
    }
}

impl KeyPattern {
    fn matches(&self, key: Option<&str>) -> bool {
        match (self, key) {
            (KeyPattern::Equals(wanted), Some(key)) => wanted == key,
            (KeyPattern::Prefix(wanted), Some(key)) => key.starts_with(wanted.as_str()),
            (KeyPattern::Equals(_) | KeyPattern::Prefix(_), None) => false,
        }
    }
}

const TRANSACT_WRITE: &str = "TransactWriteItems";
const TRANSACT_GET: &str = "TransactGetItems";
const BATCHES: [&str; 2] = ["BatchGetItem", "BatchWriteItem"];
const SINGLE_WRITES: [&str; 3] = ["PutItem", "UpdateItem", "DeleteItem"];
const READS: [&str; 3] = ["GetItem", "Query", "Scan"];

/// Whether an operation is about items.
fn is_of_items(operation: &str) -> bool {
    let groups = [&BATCHES[..], &SINGLE_WRITES, &READS, &[TRANSACT_WRITE, TRANSACT_GET]];
    groups.concat().contains(&operation)
}

/// Whether a fault of this kind hits an operation that it does not name. Throughput is spent by
/// calls on items; what else there is must be meant.
fn hits_unnamed(kind: &FaultKind, operation: &str) -> bool {
    match kind {
        FaultKind::Throttle(_) => is_of_items(operation),
        FaultKind::Conflict
        | FaultKind::InProgress
        | FaultKind::Unprocessed(_)
        | FaultKind::Delay(_)
        | FaultKind::ServerError(_)
        | FaultKind::Drop(_)
        | FaultKind::Stale(_)
        | FaultKind::IndexLag(_) => true,
    }
}

/// Whether a fault of this kind can hit an operation at all.
fn can_hit(kind: &FaultKind, operation: &str) -> bool {
    match kind {
        FaultKind::Throttle(_)
        | FaultKind::Delay(_)
        | FaultKind::ServerError(_)
        | FaultKind::Drop(_) => true,
        FaultKind::Conflict => {
            SINGLE_WRITES.contains(&operation)
                || [TRANSACT_WRITE, TRANSACT_GET].contains(&operation)
        }
        FaultKind::InProgress => operation == TRANSACT_WRITE,
        FaultKind::Unprocessed(_) => BATCHES.contains(&operation),
        FaultKind::Stale(_) => READS.contains(&operation) || operation == "BatchGetItem",
        FaultKind::IndexLag(_) => ["Query", "Scan"].contains(&operation),
    }
}

fn can_hit_item(kind: &FaultKind, item: &CalledItem<'_>) -> bool {
    match kind {
        FaultKind::Stale(_) => item.may_be_stale,
        FaultKind::IndexLag(_) => item.is_of_global_index && item.may_be_stale,
        FaultKind::Throttle(_)
        | FaultKind::Conflict
        | FaultKind::InProgress
        | FaultKind::Unprocessed(_)
        | FaultKind::Delay(_)
        | FaultKind::ServerError(_)
        | FaultKind::Drop(_) => true,
    }
}
