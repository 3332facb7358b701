//! Rules on time to live, streams and migrations.

mod unique_with_ttl;

use crate::lint::Rule;

pub(super) const RULES: &[Rule] = &[unique_with_ttl::RULE];
