//! Rules on item collections, indexes and throughput.

mod child_flood;
mod constant_partition;
mod copy_without_maintainer;
mod count_by_query;
mod count_not_decremented;
mod dead_prefix_test;
mod dedicated_sparse_overloaded;
mod duplicated_mutable;
mod entity_leak;
mod entity_never_read;
mod entity_never_written;
mod entity_unreachable;
mod full_duplicate_marker;
mod gsi_under_provisioned;
mod hot_and_cold_mixed;
mod hot_partition;
mod hot_singleton;
mod index_back_pressure;
mod index_filtered_by_constant;
mod index_key_needs_read;
mod index_per_pattern;
mod index_quota;
mod inverted_number_wrong_direction;
mod item_size;
mod large_attribute_in_list_query;
mod limit_without_parent;
mod long_attribute_names;
mod low_cardinality_partition;
mod lsi_growth;
mod lsi_on_existing_table;
mod multi_attribute_index_candidate;
mod no_access_patterns;
mod page_starvation;
mod parent_at_wrong_end;
mod project_all;
mod projection_gap;
mod projection_quota;
mod query_on_nested_value;
mod random_shard_but_known_key;
mod result_exceeds_page;
mod shard_fanout_missing;
mod single_table_without_joins;
mod sparse_by_null;
mod sparse_index_not_sparse;
mod sparse_not_removed;
mod table_per_entity;
mod unbounded_collection_attribute;
mod unbounded_item_collection;
mod unplanned_pattern;
mod unused_index;

use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    child_flood::RULE,
    constant_partition::RULE,
    copy_without_maintainer::RULE,
    count_by_query::RULE,
    count_not_decremented::RULE,
    dead_prefix_test::RULE,
    dedicated_sparse_overloaded::RULE,
    duplicated_mutable::RULE,
    entity_leak::RULE,
    entity_never_read::RULE,
    entity_never_written::RULE,
    entity_unreachable::RULE,
    full_duplicate_marker::RULE,
    gsi_under_provisioned::RULE,
    hot_and_cold_mixed::RULE,
    hot_partition::RULE,
    hot_singleton::RULE,
    index_back_pressure::RULE,
    index_filtered_by_constant::RULE,
    index_key_needs_read::RULE,
    index_per_pattern::RULE,
    index_quota::RULE,
    inverted_number_wrong_direction::RULE,
    item_size::RULE,
    large_attribute_in_list_query::RULE,
    limit_without_parent::RULE,
    long_attribute_names::RULE,
    low_cardinality_partition::RULE,
    lsi_growth::RULE,
    lsi_on_existing_table::RULE,
    multi_attribute_index_candidate::RULE,
    no_access_patterns::RULE,
    page_starvation::RULE,
    parent_at_wrong_end::RULE,
    project_all::RULE,
    projection_gap::RULE,
    projection_quota::RULE,
    query_on_nested_value::RULE,
    random_shard_but_known_key::RULE,
    result_exceeds_page::RULE,
    shard_fanout_missing::RULE,
    single_table_without_joins::RULE,
    sparse_by_null::RULE,
    sparse_index_not_sparse::RULE,
    sparse_not_removed::RULE,
    table_per_entity::RULE,
    unbounded_collection_attribute::RULE,
    unbounded_item_collection::RULE,
    unplanned_pattern::RULE,
    unused_index::RULE,
];
