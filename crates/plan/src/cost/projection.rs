//! What an index with a narrower projection would save.
//!
//! The model is priced again with the index changed and everything else, also where reads go, as it
//! is.

use monotable_item::capacity::{Consistency, read_units};
use monotable_model::document::{Entity, Index, IndexKind, IndexProjection, Model, Pattern, Table};

use super::break_even::ProjectionSaving;
use super::costing::{Costing, rows_through};
use super::month::SECONDS;
use super::request::in_memory;

/// The savings of all global indexes of a table that project everything.
pub(super) fn savings(costing: &Costing<'_>, table: &Table) -> Vec<ProjectionSaving> {
    let is_wide = |index: &&Index| {
        index.kind == IndexKind::Global && index.projection == IndexProjection::All
    };
    let indexes = table.indexes.iter().filter(is_wide);
    indexes.filter_map(|index| saving(costing, table, index)).collect()
}

fn saving(costing: &Costing<'_>, table: &Table, index: &Index) -> Option<ProjectionSaving> {
    let readers = readers(costing, table, index);
    let include = included(costing.model, &readers);
    let narrow = if include.is_empty() {
        IndexProjection::KeysOnly
    } else {
        IndexProjection::Include(include.clone())
    };
    let model = with_projection(costing.model, table, index, &narrow);
    let changed = costing.with_model(&model);
    let month = month_of(costing, table, index)? - month_of(&changed, table, index)?;
    let fetch = fetch_price(costing, table, index)?;
    let whole = readers.iter().filter(|(pattern, _)| pattern.project.is_none());
    Some(ProjectionSaving {
        index: index.name.clone(),
        include,
        month,
        break_even_fetches: month.max(0.0) / (fetch * SECONDS),
        whole_rows: whole.map(|(_, rows)| rows).sum(),
    })
}

/// The patterns that read through an index, and how many rows a second.
fn readers<'m>(costing: &Costing<'m>, table: &Table, index: &Index) -> Vec<(&'m Pattern, f64)> {
    let rows = |(pattern, calls): (&'m Pattern, &super::call::Calls)| {
        let here = calls.calls.iter().filter(|call| call.table == table.name);
        let rows: f64 =
            here.map(|call| call.times * rows_through(&call.request, &index.name)).sum();
        (rows > 0.0).then(|| (pattern, rows * costing.rate(pattern).unwrap_or(0.0)))
    };
    costing.patterns().filter_map(rows).collect()
}

/// The attributes that patterns ask of an index by name, as items have them.
fn included(model: &Model, readers: &[(&Pattern, f64)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (pattern, _) in readers.iter().filter(|(pattern, _)| pattern.project.is_some()) {
        let expressions = pattern.project.iter().chain(&pattern.filter);
        for name in expressions.flat_map(|expression| &expression.attributes) {
            let entities = pattern.entities.iter().filter_map(|entity| model.entity(entity));
            let stored = entities.filter_map(|entity| entity.attribute(name)).next();
            let stored = stored.map_or(name.as_str(), |attribute| attribute.item_name());
            if !names.iter().any(|known| known == stored) {
                names.push(stored.to_owned());
            }
        }
    }
    names
}

fn with_projection(model: &Model, table: &Table, index: &Index, narrow: &IndexProjection) -> Model {
    let mut model = model.clone();
    let tables = model.tables.iter_mut().filter(|other| other.name == table.name);
    for other in tables.flat_map(|other| &mut other.indexes) {
        if other.name == index.name {
            other.projection = narrow.clone();
        }
    }
    model
}

/// What an index costs in a month, paid by request.
fn month_of(costing: &Costing<'_>, table: &Table, index: &Index) -> Option<f64> {
    let prices = costing.request_prices(table.class)?;
    let changed = costing.model.table(&table.name)?;
    let load = costing.load(changed).indexes.get(&index.name).copied().unwrap_or_default();
    let (gigabytes, _) = costing.stored(changed, Some(&index.name));
    let requests = (load.read * prices.read + load.write * prices.write) * SECONDS;
    Some(requests + gigabytes * costing.storage_price(table.class))
}

/// What it costs to fetch one item that the index stands for.
fn fetch_price(costing: &Costing<'_>, table: &Table, index: &Index) -> Option<f64> {
    let size = |entity: &Entity| costing.size(table, entity).map(|size| size.item_bytes);
    let largest = costing.model.entities_in_index(table, index).filter_map(size).max()?;
    let units = read_units(in_memory(largest), Consistency::Eventual).units();
    Some(units * costing.request_prices(table.class)?.read)
}
