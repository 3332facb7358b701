//! How the subcommands print what they found.

use std::io::{self, IsTerminal, Write};

use clap::{Args, ValueEnum};
use monotable_model::diagnostic::{Colour, Diagnostic, SourceFile, render_text};
use monotable_model::document::{Tree, write_tree};

use crate::output;

/// How to print.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub(super) output: Output,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// For people
    Text,
    /// For programs: JSON with stable members
    Json,
}

/// Prints diagnostics for people, with an empty line between them.
pub(super) fn text(
    stream: &mut (impl Write + IsTerminal),
    diagnostics: &[Diagnostic],
    file: &SourceFile,
) -> io::Result<()> {
    let colour = if output::wants_colour(&*stream) { Colour::Always } else { Colour::Never };
    for diagnostic in diagnostics {
        writeln!(stream, "{}", render_text(diagnostic, file, colour))?;
    }
    Ok(())
}

/// Prints a JSON document.
pub(super) fn json(tree: &Tree) -> io::Result<()> {
    output::line(write_tree(tree).trim_end())
}

/// A table of a JSON document.
pub(super) fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A number with its noun.
pub(super) fn counted(count: usize, singular: &str, plural: &str) -> String {
    format!("{count} {}", if count == 1 { singular } else { plural })
}
