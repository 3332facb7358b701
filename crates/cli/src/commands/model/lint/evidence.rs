//! What is known besides the model: stored items, recorded requests, the model as it was before.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_model::document::Model;
use monotable_model::lint::{RecordedRequest, StoredItem};

use crate::commands::model::file::ModelFile;

/// What is known besides the model.
#[derive(Debug, Args)]
pub(super) struct EvidenceArguments {
    /// The model as it was before: what does the change do to stored items?
    #[arg(long, value_name = "MODEL")]
    before: Option<PathBuf>,
}

/// What was read.
pub(super) struct Known {
    pub(super) items: Option<Vec<StoredItem>>,
    pub(super) requests: Vec<RecordedRequest>,
    pub(super) before: Option<Model>,
}

impl EvidenceArguments {
    /// Reads all that was given.
    pub(super) fn read(&self, _model: &Model) -> Result<Known> {
        let before = match &self.before {
            Some(path) => Some(ModelFile::open(path)?.into_document()?.1.model),
            None => None,
        };
        Ok(Known { items: None, requests: Vec::new(), before })
    }
}
