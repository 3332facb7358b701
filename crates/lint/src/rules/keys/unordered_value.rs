//! A value in a sort key that does not sort by its meaning.

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Attribute;
use monotable_model::template::{AttributePart, FaultCause, Form, OrderFault, Sign};

use crate::Subject;
use crate::key_site::{KeySite, sort_sites};
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unordered-value",
    Error,
    Keys,
    Model,
    "a negative number, a token or a number stored as text does not sort by value in a key",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = sort_sites(subject.model).filter(|site| !site.is_alone_in_partition());
    sites.flat_map(|site| findings(subject, &site)).collect()
}

fn findings(subject: &Subject<'_>, site: &KeySite<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = site
        .parts()
        .filter_map(|(part, attribute)| {
            negative(site, part, attribute).or_else(|| digits(subject, site, part, attribute))
        })
        .collect();
    let has_tokens =
        site.parts().any(|(part, _)| matches!(part.encoding.form(), Form::Enumeration(_)));
    if has_tokens {
        let faults = site.key_set().order_faults().into_iter();
        let disordered = faults.filter(|fault| fault.cause == FaultCause::Tokens);
        found.extend(disordered.map(|fault| tokens(site, &fault)));
    }
    found
}

fn error(site: &KeySite<'_>, message: String, suggestion: String) -> Diagnostic {
    Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion)
}

/// A number that can be negative in a form that has no place for the sign.
fn negative(site: &KeySite<'_>, part: &AttributePart, attribute: &Attribute) -> Option<Diagnostic> {
    let Form::Number(form) = part.encoding.form() else { return None };
    let least =
        attribute.min.filter(|least| least.is_negative() && form.sign() == Sign::Unsigned)?;
    let path = &part.path;
    let message = format!("{path} can be {least}, and {} has no place for a sign", site.describe());
    let digits = form.whole_digits();
    Some(error(
        site,
        message,
        format!("write {{{path}:+0{digits}}}, which sorts negative numbers first"),
    ))
}

/// Numbers that are stored as texts of different lengths.
fn digits(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    part: &AttributePart,
    attribute: &Attribute,
) -> Option<Diagnostic> {
    let Form::Text(form) = part.encoding.form() else { return None };
    let texts: Option<Vec<&str>> = subject.values(site.entity, attribute).map(numeral).collect();
    let texts = texts.filter(|_| form.steps.is_empty())?;
    if !is_asked_in_order(subject, site, &attribute.name) {
        return None;
    }
    let shorter = texts.iter().min_by_key(|text| text.len())?;
    let longer = texts.iter().max_by_key(|text| text.len())?;
    if shorter.len() == longer.len() {
        return None;
    }
    let name = &attribute.name;
    let message = format!(
        "{name} is \"{shorter}\" in one item and \"{longer}\" in another, which sort as texts in \
         {}",
        site.describe()
    );
    let width = longer.len();
    Some(error(
        site,
        message,
        format!("write {{{name}:digits({width})}}, or store {name} as a number"),
    ))
}

/// Whether some query wants the items of the entity in the order of an attribute: it has a range of
/// it, or an order or a limit and does not know it. Of identifiers nobody asks for the order.
fn is_asked_in_order(subject: &Subject<'_>, site: &KeySite<'_>, name: &str) -> bool {
    let index = site.index.map(|index| index.name.as_str());
    queries(subject).into_iter().any(|PlannedQuery { pattern, request, .. }| {
        let is_here = request.target.table == site.table.name
            && request.target.index.as_deref() == index
            && pattern.entities.contains(&site.entity.name);
        let is_ranged = pattern.range.as_ref().is_some_and(|range| range.attribute == name);
        let is_known = pattern.by.iter().any(|known| known.attribute == name);
        let is_sorted = pattern.order.is_some() || pattern.limit.is_some();
        is_here && (is_ranged || is_sorted && !is_known)
    })
}

fn numeral(value: &Value) -> Option<&str> {
    let Value::String(text) = value else { return None };
    let is_numeral = !text.is_empty() && text.chars().all(|character| character.is_ascii_digit());
    is_numeral.then_some(text.as_str())
}

fn tokens(site: &KeySite<'_>, fault: &OrderFault) -> Diagnostic {
    let OrderFault { path, lesser, greater, .. } = fault;
    let message = format!(
        "the tokens of {path} are not in the order of its values in {}: {greater} comes before \
         {lesser}",
        site.describe()
    );
    error(
        site,
        message,
        "choose tokens that sort as the values are listed, such as 1, 2, 3".to_owned(),
    )
}
