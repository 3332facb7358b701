//! Pieces of the text that know where they stand in it.

use super::error::{SyntaxError, SyntaxErrorKind};

/// A piece of a template's text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    start: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn whole(text: &'a str) -> Piece<'a> {
        Piece { text, start: 0 }
    }

    /// The first bytes. The caller counts whole characters.
    pub(super) fn take(self, bytes: usize) -> Piece<'a> {
        Piece { text: self.text.get(..bytes).unwrap_or(self.text), ..self }
    }

    /// What is left after the first bytes.
    pub(super) fn skip(self, bytes: usize) -> Piece<'a> {
        let text = self.text.get(bytes..).unwrap_or("");
        Piece { text, start: self.start + (self.text.len() - text.len()) }
    }

    /// Without white space at its ends.
    pub(super) fn trim(self) -> Piece<'a> {
        let leading = self.text.len() - self.text.trim_start().len();
        self.skip(leading).take(self.text.trim().len())
    }

    /// The pieces between a separator, where it is outside quotes and parentheses.
    pub(super) fn split(self, separator: char) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let (mut quoted, mut depth, mut start) = (false, 0_usize, 0);
        for (offset, character) in self.text.char_indices() {
            match character {
                '"' => quoted = !quoted,
                '(' if !quoted => depth += 1,
                ')' if !quoted => depth = depth.saturating_sub(1),
                _ if character == separator && !quoted && depth == 0 => {
                    pieces.push(self.skip(start).take(offset - start));
                    start = offset + character.len_utf8();
                }
                _ => {}
            }
        }
        pieces.push(self.skip(start));
        pieces
    }

    /// Splits `name(arguments)` into the name and its arguments, if there is a parenthesis.
    pub(super) fn call(self) -> Result<(Piece<'a>, Option<Vec<Piece<'a>>>), SyntaxError> {
        let Some(open) = self.text.find('(') else { return Ok((self, None)) };
        if !self.text.ends_with(')') {
            return Err(self.error(SyntaxErrorKind::Unclosed));
        }
        let inside = self.skip(open + 1).take(self.text.len() - open - 2);
        let arguments = inside.split(',').into_iter().map(Piece::trim).collect();
        Ok((self.take(open), Some(arguments)))
    }

    pub(super) fn error(self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { span: self.start..self.start + self.text.len(), kind }
    }
}
