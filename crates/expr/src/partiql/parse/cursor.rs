//! A position in the tokens of a statement.

use monotable_item::limits::EXPRESSION_OPERATORS_MAX;

use super::super::error::{
    ExpectedToken, PartiqlError, PartiqlErrorKind, SyntaxError, TokenPosition,
};
use super::super::keyword;
use super::super::lexer::{Span, Token, TokenKind, tokenize};

/// How deep parentheses, lists, calls and `NOT` may be nested. That is deeper than a value may be,
/// so that a value that is too deep gets its own message.
const DEPTH_MAX: usize = 48;

/// Reads tokens one by one. Beyond the end there is only [`TokenKind::End`].
pub(super) struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
    operators: usize,
    parameters: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Result<Cursor<'t>, PartiqlError> {
        let tokens = tokenize(text)?;
        Ok(Cursor { text, tokens, position: 0, depth: 0, operators: 0, parameters: 0 })
    }

    /// The kind of the current token.
    pub(super) fn kind(&self) -> TokenKind {
        self.kind_at(self.position)
    }

    /// The kind of the token after the current one.
    pub(super) fn next_kind(&self) -> TokenKind {
        self.kind_at(self.position + 1)
    }

    /// The text of the token after the current one.
    pub(super) fn next_text(&self) -> &'t str {
        let next = self.tokens.get(self.position + 1).map(|token| token.span);
        next.and_then(|span| self.text.get(span.start..span.end)).unwrap_or_default()
    }

    /// Returns the position of the current token.
    pub(super) fn span(&self) -> Span {
        let end = Span { start: self.text.len(), end: self.text.len() };
        self.tokens.get(self.position).map_or(end, |token| token.span)
    }

    /// The text of the current token.
    pub(super) fn token_text(&self) -> &'t str {
        let span = self.span();
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the text between the quotes of the current token.
    pub(super) fn unquoted(&self) -> String {
        let text = self.token_text();
        let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        match self.kind() {
            TokenKind::Text => inside.replace("''", "'"),
            _ => inside.replace("\"\"", "\""),
        }
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
    pub(super) fn expect(
        &mut self,
        kind: TokenKind,
        expected: ExpectedToken,
    ) -> Result<(), PartiqlError> {
        if self.accept(kind) { Ok(()) } else { Err(self.syntax(SyntaxError::Expected(expected))) }
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

    /// Skips the current token, which must be this keyword.
    pub(super) fn expect_keyword(&mut self, keyword: &'static str) -> Result<(), PartiqlError> {
        if self.accept_keyword(keyword) {
            return Ok(());
        }
        Err(self.syntax(SyntaxError::Expected(ExpectedToken::Keyword(keyword))))
    }

    /// Returns whether the current token is a name: quoted, or a word that is not a keyword.
    pub(super) fn at_name(&self) -> bool {
        match self.kind() {
            TokenKind::QuotedName => true,
            TokenKind::Word => !keyword::is_keyword(self.token_text()),
            _ => false,
        }
    }

    /// The name that the current token is, which is passed.
    pub(super) fn name(&mut self) -> Option<String> {
        if !self.at_name() {
            return None;
        }
        let name = match self.kind() {
            TokenKind::QuotedName => self.unquoted(),
            _ => self.token_text().to_owned(),
        };
        self.advance();
        Some(name)
    }

    /// Enters one level, which [`Cursor::leave`] takes back.
    pub(super) fn enter(&mut self) -> Result<(), PartiqlError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.error(PartiqlErrorKind::TooDeep, self.span()));
        }
        Ok(())
    }

    /// Comes back from a level.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts an operator.
    pub(super) fn operator(&mut self) -> Result<(), PartiqlError> {
        self.operators += 1;
        if self.operators > EXPRESSION_OPERATORS_MAX {
            let kind = PartiqlErrorKind::TooManyOperators { count: self.operators };
            return Err(self.error(kind, self.span()));
        }
        Ok(())
    }

    /// Counts a parameter, and returns its position.
    pub(super) fn parameter(&mut self) -> usize {
        self.parameters += 1;
        self.parameters - 1
    }

    pub(super) fn parameter_count(&self) -> usize {
        self.parameters
    }

    /// The error that the current token does not fit the grammar.
    pub(super) fn syntax(&self, error: SyntaxError) -> PartiqlError {
        self.error(PartiqlErrorKind::Syntax(error), self.span())
    }

    fn error(&self, kind: PartiqlErrorKind, span: Span) -> PartiqlError {
        PartiqlError::new(kind, TokenPosition::of(self.text, span))
    }

    fn kind_at(&self, position: usize) -> TokenKind {
        self.tokens.get(position).map_or(TokenKind::End, |token| token.kind)
    }
}
