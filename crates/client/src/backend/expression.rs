//! What the placeholders of expressions stand for.

use std::collections::BTreeMap;

use monotable_item::Map;

/// What the `#names` of a request's expressions stand for. Empty where it has none.
pub type Names = BTreeMap<String, String>;

/// What the `:values` of a request's expressions stand for, colons included. Empty where it has
/// none.
pub type Values = Map;
