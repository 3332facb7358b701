//! The models that a server watches its tables by.

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use monotable_identity::{DEFAULT_ACCOUNT, is_account};
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_observe::{CheckMode, LoadError, Observer};

use crate::output;

/// Which models are watched, and how.
#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// Watch the tables of a model: which access pattern each call is, which keys are hot, which
    /// writes do not fit (monotable insights shows it). A model is about the tables of the account
    /// 000000000000, or of the one before a colon: 111122223333:shop.toml. Can be given several
    /// times
    #[arg(long = "model", value_name = "[ACCOUNT:]FILE")]
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
        let threads = available_parallelism().map_or(1, NonZero::get);
        let observer = Observer::new(monotable_lint::read, mode).for_threads(threads);
        for (account, path) in self.models.iter().map(|model| account_and_file(model)) {
            let name = path.display().to_string();
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
            let source = SourceFile::new(name, text);
            if let Err(error) = observer.load_for(account, source, now_millis) {
                show(&error);
                bail!("{error}");
            }
        }
        Ok(Arc::new(observer))
    }
}

/// The account whose tables a model is about, and the file of the model.
fn account_and_file(model: &Path) -> (&str, &Path) {
    let split = model.to_str().and_then(|model| model.split_once(':'));
    match split.filter(|(account, _)| is_account(account)) {
        Some((account, file)) => (account, Path::new(file)),
        None => (DEFAULT_ACCOUNT, model),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_of_the_account_before_the_colon() {
        let of = |model: &'static str| account_and_file(Path::new(model));
        assert_eq!(of("111122223333:a/b.toml"), ("111122223333", Path::new("a/b.toml")));
        for model in ["shop.toml", "C:\\shop.toml", "11112222333:shop.toml", "11112222333x:shop"] {
            assert_eq!(of(model), ("000000000000", Path::new(model)));
        }
    }
}
