//! What is said about the model.

use monotable_model::diagnostic::Diagnostic;

use super::Section;
use super::widget::code;
use crate::markup::Element;
use crate::sheet::Chart;

/// The section of all findings.
pub(super) fn section(chart: &Chart) -> Section {
    Section {
        id: "findings",
        title: "Findings",
        lead: "What is to be said about the design.",
        content: vec![
            Element::new("ul").class("findings").children(chart.findings.iter().map(entry)),
        ],
    }
}

fn entry(finding: &Diagnostic) -> Element {
    let severity = finding.severity.name();
    let notes = finding.notes.iter().map(|note| Element::new("li").text(&note.message));
    let fix = finding.suggestion.as_deref();
    Element::new("li")
        .class(severity)
        .child(Element::new("strong").text(severity))
        .text(" ")
        .text(&finding.message)
        .text(" ")
        .child(
            Element::new("small")
                .text(finding.code)
                .text(" at ")
                .child(code(finding.place.as_str())),
        )
        .child_if((!finding.notes.is_empty()).then(|| Element::new("ul").children(notes)))
        .child_if(fix.map(|fix| Element::new("p").class("fix").text("Do: ").text(fix)))
}
