//! A key attribute with the name of one entity's attribute, in a table or index of several.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Index, Profile, Table};

use crate::Subject;
use crate::key_site::{Resident, RouteKey, is_same_family, residents, route_keys, routes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "descriptive-key-name",
    Warning,
    Keys,
    Model,
    "a key attribute that several entities use is named after what it is in one of them",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if subject.profile == Profile::MultiTable {
        return Vec::new();
    }
    let all = routes(subject.model);
    all.flat_map(|(table, index)| named_after_a_field(subject, table, index)).collect()
}

fn named_after_a_field(
    subject: &Subject<'_>,
    table: &Table,
    index: Option<&Index>,
) -> Vec<Diagnostic> {
    let residents = residents(subject.model, table, index);
    if !holds_several(&residents) {
        return Vec::new();
    }
    let of_field = |key: RouteKey<'_>| {
        let name = &key.attribute.name;
        if is_named_after_role(name) {
            return None;
        }
        let has = |resident: &&Resident<'_>| {
            resident.entity.attributes.iter().any(|attribute| attribute.item_name() == name)
        };
        Some(finding(&key, residents.iter().find(has)?, residents.len()))
    };
    route_keys(table, index).into_iter().filter_map(of_field).collect()
}

fn holds_several(residents: &[Resident<'_>]) -> bool {
    let Some((first, others)) = residents.split_first() else { return false };
    others.iter().any(|other| !is_same_family(first.entity, other.entity))
}

fn finding(key: &RouteKey<'_>, owner: &Resident<'_>, count: usize) -> Diagnostic {
    let (name, entity) = (&key.attribute.name, &owner.entity.name);
    let message = format!(
        "{count} entities have their keys in {name}, which is the name of an attribute of {entity}"
    );
    let suggestion = format!(
        "call the key PK, SK, GSI1PK and so on, and let {name} be an attribute of {entity}"
    );
    Diagnostic::warning(RULE.code, key.place.clone(), message).with_suggestion(suggestion)
}

/// Whether a name says what the key is and not what is in it: `PK`, `gsi1_sk`, `LSI1`. An entity
/// may well list it among its attributes.
fn is_named_after_role(name: &str) -> bool {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    let base = plain.trim_end_matches(|character: char| character.is_ascii_digit());
    let roles = ["pk", "sk", "partitionkey", "sortkey", "hashkey", "rangekey"];
    roles.iter().any(|role| base.ends_with(role))
        || ["gsi", "lsi"].iter().any(|index| base.starts_with(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_told_from_properties() {
        for name in ["PK", "sk", "GSI1PK", "gsi1_sk", "LSI1", "partitionKey"] {
            assert!(is_named_after_role(name), "{name}");
        }
        for name in ["CustomerId", "email", "status", "createdAt"] {
            assert!(!is_named_after_role(name), "{name}");
        }
    }
}
