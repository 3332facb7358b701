//! The models that a server watches its tables by.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_observe::{CheckMode, LoadError, Observer};

use crate::output;

/// Which models are watched, and how.
#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// Watch the tables of a model: which access pattern each call is, which keys are hot, which
    /// writes do not fit (monotable insights shows it). Can be given several times
    #[arg(long = "model", value_name = "FILE")]
    models: Vec<PathBuf>,

    /// What becomes of writes that do not fit the model of their table
    #[arg(long, value_enum, default_value_t = ModelCheck::Warn)]
    model_check: ModelCheck,
}

/// What becomes of writes that do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelCheck {
    /// They are not looked at
    Off,
    /// They are reported
    Warn,
    /// They are reported, and refused with a ValidationException
    Reject,
}

impl ModelArguments {
    /// The observer of all models. A model with a mistake is shown as `model check` shows it.
    pub(crate) fn observer(&self, now_millis: u64) -> Result<Arc<Observer>> {
        let mode = match self.model_check {
            ModelCheck::Off => CheckMode::Off,
            ModelCheck::Warn => CheckMode::Warn,
            ModelCheck::Reject => CheckMode::Reject,
        };
        let observer = Observer::new(monotable_lint::read, mode);
        for path in &self.models {
            let name = path.display().to_string();
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
            if let Err(error) = observer.load(SourceFile::new(name, text), now_millis) {
                show(&error);
                bail!("{error}");
            }
        }
        Ok(Arc::new(observer))
    }
}

/// Shows what is wrong with a model.
fn show(error: &LoadError) {
    let LoadError::Wrong(file, diagnostics) = error else { return };
    let wants_colour = output::wants_colour(&io::stderr());
    let colour = if wants_colour { Colour::Always } else { Colour::Never };
    for diagnostic in diagnostics {
        eprintln!("{}", render_text(diagnostic, file, colour));
    }
}
