//! A text of JavaScript, and what to pass over in it.

use std::ops::{Deref, DerefMut};

use monotable_model::diagnostic::{Diagnostic, Span};

use crate::source_cursor::SourceCursor;
use crate::source_node::syntax;

/// Reads JavaScript.
pub(super) struct Scanner<'t>(SourceCursor<'t>);

impl<'t> Deref for Scanner<'t> {
    type Target = SourceCursor<'t>;

    fn deref(&self) -> &SourceCursor<'t> {
        &self.0
    }
}

impl<'t> DerefMut for Scanner<'t> {
    fn deref_mut(&mut self) -> &mut SourceCursor<'t> {
        &mut self.0
    }
}

impl<'t> Scanner<'t> {
    /// Begins at the first byte.
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner(SourceCursor::new(text))
    }

    /// The text from a place to here.
    pub(super) fn text_since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Reads something that lies deeper by one level.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        self.enter()?;
        let outcome = read(self);
        self.leave();
        outcome
    }

    /// Passes over white space and comments.
    pub(super) fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            let comment = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                0
            };
            if space + comment == 0 {
                return;
            }
            self.at += space.max(comment);
        }
    }

    /// A name: letters, digits, `_` and `$`.
    pub(super) fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$') {
            return None;
        }
        let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end)
    }

    /// A word, if it comes next and nothing makes it longer.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let start = self.at;
        let is_next = self.name() == Some(word);
        if !is_next {
            self.at = start;
        }
        is_next
    }

    /// Passes over one text, template, regular expression, bracket pair or character. The character
    /// before, white space aside, tells a regular expression from a division.
    pub(super) fn token(&mut self, before: Option<char>) -> Result<(), Diagnostic> {
        match self.peek() {
            Some('"' | '\'') => self.quoted().map(drop),
            Some('`') => self.template(),
            Some('(' | '[' | '{') => self.deeper(Scanner::balanced),
            Some('/') if begins_value(before) && self.regular_expression() => Ok(()),
            Some(_) => {
                self.bump();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Passes over a bracket and everything up to the one that closes it.
    pub(super) fn balanced(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.bump();
        loop {
            let before = self.last();
            self.skip();
            match self.peek() {
                None => {
                    return Err(syntax(Span::new(start, start + 1), "the bracket is not closed"));
                }
                Some(')' | ']' | '}') => {
                    self.bump();
                    return Ok(());
                }
                Some(_) => self.token(before)?,
            }
        }
    }

    /// The character that was read last.
    pub(super) fn last(&self) -> Option<char> {
        self.text.get(..self.at).unwrap_or_default().chars().next_back()
    }

    /// A text between quotes, with its escapes resolved.
    pub(super) fn quoted(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        let quote = self.peek();
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => return Err(syntax(self.since(start), "the text has no end")),
                next if next == quote => {
                    self.bump();
                    return Ok(text);
                }
                Some('\\') => text.extend(self.escape()),
                Some(other) => {
                    text.push(other);
                    self.bump();
                }
            }
        }
    }

    /// What an escape stands for; a line that goes on stands for nothing.
    pub(super) fn escape(&mut self) -> Option<char> {
        self.bump();
        let escaped = self.peek()?;
        self.bump();
        match escaped {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'v' => Some('\u{b}'),
            '0' => Some('\0'),
            'x' => Some(self.code_point(2)),
            'u' if self.take("{") => {
                let digits = self.rest().find('}').filter(|digits| *digits <= 6);
                let character = self.code_point(digits.unwrap_or_default());
                self.take("}");
                Some(character)
            }
            'u' => Some(self.code_point(4)),
            '\n' => None,
            other => Some(other),
        }
    }

    fn code_point(&mut self, digits: usize) -> char {
        let text = self.rest().get(..digits).unwrap_or_default();
        let number = u32::from_str_radix(text, 16).ok();
        self.at += number.map_or(0, |_| digits);
        number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Passes over a template and what is inserted in it.
    fn template(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.bump();
        loop {
            match self.peek() {
                None => return Err(syntax(self.since(start), "the text has no end")),
                Some('`') => {
                    self.bump();
                    return Ok(());
                }
                Some('\\') => drop(self.escape()),
                Some('$') if self.rest().starts_with("${") => {
                    self.bump();
                    self.deeper(Scanner::balanced)?;
                }
                Some(_) => self.bump(),
            }
        }
    }

    /// Passes over a regular expression, if one ends on this line.
    fn regular_expression(&mut self) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let mut in_class = false;
        let mut escaped = false;
        for (position, character) in line.char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    self.at += position + 1;
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

/// Whether a character can stand in a name.
pub(super) fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// Whether a value begins after a character: there, `/` divides nothing.
fn begins_value(before: Option<char>) -> bool {
    let ends =
        |before| matches!(before, ')' | ']' | '}' | '"' | '\'' | '`') || is_name_part(before);
    before.is_none_or(|before| !ends(before))
}
