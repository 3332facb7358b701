//! The steps of a history, and what each does to the database and to the model.

use std::collections::BTreeSet;

use monotable_database::{
    ItemKey, Table, TableChange, TableError, TransactError, TransactOutcome, TransactWrite, Write,
    WriteError,
};
use monotable_item::{Item, Value, stored};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::TABLE;
use super::domain::{ATTRIBUTES, key, value};
use super::model_table::ModelTable;
use crate::support::harness::Harness;
use crate::support::store::Store;
use crate::support::{expression, json, table};

/// An index that comes and goes.
const LATE_INDEX: &str = "late n:N/t:S include g";

#[derive(Debug, Clone)]
pub(super) enum Step {
    Write(ItemWrite),
    Transact(Vec<ItemWrite>),
    AddIndex,
    RemoveIndex,
    Restart,
    Crash,
}

#[derive(Debug, Clone)]
pub(super) struct ItemWrite {
    key: Item,
    change: Change,
    /// Whether there must be an item, if that matters.
    must_exist: Option<bool>,
}

#[derive(Debug, Clone)]
enum Change {
    /// A whole item, without its key.
    Put(Item),
    /// New values of some attributes; none to remove one.
    Update(Vec<(&'static str, Option<Value>)>),
    Delete,
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        40 => item_write().prop_map(Step::Write),
        10 => vec(item_write(), 1..6).prop_map(Step::Transact),
        2 => Just(Step::AddIndex),
        1 => Just(Step::RemoveIndex),
        1 => Just(Step::Restart),
        1 => Just(Step::Crash),
    ]
}

fn item_write() -> impl Strategy<Value = ItemWrite> {
    let must_exist = option::weighted(0.2, any::<bool>());
    (key(), change(), must_exist).prop_map(|(key, change, must_exist)| ItemWrite {
        key,
        change,
        must_exist,
    })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => attributes().prop_map(|attributes| {
            let present = attributes.into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?)));
            Change::Put(present.collect())
        }),
        4 => (attributes(), 0..32_u8).prop_map(|(attributes, mask)| {
            let named = attributes.into_iter().enumerate();
            let named = named.filter(|(at, _)| mask >> at & 1 == 1).map(|(_, attribute)| attribute);
            Change::Update(named.collect())
        }),
        2 => Just(Change::Delete),
    ]
}

fn attributes() -> impl Strategy<Value = Vec<(&'static str, Option<Value>)>> {
    ATTRIBUTES
        .map(|name| option::weighted(0.8, value(name)))
        .prop_map(|values| ATTRIBUTES.into_iter().zip(values).collect())
}

impl Step {
    pub(super) fn take<S: Store>(
        &self,
        harness: &mut Harness<S>,
        model: &mut ModelTable,
    ) -> TestCaseResult {
        match self {
            Step::Write(write) => write.take(harness, model),
            Step::Transact(writes) => transact(&distinct(writes), harness, model),
            Step::AddIndex => {
                let index = table::global_index(LATE_INDEX).unwrap();
                let definitions = index.key.attributes().cloned().collect();
                let create_index = Some(index);
                change_indexes(
                    harness,
                    TableChange { definitions, create_index, ..TableChange::default() },
                )
            }
            Step::RemoveIndex => {
                let delete_index = Some("late".to_owned());
                change_indexes(harness, TableChange { delete_index, ..TableChange::default() })
            }
            Step::Restart => {
                harness.restart();
                Ok(())
            }
            Step::Crash => {
                harness.crash();
                Ok(())
            }
        }
    }
}

/// Asks for an index change, which may come at a wrong time.
fn change_indexes<S: Store>(harness: &Harness<S>, change: TableChange) -> TestCaseResult {
    let table = harness.table(TABLE).unwrap();
    match harness.change(harness.database().update_table(&table, change.clone())) {
        Err(TableError::SchemaChanged) => change_indexes(harness, change),
        Ok(_) | Err(TableError::Busy | TableError::IndexExists | TableError::IndexNotFound) => {
            Ok(())
        }
        Err(other) => Err(TestCaseError::fail(other.to_string())),
    }
}

/// A transaction names each item once.
fn distinct(writes: &[ItemWrite]) -> Vec<ItemWrite> {
    let mut seen = BTreeSet::new();
    writes.iter().filter(|write| seen.insert(json::print_item(&write.key))).cloned().collect()
}

impl ItemWrite {
    fn take<S: Store>(&self, harness: &Harness<S>, model: &mut ModelTable) -> TestCaseResult {
        let table = harness.table(TABLE).unwrap();
        let write = self.to_write(&table);
        match harness.run(harness.database().write(&table, &write)) {
            Err(WriteError::SchemaChanged) => return self.take(harness, model),
            Ok(outcome) => {
                prop_assert!(self.is_allowed(model));
                prop_assert_eq!(outcome.old.as_ref().map(decode), model.get(&self.key).cloned());
                self.apply(model);
                prop_assert_eq!(outcome.new.as_ref().map(decode), model.get(&self.key).cloned());
            }
            Err(WriteError::ConditionFailed { existing }) => {
                prop_assert!(!self.is_allowed(model));
                prop_assert_eq!(existing.as_ref().map(decode), model.get(&self.key).cloned());
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
        Ok(())
    }

    fn is_allowed(&self, model: &ModelTable) -> bool {
        self.must_exist.is_none_or(|must_exist| model.get(&self.key).is_some() == must_exist)
    }

    fn apply(&self, model: &mut ModelTable) {
        let old = model.get(&self.key).cloned();
        let new = match &self.change {
            Change::Put(attributes) => Some(with_key(attributes, &self.key)),
            Change::Delete => None,
            Change::Update(changes) => updated(&self.key, changes, old),
        };
        model.set(&self.key, new);
    }

    fn to_write(&self, table: &Table) -> Write {
        let (schema, key) = (table.schema(), stored::encode(&self.key).into());
        let write = match &self.change {
            Change::Put(attributes) => {
                let item = stored::encode(&with_key(attributes, &self.key)).into();
                Write::put(schema, item).unwrap()
            }
            Change::Delete => Write::delete(ItemKey::of(schema, &self.key).unwrap()),
            Change::Update(changes) => {
                let text = update_text(changes);
                let update = text.map(|text| expression::update(&text).unwrap());
                Write::update(schema, key, update).unwrap()
            }
        };
        write.on_condition(self.must_exist.map(|must_exist| {
            if must_exist {
                expression::condition("attribute_exists(pk)").unwrap()
            } else {
                expression::condition("attribute_not_exists(pk)").unwrap()
            }
        }))
    }
}

fn transact<S: Store>(
    writes: &[ItemWrite],
    harness: &Harness<S>,
    model: &mut ModelTable,
) -> TestCaseResult {
    let table = harness.table(TABLE).unwrap();
    let member =
        |write: &ItemWrite| TransactWrite { table: table.clone(), write: write.to_write(&table) };
    let members: Vec<TransactWrite> = writes.iter().map(member).collect();
    match harness.run(harness.database().transact_write(&members, None)) {
        Err(TransactError::SchemaChanged) => return transact(writes, harness, model),
        Ok(TransactOutcome::Done(_)) => {
            prop_assert!(writes.iter().all(|write| write.is_allowed(model)));
            writes.iter().for_each(|write| write.apply(model));
        }
        Err(TransactError::Cancelled(reasons)) => {
            let passed: Vec<bool> = reasons.iter().map(Option::is_none).collect();
            let allowed: Vec<bool> = writes.iter().map(|write| write.is_allowed(model)).collect();
            prop_assert_eq!(passed, allowed);
        }
        other => prop_assert!(false, "{:?}", other),
    }
    Ok(())
}

fn with_key(attributes: &Item, key: &Item) -> Item {
    attributes.iter().chain(key).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// An update that only removes does not make an absent item; one without changes does.
fn updated(
    key: &Item,
    changes: &[(&'static str, Option<Value>)],
    old: Option<Item>,
) -> Option<Item> {
    let only_removes = !changes.is_empty() && changes.iter().all(|(_, value)| value.is_none());
    if old.is_none() && only_removes {
        return None;
    }
    let mut item = old.unwrap_or_else(|| key.clone());
    for (name, value) in changes {
        match value {
            Some(value) => item.insert((*name).to_owned(), value.clone()),
            None => item.remove(*name),
        };
    }
    Some(item)
}

fn update_text(changes: &[(&'static str, Option<Value>)]) -> Option<String> {
    let set = changes
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} = `{}`", json::print(value.as_ref()?))));
    let removed =
        changes.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| (*name).to_owned());
    let (set, removed) =
        (set.collect::<Vec<_>>().join(", "), removed.collect::<Vec<_>>().join(", "));
    let section = |keyword: &str, list: &str| match list {
        "" => String::new(),
        list => format!("{keyword} {list} "),
    };
    let text = section("SET", &set) + &section("REMOVE", &removed);
    Some(text).filter(|text| !text.is_empty())
}

fn decode(item: &bytes::Bytes) -> Item {
    stored::decode(item).unwrap()
}
