//! Reading the members of a collection into the fields of a struct.
//!
//! Where every field takes its members in order and without a limit, one query reads the partition.
//! Otherwise each field is read by a query of its own, which reads no more than the field takes.

use monotable_item::Item;
use tracing::Instrument;

use super::Db;
use super::tally::operation_span;
use crate::backend::{self, Select as SelectedAttributes};
use crate::entity::{Gather, Pattern, Table};
use crate::error::{DecodeError, DecodeFault, Error};
use crate::expression::Placeholders;
use crate::key::Selection;
use crate::schema::EntitySchema;

/// A field of a gathered struct. The derive writes it.
#[derive(Debug, Clone, Copy)]
pub struct GatherField {
    /// The entity of its members.
    pub schema: fn() -> &'static EntitySchema,
    /// Whether the greatest sort keys come first.
    pub descending: bool,
    /// The most members that it takes.
    pub max: Option<usize>,
}

impl GatherField {
    /// Returns whether a query of the whole partition gives the field what it takes.
    fn takes_all(&self) -> bool {
        !self.descending && self.max.is_none()
    }
}

impl<T: Table> Db<T> {
    /// Reads one partition of a collection into a struct.
    pub async fn gather<G>(&self, selection: Selection<G::Collection>) -> Result<G, Error>
    where
        G: Gather,
        G::Collection: Pattern<Table = T>,
    {
        let schema = <G::Collection as Pattern>::schema();
        let span = operation_span!("gather", self, schema.entity, schema.name);
        let mut db = self.clone();
        db.observe(&span);
        db.gather_inside::<G>(selection).instrument(span).await
    }

    async fn gather_inside<G>(&self, selection: Selection<G::Collection>) -> Result<G, Error>
    where
        G: Gather,
        G::Collection: Pattern<Table = T>,
    {
        let fields = G::FIELDS;
        let mut members: Vec<Vec<Item>> = vec![Vec::new(); fields.len()];
        if fields.iter().all(GatherField::takes_all) {
            for item in self.members(&selection, None).await? {
                let at = fields.iter().position(|field| (field.schema)().recognizes(&item));
                if let Some(of_field) = at.and_then(|at| members.get_mut(at)) {
                    of_field.push(item);
                }
            }
        } else {
            for (field, of_field) in fields.iter().zip(&mut members) {
                let mut items = self.members(&selection, Some(field)).await?;
                items.retain(|item| (field.schema)().recognizes(item));
                items.truncate(field.max.unwrap_or(usize::MAX));
                *of_field = items;
            }
        }
        Ok(G::assemble(members)?)
    }

    /// The items of the partition, or those that one field takes.
    async fn members<P: Pattern<Table = T>>(
        &self,
        selection: &Selection<P>,
        field: Option<&GatherField>,
    ) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        for partition in selection.partitions()? {
            let mut start = None;
            loop {
                let mut placeholders = Placeholders::default();
                let mut condition = selection.key_condition(&partition, &mut placeholders)?;
                if let Some(field) = field {
                    condition.push_str(&beginning::<T>(field, &mut placeholders));
                }
                let missing =
                    field.and_then(|field| field.max).map(|max| max.saturating_sub(items.len()));
                let outcome = self
                    .backend
                    .query(backend::Query {
                        table: self.table(),
                        index: None,
                        key_condition: condition,
                        filter: None,
                        projection: None,
                        names: placeholders.names,
                        values: placeholders.values,
                        select: SelectedAttributes::Projected,
                        forward: !field.is_some_and(|field| field.descending),
                        limit: missing.and_then(|it| u32::try_from(it).ok()),
                        start_after: start,
                        consistent: false,
                        capacity: self.capacity(),
                    })
                    .await?;
                self.count_read(&outcome.consumed);
                items.extend(outcome.items);
                start = outcome.last_key;
                let is_full =
                    field.and_then(|field| field.max).is_some_and(|max| items.len() >= max);
                if start.is_none() || is_full {
                    break;
                }
            }
        }
        Ok(items)
    }
}

/// Creates the error for a partition without the one member that a struct needs.
pub fn missing_member(gathered: &'static str, attribute: &'static str) -> DecodeError {
    let fault = DecodeFault::Missing { attribute };
    DecodeError { entity: gathered, key: Box::default(), fault }
}

/// The condition that a sort key begins as those of the field's entity do.
fn beginning<T: Table>(field: &GatherField, placeholders: &mut Placeholders) -> String {
    let prefix = (field.schema)().definition.sort_prefix;
    let sort = T::schema().definition.sort_key;
    let Some(sort) = sort.filter(|_| !prefix.is_empty()) else { return String::new() };
    let name = placeholders.name(sort.name);
    let value = placeholders.value(monotable_item::Value::from(prefix));
    format!(" AND begins_with({name}, {value})")
}
