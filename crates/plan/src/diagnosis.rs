//! What planning has to say about a model.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Model;

use super::answer::{Plan, Shortfall, Unserved};
use super::planning::plan_all;
use super::reason::Reason;

/// An error for every pattern that nothing serves, a warning for everything that a filter has to
/// say because no key does, and a remark for every index that lacks items. A step is reported with
/// its own pattern, and once.
pub fn diagnose(model: &Model) -> Vec<Diagnostic> {
    diagnose_plans(&plan_all(model))
}

/// The same of the plans of all patterns of a model, for those who need them besides.
pub fn diagnose_plans(plans: &[Plan]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for plan in plans {
        diagnostics.extend(plan.unserved.iter().map(Unserved::diagnostic));
        diagnostics.extend(plan.shortfalls.iter().map(Shortfall::diagnostic));
    }
    let mut seen: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if !seen.contains(&diagnostic) {
            seen.push(diagnostic);
        }
    }
    seen
}

impl Unserved {
    /// The error that it is, with a note for each candidate.
    pub fn diagnostic(&self) -> Diagnostic {
        let place = Place::pattern(&self.pattern);
        let message = "no table or index serves this pattern";
        let mut diagnostic = Diagnostic::error("unserved-pattern", place, message);
        for rejection in &self.rejections {
            let reasons: Vec<String> = rejection.reasons.iter().map(ToString::to_string).collect();
            diagnostic =
                diagnostic.with_note(format!("{}: {}", rejection.target, reasons.join("; ")));
        }
        match &self.suggestion {
            Some(suggestion) => diagnostic.with_suggestion(suggestion.clone()),
            None => diagnostic,
        }
    }
}

impl Shortfall {
    /// What there is to say about it: a warning where a filter has to do what no key does, and a
    /// remark where an index lacks items.
    pub fn diagnostic(&self) -> Diagnostic {
        let place = Place::pattern(&self.pattern);
        if let Reason::Unsorted { attribute, .. } = &self.reason {
            let message = format!("{}, so others are not found", self.reason);
            return Diagnostic::info("sorted-by-optional", place, message).with_suggestion(
                format!("say that this is meant by naming the index, or make {attribute} required"),
            );
        }
        let message = format!("{}, so a filter has to say it", self.reason);
        Diagnostic::warning("filter-for-key", place, message)
    }
}
