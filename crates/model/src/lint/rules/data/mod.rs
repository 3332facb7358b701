//! Rules on stored items.

use crate::lint::Rule;

pub(super) const RULES: &[Rule] = &[];
