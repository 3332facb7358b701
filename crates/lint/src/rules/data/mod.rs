//! Rules on stored items.

mod drifted_index_key;
mod hot_key_in_data;
mod item_matches_no_entity;
mod large_collection_in_data;
mod missing_index_key;
mod mixed_types;

use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    drifted_index_key::RULE,
    hot_key_in_data::RULE,
    item_matches_no_entity::RULE,
    large_collection_in_data::RULE,
    missing_index_key::RULE,
    mixed_types::RULE,
];
