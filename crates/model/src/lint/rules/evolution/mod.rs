//! Rules on time to live, streams and migrations.

use crate::lint::Rule;

pub(super) const RULES: &[Rule] = &[];
