//! Rules on keys and their templates.

mod missing_type_prefix;

use crate::lint::Rule;

pub(super) const RULES: &[Rule] = &[missing_type_prefix::RULE];
