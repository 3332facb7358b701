//! Cuts a script into statements, which end with `;`, and commands of the shell, which begin with
//! `\` and end with their line.

use super::token::{Kind, Token, tokens};

/// What the shell does one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    /// The line on which it begins, counted from 1.
    pub(super) line: usize,
    /// Its text without comments: they are blanks, so that places in it are those of the script.
    pub(super) text: String,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// For the endpoint.
    Statement,
    /// For the shell.
    Command,
}

/// A script that is read bit by bit. Only what has not ended is kept.
#[derive(Debug)]
pub(super) struct Splitter {
    waiting: String,
    /// How much of it has been given out.
    done_bytes: usize,
    /// The line on which what has not been given out begins.
    line: usize,
}

impl Splitter {
    /// The beginning of a script.
    pub(super) fn new() -> Splitter {
        Splitter { waiting: String::new(), done_bytes: 0, line: 1 }
    }

    /// Takes more of the script.
    pub(super) fn push(&mut self, text: &str) {
        self.waiting.drain(..self.done_bytes);
        self.done_bytes = 0;
        self.waiting.push_str(text);
    }

    /// The next piece that has ended.
    pub(super) fn next_piece(&mut self) -> Option<Piece> {
        loop {
            let (start, kind) = self.begin()?;
            let rest = self.rest().get(start..)?;
            let length = match kind {
                PieceKind::Statement => tokens(rest).find(|one| one.kind == Kind::Semicolon)?.start,
                PieceKind::Command => rest.find('\n')?,
            };
            let piece = self.take(start, kind, length);
            self.skip(1);
            if !piece.text.is_empty() {
                return Some(piece);
            }
        }
    }

    /// What is left at the end of a script.
    pub(super) fn last_piece(mut self) -> Option<Piece> {
        let (start, kind) = self.begin()?;
        let length = self.rest().len() - start;
        Some(self.take(start, kind, length))
    }

    /// How much has not ended.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.rest().len()
    }

    /// Where the next piece begins after blanks and comments, and what it is.
    fn begin(&self) -> Option<(usize, PieceKind)> {
        let first = tokens(self.rest()).find(|token| !token.is_blank())?;
        let kind = if first.text == "\\" { PieceKind::Command } else { PieceKind::Statement };
        Some((first.start, kind))
    }

    fn rest(&self) -> &str {
        self.waiting.get(self.done_bytes..).unwrap_or_default()
    }

    fn take(&mut self, start: usize, kind: PieceKind, length: usize) -> Piece {
        self.skip(start);
        let (line, raw) = (self.line, self.rest().get(..length).unwrap_or_default());
        let text = match kind {
            PieceKind::Statement => without_comments(raw),
            PieceKind::Command => raw.to_owned(),
        };
        let text = text.trim_end().to_owned();
        self.skip(length);
        Piece { kind, line, text }
    }

    fn skip(&mut self, bytes: usize) {
        let skipped = self.rest().get(..bytes).unwrap_or_default();
        let (lines, bytes) = (skipped.matches('\n').count(), skipped.len());
        self.line += lines;
        self.done_bytes += bytes;
    }
}

/// Whether a text has nothing that goes on: every statement has its `;`.
pub(super) fn is_complete(text: &str) -> bool {
    let mut splitter = Splitter::new();
    splitter.push(text);
    splitter.push("\n");
    while splitter.next_piece().is_some() {}
    tokens(splitter.rest()).all(|token| token.is_blank() && token.is_closed)
}

fn without_comments(text: &str) -> String {
    tokens(text).map(blanked).collect()
}

fn blanked(token: Token<'_>) -> String {
    if token.kind != Kind::Comment {
        return token.text.to_owned();
    }
    token.text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(parts: &[&str]) -> Vec<(usize, String)> {
        let mut splitter = Splitter::new();
        let mut pieces = Vec::new();
        for part in parts {
            splitter.push(part);
            while let Some(piece) = splitter.next_piece() {
                pieces.push(piece);
            }
        }
        pieces.extend(splitter.last_piece());
        pieces.into_iter().map(|piece| (piece.line, piece.text)).collect()
    }

    #[test]
    fn statements_end_with_a_semicolon_and_know_their_line() {
        let script = "-- first\nSELECT 1;\n\n  SELECT ';' -- why\n  FROM t ; SELECT 3";
        assert_eq!(
            pieces(&[script]),
            [
                (2, "SELECT 1".to_owned()),
                (4, "SELECT ';'       \n  FROM t".to_owned()),
                (5, "SELECT 3".to_owned()),
            ]
        );
    }

    #[test]
    fn commands_end_with_their_line() {
        let script = "\\d orders\n;;SELECT 1;\\x\n\\q";
        assert_eq!(
            pieces(&[script]),
            [
                (1, "\\d orders".to_owned()),
                (2, "SELECT 1".to_owned()),
                (2, "\\x".to_owned()),
                (3, "\\q".to_owned()),
            ]
        );
    }

    #[test]
    fn a_script_may_come_in_any_parts() {
        let script = "SELECT 'a;\nb';\nSELECT 2;\n";
        let whole = pieces(&[script]);
        for cut in 0..script.len() {
            let (one, two) = script.split_at(cut);
            assert_eq!(pieces(&[one, two]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn what_has_no_end_is_not_complete() {
        for complete in ["", "  ", "SELECT 1;", "SELECT 1; -- done", "\\d", "SELECT 1;\\x", ";"] {
            assert!(is_complete(complete), "{complete:?}");
        }
        for open in ["SELECT 1", "SELECT ';", "SELECT 1; SELECT", "SELECT 1 -- ;", "/* "] {
            assert!(!is_complete(open), "{open:?}");
        }
    }
}
