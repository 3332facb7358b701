//! Rules on time to live, streams and migrations.

mod backfill_by_put;
mod backfill_not_resumable;
mod backfill_without_type_filter;
mod migration_capacity;
mod new_entity_in_old_range;
mod projection_change;
mod rewriting_change_unannounced;
mod self_triggering_migration;
mod several_index_changes;
mod stream_retention;
mod stream_view_too_small;
mod ttl_guard_reversed;
mod ttl_not_epoch_seconds;
mod ttl_without_read_guard;
mod unique_with_ttl;

use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    backfill_by_put::RULE,
    backfill_not_resumable::RULE,
    backfill_without_type_filter::RULE,
    migration_capacity::RULE,
    new_entity_in_old_range::RULE,
    projection_change::RULE,
    rewriting_change_unannounced::RULE,
    self_triggering_migration::RULE,
    several_index_changes::RULE,
    stream_retention::RULE,
    stream_view_too_small::RULE,
    ttl_guard_reversed::RULE,
    ttl_not_epoch_seconds::RULE,
    ttl_without_read_guard::RULE,
    unique_with_ttl::RULE,
];
