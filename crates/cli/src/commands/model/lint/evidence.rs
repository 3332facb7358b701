//! What is known besides the model: stored items, recorded requests, the model as it was before.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use monotable_lint::{RecordedRequest, StoredItem, read_export, read_recording};
use monotable_model::document::{Model, Table};

use super::live_table;
use crate::commands::model::file::ModelFile;
use crate::endpoint::EndpointArguments;

/// What is known besides the model.
#[derive(Debug, Args)]
pub(super) struct EvidenceArguments {
    /// Stored items: a file, dynamodb://TABLE, or samples
    ///
    /// A file is an export of a table (lines of {"Item": {…}}) or the output of `aws dynamodb
    /// scan`; with several tables in the model it is TABLE=FILE. dynamodb://TABLE reads a live
    /// table at the endpoint. `samples`, the default, are the samples of the model. Can be
    /// repeated.
    #[arg(long, value_name = "SOURCE")]
    data: Vec<String>,

    /// Read at most this many items of a live table
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    items_max: usize,

    /// Recorded requests: lines of {"operation": "Query", "request": {…}, "response": {…}}
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,

    /// The model before the change: what does the change do to stored items?
    #[arg(long, value_name = "MODEL")]
    before: Option<PathBuf>,

    #[command(flatten)]
    endpoint: EndpointArguments,
}

/// What was read.
pub(super) struct Known {
    pub(super) items: Option<Vec<StoredItem>>,
    pub(super) requests: Vec<RecordedRequest>,
    pub(super) recording: Option<String>,
    pub(super) before: Option<Model>,
}

/// The word for the samples of the model.
const SAMPLES: &str = "samples";

/// What the address of a live table begins with.
pub(in crate::commands::model) const LIVE: &str = "dynamodb://";

impl EvidenceArguments {
    /// Reads all that was given.
    pub(super) fn read(&self, model: &Model) -> Result<Known> {
        let before = match &self.before {
            Some(path) => Some(ModelFile::open(path)?.into_document()?.1.model),
            None => None,
        };
        let requests = self.requests.as_deref().map(recording).transpose()?.unwrap_or_default();
        let recording = self.requests.as_ref().map(|path| path.display().to_string());
        Ok(Known { items: self.items(model)?, requests, recording, before })
    }

    /// The items of all sources; nothing if those are the samples.
    fn items(&self, model: &Model) -> Result<Option<Vec<StoredItem>>> {
        let sources: Vec<&String> = self.data.iter().filter(|source| *source != SAMPLES).collect();
        if sources.is_empty() {
            return Ok(None);
        }
        let mut items = Vec::new();
        for source in sources {
            items.extend(match source.strip_prefix(LIVE) {
                Some(name) => live(model, name, &self.endpoint, self.items_max)?,
                None => exported(model, source)?,
            });
        }
        Ok(Some(items))
    }
}

/// The items of a live table, no more than so many.
pub(in crate::commands::model) fn live(
    model: &Model,
    name: &str,
    endpoint: &EndpointArguments,
    items_max: usize,
) -> Result<Vec<StoredItem>> {
    let called = model.tables.iter().find(|table| table.is_called(name));
    let (table, called) = match (called, model.table(name)) {
        (Some(table), _) => (table, name),
        (None, Some(Table { period_name: Some(template), .. })) => bail!(
            "{name} is a table for each {}: say which one, called {}",
            template.bucket().code(),
            template.text()
        ),
        (None, Some(table)) => (table, table.physical_name()),
        (None, None) => bail!("the model has no table {name}; {}", tables_of(model)),
    };
    let endpoint = endpoint.connect_briefly()?;
    let items = live_table::read(&endpoint, called, items_max)?;
    let stored = |item| StoredItem { table: table.name.clone(), item };
    Ok(items.into_iter().map(stored).collect())
}

fn recording(path: &Path) -> Result<Vec<RecordedRequest>> {
    read_recording(&text_of(path)?).with_context(|| path.display().to_string())
}

/// The items of a file, `FILE` or `TABLE=FILE`.
pub(in crate::commands::model) fn exported(model: &Model, source: &str) -> Result<Vec<StoredItem>> {
    let named = source.split_once('=').filter(|(name, _)| model.table(name).is_some());
    let (table, path) = match (named, model.tables.as_slice()) {
        (Some((table, path)), _) => (table, path),
        (None, [table]) => (table.name.as_str(), source),
        (None, _) => bail!("whose items are in {source}? Say TABLE={source}; {}", tables_of(model)),
    };
    read_export(&text_of(Path::new(path))?, table).with_context(|| path.to_owned())
}

fn tables_of(model: &Model) -> String {
    let names: Vec<&str> = model.tables.iter().map(|table| table.name.as_str()).collect();
    format!("its tables are {}", names.join(", "))
}

fn text_of(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
