//! Rules on keys and their templates.

mod ambiguous_prefix;
mod attribute_name_collision;
mod attribute_only_in_key;
mod case_folded_id;
mod delimiter_in_value;
mod descriptive_key_name;
mod gsi_treated_as_unique;
mod key_attribute_reused;
mod key_not_known_at_read;
mod key_too_long;
mod key_type_conflict;
mod missing_delimiter;
mod missing_type_attribute;
mod missing_type_prefix;
mod mixed_case_key;
mod mixed_timestamp_format;
mod mutable_in_index_key;
mod mutable_in_primary_key;
mod normalisation_collision;
mod pad_overflow;
mod prefix_place_conflict;
mod range_before_equality;
mod reserved_key_name;
mod sort_prefix_overlap;
mod space_in_key;
mod stale_unique_marker;
mod surrogate_only_key;
mod template_collision;
mod time_not_unique;
mod unique_in_sort_key;
mod unordered_value;
mod unpadded_number;
mod unsortable_date;
mod unversioned_key;
mod uuid_in_sort_position;
mod wrong_component_order;

use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    ambiguous_prefix::RULE,
    attribute_name_collision::RULE,
    attribute_only_in_key::RULE,
    case_folded_id::RULE,
    delimiter_in_value::RULE,
    descriptive_key_name::RULE,
    gsi_treated_as_unique::RULE,
    key_attribute_reused::RULE,
    key_not_known_at_read::RULE,
    key_too_long::RULE,
    key_type_conflict::RULE,
    missing_delimiter::RULE,
    missing_type_attribute::RULE,
    missing_type_prefix::RULE,
    mixed_case_key::RULE,
    mixed_timestamp_format::RULE,
    mutable_in_index_key::RULE,
    mutable_in_primary_key::RULE,
    normalisation_collision::RULE,
    pad_overflow::RULE,
    prefix_place_conflict::RULE,
    range_before_equality::RULE,
    reserved_key_name::RULE,
    sort_prefix_overlap::RULE,
    space_in_key::RULE,
    stale_unique_marker::RULE,
    surrogate_only_key::RULE,
    template_collision::RULE,
    time_not_unique::RULE,
    unique_in_sort_key::RULE,
    unordered_value::RULE,
    unpadded_number::RULE,
    unsortable_date::RULE,
    unversioned_key::RULE,
    uuid_in_sort_position::RULE,
    wrong_component_order::RULE,
];
