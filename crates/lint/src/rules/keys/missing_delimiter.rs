//! Parts of a key that run into each other.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::template::{AttributePart, Segment};
use monotable_plan::{Piece, PlannedAction, SortCondition};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "missing-delimiter",
    Warning,
    Keys,
    Model,
    "parts of a key run into each other, or a prefix ends inside of a part",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = key_sites(subject.model).into_iter();
    let in_templates = sites.filter_map(|site| in_template(&site));
    let in_prefixes = subject.planned().flat_map(|(pattern, plan)| {
        let own = plan.steps.iter().filter(|step| step.pattern == pattern.name);
        own.filter_map(|step| in_prefix(&pattern.name, &step.action)).collect::<Vec<_>>()
    });
    in_templates.chain(in_prefixes).collect()
}

/// Two values next to each other, of which the first has no fixed width.
fn in_template(site: &KeySite<'_>) -> Option<Diagnostic> {
    let segments = site.template.segments();
    let is_value = |segment: &Segment| !matches!(segment, Segment::Literal(_));
    let mut pairs = segments.iter().zip(segments.iter().skip(1));
    let (first, second) = pairs.find(|(first, second)| {
        is_value(first) && is_value(second) && first.fixed_width().is_none()
    })?;
    let (first, second) = (name(first), name(second));
    let describe = site.describe();
    let message = format!("nothing tells where {first} ends and {second} begins in {describe}");
    let delimiter = site.template.delimiter();
    let found = Diagnostic::warning(RULE.code, site.place.clone(), message);
    Some(found.with_suggestion(format!("put {delimiter} between them and behind the last")))
}

fn name(segment: &Segment) -> String {
    segment.paths().first().map_or_else(|| "the shard".to_owned(), ToString::to_string)
}

/// A `begins_with` that ends with a value of no fixed width: it finds longer values as well.
fn in_prefix(pattern: &str, action: &PlannedAction) -> Option<Diagnostic> {
    let PlannedAction::Query(query) = action else { return None };
    let (attribute, SortCondition::BeginsWith(text)) = query.sort.as_ref()? else { return None };
    let part = open_end(text.pieces().last()?)?;
    let message = format!(
        "begins_with({attribute}, {text}) also finds longer values of {}, since no delimiter \
         follows it",
        part.path
    );
    let found = Diagnostic::warning(RULE.code, Place::pattern(pattern), message);
    Some(found.with_suggestion(format!("let a delimiter follow {{{}}} in the template", part.path)))
}

fn open_end(piece: &Piece) -> Option<&AttributePart> {
    match piece {
        Piece::Value { part, .. } if part.encoding.form().fixed_width().is_none() => Some(part),
        Piece::Value { .. }
        | Piece::Literal(_)
        | Piece::Beginning { .. }
        | Piece::Shard { .. }
        | Piece::EachShard(_)
        | Piece::EachPeriod { .. } => None,
    }
}
