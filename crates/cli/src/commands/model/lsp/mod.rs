//! `monotable model lsp`: a language server for model files, over standard input and output.
//!
//! `framing` reads and writes the messages, `inbox` has those that wait, `server` knows the
//! protocol's methods, `open_file` is a file as the editor has it. What is answered is in a file
//! for each question: `problems`, `code_action`, `hover`, `completion`, `definition`, `rename`.
//! They are plain functions of a document and its text: as much of a document as could be read of
//! the last text whose syntax was right. `shift` finds the bytes of that text in the editor's, so
//! that neither a half-typed line nor a mistake silences them.

mod code_action;
mod completion;
mod cursor;
mod definition;
mod framing;
mod hover;
mod inbox;
mod occurrence;
mod open_file;
mod position;
mod problems;
mod rename;
mod schema_member;
mod server;
mod shift;

use std::io::{self, BufReader};

use anyhow::Result;
use clap::Args;

use crate::outcome::Outcome;

const EXAMPLES: &str = "\
An editor starts this command and talks to it; people do not. It finds mistakes while you type
(those of `model check` and `model lint`), shows built keys, plans and costs under the pointer,
completes members, entities, attributes and encodings, goes to definitions, renames attributes
everywhere, and mends what has one right answer.

Examples:
  Neovim 0.11 or later, in init.lua:
      vim.lsp.config.monotable = {
        cmd = { 'monotable', 'model', 'lsp' },
        filetypes = { 'toml', 'yaml', 'json' },
        root_markers = { 'model.toml' },
      }
      vim.lsp.enable('monotable')

  Helix, in languages.toml:
      [language-server.monotable]
      command = \"monotable\"
      args = [\"model\", \"lsp\"]

Files that are no models (without the members `format` and `tables`) are left alone.";

/// Serve an editor: mistakes while you type, hover, completion, definitions, rename
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Lsp {}

/// Serves until the editor says so, or closes the connection.
pub(super) fn run(_arguments: &Lsp) -> Result<Outcome> {
    let mut output = io::stdout().lock();
    server::serve(BufReader::new(io::stdin()), &mut output)
}
