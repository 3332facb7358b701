//! The diagram, and the entity chart of each table and index.

use super::Section;
use super::widget::{chip, code, code_if, column, key_column, table, view_remarks, view_title};
use crate::entity_chart::{EntityChart, EntityRow};
use crate::er::render_svg;
use crate::markup::Element;
use crate::part::Selection;
use crate::sheet::Chart;

/// The diagram of entities and relationships.
pub(super) fn diagram(chart: &Chart) -> Section {
    let picture = Element::new("div")
        .class("scroll picture")
        .attribute("tabindex", 0)
        .trusted(&render_svg(&chart.diagram));
    Section {
        id: "diagram",
        title: "Entities and relationships",
        lead: "What the application knows, before it becomes keys. Each box is an entity; the feet \
               of a line say how many belong to how many.",
        content: vec![picture],
    }
}

/// The entity charts.
pub(super) fn charts(chart: &Chart, selection: &Selection) -> Section {
    let charts = chart.selected_entity_charts(selection);
    Section {
        id: "entities",
        title: "Entity charts",
        lead: "How each entity's keys are built, in the table and in every index that holds it.",
        content: charts.map(|one| entity_chart(chart, one)).collect(),
    }
}

fn entity_chart(chart: &Chart, of: &EntityChart) -> Element {
    let mut head = vec![column("Entity")];
    head.extend(of.view.key().map(key_column));
    head.extend(of.is_sparse().then(|| column("Present when")));
    let rows = of.rows.iter().map(|row| entity_row(chart, of, row));
    let body = Element::new("tbody").children(rows);
    let content = if of.rows.is_empty() {
        Element::new("p").class("nothing").text("No entity has a key here.")
    } else {
        table("entity-chart", head, vec![body])
    };
    Element::new("article")
        .child(view_title("h3", &of.view))
        .child(view_remarks(&of.view))
        .child(content)
}

fn entity_row(chart: &Chart, of: &EntityChart, row: &EntityRow) -> Element {
    let place = chart.place_of(&row.entity);
    let description = row.description.as_deref().map(|text| Element::new("small").text(text));
    let name = Element::new("th")
        .attribute("scope", "row")
        .child(chip(chart, &row.entity))
        .child_if(description);
    let keys = row.templates.iter().map(|template| Element::new("td").child(code(template)));
    let condition =
        of.is_sparse().then(|| Element::new("td").child_if(code_if(row.condition.as_deref())));
    Element::new("tr")
        .class(&format!("e{place}"))
        .attribute("data-e", place)
        .child(name)
        .children(keys)
        .child_if(condition)
}
