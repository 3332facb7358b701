//! `monotable model lsp`: a language server for model files, over standard input and output.
//!
//! `framing` reads and writes the messages, `server` knows the protocol's methods, `open_file` is a
//! file as the editor has it. What is answered is in a file for each question: `problems`, `hover`,
//! `completion`, `definition`, `rename`. They are plain functions of the text and of the last
//! document that could be read, so that a half-typed line does not silence them.

mod completion;
mod cursor;
mod definition;
mod framing;
mod hover;
mod occurrence;
mod open_file;
mod position;
mod problems;
mod rename;
mod schema_member;
mod server;

use std::io::{self, BufReader};

use anyhow::Result;
use clap::Args;

use crate::outcome::Outcome;

const EXAMPLES: &str = "\
An editor starts this command and talks to it; people do not. It finds mistakes while you type
(those of `model check` and `model lint`), shows built keys, plans and costs under the pointer,
completes members, entities, attributes and encodings, goes to definitions, and renames
attributes everywhere.

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
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = io::stdout().lock();
    server::serve(&mut input, &mut output)
}
