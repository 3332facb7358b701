//! Why policies decide as they do, statement by statement.

use std::borrow::Borrow;
use std::fmt;

use crate::condition::Condition;
use crate::decision::{Decision, Grants};
use crate::document::{Policy, PolicyKind, StatementRef};
use crate::principal::PrincipalMatch;
use crate::question::Question;
use crate::statement::{Effect, Scope, Sense, Statement};
use crate::template::Template;

/// A decision with the reasons for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation<'p> {
    /// What [`decide`](crate::decide) returns.
    pub decision: Decision<'p>,
    /// Every statement, in the order of the policies.
    pub statements: Vec<StatementTrace<'p>>,
}

/// Why a statement applies or does not.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementTrace<'p> {
    /// The statement.
    pub statement: StatementRef<'p>,
    /// The parts that do not match; the statement applies if this is empty.
    pub mismatches: Vec<Mismatch>,
    /// Whether the statement names only the principal's account, which is not enough for an allow
    /// within that account.
    pub names_only_account: bool,
}

impl StatementTrace<'_> {
    /// Whether the statement is about the question.
    pub fn applies(&self) -> bool {
        self.mismatches.is_empty()
    }

    /// Whether the statement is about the action, but not about the rest.
    pub fn nearly_applies(&self) -> bool {
        let is_action = |mismatch: &Mismatch| matches!(mismatch, Mismatch::Action { .. });
        !self.applies() && !self.mismatches.iter().any(is_action)
    }
}

/// Something in a statement that does not fit a question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The statement is about other principals.
    Principal {
        /// The member: `Principal` or `NotPrincipal`.
        member: &'static str,
        /// What it lists.
        listed: Vec<String>,
    },
    /// The statement is about other actions.
    Action {
        /// The member: `Action` or `NotAction`.
        member: &'static str,
        /// What it lists.
        listed: Vec<String>,
    },
    /// The statement is about other resources.
    Resource {
        /// The member: `Resource` or `NotResource`.
        member: &'static str,
        /// What it lists.
        listed: Vec<String>,
        /// A variable of it that has no value.
        unresolved: Option<String>,
    },
    /// A condition does not hold.
    Condition {
        /// The operator as the document spells it.
        operator: String,
        /// The key as the document spells it.
        key: String,
        /// Whether the operator is a negated one, which wants none of these values.
        is_negated: bool,
        /// What the document compares with.
        wanted: Vec<String>,
        /// What the request has.
        found: Option<Vec<String>>,
        /// A variable of it that has no value.
        unresolved: Option<String>,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Principal { member, listed } | Mismatch::Action { member, listed } => {
                write!(formatter, "{member} is {}", or_list(listed))
            }
            Mismatch::Resource { member, listed, unresolved } => {
                write!(formatter, "{member} is {}", or_list(listed))?;
                write_unresolved(formatter, unresolved.as_deref())
            }
            Mismatch::Condition { operator, key, is_negated, wanted, found, unresolved } => {
                let wish = if *is_negated { "not to be" } else { "to be" };
                write!(formatter, "{operator} wants {key} {wish} {}, ", or_list(wanted))?;
                match found {
                    None => write!(formatter, "but the request has no {key}")?,
                    Some(found) => write!(formatter, "but it is {}", or_list(found))?,
                }
                write_unresolved(formatter, unresolved.as_deref())
            }
        }
    }
}

fn write_unresolved(formatter: &mut fmt::Formatter<'_>, key: Option<&str>) -> fmt::Result {
    match key {
        None => Ok(()),
        Some(key) => write!(formatter, "; ${{{key}}} has no value"),
    }
}

/// Writes a list, and no more of it than can be read at a glance.
fn or_list(values: &[String]) -> String {
    const SHOWN_MAX: usize = 6;
    let shown: Vec<&str> = values.iter().take(SHOWN_MAX).map(String::as_str).collect();
    let shown = shown.join(", ");
    match values.len().checked_sub(SHOWN_MAX) {
        None if values.is_empty() => "empty".to_owned(),
        None | Some(0) => shown,
        Some(rest) => format!("{shown} and {rest} others"),
    }
}

/// Decides as [`decide`](crate::decide) does, and says of every statement why it applies or not.
pub fn explain<'p, P: Borrow<Policy>>(
    identity: &'p [P],
    resource: Option<&'p Policy>,
    question: &Question<'_>,
) -> Explanation<'p> {
    let mut statements = Vec::new();
    let mut grants = Grants::default();
    let mut denied_by = None;
    for policy in identity.iter().map(Borrow::borrow).chain(resource) {
        for (index, statement) in policy.statements.iter().enumerate() {
            let place = StatementRef::new(policy, index);
            let named = statement.names_principal(question);
            let trace = StatementTrace {
                statement: place,
                mismatches: mismatches(statement, question),
                names_only_account: policy.kind() == PolicyKind::Resource
                    && named == PrincipalMatch::Account,
            };
            match (statement.effect, trace.applies()) {
                (_, false) => {}
                (Effect::Deny, true) => denied_by = denied_by.or(Some(place)),
                (Effect::Allow, true) => grants.add(place, named),
            }
            statements.push(trace);
        }
    }
    let decision = denied_by.map_or_else(|| grants.decide(question), Decision::DeniedBy);
    Explanation { decision, statements }
}

fn mismatches(statement: &Statement, question: &Question<'_>) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    if statement.names_principal(question) == PrincipalMatch::None {
        mismatches.extend(statement.principals.as_ref().map(|scope| Mismatch::Principal {
            member: member(scope.sense, ["Principal", "NotPrincipal"]),
            listed: scope.members.iter().map(|member| member.source().to_owned()).collect(),
        }));
    }
    if !statement.names_action(question) {
        mismatches.push(Mismatch::Action {
            member: member(statement.actions.sense, ["Action", "NotAction"]),
            listed: sources(&statement.actions),
        });
    }
    if !statement.names_resource(question) {
        mismatches.push(Mismatch::Resource {
            member: member(statement.resources.sense, ["Resource", "NotResource"]),
            listed: sources(&statement.resources),
            unresolved: unresolved(&statement.resources.members, question),
        });
    }
    let failed = statement
        .conditions
        .iter()
        .filter(|condition| !condition.holds(statement.effect, question));
    mismatches.extend(failed.map(|condition| condition_mismatch(condition, question)));
    mismatches
}

fn condition_mismatch(condition: &Condition, question: &Question<'_>) -> Mismatch {
    let found = question.values(&condition.key);
    let found = found.map(|values| values.into_iter().map(|value| value.into_owned()).collect());
    Mismatch::Condition {
        operator: condition.operator.to_string(),
        key: condition.spelled_key.to_string(),
        is_negated: condition.operator.is_negated,
        wanted: condition.sources.iter().map(|source| source.to_string()).collect(),
        found,
        unresolved: condition.unresolved(question).map(str::to_owned),
    }
}

fn member(sense: Sense, [listed, not_listed]: [&'static str; 2]) -> &'static str {
    match sense {
        Sense::Listed => listed,
        Sense::NotListed => not_listed,
    }
}

fn sources(scope: &Scope<Template>) -> Vec<String> {
    scope.members.iter().map(|template| template.source().to_owned()).collect()
}

fn unresolved(templates: &[Template], question: &Question<'_>) -> Option<String> {
    templates.iter().find_map(|template| template.unresolved(question)).map(str::to_owned)
}
