//! A number in a sort key without leading zeros.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::template::{AttributePart, Escaping, FaultCause, Form, OrderFault};

use crate::Subject;
use crate::attribute_domain::greatest;
use crate::key_site::{KeySite, sort_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unpadded-number",
    Warning,
    Keys,
    Model,
    "a number in a sort key has no leading zeros, and sorts by its digits",
    check
);

/// What is suggested where the model does not say how large a number gets.
const DIGITS: usize = 8;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = sort_sites(subject.model).filter(|site| !site.is_alone_in_partition());
    let with_numbers = sites.filter(|site| site.parts().any(|(part, _)| writes_plainly(part)));
    with_numbers.flat_map(|site| findings(&site)).collect()
}

/// Whether a part can write a number without leading zeros.
fn writes_plainly(part: &AttributePart) -> bool {
    match part.encoding.form() {
        Form::Plain => true,
        Form::Text(form) => form.escaping == Escaping::Verbatim,
        _ => false,
    }
}

fn findings(site: &KeySite<'_>) -> Vec<Diagnostic> {
    let faults = site.key_set().order_faults().into_iter();
    let unpadded = faults.filter(|fault| fault.cause == FaultCause::Unpadded);
    unpadded.map(|fault| finding(site, &fault)).collect()
}

fn finding(site: &KeySite<'_>, fault: &OrderFault) -> Diagnostic {
    let OrderFault { path, lesser, greater, .. } = fault;
    let message = format!(
        "{path} sorts by its digits in {}: {greater} comes before {lesser}",
        site.describe()
    );
    let declared = site.entity.attribute(&path.root).and_then(greatest);
    let digits = declared.map_or(DIGITS, |most| most.to_string().len());
    let suggestion = format!("write {{{path}:0{digits}}}: {digits} digits, which sort by value");
    let finding =
        Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion);
    // Where the model says how large the number gets, the width is no guess.
    match declared {
        Some(_) => finding.with_fix(format!("{{{path}:plain}}"), format!("{{{path}:0{digits}}}")),
        None => finding,
    }
}
