//! A place in a text's tokens.

use crate::ParseError;
use crate::lexer::{Token, TokenKind, tokenize};

/// Reads tokens one by one. Beyond the end there is only [`TokenKind::End`].
pub(super) struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    position: usize,
    /// Words that the grammar keeps for itself, in capitals: they are never names.
    keywords: &'static [&'static str],
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, keywords: &'static [&'static str]) -> Cursor<'t> {
        Cursor { text, tokens: tokenize(text), position: 0, keywords }
    }

    /// The kind of the current token.
    pub(super) fn kind(&self) -> TokenKind {
        self.kind_at(self.position)
    }

    /// The kind of the token after the current one.
    pub(super) fn next_kind(&self) -> TokenKind {
        self.kind_at(self.position + 1)
    }

    /// The text of the current token.
    pub(super) fn token_text(&self) -> &'t str {
        self.tokens.get(self.position).map_or("", |token| self.slice(token.start, token.end))
    }

    /// Moves to the next token.
    pub(super) fn advance(&mut self) {
        self.position += 1;
    }

    /// Skips the current token if it is of this kind.
    pub(super) fn accept(&mut self, kind: TokenKind) -> bool {
        let accepted = self.kind() == kind;
        if accepted {
            self.advance();
        }
        accepted
    }

    /// Skips the current token, which must be of this kind.
    pub(super) fn expect(&mut self, kind: TokenKind) -> Result<(), ParseError> {
        if self.accept(kind) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Returns whether the current token is this keyword, in any case.
    pub(super) fn at_keyword(&self, keyword: &str) -> bool {
        self.kind() == TokenKind::Word && self.token_text().eq_ignore_ascii_case(keyword)
    }

    /// Skips the current token if it is this keyword.
    pub(super) fn accept_keyword(&mut self, keyword: &str) -> bool {
        let accepted = self.at_keyword(keyword);
        if accepted {
            self.advance();
        }
        accepted
    }

    /// Returns whether the current token is a word that can be a name or a function.
    pub(super) fn at_free_word(&self) -> bool {
        self.kind() == TokenKind::Word
            && !self.keywords.iter().any(|keyword| self.at_keyword(keyword))
    }

    /// The error that the current token cannot stand here.
    pub(super) fn unexpected(&self) -> ParseError {
        let token = match self.kind() {
            TokenKind::End => None,
            _ => Some(self.token_text().to_owned()),
        };
        ParseError::Syntax { token, near: self.near().to_owned() }
    }

    /// The text from the start of the token before the current one to the end of the one after it.
    fn near(&self) -> &'t str {
        let before = self.position.checked_sub(1).and_then(|position| self.tokens.get(position));
        let start = before.map_or(0, |token| token.start);
        let end = self.tokens.get(self.position + 1).map_or(self.text.len(), |token| token.end);
        self.slice(start, end)
    }

    fn kind_at(&self, position: usize) -> TokenKind {
        self.tokens.get(position).map_or(TokenKind::End, |token| token.kind)
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).expect("tokens begin and end at characters of the text")
    }
}
