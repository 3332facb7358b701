//! Models that are loaded: read, checked and compiled.

use std::collections::HashMap;
use std::sync::Arc;

use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile};
use monotable_model::document::{self, Document, Format, Model, Operation};
use monotable_plan::{PlannedAction, PlannedRequest, diagnose, plan};
use thiserror::Error;

use crate::counters::{Counters, EntityCounter, PatternCounter};
use crate::drift::DriftLog;
use crate::estimate::{PatternEstimate, estimates};
use crate::page_shape::PageShape;
use crate::shape::{GroupShape, ItemShape, ItemShapes, kind_of, number_of};
use crate::watched_table::WatchedTable;

/// Reads a document, with all that is wrong with it.
pub type ModelReader = fn(&str, Format) -> Result<Document, Vec<Diagnostic>>;

/// How many models are loaded at most.
const MODELS_MAX: usize = 64;
/// How large a model is at most, in entities and patterns together. Planning takes seconds where
/// hundreds of patterns read one item collection of hundreds of entities.
const PARTS_MAX: usize = 1_000;

/// Why a model is not loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Something is wrong with the document.
    #[error("{} is not a model that can be watched", .0.name())]
    Wrong(SourceFile, Vec<Diagnostic>),
    /// Another model has one of its tables.
    #[error("table {table} belongs to the model {model} already")]
    TableTaken {
        /// The table, as the service calls it.
        table: String,
        /// The other model.
        model: String,
    },
    /// There are too many models, or the model is too large.
    #[error("there are at most {MODELS_MAX} models, of {PARTS_MAX} entities and patterns each")]
    TooMany,
}

/// A model that is loaded.
#[derive(Debug)]
pub struct LoadedModel {
    pub(crate) source: SourceFile,
    pub(crate) model: Model,
    pub(crate) tables: Vec<WatchedTable>,
    pub(crate) items: ItemShapes,
    pub(crate) groups: Vec<GroupShape>,
    pub(crate) estimates: Vec<PatternEstimate>,
    /// Of each pattern, then of what is undecided, then of what is unmatched.
    pub(crate) patterns: Counters<PatternCounter>,
    /// Of each entity, then of what is undecided, then of what is unknown.
    pub(crate) entities: Counters<EntityCounter>,
    pub(crate) drift: DriftLog,
    /// When it was loaded, in milliseconds since 1970.
    pub(crate) loaded_millis: u64,
}

impl LoadedModel {
    /// Reads a model and makes it ready.
    pub(crate) fn load(
        source: SourceFile,
        read: ModelReader,
        now_millis: u64,
    ) -> Result<LoadedModel, LoadError> {
        let format = Format::detect(source.name(), source.text());
        // Counted before anybody looks for mistakes, which takes longer than reading.
        if let Ok(document) = document::read(source.text(), format)
            && document.model.entities.len() + document.model.patterns.len() > PARTS_MAX
        {
            return Err(LoadError::TooMany);
        }
        let document = match read(source.text(), format) {
            Ok(document) => document,
            Err(diagnostics) => return Err(LoadError::Wrong(source, diagnostics)),
        };
        let mut findings = diagnose(&document.model);
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            document.places.locate(&mut findings);
            return Err(LoadError::Wrong(source, findings));
        }
        let Document { model, .. } = document;
        Ok(LoadedModel::new(source, model, now_millis))
    }

    fn new(source: SourceFile, model: Model, now_millis: u64) -> LoadedModel {
        let tables = model.tables.iter().enumerate();
        let tables = tables.map(|(position, table)| WatchedTable::new(&model, position, table));
        let mut loaded = LoadedModel {
            tables: tables.collect(),
            items: ItemShapes::default(),
            groups: Vec::new(),
            estimates: estimates(&model),
            patterns: Counters::new(model.patterns.len() + 2),
            entities: Counters::new(model.entities.len() + 2),
            drift: DriftLog::default(),
            loaded_millis: now_millis,
            source,
            model: Model::default(),
        };
        for (number, pattern) in (0..=u16::MAX).zip(&model.patterns) {
            // The steps of a pattern are patterns themselves.
            if pattern.operation != Operation::Steps {
                plan(&model, pattern)
                    .steps
                    .iter()
                    .for_each(|step| loaded.add(&model, number, step));
            }
        }
        loaded.model = model;
        loaded
    }

    /// Adds a request of a pattern.
    fn add(&mut self, model: &Model, pattern: u16, request: &PlannedRequest) {
        let entities: Vec<_> =
            request.entities.iter().filter_map(|name| model.entity(name)).collect();
        match &request.action {
            PlannedAction::Query(_) | PlannedAction::Scan(_) => {
                let named = request.fan_out.iter().filter_map(|fan_out| fan_out.tables());
                let targets: Vec<&String> =
                    named.flatten().chain([&request.target.table]).collect();
                for (table, watched) in model.tables.iter().zip(&mut self.tables) {
                    if targets.contains(&&table.name) {
                        watched.pages.extend(PageShape::all(pattern, request, &entities));
                    }
                }
            }
            PlannedAction::Get(_)
            | PlannedAction::Put(_)
            | PlannedAction::Update(_)
            | PlannedAction::Delete(_)
            | PlannedAction::Check(_) => {
                let Some((entity, name)) = entities.first().zip(request.entities.first()) else {
                    return;
                };
                let shape = ItemShape::new(pattern, request, entity);
                let place = number_of(model, name).zip(kind_of(&request.action));
                if let Some(((number, kind), shape)) = place.zip(shape) {
                    self.items.add(number, kind, shape);
                }
            }
            PlannedAction::Fetch
            | PlannedAction::BatchGet(_)
            | PlannedAction::BatchWrite(_)
            | PlannedAction::TransactGet(_)
            | PlannedAction::TransactWrite(_) => {
                self.groups.extend(GroupShape::new(model, pattern, request));
            }
        }
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// The document that it was read from.
    pub fn source(&self) -> &SourceFile {
        &self.source
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }
}

/// The models that are loaded, and the tables that they have.
#[derive(Debug, Default)]
pub(crate) struct Models {
    pub(crate) all: Vec<Arc<LoadedModel>>,
    /// The model and the position of the table in it, by the name of the table.
    tables: HashMap<String, (Arc<LoadedModel>, usize)>,
    /// Those of which there is one for each period.
    period_tables: Vec<(Arc<LoadedModel>, usize)>,
}

impl Models {
    /// The table of this name, if a model has it.
    pub(crate) fn table(&self, name: &str) -> Option<(Arc<LoadedModel>, usize)> {
        let of_period = || self.period_tables.iter().find(|found| is_called(found, name));
        self.tables.get(name).or_else(of_period).cloned()
    }

    /// These models and one more, which takes the place of one of the same name.
    pub(crate) fn with(&self, model: LoadedModel) -> Result<Models, LoadError> {
        let kept = self.all.iter().filter(|known| known.name() != model.name()).cloned();
        let mut all: Vec<Arc<LoadedModel>> = kept.collect();
        if all.len() >= MODELS_MAX {
            return Err(LoadError::TooMany);
        }
        all.push(Arc::new(model));
        Models::of(all)
    }

    /// These models but the one of this name, if there is one.
    pub(crate) fn without(&self, name: &str) -> Option<Models> {
        let kept: Vec<_> = self.all.iter().filter(|known| known.name() != name).cloned().collect();
        (kept.len() < self.all.len()).then(|| Models::of(kept).unwrap_or_default())
    }

    fn of(all: Vec<Arc<LoadedModel>>) -> Result<Models, LoadError> {
        let mut tables: HashMap<String, (Arc<LoadedModel>, usize)> = HashMap::new();
        for model in &all {
            for (position, table) in model.tables.iter().enumerate() {
                let found = (model.clone(), position);
                if let Some((other, _)) = tables.insert(table.name.clone(), found) {
                    let (table, model) = (table.name.clone(), other.name().to_owned());
                    return Err(LoadError::TableTaken { table, model });
                }
            }
        }
        let is_of_periods = |(model, position): &&(Arc<LoadedModel>, usize)| {
            let table = model.model.tables.get(*position);
            table.is_some_and(|table| table.period_name.is_some())
        };
        let period_tables = tables.values().filter(is_of_periods).cloned().collect();
        Ok(Models { all, tables, period_tables })
    }
}

/// Whether the service calls one of the tables for periods so.
fn is_called((model, position): &(Arc<LoadedModel>, usize), name: &str) -> bool {
    model.model.tables.get(*position).is_some_and(|table| table.is_called(name))
}
