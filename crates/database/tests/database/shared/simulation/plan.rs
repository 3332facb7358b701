//! What clients mean to do.

use monotable_database::schema::StreamView;
use monotable_database::{Table, TableChange, TimeToLiveChange, Write};
use monotable_item::stored;

use super::history::WriteNumber;
use super::rng::Rng;
use crate::support::{expression, json, table};

pub(super) const TABLES: [&str; 3] = ["a", "b", "c"];
pub(super) const TABLE_KEY: &str = "pk:N/sk:N";
/// Sort keys and projections of all kinds.
pub(super) const INDEXES: [&str; 3] =
    ["by_g g:S/n:N include x", "by_n n:N keys_only", "whole g:S all"];
pub(super) const LOCAL_INDEX: &str = "near n:N include x";
/// The attribute that holds when an item expires.
const EXPIRES: &str = "expires";
const PARTITIONS: u64 = 3;
const SORT_KEYS: u64 = 3;

/// An item of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedItem {
    pub(super) table: &'static str,
    pub(super) pk: u64,
    pub(super) sk: u64,
}

impl PlannedItem {
    fn draw(rng: &mut Rng) -> PlannedItem {
        let table = TABLES[rng.index(TABLES.len())];
        PlannedItem { table, pk: rng.below(PARTITIONS), sk: rng.below(SORT_KEYS) }
    }

    pub(super) fn key(&self) -> String {
        format!("{{\"pk\": {}, \"sk\": {}}}", self.pk, self.sk)
    }
}

/// What a write does. Every item that it makes has the number of the write as `w`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Put {
        group: u64,
        n: u64,
        expires_at_secs: Option<u64>,
    },
    PutIfAbsent,
    /// Raises `n` by one, whatever it is.
    Add,
    /// Raises `n` by one if it is what was seen.
    CountUp {
        seen: i64,
    },
    Delete,
    /// Deletes the item if `n` is below.
    DeleteBelow(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedWrite {
    pub(super) target: PlannedItem,
    pub(super) action: Action,
}

impl PlannedWrite {
    fn draw(rng: &mut Rng, now_secs: u64) -> PlannedWrite {
        let action = match rng.below(9) {
            0..3 => Action::Put {
                group: rng.below(3),
                n: rng.below(5),
                expires_at_secs: rng.one_in(2).then(|| now_secs + rng.below(20)),
            },
            3 => Action::PutIfAbsent,
            4..6 => Action::Add,
            6 => Action::Delete,
            _ => Action::DeleteBelow(rng.below(5)),
        };
        PlannedWrite { target: PlannedItem::draw(rng), action }
    }

    /// The write on a version of its table.
    pub(super) fn write(&self, table: &Table, number: WriteNumber) -> Write {
        let (schema, PlannedItem { pk, sk, .. }) = (table.schema(), self.target);
        let bytes = |text: &str| stored::encode(&json::item(text).unwrap()).into();
        let update = |text: String| {
            let update = Some(expression::update(&text).unwrap());
            Write::update(schema, bytes(&self.target.key()), update).unwrap()
        };
        let delete = || {
            let key = json::item(&self.target.key()).unwrap();
            Write::delete(monotable_database::ItemKey::of(schema, &key).unwrap())
        };
        let condition = |text: &str| Some(expression::condition(text).unwrap());
        match self.action {
            Action::Put { group, n, expires_at_secs } => {
                // Every third has no group, and so is not in some of the indexes.
                let group =
                    if group == 0 { String::new() } else { format!(", \"g\": \"g{group}\"") };
                let expires = expires_at_secs.map(|secs| format!(", \"{EXPIRES}\": {secs}"));
                let rest = format!("{group}{}", expires.unwrap_or_default());
                let item = format!(
                    "{{\"pk\": {pk}, \"sk\": {sk}, \"n\": {n}, \"x\": {number}, \"w\": \
                     {number}{rest}}}"
                );
                Write::put(schema, bytes(&item)).unwrap()
            }
            Action::PutIfAbsent => {
                let item = format!(
                    "{{\"pk\": {pk}, \"sk\": {sk}, \"g\": \"new\", \"n\": 0, \"w\": {number}}}"
                );
                let put = Write::put(schema, bytes(&item)).unwrap();
                put.on_condition(condition("attribute_not_exists(pk)"))
            }
            Action::Add => update(format!("SET w = `{number}` ADD n `1`")),
            Action::CountUp { seen } => {
                let counted = update(format!("SET w = `{number}`, n = `{}`", seen + 1));
                counted.on_condition(condition(&format!("n = `{seen}`")))
            }
            Action::Delete => delete(),
            Action::DeleteBelow(below) => {
                delete().on_condition(condition(&format!("n < `{below}`")))
            }
        }
    }
}

/// A change of a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum PlannedChange {
    Create { has_stream: bool, has_local_index: bool },
    Delete,
    Protect(bool),
    AddIndex(&'static str),
    RemoveIndex(&'static str),
    Stream(bool),
    TimeToLive(bool),
}

impl PlannedChange {
    fn draw(rng: &mut Rng) -> PlannedChange {
        match rng.below(16) {
            0..4 => {
                PlannedChange::Create { has_stream: rng.one_in(2), has_local_index: rng.one_in(3) }
            }
            4..6 => PlannedChange::Delete,
            6 => PlannedChange::Protect(rng.one_in(4)),
            7..10 => PlannedChange::AddIndex(INDEXES[rng.index(INDEXES.len())]),
            10..12 => PlannedChange::RemoveIndex(INDEXES[rng.index(INDEXES.len())]),
            12..14 => PlannedChange::Stream(rng.one_in(2)),
            _ => PlannedChange::TimeToLive(!rng.one_in(3)),
        }
    }

    /// The change as UpdateTable makes it.
    pub(super) fn table_change(self) -> Option<TableChange> {
        let mut change = TableChange::default();
        match self {
            PlannedChange::Protect(protection) => change.deletion_protection = Some(protection),
            PlannedChange::AddIndex(text) => {
                let index = table::global_index(text).unwrap();
                change.definitions = index.key.attributes().cloned().collect();
                change.create_index = Some(index);
            }
            PlannedChange::RemoveIndex(text) => {
                change.delete_index = text.split_whitespace().next().map(str::to_owned);
            }
            PlannedChange::Stream(is_on) => {
                change.stream = Some(is_on.then_some(StreamView::NewAndOldImages));
            }
            PlannedChange::Create { .. } | PlannedChange::Delete | PlannedChange::TimeToLive(_) => {
                return None;
            }
        }
        Some(change)
    }

    pub(super) fn time_to_live(is_on: bool) -> TimeToLiveChange {
        if is_on {
            TimeToLiveChange::Enable(EXPIRES.to_owned())
        } else {
            TimeToLiveChange::Disable(EXPIRES.to_owned())
        }
    }
}

/// What one client does.
#[derive(Debug, Clone)]
pub(super) enum Plan {
    /// Writes, one after the other.
    Writes(Vec<PlannedWrite>),
    /// Writes that happen together.
    Transact(Vec<PlannedWrite>),
    /// Reads `n` and raises it by one, if it still is what was read.
    ReadAndCountUp(PlannedItem),
    /// Reads an index of a table from end to end.
    Query(&'static str),
    Change(&'static str, PlannedChange),
}

impl Plan {
    pub(super) fn draw(rng: &mut Rng, now_secs: u64) -> Plan {
        let writes = |rng: &mut Rng, most: u64| -> Vec<PlannedWrite> {
            let mut writes: Vec<PlannedWrite> = Vec::new();
            for _ in 0..1 + rng.below(most) {
                let write = PlannedWrite::draw(rng, now_secs);
                // A transaction names each item once.
                if writes.iter().all(|other| other.target != write.target) {
                    writes.push(write);
                }
            }
            writes
        };
        match rng.below(20) {
            0..8 => Plan::Writes(writes(rng, 1)),
            8..10 => Plan::Writes(writes(rng, 4)),
            10..13 => Plan::Transact(writes(rng, 4)),
            13..15 => Plan::ReadAndCountUp(PlannedItem::draw(rng)),
            15 => Plan::Query(TABLES[rng.index(TABLES.len())]),
            _ => Plan::Change(TABLES[rng.index(TABLES.len())], PlannedChange::draw(rng)),
        }
    }
}
