//! What policies mean, written from AWS's description without a thought for speed.

use monotable_policy::{Decision, PolicyKind};

use crate::generator::{ConditionPart, Scene, StatementPart};

/// A decision without the statements that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    Denied,
    NoIdentity,
    NoResource,
}

pub(crate) fn verdict_of(decision: &Decision<'_>) -> Verdict {
    match decision {
        Decision::Allowed { .. } => Verdict::Allowed,
        Decision::DeniedBy(_) => Verdict::Denied,
        Decision::NotAllowed { missing: PolicyKind::Identity } => Verdict::NoIdentity,
        Decision::NotAllowed { missing: PolicyKind::Resource } => Verdict::NoResource,
    }
}

pub(crate) fn decide(scene: &Scene) -> Verdict {
    let of_user = || scene.identity.iter().flatten().filter(|part| applies(part, scene));
    let of_resource = || {
        let parts = scene.resource_policy.iter().flatten();
        parts.filter(|part| applies(part, scene) && is_named(part, scene).is_some())
    };
    if of_user().chain(of_resource()).any(|part| !part.allows) {
        return Verdict::Denied;
    }
    let user_allows = of_user().next().is_some();
    let owner = scene.resource.split(':').nth(4).unwrap_or_default();
    if owner.is_empty() || owner == scene.principal.account() {
        let is_direct = of_resource().any(|part| is_named(part, scene) == Some("direct"));
        return if user_allows || is_direct { Verdict::Allowed } else { Verdict::NoIdentity };
    }
    match (user_allows, of_resource().next().is_some()) {
        (true, true) => Verdict::Allowed,
        (false, _) => Verdict::NoIdentity,
        (true, false) => Verdict::NoResource,
    }
}

/// How a statement names the principal: `direct`, by its `account`, or not.
fn is_named(part: &StatementPart, scene: &Scene) -> Option<&'static str> {
    let account = scene.principal.account();
    let is_direct =
        part.principals.iter().any(|name| *name == "*" || *name == scene.principal.arn());
    let root = format!("arn:aws:iam::{account}:root");
    let is_account = part.principals.iter().any(|name| *name == account || *name == root);
    if part.is_not_principal {
        return (!is_direct).then_some("direct");
    }
    is_direct.then_some("direct").or_else(|| is_account.then_some("account"))
}

fn applies(part: &StatementPart, scene: &Scene) -> bool {
    let action = scene.action.to_lowercase();
    let is_action = part.actions.iter().any(|pattern| like(&pattern.to_lowercase(), &action));
    let resources: Vec<Option<bool>> = part
        .resources
        .iter()
        .map(|pattern| Some(like(&resolve(pattern, scene)?, &scene.resource)))
        .collect();
    let is_listed = resources.contains(&Some(true));
    let is_unknown = resources.contains(&None);
    let is_resource =
        if part.is_not_resource { !is_listed && (!is_unknown || !part.allows) } else { is_listed };
    is_action != part.is_not_action
        && is_resource
        && part.conditions.iter().all(|condition| holds(condition, part.allows, scene))
}

fn holds(condition: &ConditionPart, allows: bool, scene: &Scene) -> bool {
    let values = values(condition.key, scene);
    if condition.operator == "Null" {
        return condition.values.iter().any(|wanted| is_true(wanted) == values.is_empty());
    }
    let is_negated = condition.operator.contains("Not");
    if values.is_empty() {
        return condition.if_exists
            || match condition.quantifier {
                Some("ForAllValues") => true,
                Some(_) => false,
                None => is_negated,
            };
    }
    let passes = |value: &String| {
        let results: Vec<Option<bool>> = condition
            .values
            .iter()
            .map(|wanted| compare(condition.operator, wanted, value, scene))
            .collect();
        if results.contains(&Some(true)) {
            !is_negated
        } else if results.contains(&None) {
            is_negated && !allows
        } else {
            is_negated
        }
    };
    match condition.quantifier {
        Some("ForAllValues") => values.iter().all(passes),
        Some(_) => values.iter().any(passes),
        None if allows => values.iter().all(passes),
        None => values.iter().any(passes),
    }
}

/// Whether a value fits, without the negation of the operator.
fn compare(operator: &str, wanted: &str, value: &str, scene: &Scene) -> Option<bool> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|_| !text.is_empty());
    match operator {
        "StringEquals" | "StringNotEquals" => Some(plain(&literal(wanted, scene)?) == value),
        "StringEqualsIgnoreCase" => {
            Some(plain(&literal(wanted, scene)?).to_lowercase() == value.to_lowercase())
        }
        "StringLike" | "StringNotLike" => Some(like(&resolve(wanted, scene)?, value)),
        "NumericEquals" | "NumericNotEquals" => Some(number(value)? == number(wanted)?),
        "NumericLessThan" => Some(number(value)? < number(wanted)?),
        "NumericGreaterThanEquals" => Some(number(value)? >= number(wanted)?),
        "Bool" => {
            let is_bool = value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
            is_bool.then(|| value.eq_ignore_ascii_case(wanted))
        }
        other => panic!("{other}"),
    }
}

fn is_true(text: &str) -> bool {
    text.eq_ignore_ascii_case("true")
}

fn values(key: &str, scene: &Scene) -> Vec<String> {
    if key == "aws:username" {
        return vec![scene.principal.user_name().to_owned()];
    }
    let of_key = scene.values.iter().filter(|(name, _)| name.eq_ignore_ascii_case(key));
    of_key.map(|(_, value)| (*value).to_owned()).collect()
}

/// Characters that stand for `*` and `?` which are no wildcards.
const LITERAL_STAR: char = '\u{1}';
const LITERAL_MARK: char = '\u{2}';

fn guard(text: &str) -> String {
    text.replace('*', &LITERAL_STAR.to_string()).replace('?', &LITERAL_MARK.to_string())
}

fn plain(text: &str) -> String {
    text.replace(LITERAL_STAR, "*").replace(LITERAL_MARK, "?")
}

/// Text whose variables are replaced, with their wildcards made literal.
fn resolve(text: &str, scene: &Scene) -> Option<String> {
    let single = |key: &str| match &values(key, scene)[..] {
        [value] => Some(guard(value)),
        _ => None,
    };
    let mut text = text.replace("${*}", &LITERAL_STAR.to_string());
    for (variable, key, default) in [
        ("${aws:username}", "aws:username", None),
        ("${x:tag}", "x:tag", None),
        ("${x:tag, 'a'}", "x:tag", Some("a")),
        ("${x:tag, 'b'}", "x:tag", Some("b")),
    ] {
        if text.contains(variable) {
            text = text.replace(variable, &single(key).or(default.map(str::to_owned))?);
        }
    }
    Some(text)
}

/// Text whose variables are replaced, and in which no character is a wildcard.
fn literal(text: &str, scene: &Scene) -> Option<String> {
    let special = text.replace("${*}", &LITERAL_STAR.to_string());
    resolve(&guard(&special), scene)
}

fn like(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = guard(text).chars().collect();
    fn is_match(pattern: &[char], text: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|taken| is_match(rest, &text[taken..])),
            Some(('?', rest)) => !text.is_empty() && is_match(rest, &text[1..]),
            Some((wanted, rest)) => text.first() == Some(wanted) && is_match(rest, &text[1..]),
        }
    }
    is_match(&pattern, &text)
}
