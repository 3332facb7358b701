//! How the linter is to judge.

use super::context::{At, Context};
use super::object::{Object, named};
use super::scalar::{choice, quantity};
use crate::document::LintSettings;
use crate::document::words::{LEVELS, PROFILES};

pub(super) fn settings(cx: &mut Context<'_>, at: &At<'_>) -> Option<LintSettings> {
    let mut object = Object::open(cx, at, "lint")?;
    let profile = object.optional(cx, "profile", |cx, at| choice(cx, at, PROFILES));
    let thresholds = by_name(cx, object.take("thresholds"), "thresholds by name", quantity);
    let level = |cx: &mut Context<'_>, at: &At<'_>| choice(cx, at, LEVELS);
    let severity = by_name(cx, object.take("severity"), "severities by rule", level);
    object.finish(cx);
    Some(LintSettings { profile, thresholds, severity })
}

fn by_name<T>(
    cx: &mut Context<'_>,
    at: Option<At<'_>>,
    what: &'static str,
    decode: impl Fn(&mut Context<'_>, &At<'_>) -> Option<T>,
) -> Vec<(String, T)> {
    let members = at.map(|at| named(cx, &at, what)).unwrap_or_default();
    let member = |(name, at): (&str, At<'_>)| Some((name.to_owned(), decode(cx, &at)?));
    members.into_iter().filter_map(member).collect()
}
