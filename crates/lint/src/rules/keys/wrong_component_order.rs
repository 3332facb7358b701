//! Parts of a sort key from narrow to broad.

use monotable_item::Type;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Pattern};
use monotable_plan::{Plan, Reason};

use crate::Subject;
use crate::key_site::{KeySite, sort_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "wrong-component-order",
    Warning,
    Keys,
    Model,
    "a part of a sort key that patterns know stands behind one that they do not know",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let in_plans = subject.planned().flat_map(|(pattern, plan)| gaps(pattern, plan));
    let narrow = sort_sites(subject.model).filter_map(|site| narrow_first(subject, &site));
    in_plans.chain(narrow).collect()
}

/// What a pattern knows and its key condition cannot say, because a part before it is not known.
fn gaps(pattern: &Pattern, plan: &Plan) -> Vec<Diagnostic> {
    let own = plan.shortfalls.iter().filter(|shortfall| shortfall.pattern == pattern.name);
    let ranged = pattern.range.as_ref().map(|range| range.attribute.as_str());
    own.filter_map(|shortfall| match &shortfall.reason {
        Reason::Gap { entity, attribute, missing } if ranged != Some(missing.as_str()) => {
            Some(gap(pattern, entity, attribute, missing))
        }
        _ => None,
    })
    .collect()
}

fn gap(pattern: &Pattern, entity: &str, attribute: &str, missing: &str) -> Diagnostic {
    let message = format!(
        "{attribute} is known, but stands behind {missing} in the sort key of {entity}, so that \
         all are read and filtered"
    );
    let suggestion = format!("put {attribute} before {missing}, here or in an index");
    let place = Place::pattern(&pattern.name);
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}

/// A part with more values before one with fewer, where no pattern knows the first.
fn narrow_first(subject: &Subject<'_>, site: &KeySite<'_>) -> Option<Diagnostic> {
    let parts: Vec<&Attribute> = site.parts().map(|(_, attribute)| attribute).collect();
    let pairs = parts.iter().zip(parts.iter().skip(1));
    let narrow = |(first, second): &(&&Attribute, &&Attribute)| {
        matches!((values(first), values(second)),
            (Some(many), Some(few)) if many > few)
    };
    let is_known = |name: &str| {
        let mut patterns = subject.model.patterns.iter();
        patterns.any(|pattern| pattern.by.iter().any(|known| known.attribute == name))
    };
    let mut unknown = pairs.filter(narrow).filter(|(first, _)| !is_known(&first.name));
    let (first, second) = unknown.next()?;
    let message = format!(
        "{} has {} before {}, which has fewer values",
        site.describe(),
        first.name,
        second.name
    );
    let suggestion = "order the parts from broad to narrow";
    Some(Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

/// How many values an attribute has, if the model says so.
fn values(attribute: &Attribute) -> Option<u64> {
    let listed = u64::try_from(attribute.values.len()).ok().filter(|count| *count > 0);
    let of_bool = (attribute.kind == Type::Bool).then_some(2);
    attribute.distinct.or(listed).or(of_bool)
}
