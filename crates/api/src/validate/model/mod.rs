//! Constraints of the service model, for requests of which no more is known than the model says.
//!
//! [`rules`] is the table: for each shape the members that must be there, and how long, how large
//! or which they may be. [`check`] visits a request beside the table, and answers all that is
//! wrong in one text, in the older form and in the order of the model. A shape that is used in
//! several places is written down once.
//!
//! The form is the one that AWS answers with for these actions, measured in October 2026; the
//! order of several members that are wrong at once was not.

mod pattern;
mod rule;
mod rules;

use std::fmt;

use monotable_protocol::inspect::{Elements, Inspect, Inspected, Members, decapitalized};

use super::constraint::{Violations, missing, old};
use crate::error::ApiError;
use rule::{Check, Rule};

/// Checks all members of a request, each by itself.
pub(crate) fn check(request: &impl Inspect) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    visit(&mut violations, &Path::Request, request.inspect());
    violations.finish()
}

/// Checks one member of a request whose other members are checked in other ways.
pub(crate) fn check_member(
    violations: &mut Violations,
    request: &str,
    name: &'static str,
    member: Option<&impl Inspect>,
) {
    let value = member.map(Inspect::inspect);
    visit_member(violations, &Path::Request, rules::of(request), name, value);
}

/// Where a value stands in a request. It is made into text only if something is wrong there.
enum Path<'p> {
    Request,
    Member(&'p Path<'p>, &'static str),
    Element(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Request => Ok(()),
            Path::Member(Path::Request, name) => f.write_str(&decapitalized(name)),
            Path::Member(parent, name) => write!(f, "{parent}.{}", decapitalized(name)),
            Path::Element(parent, number) => write!(f, "{parent}.{number}.member"),
        }
    }
}

fn visit(violations: &mut Violations, path: &Path<'_>, value: Inspected<'_>) {
    match value {
        Inspected::Structure(_) if violations.is_full() => {}
        Inspected::Structure(members) => visit_members(violations, path, members),
        Inspected::List(elements) => visit_elements(elements, |number, element| {
            visit(violations, &Path::Element(path, number), element);
        }),
        Inspected::Text(_) | Inspected::Integer(_) | Inspected::Unconstrained => {}
    }
}

fn visit_members(violations: &mut Violations, path: &Path<'_>, members: &dyn Members) {
    let rules = rules::of(members.shape());
    members.for_each(&mut |name, value| visit_member(violations, path, rules, name, value));
}

fn visit_member(
    violations: &mut Violations,
    path: &Path<'_>,
    rules: &[Rule],
    name: &'static str,
    value: Option<Inspected<'_>>,
) {
    let path = Path::Member(path, name);
    let rule = rules.iter().find(|rule| rule.member() == name);
    match (rule, value) {
        (Some(rule), Some(value)) => apply(violations, &path, rule.checks(), value),
        (Some(Rule::Required(..)), None) => violations.push(missing(&path)),
        (Some(Rule::Optional(..)) | None, _) => {}
    }
    if let Some(value) = value {
        visit(violations, &path, value);
    }
}

fn visit_elements(elements: &dyn Elements, mut each: impl FnMut(usize, Inspected<'_>)) {
    let mut number = 0;
    elements.for_each(&mut |element| {
        number += 1;
        each(number, element);
    });
}

fn apply(violations: &mut Violations, path: &Path<'_>, checks: &[Check], value: Inspected<'_>) {
    for check in checks {
        // A list can have millions of elements, of which none is told any more.
        if violations.is_full() {
            return;
        }
        match (check, value) {
            (Check::Each(checks), Inspected::List(elements)) => {
                visit_elements(elements, |number, element| {
                    apply(violations, &Path::Element(path, number), checks, element);
                });
            }
            (check, value) => {
                let constraint = check.violated(value);
                violations.extend(constraint.map(|constraint| old(value, path, &constraint)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use monotable_protocol::backup::{CreateBackupRequest, RestoreTableFromBackupRequest};
    use monotable_protocol::decode_request;

    use super::*;

    fn text(request: &impl Inspect) -> String {
        check(request).unwrap_err().message().unwrap().to_owned()
    }

    #[test]
    fn a_member_that_is_missing_is_told_in_the_order_of_the_model() {
        assert_eq!(
            text(&RestoreTableFromBackupRequest::default()),
            "2 validation errors detected: Value null at 'targetTableName' failed to satisfy \
             constraint: Member must not be null; Value null at 'backupArn' failed to satisfy \
             constraint: Member must not be null"
        );
    }

    #[test]
    fn a_value_can_violate_several_constraints() {
        let backup_name = Some("a!".to_owned());
        assert_eq!(
            text(&CreateBackupRequest { backup_name, table_name: None }),
            "2 validation errors detected: Value 'a!' at 'backupName' failed to satisfy \
             constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value \
             'a!' at 'backupName' failed to satisfy constraint: Member must have length greater \
             than or equal to 3"
        );
    }

    #[test]
    fn a_path_leads_through_lists() {
        let request: RestoreTableFromBackupRequest = decode_request(
            br#"{
                "TargetTableName": "shop",
                "BackupArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop/backup/1",
                "GlobalSecondaryIndexOverride": [{
                    "IndexName": "by-state",
                    "KeySchema": [{"AttributeName": "state", "KeyType": "SORT"}],
                    "Projection": {}
                }]
            }"#,
        )
        .unwrap();
        assert_eq!(
            text(&request),
            "1 validation error detected: Value 'SORT' at \
             'globalSecondaryIndexOverride.1.member.keySchema.1.member.keyType' failed to satisfy \
             constraint: Member must satisfy enum value set: [HASH, RANGE]"
        );
    }
}
