//! Contributor insights: whether the most requested keys of a table or index are recorded.

use std::sync::Arc;

use monotable_storage::Engine;

use crate::Database;
use crate::alteration::After;
use crate::error::TableError;
use crate::schema::TableSchema;
use crate::table::Table;

/// Which calls are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsightsMode {
    /// All, and those that are throttled.
    AccessedAndThrottled,
    /// Those that are throttled.
    Throttled,
}

/// Whether the keys of a table or index are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Insights {
    /// Whether they are.
    pub is_enabled: bool,
    /// Which calls count.
    pub mode: InsightsMode,
    /// When this last changed, in milliseconds since 1970.
    pub changed_millis: u64,
    /// When the keys began to be watched, in whatever mode.
    pub since_millis: u64,
    /// Until when the change is reported as under way, if it is.
    pub settled_millis: Option<u64>,
}

/// A change of insights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsightsChange {
    /// Watches the calls of a mode.
    Enable(InsightsMode),
    /// Watches no more.
    Disable,
}

impl Insights {
    /// What becomes of insights; none if the change changes nothing.
    pub fn changed(
        known: Option<Insights>,
        change: InsightsChange,
        now_millis: u64,
        settled_millis: Option<u64>,
    ) -> Option<Insights> {
        let enabled = known.filter(|known| known.is_enabled);
        match (enabled, change) {
            (Some(known), InsightsChange::Enable(mode)) if known.mode == mode => None,
            (None, InsightsChange::Disable) => None,
            (Some(known), InsightsChange::Disable) => Some(Insights {
                is_enabled: false,
                changed_millis: now_millis,
                settled_millis,
                ..known
            }),
            (enabled, InsightsChange::Enable(mode)) => Some(Insights {
                is_enabled: true,
                mode,
                changed_millis: now_millis,
                since_millis: enabled.map_or(now_millis, |known| known.since_millis),
                settled_millis,
            }),
        }
    }
}

impl TableSchema {
    /// Returns whether the keys of the table or of one of its indexes are watched.
    pub fn has_insights(&self) -> bool {
        let is_enabled = |insights: &Option<Insights>| {
            insights.as_ref().is_some_and(|insights| insights.is_enabled)
        };
        is_enabled(&self.insights) || self.indexes.iter().any(|index| is_enabled(&index.insights))
    }

    /// The insights of the table, or of the index of this name.
    pub fn insights_of(&self, index: Option<&str>) -> Option<Insights> {
        match index {
            None => self.insights,
            Some(name) => self.index(name).and_then(|index| index.insights),
        }
    }
}

impl<E: Engine> Database<E> {
    /// Changes the insights of a table that was checked, or of one of its indexes.
    pub async fn update_insights(
        self: &Arc<Self>,
        table: &Arc<Table>,
        index: Option<String>,
        change: InsightsChange,
    ) -> Result<Arc<Table>, TableError> {
        let now_millis = self.clock.now_millis();
        let settled_millis = self.settled_millis(now_millis);
        self.alter(table, move |before| {
            let mut schema = before.schema.clone();
            let place = match &index {
                None => &mut schema.insights,
                Some(name) => {
                    let mut indexes = schema.indexes.iter_mut();
                    let found = indexes.find(|index| index.name == *name);
                    &mut found.ok_or(TableError::IndexNotFound)?.insights
                }
            };
            *place = Insights::changed(*place, change, now_millis, settled_millis).or(*place);
            Ok(After::schema(schema))
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AWS keeps the rules of a table, and the time in their names, when only the mode changes.
    #[test]
    fn another_mode_keeps_the_time_at_which_watching_began() {
        let enable = |mode| InsightsChange::Enable(mode);
        let all = Insights::changed(None, enable(InsightsMode::AccessedAndThrottled), 5, None);
        let throttled = Insights::changed(all, enable(InsightsMode::Throttled), 9, None).unwrap();
        assert_eq!((throttled.since_millis, throttled.changed_millis), (5, 9));
        let off = Insights::changed(Some(throttled), InsightsChange::Disable, 11, None);
        let again = Insights::changed(off, enable(InsightsMode::Throttled), 13, None).unwrap();
        assert_eq!(again.since_millis, 13);
    }

    #[test]
    fn what_is_so_already_is_no_change() {
        assert_eq!(Insights::changed(None, InsightsChange::Disable, 5, None), None);
        let mode = InsightsMode::Throttled;
        let on = Insights::changed(None, InsightsChange::Enable(mode), 5, None);
        assert_eq!(Insights::changed(on, InsightsChange::Enable(mode), 6, None), None);
    }
}
