//! One value: a literal as data, everything else as the text of its code.

use monotable_model::diagnostic::{Diagnostic, Span};

use super::scanner::{Scanner, is_name_part};
use crate::source_node::{Content, Member, Node, syntax};

/// The name of a member that is `...code`.
pub(super) const SPREAD: &str = "...";

/// A function that returns what it is given.
const IDENTITY: &str = "createSchema";

impl Scanner<'_> {
    /// A value up to what ends it: a comma, a closing bracket, or the end of a statement.
    pub(super) fn value(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        if let Some(content) = self.literal()? {
            let span = self.since(start);
            if self.ends_value()? {
                return Ok(Node { content, span });
            }
        }
        self.at = start;
        self.code()
    }

    /// A literal, if one begins here.
    fn literal(&mut self) -> Result<Option<Content>, Diagnostic> {
        Ok(match self.peek() {
            Some('"' | '\'') => Some(Content::String(self.quoted()?)),
            Some('`') => self.plain_template().map(Content::String),
            Some('[') => Some(self.list()?),
            Some('{') => Some(self.object()?),
            Some(c) if c.is_ascii_digit() || c == '-' => self.number().map(Content::Number),
            Some(_) => match self.name() {
                Some("true") => Some(Content::Bool(true)),
                Some("false") => Some(Content::Bool(false)),
                Some("null" | "undefined") => Some(Content::Null),
                Some(IDENTITY) => self.argument()?,
                Some(_) | None => None,
            },
            None => return Err(self.expected("a value")),
        })
    }

    /// The one argument of a function, if it is a literal.
    fn argument(&mut self) -> Result<Option<Content>, Diagnostic> {
        self.skip();
        if !self.take("(") {
            return Ok(None);
        }
        self.skip();
        let value = self.deeper(Scanner::value)?;
        self.skip();
        self.take(",");
        self.skip();
        if !self.take(")") {
            return Err(self.expected(")"));
        }
        Ok(Some(value.content))
    }

    /// Passes over `as …` and `satisfies …`, and says whether the value ends there.
    fn ends_value(&mut self) -> Result<bool, Diagnostic> {
        loop {
            let from = self.at;
            self.skip();
            if self.take_word("as") || self.take_word("satisfies") {
                self.type_text()?;
                continue;
            }
            let has_line = self.text_since(from).contains('\n');
            return Ok(match self.peek() {
                None | Some(',' | ')' | ']' | '}' | ';') => true,
                Some(next) => has_line && (is_name_part(next) || next == '@'),
            });
        }
    }

    /// Passes over a type, up to what ends a value.
    fn type_text(&mut self) -> Result<(), Diagnostic> {
        loop {
            let from = self.at;
            self.skip();
            let has_line = self.text_since(from).contains('\n');
            match self.peek() {
                Some(next) if has_line && is_name_part(next) => {
                    self.at = from;
                    return Ok(());
                }
                None | Some(',' | ')' | ']' | '}' | ';') => return Ok(()),
                Some('<') if self.generic() => {}
                Some(next) if is_name_part(next) => drop(self.name().or_else(|| self.digits())),
                Some(_) => self.token(None)?,
            }
        }
    }

    fn digits(&mut self) -> Option<&str> {
        let start = self.at;
        while self.peek().is_some_and(is_name_part) {
            self.bump();
        }
        Some(self.text_since(start))
    }

    /// A template without insertions.
    fn plain_template(&mut self) -> Option<String> {
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek()? {
                '`' => {
                    self.bump();
                    return Some(text);
                }
                '$' if self.rest().starts_with("${") => return None,
                '\\' => text.extend(self.escape()),
                other => {
                    text.push(other);
                    self.bump();
                }
            }
        }
    }

    fn number(&mut self) -> Option<String> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | '_');
        let text = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
        self.at += text.len();
        let text = text.replace('_', "");
        let is_number = text.parse::<f64>().is_ok();
        (is_number && text.ends_with(|c: char| c.is_ascii_digit())).then_some(text)
    }

    fn list(&mut self) -> Result<Content, Diagnostic> {
        let start = self.at;
        self.bump();
        let mut nodes = Vec::new();
        loop {
            self.skip();
            if self.take("]") {
                return Ok(Content::List(nodes));
            }
            if self.peek().is_none() {
                return Err(syntax(Span::new(start, start + 1), "the list is not closed"));
            }
            nodes.push(self.deeper(Scanner::value)?);
            self.skip();
            if !self.take(",") && self.peek() != Some(']') {
                return Err(self.expected(", or ]"));
            }
        }
    }

    fn object(&mut self) -> Result<Content, Diagnostic> {
        let start = self.at;
        self.bump();
        let mut members = Vec::new();
        loop {
            self.skip();
            if self.take("}") {
                return Ok(Content::Map(members));
            }
            if self.peek().is_none() {
                return Err(syntax(Span::new(start, start + 1), "the object is not closed"));
            }
            members.push(self.deeper(Scanner::member)?);
            self.skip();
            if !self.take(",") && self.peek() != Some('}') {
                return Err(self.expected(", or }"));
            }
        }
    }

    /// `name: value`, `name`, `name() { … }` or `...value`.
    fn member(&mut self) -> Result<Member, Diagnostic> {
        let start = self.at;
        if self.take(SPREAD) {
            let name_span = self.since(start);
            self.skip();
            let value = self.value()?;
            return Ok(Member { name: SPREAD.to_owned(), name_span, value });
        }
        let mut name = self.key()?;
        let name_span = self.since(start);
        loop {
            self.skip();
            match self.peek() {
                Some(':') => {
                    self.bump();
                    self.skip();
                    let value = self.value()?;
                    return Ok(Member { name, name_span, value });
                }
                Some('(' | '<') => {
                    let value = self.code()?;
                    return Ok(Member { name, name_span, value });
                }
                // `async name() { … }`, `get name() { … }`
                Some(next) if is_name_part(next) && !next.is_ascii_digit() => name = self.key()?,
                Some(',' | '}') => {
                    let value = Node { content: Content::Code(name.clone()), span: name_span };
                    return Ok(Member { name, name_span, value });
                }
                Some(_) | None => return Err(self.expected("the value of a member")),
            }
        }
    }

    fn key(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        match self.peek() {
            Some('"' | '\'') => self.quoted(),
            Some('[') => {
                self.balanced()?;
                Ok(self.text_since(start).to_owned())
            }
            Some(c) if c.is_ascii_digit() => Ok(self.digits().unwrap_or_default().to_owned()),
            Some(_) | None => {
                self.name().map(str::to_owned).ok_or_else(|| self.expected("the name of a member"))
            }
        }
    }

    /// Code as it is written, up to what ends a value inside brackets.
    fn code(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        let mut end = start;
        loop {
            let before = self.last().filter(|_| end > start);
            self.skip();
            match self.peek() {
                None | Some(',' | ')' | ']' | '}' | ';') => break,
                Some('<') if self.generic() => {}
                Some('=') if self.take("=>") => {}
                Some(_) => self.token(before)?,
            }
            end = self.at;
        }
        self.at = end;
        if end == start {
            return Err(self.expected("a value"));
        }
        let text = self.text_since(start).to_owned();
        Ok(Node { content: Content::Code(text), span: self.since(start) })
    }

    /// Passes over the arguments of a type, `<A, B>`, which are followed by a call. A comparison is
    /// left where it is.
    fn generic(&mut self) -> bool {
        let rest = self.rest();
        let mut depth = 0_usize;
        for (position, character) in rest.char_indices().take(1000) {
            match character {
                '<' => depth += 1,
                '>' if rest.get(..position).is_some_and(|before| before.ends_with('=')) => {}
                '>' if depth == 1 => {
                    let after = rest.get(position + 1..).unwrap_or_default().trim_start();
                    let is_call =
                        after.starts_with(['(', ',', ')', ']', '}', ';', '[']) || after.is_empty();
                    self.at += if is_call { position + 1 } else { 0 };
                    return is_call;
                }
                '>' => depth -= 1,
                '+' | '*' | '/' | '`' => return false,
                _ => {}
            }
        }
        false
    }
}
