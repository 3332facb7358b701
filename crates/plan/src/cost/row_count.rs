//! How many rows the calls of a pattern read, and how large they are.
//!
//! What the pattern says comes first, then what relationships say; what is left is assumed, and
//! said so.

use monotable_model::document::{Action, Operation, Pattern, Relationship, Table};

use super::call::{Caller, Calls};
use super::page::Rows;
use super::related_count::count_together;
use super::route::ReadRoute;
use super::size::EntitySize;

impl<'m> Caller<'m> {
    /// The rows that are evaluated: those that come back, those that leak in, those that a filter
    /// drops.
    pub(super) fn rows_read(
        &self,
        pattern: &Pattern,
        table: &Table,
        route: &ReadRoute,
        calls: &mut Calls,
    ) -> Rows {
        let all: Vec<String> = pattern.entities.iter().chain(&route.leaks).cloned().collect();
        let bytes_each = self.mean_bytes(pattern, table, &all, route.index.as_deref());
        let limit = pattern.limit.map(|limit| limit as f64);
        let mut count = if pattern.operation == Operation::Scan {
            self.rows_of_scan(pattern, table, route, calls)
        } else {
            self.rows_of_query(pattern, route, calls)
        };
        if let Some(limit) = limit {
            count = if route.filters { limit } else { count.min(limit) };
        }
        Rows { count, bytes_each }
    }

    fn rows_of_query(&self, pattern: &Pattern, route: &ReadRoute, calls: &mut Calls) -> f64 {
        let in_collection = |name: &String| count_together(self.model, name, pattern);
        let counts = || pattern.entities.iter().map(|name| (name, in_collection(name)));
        let known: f64 = counts().filter_map(|(_, count)| count).sum();
        let unknown = || counts().filter(|(_, count)| count.is_none()).map(|(name, _)| name);
        let mut rows = match pattern.rows {
            Some(rows) if route.filters => {
                if unknown().next().is_some() {
                    let message = "rows that the filter drops are not counted: \
                                   nothing says how many";
                    calls.assume(message);
                }
                rows.max(known)
            }
            Some(rows) => rows,
            None => {
                if known > 0.0 {
                    calls.assume("as many rows come back as the relationship says");
                }
                known + self.assumed_rows(pattern, &unknown().collect::<Vec<_>>(), calls)
            }
        };
        for leak in &route.leaks {
            rows += in_collection(leak).unwrap_or_else(|| {
                calls.assume("of each entity that leaks in, one row is read");
                1.0
            });
        }
        rows
    }

    /// One row of each entity that nothing counts.
    fn assumed_rows(&self, pattern: &Pattern, unknown: &[&String], calls: &mut Calls) -> f64 {
        for name in unknown {
            let what = if pattern.entities.len() > 1 { name.as_str() } else { "row" };
            let why = "neither rows nor a relationship says how many";
            calls.assume(&format!("one {what} comes back: {why}"));
        }
        unknown.len() as f64
    }

    fn rows_of_scan(
        &self,
        pattern: &Pattern,
        table: &Table,
        route: &ReadRoute,
        calls: &mut Calls,
    ) -> f64 {
        let counts = self.model.entities_in(table).filter_map(|entity| {
            let size = self.size(table, entity)?;
            let share = match &route.index {
                None => 1.0,
                Some(index) => size.entry(index)?.share,
            };
            Some(size.count? * share)
        });
        let all: f64 = counts.sum();
        if all > 0.0 {
            return all;
        }
        calls.assume("the scan reads what comes back: no entity says how many items there are");
        pattern.rows.unwrap_or(1.0)
    }

    /// The size of a row, on average over entities by how many of them there are.
    pub(super) fn mean_bytes(
        &self,
        pattern: &Pattern,
        table: &Table,
        entities: &[String],
        index: Option<&str>,
    ) -> u64 {
        if let (Some(bytes), None) = (pattern.item_bytes, index) {
            return bytes;
        }
        let is_held = |size: &&EntitySize| index.is_none_or(|index| size.entry(index).is_some());
        let named = entities.iter().filter_map(|name| self.model.entity(name));
        let sizes: Vec<&EntitySize> =
            named.filter_map(|entity| self.size(table, entity)).filter(is_held).collect();
        let weight = |size: &EntitySize| {
            let are_counted = sizes.iter().all(|size| size.count.is_some_and(|count| count > 0.0));
            if are_counted { size.count.unwrap_or(1.0) } else { 1.0 }
        };
        let weights: f64 = sizes.iter().map(|size| weight(size)).sum();
        let bytes: f64 = sizes.iter().map(|size| weight(size) * size.row_bytes(index) as f64).sum();
        if weights > 0.0 { (bytes / weights).ceil() as u64 } else { 0 }
    }

    /// How many items a batch has.
    pub(super) fn rows_of_batch(&self, pattern: &Pattern, calls: &mut Calls) -> f64 {
        pattern.rows.unwrap_or_else(|| {
            if !pattern.entities.is_empty() {
                calls.assume("the batch has one item of each entity: rows does not say how many");
            }
            pattern.entities.len().max(1) as f64
        })
    }

    /// How often an action is done in one run.
    pub(super) fn action_count(
        &self,
        pattern: &Pattern,
        action: &Action,
        calls: &mut Calls,
    ) -> f64 {
        match &action.each {
            None => 1.0,
            Some(name) => self.each_count(pattern, Some(&action.entity), name, calls),
        }
    }

    /// How many elements a list parameter has: as the relationship says, or as `rows` does.
    pub(super) fn each_count(
        &self,
        pattern: &Pattern,
        entity: Option<&str>,
        parameter: &str,
        calls: &mut Calls,
    ) -> f64 {
        let related = entity.and_then(|entity| self.relationship_within(pattern, entity));
        related.and_then(Relationship::average_count).or(pattern.rows).unwrap_or_else(|| {
            calls.assume(&format!("{parameter} has one element: nothing says how many"));
            1.0
        })
    }

    /// The relationship of an entity to another of the pattern, which says how many of it there
    /// are.
    fn relationship_within(&self, pattern: &Pattern, entity: &str) -> Option<&'m Relationship> {
        let is_named = |name: &str| pattern.all_entities().any(|other| other == name);
        let mut relationships = self.model.relationships.iter();
        relationships.find(|one| one.counted() == entity && is_named(&one.from))
    }
}
