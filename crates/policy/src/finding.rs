//! What a policy may say, but probably by mistake.

use std::fmt;

use crate::condition::{Condition, Quantifier, Test};
use crate::keys;
use crate::known_actions::{self, SERVICE};
use crate::pattern::Case;
use crate::statement::{Effect, Sense, Statement};
use crate::template::{Template, Variables};

/// Something in a policy that is probably a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where, such as `Statement[0].Action`.
    pub path: String,
    /// What.
    pub concern: Concern,
}

/// What is probably a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Concern {
    /// No action has this name.
    UnknownAction {
        /// What the document says.
        action: String,
        /// What could be meant.
        suggestion: Option<&'static str>,
    },
    /// The action belongs to another service.
    ForeignAction {
        /// What the document says.
        action: String,
    },
    /// No request has this condition key.
    UnknownKey {
        /// What the document says.
        key: String,
        /// What could be meant.
        suggestion: Option<&'static str>,
    },
    /// No resource of DynamoDB has such an ARN.
    UnknownResource {
        /// What the document says.
        resource: String,
    },
    /// A key that can have several values is compared without a set operator.
    NoSetOperator {
        /// The key as the document spells it.
        key: String,
        /// The operator as the document spells it.
        operator: String,
    },
    /// An allow holds for requests that have no such key.
    HoldsWithoutKey {
        /// The key as the document spells it.
        key: String,
        /// An action that it takes and that has no such key.
        action: &'static str,
    },
    /// A text looks like a variable, but the version knows none.
    NoVariables {
        /// What the document says.
        text: String,
    },
    /// An allow names what it is not about.
    AllowsTheRest {
        /// The member.
        member: &'static str,
    },
    /// A list is empty.
    EmptyList,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.concern)
    }
}

impl fmt::Display for Concern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let did_you_mean = |suggestion: &Option<&str>| match suggestion {
            Some(suggestion) => format!("; did you mean {suggestion}?"),
            None => String::new(),
        };
        match self {
            Concern::UnknownAction { action, suggestion } => {
                write!(formatter, "{action} is no action of DynamoDB{}", did_you_mean(suggestion))
            }
            Concern::ForeignAction { action } => {
                write!(formatter, "{action} belongs to another service and never happens here")
            }
            Concern::UnknownKey { key, suggestion } => {
                write!(
                    formatter,
                    "no request has the condition key {key}{}",
                    did_you_mean(suggestion)
                )
            }
            Concern::UnknownResource { resource } => write!(
                formatter,
                "{resource} is no resource of DynamoDB; tables are \
                 arn:aws:dynamodb:REGION:ACCOUNT:table/NAME"
            ),
            Concern::NoSetOperator { key, operator } => write!(
                formatter,
                "{key} can have several values; write ForAllValues:{operator} or \
                 ForAnyValue:{operator}"
            ),
            Concern::HoldsWithoutKey { key, action } => write!(
                formatter,
                "requests without {key}, such as a {action}, are allowed as well; leave their \
                 actions out or add \"Null\": {{\"{key}\": \"false\"}}"
            ),
            Concern::NoVariables { text } => {
                write!(formatter, "{text} has a variable, which needs \"Version\": \"2012-10-17\"")
            }
            Concern::AllowsTheRest { member } => {
                write!(formatter, "{member} with Allow allows everything that is not listed")
            }
            Concern::EmptyList => write!(formatter, "the list is empty"),
        }
    }
}

/// Returns what is probably a mistake in statements.
pub(crate) fn findings(statements: &[Statement], variables: Variables) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let mut found = Found { path: format!("Statement[{index}]"), findings: &mut findings };
        found.actions(statement);
        found.resources(statement, variables);
        found.principals(statement);
        for condition in &statement.conditions {
            found.condition(statement, condition, variables);
        }
    }
    findings
}

struct Found<'a> {
    path: String,
    findings: &'a mut Vec<Finding>,
}

impl Found<'_> {
    fn add(&mut self, place: &str, concern: Concern) {
        self.findings.push(Finding { path: format!("{}.{place}", self.path), concern });
    }

    fn actions(&mut self, statement: &Statement) {
        let member = match statement.actions.sense {
            Sense::Listed => "Action",
            Sense::NotListed => "NotAction",
        };
        self.sense(statement, statement.actions.sense, member);
        if statement.actions.members.is_empty() {
            self.add(member, Concern::EmptyList);
        }
        for template in &statement.actions.members {
            let action = template.source();
            let Some((service, name)) = action.split_once(':') else { continue };
            if !service.eq_ignore_ascii_case(SERVICE) {
                self.add(member, Concern::ForeignAction { action: action.to_owned() });
            } else if !known_actions::stands_for_any(name) {
                let suggestion = known_actions::suggestion(name);
                self.add(member, Concern::UnknownAction { action: action.to_owned(), suggestion });
            }
        }
    }

    fn sense(&mut self, statement: &Statement, sense: Sense, member: &'static str) {
        if sense == Sense::NotListed && statement.effect == Effect::Allow {
            self.add(member, Concern::AllowsTheRest { member });
        }
    }

    fn resources(&mut self, statement: &Statement, variables: Variables) {
        let member = match statement.resources.sense {
            Sense::Listed => "Resource",
            Sense::NotListed => "NotResource",
        };
        self.sense(statement, statement.resources.sense, member);
        if statement.resources.members.is_empty() {
            self.add(member, Concern::EmptyList);
        }
        for template in &statement.resources.members {
            let resource = template.source();
            self.text(member, resource, variables);
            if !can_be_resource(resource) {
                self.add(member, Concern::UnknownResource { resource: resource.to_owned() });
            }
        }
    }

    fn principals(&mut self, statement: &Statement) {
        let Some(scope) = &statement.principals else { return };
        let member = match scope.sense {
            Sense::Listed => "Principal",
            Sense::NotListed => "NotPrincipal",
        };
        if scope.members.is_empty() {
            self.add(member, Concern::EmptyList);
        }
    }

    fn text(&mut self, place: &str, text: &str, variables: Variables) {
        if variables == Variables::Literal && text.contains("${") {
            self.add(place, Concern::NoVariables { text: text.to_owned() });
        }
    }

    fn condition(&mut self, statement: &Statement, condition: &Condition, variables: Variables) {
        let key = || condition.spelled_key.to_string();
        let place = format!("Condition.{}", condition.operator);
        if condition.sources.is_empty() {
            self.add(&place, Concern::EmptyList);
        }
        for source in &condition.sources {
            self.text(&place, source, variables);
        }
        if !keys::is_known(&condition.key) {
            let suggestion = keys::similar(&condition.key);
            self.add(&place, Concern::UnknownKey { key: key(), suggestion });
        }
        let is_multivalued = keys::MULTIVALUED.contains(&&*condition.key);
        let is_null = matches!(condition.test, Test::Null(_));
        if is_multivalued && condition.operator.quantifier.is_none() && !is_null {
            let operator = condition.operator.to_string();
            self.add(&place, Concern::NoSetOperator { key: key(), operator });
        }
        if let Some(action) = taken_without_key(statement, condition) {
            self.add(&place, Concern::HoldsWithoutKey { key: key(), action });
        }
    }
}

/// Actions that find the items of all partitions. A PartiQL statement without a key is one of them.
const WITHOUT_KEYS: &[&str] = &["Scan", "SearchVectors", "PartiQLSelect"];

/// If an allow is limited by the leading keys of requests: an action that it takes that has none.
fn taken_without_key(statement: &Statement, condition: &Condition) -> Option<&'static str> {
    let is_limit = statement.effect == Effect::Allow
        && &*condition.key == keys::LEADING_KEYS
        && condition.operator.quantifier == Some(Quantifier::ForAllValues);
    let has_test = |key: &str, is_wanted: fn(&Test) -> bool| {
        statement.conditions.iter().any(|other| &*other.key == key && is_wanted(&other.test))
    };
    if !is_limit || has_test(keys::LEADING_KEYS, is_there) {
        return None;
    }
    let holds_scans_back = has_test(keys::FULL_TABLE_SCAN, is_false);
    let mut actions = WITHOUT_KEYS.iter().copied();
    actions.find(|action| {
        let is_held_back = *action == "PartiQLSelect" && holds_scans_back;
        !is_held_back && takes(statement, action)
    })
}

/// Whether a statement is about an action.
fn takes(statement: &Statement, action: &str) -> bool {
    let action = format!("{SERVICE}:{action}");
    let is_listed = |template: &Template| template.matches_plain(&action, Case::Insensitive);
    statement.actions.members.iter().any(is_listed) != (statement.actions.sense == Sense::NotListed)
}

/// Whether a test wants its key to be there.
fn is_there(test: &Test) -> bool {
    matches!(test, Test::Null(wanted) if wanted == &[false])
}

/// Whether a test wants its key to be false.
fn is_false(test: &Test) -> bool {
    let is_no = |template: &Template| template.matches_plain("false", Case::Insensitive);
    matches!(test, Test::Bool(wanted) if wanted.iter().all(is_no))
}

/// Whether an ARN with wildcards can be that of something in DynamoDB.
fn can_be_resource(resource: &str) -> bool {
    let mut parts = resource.splitn(crate::arn::PARTS, ':');
    let service = parts.nth(2);
    let name = parts.nth(2);
    let is_wild = |text: &str| text.contains(['*', '?', '$']);
    let is_service = service.is_none_or(|service| service == SERVICE || is_wild(service));
    let is_name = name.is_none_or(|name| {
        let kinds = ["table/", "global-table/"];
        kinds.iter().any(|kind| name.starts_with(kind))
            || is_wild(name.split('/').next().unwrap_or(name))
    });
    is_service && is_name
}
