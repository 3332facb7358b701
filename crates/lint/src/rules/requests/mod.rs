//! Rules on requests, declared as access patterns or recorded.

mod application_join;
mod bad_expression;
mod bare_reserved_word;
mod batch_condition_or_update;
mod batch_too_large;
mod begins_without_boundary;
mod bound_of_another_form;
mod contended_transaction;
mod dotted_name;
mod empty_key_range;
mod filter_low_hit_rate;
mod filter_on_key;
mod filter_with_limit;
mod ignored_last_evaluated_key;
mod increment_without_initial;
mod index_read_after_write;
mod item_action_on_index;
mod key_condition_comma;
mod limit_off_by_one;
mod literal_in_expression;
mod multi_write_not_atomic;
mod needless_transaction;
mod newest_n_ascending;
mod no_keep_alive;
mod non_idempotent_consumer;
mod partial_key;
mod placeholder_mismatch;
mod put_for_partial_change;
mod read_after_write;
mod read_modify_write_counter;
mod remove_used_on_set_member;
mod same_item_twice;
mod scan_as_query;
mod scan_with_equality_filter;
mod set_sent_as_list;
mod set_without_equals;
mod size_of_absent;
mod stop_on_empty_page;
mod strong_read_everywhere;
mod strong_read_on_gsi;
mod transaction_too_large;
mod unconditional_create;
mod unprocessed_dropped;
mod unsupported_key_operator;
mod untyped_or_mismatched_value;
mod update_creates_item;
mod update_key_attribute;

use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    application_join::RULE,
    bad_expression::RULE,
    bare_reserved_word::RULE,
    batch_condition_or_update::RULE,
    batch_too_large::RULE,
    begins_without_boundary::RULE,
    bound_of_another_form::RULE,
    contended_transaction::RULE,
    dotted_name::RULE,
    empty_key_range::RULE,
    filter_low_hit_rate::RULE,
    filter_on_key::RULE,
    filter_with_limit::RULE,
    ignored_last_evaluated_key::RULE,
    increment_without_initial::RULE,
    index_read_after_write::RULE,
    item_action_on_index::RULE,
    key_condition_comma::RULE,
    limit_off_by_one::RULE,
    literal_in_expression::RULE,
    multi_write_not_atomic::RULE,
    needless_transaction::RULE,
    newest_n_ascending::RULE,
    no_keep_alive::RULE,
    non_idempotent_consumer::RULE,
    partial_key::RULE,
    placeholder_mismatch::RULE,
    put_for_partial_change::RULE,
    read_after_write::RULE,
    read_modify_write_counter::RULE,
    remove_used_on_set_member::RULE,
    same_item_twice::RULE,
    scan_as_query::RULE,
    scan_with_equality_filter::RULE,
    set_sent_as_list::RULE,
    set_without_equals::RULE,
    size_of_absent::RULE,
    stop_on_empty_page::RULE,
    strong_read_everywhere::RULE,
    strong_read_on_gsi::RULE,
    transaction_too_large::RULE,
    unconditional_create::RULE,
    unprocessed_dropped::RULE,
    unsupported_key_operator::RULE,
    untyped_or_mismatched_value::RULE,
    update_creates_item::RULE,
    update_key_attribute::RULE,
];
