//! Rules on item collections, indexes and throughput.

use crate::lint::Rule;

pub(super) const RULES: &[Rule] = &[];
