//! Models that are loaded: read, checked and compiled.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile};
use monotable_model::document::{self, Document, Format, Model, Operation};
use monotable_plan::{Plan, PlannedAction, PlannedRequest, diagnose_plans, plan_all};
use thiserror::Error;

use crate::asked_parts::{AskedPart, add_parts, tables_of};
use crate::call::CalledTable;
use crate::counters::{Counters, EntityCounter, PatternCounter};
use crate::drift::DriftLog;
use crate::estimate::{PatternEstimate, estimates};
use crate::page_shape::PageShape;
use crate::shape::{GroupShape, ItemShape, ItemShapes, kind_of, number_of};
use crate::watched_table::WatchedTable;

/// Reads a document, with all that is wrong with it.
pub type ModelReader = fn(&str, Format) -> Result<Document, Vec<Diagnostic>>;

/// The account of models that are loaded for none in particular: that of calls where nobody is
/// asked who they are.
pub const FIRST_ACCOUNT: &str = "000000000000";
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
    /// A model of another account has its name.
    #[error("a model {name} of the account {account} is loaded; give one of them another name")]
    NameTaken {
        /// The name of both.
        name: String,
        /// The account of the other one.
        account: String,
    },
    /// There are too many models, or the model is too large.
    #[error("there are at most {MODELS_MAX} models, of {PARTS_MAX} entities and patterns each")]
    TooMany,
}

/// A model as it is sent to be loaded.
#[derive(Debug)]
pub(crate) struct SentModel<'a> {
    /// The account whose tables it is about.
    pub(crate) account: &'a str,
    pub(crate) source: SourceFile,
    /// The time, in milliseconds since 1970.
    pub(crate) now_millis: u64,
    /// How many threads will count requests.
    pub(crate) threads: usize,
}

/// A model that is loaded.
#[derive(Debug)]
pub struct LoadedModel {
    /// The account whose tables it is about.
    pub(crate) account: Box<str>,
    pub(crate) source: SourceFile,
    pub(crate) model: Model,
    pub(crate) tables: Vec<WatchedTable>,
    pub(crate) items: ItemShapes,
    pub(crate) groups: Vec<GroupShape>,
    pub(crate) estimates: Vec<PatternEstimate>,
    /// Of each pattern, the tables and indexes that it asks.
    pub(crate) parts: Vec<BTreeSet<AskedPart>>,
    /// Of each pattern, then of each table and index: of what is undecided, and of what is
    /// unmatched.
    pub(crate) patterns: Counters<PatternCounter>,
    /// Of each entity, then of what is undecided, then of what is unknown.
    pub(crate) entities: Counters<EntityCounter>,
    pub(crate) drift: DriftLog,
    /// When it was loaded, in milliseconds since 1970.
    pub(crate) loaded_millis: u64,
}

impl LoadedModel {
    /// Reads a model and makes it ready.
    pub(crate) fn load(sent: SentModel<'_>, read: ModelReader) -> Result<LoadedModel, LoadError> {
        let source = &sent.source;
        let format = Format::detect(source.name(), source.text());
        // Counted before anybody looks for mistakes, which takes longer than reading.
        if let Ok(document) = document::read(source.text(), format)
            && document.model.entities.len() + document.model.patterns.len() > PARTS_MAX
        {
            return Err(LoadError::TooMany);
        }
        let document = match read(source.text(), format) {
            Ok(document) => document,
            Err(diagnostics) => return Err(LoadError::Wrong(sent.source, diagnostics)),
        };
        // Planning takes most of the time that loading takes, so it is done once.
        let plans = plan_all(&document.model);
        let mut findings = diagnose_plans(&plans);
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            document.places.locate(&mut findings);
            return Err(LoadError::Wrong(sent.source, findings));
        }
        let Document { model, .. } = document;
        Ok(LoadedModel::new(sent, model, &plans))
    }

    fn new(sent: SentModel<'_>, model: Model, plans: &[Plan]) -> LoadedModel {
        let tables = model.tables.iter().enumerate();
        let tables = tables.map(|(position, table)| WatchedTable::new(&model, position, table));
        let mut loaded = LoadedModel {
            account: sent.account.into(),
            tables: tables.collect(),
            items: ItemShapes::default(),
            groups: Vec::new(),
            estimates: estimates(&model, plans),
            parts: vec![BTreeSet::new(); model.patterns.len()],
            patterns: Counters::new(model.patterns.len() + 2 * part_count(&model), sent.threads),
            entities: Counters::new(model.entities.len() + 2, sent.threads),
            drift: DriftLog::default(),
            loaded_millis: sent.now_millis,
            source: sent.source,
            model: Model::default(),
        };
        for (number, (pattern, plan)) in (0..=u16::MAX).zip(model.patterns.iter().zip(plans)) {
            // The steps of a pattern are patterns themselves.
            if pattern.operation != Operation::Steps {
                plan.steps.iter().for_each(|step| loaded.add(&model, number, step));
            }
        }
        loaded.model = model;
        loaded
    }

    /// Adds a request of a pattern.
    fn add(&mut self, model: &Model, pattern: u16, request: &PlannedRequest) {
        if let Some(parts) = self.parts.get_mut(usize::from(pattern)) {
            add_parts(parts, model, request);
        }
        let entities: Vec<_> =
            request.entities.iter().filter_map(|name| model.entity(name)).collect();
        match &request.action {
            PlannedAction::Query(_) | PlannedAction::Scan(_) => {
                let targets: Vec<&String> = tables_of(request).collect();
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

    /// Where requests of several patterns on a table or index are counted.
    #[inline]
    pub(crate) fn undecided_place(&self, part: usize) -> usize {
        self.model.patterns.len() + 2 * part
    }

    /// Where requests of no pattern on a table or index are counted.
    #[inline]
    pub(crate) fn unmatched_place(&self, part: usize) -> usize {
        self.undecided_place(part) + 1
    }

    /// How many tables and indexes the model has.
    pub(crate) fn part_count(&self) -> usize {
        part_count(&self.model)
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// The account whose tables it is about.
    pub fn account(&self) -> &str {
        &self.account
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

/// How many tables and indexes a model has.
fn part_count(model: &Model) -> usize {
    model.tables.iter().map(|table| 1 + table.indexes.len()).sum()
}

/// The models that are loaded, and the tables that they have.
#[derive(Debug, Default)]
pub(crate) struct Models {
    pub(crate) all: Vec<Arc<LoadedModel>>,
    /// The model and the position of the table in it, by the name of the table. Each account can
    /// have a table of that name.
    tables: HashMap<String, Vec<(Arc<LoadedModel>, usize)>>,
    /// Those of which there is one for each period.
    period_tables: Vec<(Arc<LoadedModel>, usize)>,
}

impl Models {
    /// A table, if a model has it.
    pub(crate) fn table(&self, table: CalledTable<'_>) -> Option<(Arc<LoadedModel>, usize)> {
        let is_own = |(model, _): &&(Arc<LoadedModel>, usize)| *model.account == *table.account;
        let mut of_name = self.tables.get(table.name).into_iter().flatten().filter(is_own);
        let mut of_periods = self.period_tables.iter().filter(is_own);
        let of_period = || of_periods.find(|found| is_called(found, table.name));
        of_name.next().or_else(of_period).cloned()
    }

    /// These models and one more, which takes the place of one of the same name.
    pub(crate) fn with(&self, model: LoadedModel) -> Result<Models, LoadError> {
        let namesake = self.all.iter().find(|known| known.name() == model.name());
        if let Some(other) = namesake.filter(|known| known.account != model.account) {
            let (name, account) = (other.name().to_owned(), other.account().to_owned());
            return Err(LoadError::NameTaken { name, account });
        }
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
        let mut tables: HashMap<String, Vec<(Arc<LoadedModel>, usize)>> = HashMap::new();
        for model in &all {
            for (position, table) in model.tables.iter().enumerate() {
                let of_name = tables.entry(table.name.clone()).or_default();
                if let Some((other, _)) =
                    of_name.iter().find(|(other, _)| other.account == model.account)
                {
                    let (table, model) = (table.name.clone(), other.name().to_owned());
                    return Err(LoadError::TableTaken { table, model });
                }
                of_name.push((model.clone(), position));
            }
        }
        let is_of_periods = |(model, position): &&(Arc<LoadedModel>, usize)| {
            let table = model.model.tables.get(*position);
            table.is_some_and(|table| table.period_name.is_some())
        };
        let period_tables = tables.values().flatten().filter(is_of_periods).cloned().collect();
        Ok(Models { all, tables, period_tables })
    }
}

/// Whether the service calls one of the tables for periods so.
fn is_called((model, position): &(Arc<LoadedModel>, usize), name: &str) -> bool {
    model.model.tables.get(*position).is_some_and(|table| table.is_called(name))
}
