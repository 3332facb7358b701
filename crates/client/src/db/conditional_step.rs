//! Steps of a transaction that depend on the item that is there.

use super::Transaction;
use super::delete::all;
use crate::backend::TransactWrite;
use crate::condition::{Condition, Term};
use crate::entity::{Entity, Replaceable, Table};
use crate::expression::Placeholders;
use crate::key::Key;

impl<T: Table, X: Send + 'static> Transaction<T, X> {
    /// Removes an item that exists.
    pub fn delete_existing<E>(self, key: &Key<E>) -> Transaction<T, X>
    where
        E: Replaceable + Entity<Table = T>,
    {
        let term = exists::<E>();
        self.delete_if(key, term)
    }

    /// Removes an item if this holds of it.
    pub fn delete_when<E>(self, key: &Key<E>, condition: Condition<E>) -> Transaction<T, X>
    where
        E: Replaceable + Entity<Table = T>,
    {
        self.delete_if(key, condition.term)
    }

    /// Requires that an item exists.
    pub fn check_exists<E: Entity<Table = T>>(self, key: &Key<E>) -> Transaction<T, X> {
        let mut placeholders = Placeholders::default();
        let condition = exists::<E>().write(&mut placeholders);
        let (table, key) = (self.db.table(), key.to_item());
        self.with(key.map(|key| {
            vec![TransactWrite::Check {
                table,
                key,
                condition,
                names: placeholders.names,
                values: placeholders.values,
                item_on_failure: false,
            }]
        }))
    }

    fn delete_if<E: Entity<Table = T>>(self, key: &Key<E>, term: Term) -> Transaction<T, X> {
        let mut placeholders = Placeholders::default();
        let condition = all(&[term], &mut placeholders);
        let (table, key) = (self.db.table(), key.to_item());
        self.with(key.map(|key| {
            vec![TransactWrite::Delete {
                table,
                key,
                condition,
                names: placeholders.names,
                values: placeholders.values,
                item_on_failure: true,
            }]
        }))
    }
}

fn exists<E: Entity>() -> Term {
    Term::Exists(E::schema().table.definition.partition_key.name)
}
