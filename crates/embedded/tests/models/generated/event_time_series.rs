//! Events in a table for each month
//!
//! Tables, entities and access patterns of the model `event-time-series`, written by `monotable
//! model export --to rust`.

use monotable::db::{Query, Upsert};
use monotable::prelude::*;

/// The current month
#[derive(Table)]
#[table(name = "Events_table_2024_04", pk = "Event_id", sk = "Timestamp", entities(Event,))]
pub struct EventsTable202404;

/// In the table of its month
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = EventsTable202404)]
#[key(by_event_id: pk = "{event_id}", sk = "{timestamp:time(s)}")]
pub struct Event {
    /// The attribute `Event_id`.
    #[attr(name = "Event_id", max_len = 40)]
    pub event_id: String,
    /// The attribute `Timestamp`.
    #[attr(name = "Timestamp")]
    pub timestamp: String,
    /// The attribute `Attribute1`.
    #[attr(name = "Attribute1", max_len = 200)]
    pub attribute1: Option<String>,
}

/// Access pattern: write event.
///
/// The time of the event names the table
///
/// Open the table as `Events_table_2024_04`.
pub fn write_event(db: &Db<EventsTable202404>, event: &Event) -> Upsert<Event> {
    db.upsert(event)
}

/// Access pattern: events of a time within a month.
///
/// Open the table as `Events_table_2024_03`.
pub fn events_of_a_time_within_a_month(
    db: &Db<EventsTable202404>,
    event_id: &str,
    from: &str,
    to: &str,
) -> Query<event::ByEventId> {
    db.query(Event::by_event_id(event_id).timestamp_in(from..=to))
}

/// Access pattern: events of a time over several months.
///
/// A query of each table, one behind the other
///
/// Ask each of the tables Events_table_2024_04, Events_table_2024_03, Events_table_2024_02,
/// Events_table_2024_01, and merge.
pub fn events_of_a_time_over_several_months(
    db: &Db<EventsTable202404>,
    event_id: &str,
    from: &str,
    to: &str,
) -> Query<event::ByEventId> {
    db.query(Event::by_event_id(event_id).timestamp_in(from..=to))
}
