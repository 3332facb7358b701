//! A call of a generated function: its arguments, and what came of it.

pub(crate) use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::future::IntoFuture;
use std::sync::Arc;

use monotable::db::{Everything, Query, Scan};
use monotable::{Attribute, Db, Entity, Item, Key, Pattern, Scannable, Table};
pub(crate) use monotable::{Number, Value};

use crate::observed::{Observed, Seen};

/// A step that is an access pattern, with its arguments by their names in the model.
pub(crate) struct Call {
    pub(crate) backend: Arc<Observed>,
    pub(crate) pattern: String,
    pub(crate) table: String,
    pub(crate) arguments: Item,
    /// The length of a page that the caller chooses.
    pub(crate) limit: Option<u32>,
    /// The order that the caller chooses: whether sort keys ascend.
    pub(crate) forward: Option<bool>,
    /// Where the page starts that the caller is at.
    pub(crate) start: Option<Item>,
}

/// What came of a call.
pub(crate) struct Answer {
    pub(crate) seen: Vec<Seen>,
    /// What the client said: whether everything was read and written as its types say.
    pub(crate) said: Result<(), String>,
}

impl Call {
    pub(crate) fn pattern(&self) -> &str {
        &self.pattern
    }

    pub(crate) fn db<T: Table>(&self) -> Db<T> {
        Db::new(&self.table, Arc::clone(&self.backend) as _)
    }

    /// An argument of the type that a function takes.
    pub(crate) fn argument<T: Attribute>(&self, name: &str) -> T {
        let value = self.arguments.get(name).cloned();
        let read = match value {
            Some(value) => T::from_value(value).map_err(|error| error.to_string()),
            None => T::from_missing().ok_or_else(|| "it is missing".to_owned()),
        };
        read.unwrap_or_else(|error| panic!("{}: {name}: {error}", self.pattern))
    }

    /// An argument that is a place in a list.
    pub(crate) fn place(&self, name: &str) -> usize {
        let number = self.argument::<Number>(name).to_i64().unwrap();
        usize::try_from(number).unwrap()
    }

    /// The item that the arguments say.
    pub(crate) fn entity<E: Entity>(&self) -> E {
        entity(&self.arguments).unwrap_or_else(|error| panic!("{}: {error}", self.pattern))
    }

    /// The items of a list.
    pub(crate) fn entities<E: Entity>(&self, name: &str) -> Vec<E> {
        let Some(Value::List(elements)) = self.arguments.get(name) else {
            panic!("{}: no list {name}", self.pattern)
        };
        let of_element = |element: &Value| match element {
            Value::Map(members) => entity(members).unwrap(),
            other => panic!("{other:?} is no item"),
        };
        elements.iter().map(of_element).collect()
    }

    /// The keys of all combinations of these attributes, each a value or a list of them.
    pub(crate) fn keys<E: Entity>(&self, by: &[&str]) -> Vec<Key<E>> {
        let mut keys = vec![Item::new()];
        for name in by {
            let values = match self.arguments.get(*name) {
                Some(Value::List(values)) => values.clone(),
                Some(value) => vec![value.clone()],
                None => panic!("{}: no {name}", self.pattern),
            };
            let field = E::DEFINITION.attributes.iter().find(|it| it.stored_name == *name);
            let field = field.map_or(*name, |it| it.name);
            keys = keys
                .iter()
                .flat_map(|key| {
                    values.iter().map(move |value| {
                        let mut key = key.clone();
                        key.insert(field.to_owned(), value.clone());
                        key
                    })
                })
                .collect();
        }
        keys.into_iter().map(Key::from_parts).collect()
    }

    /// Sends a request.
    pub(crate) async fn send<T, X: Display>(
        &self,
        request: impl IntoFuture<Output = Result<T, X>>,
    ) -> Answer {
        let said = request.await.map(|_| ()).map_err(|error| error.to_string());
        Answer { seen: self.backend.take(), said }
    }

    /// Reads a whole table, in which everything that the filter keeps is to be what is read.
    pub(crate) async fn scan<R: Scannable>(&self, scan: Scan<Everything<R>>) -> Answer {
        let said = match scan.all().await {
            Ok(scanned) if scanned.misfits.is_empty() => Ok(()),
            Ok(scanned) => Err(format!("{:?}", scanned.misfits)),
            Err(error) => Err(error.to_string()),
        };
        Answer { seen: self.backend.take(), said }
    }

    /// Reads a page: the first, or the one that starts where the step does.
    pub(crate) async fn query<P: Pattern>(&self, make: impl Fn() -> Query<P>) -> Answer {
        let chosen = || {
            let query = match self.forward {
                Some(true) => make().asc(),
                Some(false) => make().desc(),
                None => make(),
            };
            match self.limit {
                Some(limit) => query.limit(limit),
                None => query,
            }
        };
        let mut page = chosen().await;
        while self.start.is_some() && self.backend.last_start() != self.start {
            let next = page.as_ref().ok().and_then(|page| page.next());
            let Some(cursor) = next else { break };
            self.backend.take();
            page = chosen().after(cursor).await;
        }
        let said = page.map(|_| ()).map_err(|error| error.to_string());
        Answer { seen: self.backend.take(), said }
    }
}

/// An entity of attributes by their names in the model: as they are stored, or as in the code.
fn entity<E: Entity>(attributes: &Item) -> Result<E, String> {
    let mut item = Item::new();
    for field in E::DEFINITION.attributes {
        let given = attributes.get(field.stored_name).or_else(|| attributes.get(field.name));
        let only = match field.values {
            [only] => Some(Value::from(*only)),
            _ => None,
        };
        if let Some(value) = given.cloned().or(only) {
            item.insert(field.stored_name.to_owned(), value);
        }
    }
    E::from_item(item).map_err(|error| error.to_string())
}
