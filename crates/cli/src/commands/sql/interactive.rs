//! The shell at a terminal.

use std::io;
use std::rc::Rc;

use anyhow::Result;

use super::catalog::Catalog;
use super::line_editor::{Input, LineEditor};
use super::session::{Flow, Session};
use super::splitter::{Piece, Splitter};
use crate::output;

/// Reads and runs until somebody leaves.
pub(super) fn run(session: &mut Session, catalog: &Rc<Catalog>, address: &str) -> Result<()> {
    output::line(&format!("{address} · \\? for help, \\q to leave"))?;
    let mut editor = LineEditor::new(catalog.clone(), output::wants_colour(&io::stdout()))?;
    loop {
        match editor.read()? {
            Input::End => return Ok(()),
            Input::Dropped => {}
            Input::Text(text) => {
                if run_all(session, &text) == Flow::Leave {
                    return Ok(());
                }
            }
        }
    }
}

/// Runs what was typed. After an error the rest of it is not run.
fn run_all(session: &mut Session, text: &str) -> Flow {
    for piece in pieces(text) {
        match session.run(&piece) {
            Ok(Flow::Continue) => {}
            Ok(Flow::Leave) => return Flow::Leave,
            Err(error) => {
                output::error(&error);
                return Flow::Continue;
            }
        }
    }
    Flow::Continue
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut splitter = Splitter::new();
    splitter.push(text);
    let mut pieces: Vec<Piece> = std::iter::from_fn(|| splitter.next_piece()).collect();
    pieces.extend(splitter.last_piece());
    pieces
}
