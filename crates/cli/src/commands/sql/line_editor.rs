//! Reads statements from the terminal: history, completion, colours, and lines until the `;`.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, Result};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};

use super::catalog::Catalog;
use super::completion::{KEYWORDS, Names, complete};
use super::splitter::is_complete;
use super::token::{Kind, Token, tokens};

const PROMPT: &str = "monotable> ";

/// Statements that are remembered.
const HISTORY_MAX: usize = 2000;

/// What somebody typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    Text(String),
    /// Ctrl-C: drop the line.
    Dropped,
    /// Ctrl-D: leave.
    End,
}

/// The terminal.
pub(super) struct LineEditor {
    editor: Editor<Assistant, DefaultHistory>,
    history: Option<PathBuf>,
}

impl LineEditor {
    pub(super) fn new(catalog: Rc<Catalog>, is_coloured: bool) -> Result<LineEditor> {
        let config = Config::builder()
            .max_history_size(HISTORY_MAX)
            .and_then(|builder| builder.history_ignore_dups(true))
            .context("the settings of the terminal")?
            .history_ignore_space(true)
            .completion_type(rustyline::CompletionType::List)
            .build();
        let mut editor = Editor::with_config(config).context("cannot use the terminal")?;
        editor.set_helper(Some(Assistant { catalog, is_coloured }));
        let history = history_file();
        if let Some(path) = &history {
            // There is none the first time.
            let _ = editor.load_history(path);
        }
        Ok(LineEditor { editor, history })
    }

    /// Reads whole statements, or a command.
    pub(super) fn read(&mut self) -> Result<Input> {
        match self.editor.readline(PROMPT) {
            Ok(text) => {
                self.remember(&text);
                Ok(Input::Text(text))
            }
            Err(ReadlineError::Interrupted) => Ok(Input::Dropped),
            Err(ReadlineError::Eof) => Ok(Input::End),
            Err(error) => Err(error).context("cannot read from the terminal"),
        }
    }

    /// A history that cannot be written is no reason to stop.
    fn remember(&mut self, text: &str) {
        let is_new = self.editor.add_history_entry(text.trim_end()).unwrap_or(false);
        if let Some(path) = self.history.as_ref().filter(|_| is_new) {
            let _ = self.editor.append_history(path);
        }
    }
}

/// Where statements are remembered: in `MONOTABLE_SQL_HISTORY`, or with the state of other
/// programs. An empty name means nowhere.
fn history_file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("MONOTABLE_SQL_HISTORY") {
        return Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty());
    }
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/state"));
    let directory = state.filter(|path| path.is_absolute()).or_else(home)?.join("monotable");
    fs::create_dir_all(&directory).ok()?;
    Some(directory.join("sql_history"))
}

/// What helps while somebody types.
struct Assistant {
    catalog: Rc<Catalog>,
    is_coloured: bool,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        if is_complete(context.input()) {
            return Ok(ValidationResult::Valid(None));
        }
        Ok(ValidationResult::Incomplete)
    }
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(line, position, &*self.catalog))
    }
}

impl Names for Catalog {
    fn tables(&self) -> Vec<String> {
        self.names_at_a_glance().to_vec()
    }

    fn indexes(&self, table: &str) -> Vec<String> {
        let table = self.table_at_a_glance(table);
        let indexes = table.iter().flat_map(|table| &table.indexes);
        indexes.map(|index| index.name.clone()).collect()
    }

    fn attributes(&self, table: &str) -> Vec<String> {
        let mut names = self.attributes(table);
        if let Some(table) = self.table_at_a_glance(table) {
            names.extend(table.key_names().map(str::to_owned));
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.is_coloured {
            Cow::Owned(tokens(line).map(coloured).collect())
        } else {
            Cow::Borrowed(line)
        }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.is_coloured && kind != CmdKind::MoveCursor
    }
}

fn coloured(token: Token<'_>) -> String {
    let is_keyword = || KEYWORDS.iter().any(|keyword| token.is_word(keyword));
    let colour = match token.kind {
        Kind::Word if is_keyword() => "\x1b[1;34m",
        Kind::Text => "\x1b[32m",
        Kind::Name => "\x1b[36m",
        Kind::Number => "\x1b[35m",
        Kind::Comment => "\x1b[90m",
        Kind::Word | Kind::Space | Kind::Semicolon | Kind::Symbol => return token.text.to_owned(),
    };
    format!("{colour}{}\x1b[0m", token.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_texts_and_numbers_are_coloured() {
        let text: String = tokens("SELECT a, 'x' -- c").map(coloured).collect();
        assert_eq!(text, "\x1b[1;34mSELECT\x1b[0m a, \x1b[32m'x'\x1b[0m \x1b[90m-- c\x1b[0m");
    }
}
