//! What an operator compares with, compiled, and the comparison.

use std::cmp::Ordering;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{DateValue, Network, Number};
use crate::arn;
use crate::error::Problem;
use crate::pattern::Case;
use crate::question::Question;
use crate::template::{Template, Variables, Wildcards};

/// How two ordered values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparator {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparator {
    fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparator::Equal => ordering.is_eq(),
            Comparator::Less => ordering.is_lt(),
            Comparator::LessOrEqual => ordering.is_le(),
            Comparator::Greater => ordering.is_gt(),
            Comparator::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

/// What kind of values an operator compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestKind {
    Text(Wildcards, Case),
    Arn,
    Number(Comparator),
    Date(Comparator),
    Bool,
    Binary,
    Network,
    Null,
}

/// What an operator compares with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    Text(Case, Vec<Template>),
    Arn(Vec<ArnTemplate>),
    Number(Comparator, Vec<Number>),
    Date(Comparator, Vec<DateValue>),
    /// `true`, `false`, or a variable.
    Bool(Vec<Template>),
    Binary(Vec<Vec<u8>>),
    Network(Vec<Network>),
    /// Whether the key shall be missing.
    Null(Vec<bool>),
}

impl Test {
    /// Returns a test without values.
    pub(crate) fn new(kind: TestKind) -> Test {
        match kind {
            TestKind::Text(_, case) => Test::Text(case, Vec::new()),
            TestKind::Arn => Test::Arn(Vec::new()),
            TestKind::Number(comparison) => Test::Number(comparison, Vec::new()),
            TestKind::Date(comparison) => Test::Date(comparison, Vec::new()),
            TestKind::Bool => Test::Bool(Vec::new()),
            TestKind::Binary => Test::Binary(Vec::new()),
            TestKind::Network => Test::Network(Vec::new()),
            TestKind::Null => Test::Null(Vec::new()),
        }
    }

    /// Adds a listed value.
    pub(crate) fn push(
        &mut self,
        text: &str,
        kind: TestKind,
        variables: Variables,
    ) -> Result<(), Problem> {
        let malformed = |wanted| Problem::MalformedValue { value: text.to_owned(), wanted };
        match self {
            Test::Text(_, listed) => {
                let wildcards = match kind {
                    TestKind::Text(wildcards, _) => wildcards,
                    _ => Wildcards::Literal,
                };
                listed.push(Template::parse(text, wildcards, variables)?);
            }
            Test::Arn(listed) => listed.push(ArnTemplate::parse(text, variables)?),
            Test::Number(_, listed) => {
                listed.push(Number::parse(text).ok_or_else(|| malformed("number, such as 100"))?);
            }
            Test::Date(_, listed) => {
                let wanted = "date; write it as 2026-01-31T12:00:00Z or in seconds since 1970";
                listed.push(DateValue::parse(text).ok_or_else(|| malformed(wanted))?);
            }
            Test::Bool(listed) => {
                let template = Template::parse(text, Wildcards::Literal, variables)?;
                if template.variable_keys().next().is_none() && parse_bool(text).is_none() {
                    return Err(malformed("true or false"));
                }
                listed.push(template);
            }
            Test::Null(listed) => {
                listed.push(parse_bool(text).ok_or_else(|| malformed("true or false"))?);
            }
            Test::Binary(listed) => {
                listed.push(STANDARD.decode(text).map_err(|_| malformed("base64 text"))?);
            }
            Test::Network(listed) => {
                let wanted = "range of addresses, such as 203.0.113.0/24 or 2001:db8::/32";
                listed.push(Network::parse(text).ok_or_else(|| malformed(wanted))?);
            }
        }
        Ok(())
    }

    /// Whether a value of a request fits a listed one, or nothing if that cannot be said.
    pub(crate) fn fits(&self, value: &str, question: &Question<'_>) -> Option<bool> {
        match self {
            Test::Text(case, listed) => {
                any(listed.iter().map(|template| template.matches(value, *case, question)))
            }
            Test::Arn(listed) => any(listed.iter().map(|arn| arn.matches(value, question))),
            Test::Number(comparison, listed) => {
                let value = Number::parse(value)?;
                Some(listed.iter().any(|listed| comparison.holds(value.cmp(listed))))
            }
            Test::Date(comparison, listed) => {
                let value = DateValue::parse(value)?;
                Some(listed.iter().any(|listed| comparison.holds(value.cmp(listed))))
            }
            Test::Bool(listed) => {
                parse_bool(value)?;
                any(listed.iter().map(|one| one.matches(value, Case::Insensitive, question)))
            }
            Test::Binary(listed) => {
                let value = STANDARD.decode(value).ok()?;
                Some(listed.contains(&value))
            }
            Test::Network(listed) => {
                let address = network_address(value)?;
                Some(listed.iter().any(|network| network.contains(address)))
            }
            Test::Null(_) => None,
        }
    }

    /// The listed values that may have variables.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template> {
        let (texts, arns) = match self {
            Test::Text(_, listed) | Test::Bool(listed) => (&listed[..], &[][..]),
            Test::Arn(listed) => (&[][..], &listed[..]),
            Test::Number(..)
            | Test::Date(..)
            | Test::Binary(_)
            | Test::Network(_)
            | Test::Null(_) => (&[][..], &[][..]),
        };
        texts.iter().chain(arns.iter().flat_map(ArnTemplate::templates))
    }
}

/// Whether any of them is true; nothing if none is and one is unknown.
fn any(results: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_unknown = false;
    for result in results {
        match result {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_unknown = true,
        }
    }
    if is_unknown { None } else { Some(false) }
}

fn parse_bool(text: &str) -> Option<bool> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    is("true").then_some(true).or_else(|| is("false").then_some(false))
}

fn network_address(text: &str) -> Option<std::net::IpAddr> {
    text.parse().ok().map(|address: std::net::IpAddr| address.to_canonical())
}

/// An ARN with wildcards and variables. Unlike in `Resource`, no wildcard reaches over a colon, but
/// in the last part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ArnTemplate {
    /// The pattern `*`.
    Anything,
    /// The parts, with colons only in the last.
    Parts(Vec<Template>),
}

impl ArnTemplate {
    fn parse(text: &str, variables: Variables) -> Result<ArnTemplate, Problem> {
        if text == "*" {
            return Ok(ArnTemplate::Anything);
        }
        let parts = split_outside_variables(text);
        if parts.len() != arn::PARTS {
            let wanted = "ARN; it has six parts, such as arn:aws:iam::000000000000:user/alice";
            return Err(Problem::MalformedValue { value: text.to_owned(), wanted });
        }
        let compile = |part: &&str| Template::parse(part, Wildcards::Active, variables);
        Ok(ArnTemplate::Parts(parts.iter().map(compile).collect::<Result<_, _>>()?))
    }

    fn matches(&self, value: &str, question: &Question<'_>) -> Option<bool> {
        let ArnTemplate::Parts(templates) = self else { return Some(true) };
        let Some(parts) = arn::split(value) else { return Some(false) };
        for (template, part) in templates.iter().zip(parts) {
            if !template.matches(part, Case::Sensitive, question)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn templates(&self) -> &[Template] {
        match self {
            ArnTemplate::Anything => &[],
            ArnTemplate::Parts(parts) => parts,
        }
    }
}

/// Splits at the first five colons that do not stand in a variable.
fn split_outside_variables(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut in_variable, mut before) = (0, false, ' ');
    for (at, character) in text.char_indices() {
        match (before, character) {
            ('$', '{') => in_variable = true,
            (_, '}') => in_variable = false,
            (_, ':') if !in_variable && parts.len() + 1 < arn::PARTS => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
        before = character;
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}
