//! Rules on what the model says about its own linting.

mod unused_allowance;

use crate::Rule;

pub(super) const RULES: &[Rule] = &[unused_allowance::RULE];
