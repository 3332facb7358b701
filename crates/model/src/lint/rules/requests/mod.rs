//! Rules on requests, declared as access patterns or recorded.

use crate::lint::Rule;

pub(super) const RULES: &[Rule] = &[];
