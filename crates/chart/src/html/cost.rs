//! What the model costs, with the charts of the cost report.

use monotable_plan::cost::{cost_sections, money};

use super::Section;
use crate::markup::Element;
use crate::sheet::Chart;

/// The section of the cost.
pub(super) fn section(chart: &Chart) -> Section {
    let estimate = &chart.estimate;
    let prices = &estimate.prices;
    let total = format!("{} {} a month", money(estimate.total()), prices.currency);
    let source = format!(
        "Prices of {} of {} ({}). A month has 730 hours.",
        prices.region, prices.date, prices.source
    );
    let kinds = ["reads", "writes", "storage", "other"];
    let legend = kinds.map(|kind| Element::new("span").class(kind).text(kind));
    let mut content = vec![
        Element::new("p").class("total").text(&total),
        Element::new("p").class("remark").text(&source),
        Element::new("p").class("kinds").children(legend),
    ];
    content.extend(cost_sections(estimate).into_iter().map(|(title, charts)| {
        Element::new("article")
            .class("cost")
            .child(Element::new("h3").text(&title))
            .child(Element::new("div").class("scroll").trusted(&charts))
    }));
    content.extend(assumptions(&estimate.notes));
    Section {
        id: "cost",
        title: "Cost",
        lead: "What the patterns consume at their rates, and what the items take to store.",
        content,
    }
}

fn assumptions(notes: &[String]) -> Option<Element> {
    let items = notes.iter().map(|note| Element::new("li").text(note));
    (!notes.is_empty()).then(|| {
        Element::new("details")
            .child(Element::new("summary").text("Assumptions"))
            .child(Element::new("ul").children(items))
    })
}
