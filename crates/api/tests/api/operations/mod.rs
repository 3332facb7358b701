//! The operations on tables, the older parameters, and what holds for all operations.

mod authorization;
mod contributor_insights;
mod create_table;
mod create_table_constraints;
mod create_table_definition;
mod creation_rights;
mod delete_table;
mod describe_table;
mod legacy_attribute_updates;
mod legacy_attributes_to_get;
mod legacy_expected;
mod legacy_filters;
mod legacy_key_conditions;
mod list_tables;
mod long_lists;
mod partiql_equivalence;
mod partiql_ranges;
mod resource_policies;
mod search_vectors;
mod shared_tables;
mod table_statuses;
mod tags;
mod update_table;
mod update_table_checks;
mod vector_indexes;
