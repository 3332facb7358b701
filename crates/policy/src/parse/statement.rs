//! Reads one statement.

use super::condition;
use super::node::{Node, Object};
use super::path::Path;
use crate::document::PolicyKind;
use crate::error::{PolicyError, Problem};
use crate::principal::PrincipalPattern;
use crate::similarity;
use crate::statement::{Effect, Scope, Sense, Statement};
use crate::template::{Template, Variables, Wildcards};

/// The members of a statement, in the order in which documents are kept.
pub(super) const MEMBERS: &[&str] = &[
    "Sid",
    "Effect",
    "Principal",
    "NotPrincipal",
    "Action",
    "NotAction",
    "Resource",
    "NotResource",
    "Condition",
];

const PRINCIPAL_MEMBERS: &[&str] = &["AWS", "Service", "Federated", "CanonicalUser"];

pub(super) fn statement(
    kind: PolicyKind,
    variables: Variables,
    node: &Node,
    path: &Path<'_>,
) -> Result<Statement, PolicyError> {
    let object = Object::of(node, path, MEMBERS)?;
    let actions = scope(&object, path, ["Action", "NotAction"], "Action or NotAction", action)?;
    let resource = |text: &str| resource(text, variables);
    let resources =
        scope(&object, path, ["Resource", "NotResource"], "Resource or NotResource", resource)?;
    let effect = effect(&object, path)?;
    let principals = principals(kind, &object, path)?;
    let is_exception = |scope: &Scope<_>| scope.sense == Sense::NotListed;
    if effect == Effect::Allow && principals.as_ref().is_some_and(is_exception) {
        return Err(path.member("NotPrincipal").error(Problem::AllowWithNotPrincipal));
    }
    Ok(Statement {
        sid: sid(kind, &object, path)?,
        effect,
        principals,
        actions,
        resources,
        conditions: match object.get("Condition") {
            None => Vec::new(),
            Some(node) => condition::conditions(node, variables, &path.member("Condition"))?,
        },
    })
}

fn sid(
    kind: PolicyKind,
    object: &Object<'_>,
    path: &Path<'_>,
) -> Result<Option<Box<str>>, PolicyError> {
    let Some(node) = object.get("Sid") else { return Ok(None) };
    let path = path.member("Sid");
    let sid = node.text(&path)?;
    // An empty Sid is as good as none. Policies of resources may have blanks and marks in it.
    let is_allowed = |character: char| match kind {
        PolicyKind::Identity => character.is_ascii_alphanumeric(),
        PolicyKind::Resource => !character.is_control(),
    };
    if !sid.chars().all(is_allowed) {
        return Err(path.error(Problem::MalformedSid { sid: sid.to_owned() }));
    }
    Ok(Some(sid).filter(|sid| !sid.is_empty()).map(Into::into))
}

fn effect(object: &Object<'_>, path: &Path<'_>) -> Result<Effect, PolicyError> {
    let node = object.required("Effect", path)?;
    let path = path.member("Effect");
    match node.text(&path)? {
        "Allow" => Ok(Effect::Allow),
        "Deny" => Ok(Effect::Deny),
        other => {
            let suggestion = similarity::closest(other, ["Allow", "Deny"]);
            Err(path.error(Problem::UnknownEffect { effect: other.to_owned(), suggestion }))
        }
    }
}

/// Reads one of two members that exclude each other, of which one is needed.
fn scope<T>(
    object: &Object<'_>,
    path: &Path<'_>,
    names: [&'static str; 2],
    needed: &'static str,
    read: impl Fn(&str) -> Result<T, Problem>,
) -> Result<Scope<T>, PolicyError> {
    let (sense, name, node) = one_of_two(object, path, names)?
        .ok_or_else(|| path.error(Problem::Missing { name: needed }))?;
    let members = node.each_text(&path.member(name), |text, path| {
        read(text).map_err(|problem| path.error(problem))
    })?;
    Ok(Scope { sense, members })
}

type Found<'a> = (Sense, &'static str, &'a Node);

fn one_of_two<'a>(
    object: &Object<'a>,
    path: &Path<'_>,
    [listed, not_listed]: [&'static str; 2],
) -> Result<Option<Found<'a>>, PolicyError> {
    match (object.get(listed), object.get(not_listed)) {
        (Some(_), Some(_)) => {
            Err(path.error(Problem::Exclusive { first: listed, second: not_listed }))
        }
        (Some(node), None) => Ok(Some((Sense::Listed, listed, node))),
        (None, Some(node)) => Ok(Some((Sense::NotListed, not_listed, node))),
        (None, None) => Ok(None),
    }
}

/// Reads `*` or a service and a name. The service has no wildcards, as in AWS.
fn action(text: &str) -> Result<Template, Problem> {
    let malformed = || Problem::MalformedAction { action: text.to_owned() };
    let is_service =
        |service: &str| service.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'?' | b'_'))
    };
    let is_action = text.split_once(':').is_some_and(|(service, name)| {
        !service.is_empty() && is_service(service) && !name.is_empty() && is_name(name)
    });
    if text != "*" && !is_action {
        return Err(malformed());
    }
    Template::parse(text, Wildcards::Active, Variables::Literal)
}

/// Reads `*` or an ARN, which may have a wildcard in place of its last parts.
fn resource(text: &str, variables: Variables) -> Result<Template, Problem> {
    let is_arn = text.strip_prefix("arn:").is_some_and(|rest| !rest.is_empty());
    if !text.starts_with('*') && !is_arn {
        return Err(Problem::MalformedResource { resource: text.to_owned() });
    }
    let complete = complete_arn(text);
    Template::parse(&complete, Wildcards::Active, variables)
}

/// Appends wildcards for the parts that an ARN leaves out at its end.
fn complete_arn(text: &str) -> String {
    let parts = text.matches(':').count() + 1;
    if !text.starts_with("arn:") || text.contains(['*', '?', '$']) || parts >= crate::arn::PARTS {
        return text.to_owned();
    }
    format!("{text}{}", ":*".repeat(crate::arn::PARTS - parts))
}

fn principals(
    kind: PolicyKind,
    object: &Object<'_>,
    path: &Path<'_>,
) -> Result<Option<Scope<PrincipalPattern>>, PolicyError> {
    let found = one_of_two(object, path, ["Principal", "NotPrincipal"])?;
    let (sense, name, node) = match (kind, found) {
        (PolicyKind::Identity, None) => return Ok(None),
        (PolicyKind::Identity, Some((_, name, _))) => {
            return Err(path.member(name).error(Problem::PrincipalInIdentityPolicy { name }));
        }
        (PolicyKind::Resource, None) => {
            return Err(path.error(Problem::Missing { name: "Principal or NotPrincipal" }));
        }
        (PolicyKind::Resource, Some(found)) => found,
    };
    Ok(Some(Scope { sense, members: principal_members(node, &path.member(name))? }))
}

fn principal_members(node: &Node, path: &Path<'_>) -> Result<Vec<PrincipalPattern>, PolicyError> {
    match node {
        Node::Text(text) if text == "*" => return Ok(vec![PrincipalPattern::Anyone]),
        Node::Object(_) => {}
        other => return Err(path.error(other.is_not("\"*\" or an object such as {\"AWS\": …}"))),
    }
    let mut members = Vec::new();
    for (name, node) in Object::of(node, path, PRINCIPAL_MEMBERS)?.iter() {
        members.extend(node.each_text(&path.member(name), |text, path| match name {
            "AWS" => PrincipalPattern::parse(text).map_err(|problem| path.error(problem)),
            _ => Ok(PrincipalPattern::Foreign(text.into())),
        })?);
    }
    Ok(members)
}
