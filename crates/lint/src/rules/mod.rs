//! The rules, a file each, in a folder for each topic.

mod allowances;
mod collections;
mod data;
mod evolution;
mod keys;
mod requests;

use super::Rule;

/// All rules, topic by topic.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let topics = [
        keys::RULES,
        requests::RULES,
        collections::RULES,
        evolution::RULES,
        data::RULES,
        allowances::RULES,
    ];
    topics.into_iter().flatten()
}

/// The rule of this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.code == code)
}
