//! The chart of a whole model, before it is drawn.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Model;
use monotable_plan::cost::Estimate;

use super::collection::CollectionTable;
use super::entity_chart::EntityChart;
use super::er::Diagram;
use super::part::Selection;
use super::pattern_table::PatternRow;
use super::view::View;

/// Everything that there is to see of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The name of the model.
    pub name: String,
    /// One line for people.
    pub title: Option<String>,
    /// What the design is for.
    pub description: Option<String>,
    /// The entities, in the order of the file. An entity's place decides its colour.
    pub legend: Vec<LegendEntry>,
    /// An entity chart for each table and index.
    pub entity_charts: Vec<EntityChart>,
    /// The access patterns.
    pub patterns: Vec<PatternRow>,
    /// The sample items in each table and index.
    pub collections: Vec<CollectionTable>,
    /// The entities and what relates them.
    pub diagram: Diagram,
    /// What it costs.
    pub estimate: Estimate,
    /// What is said about the model, for the page to show.
    pub findings: Vec<Diagnostic>,
}

/// An entity in the legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// The entity.
    pub entity: String,
    /// What it is.
    pub description: Option<String>,
    /// Whether it lies inside other items.
    pub is_embedded: bool,
}

impl Chart {
    /// The chart of a model, with units and prices of an estimate of it.
    pub fn of(model: &Model, estimate: Estimate) -> Chart {
        let entry = |entity: &monotable_model::document::Entity| LegendEntry {
            entity: entity.name.clone(),
            description: entity.description.clone(),
            is_embedded: entity.is_embedded(),
        };
        Chart {
            name: model.name.clone(),
            title: model.title.clone(),
            description: model.description.clone(),
            legend: model.entities.iter().map(entry).collect(),
            entity_charts: EntityChart::all(model),
            patterns: PatternRow::all(model, &estimate),
            collections: CollectionTable::all(model),
            diagram: Diagram::of(model),
            estimate,
            findings: Vec::new(),
        }
    }

    /// The same, with what is said about the model.
    pub fn with_findings(mut self, findings: Vec<Diagnostic>) -> Chart {
        self.findings = findings;
        self
    }

    /// The views, in the order of the file.
    pub fn views(&self) -> impl Iterator<Item = &View> {
        self.entity_charts.iter().map(|chart| &chart.view)
    }

    /// The entity charts that are selected.
    pub(super) fn selected_entity_charts<'c>(
        &'c self,
        selection: &'c Selection,
    ) -> impl Iterator<Item = &'c EntityChart> {
        let is_meant = |view: &View| selection.view.as_ref().is_none_or(|name| view.is_named(name));
        self.entity_charts.iter().filter(move |chart| is_meant(&chart.view))
    }

    /// The collections that are selected.
    pub(super) fn selected_collections<'c>(
        &'c self,
        selection: &'c Selection,
    ) -> impl Iterator<Item = &'c CollectionTable> {
        let is_meant = |view: &View| selection.view.as_ref().is_none_or(|name| view.is_named(name));
        self.collections.iter().filter(move |table| is_meant(&table.view))
    }

    /// The place of an entity in the legend.
    pub(super) fn place_of(&self, entity: &str) -> usize {
        self.legend.iter().position(|entry| entry.entity == entity).unwrap_or_default()
    }

    /// The title, or else the name.
    pub(super) fn heading(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }
}
