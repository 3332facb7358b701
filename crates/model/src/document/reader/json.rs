//! JSON, with the place of everything.

use super::{DEPTH_MAX, syntax, too_deep};
use crate::diagnostic::{Diagnostic, Span};
use crate::document::node::{Content, Entry, Node};

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Node, Vec<Diagnostic>> {
    let mut reader = Reader { text, position: 0 };
    let whole = reader.value(1).and_then(|node| {
        reader.skip_space();
        match reader.peek() {
            None => Ok(node),
            Some(_) => Err(reader.unexpected("the end")),
        }
    });
    whole.map_err(|error| vec![error])
}

struct Reader<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.position += spaces;
    }

    /// Goes past a character, if it comes next.
    fn accept(&mut self, character: char) -> bool {
        self.skip_space();
        let accepted = self.peek() == Some(character);
        if accepted {
            self.position += character.len_utf8();
        }
        accepted
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = self.peek();
        let length = found.map_or(0, char::len_utf8);
        let span = Span::new(self.position, self.position + length);
        match found {
            Some(found) => syntax(span, format!("expected {expected}, found {found}")),
            None => syntax(span, format!("expected {expected}, found the end of the file")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Diagnostic> {
        self.skip_space();
        let start = self.position;
        if depth > DEPTH_MAX {
            return Err(too_deep(Span::new(start, start + 1)));
        }
        let content = match self.peek() {
            Some('{') => self.map(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => Content::String(self.string()?),
            Some('-' | '0'..='9') => Content::Number(self.number()?),
            Some(_) | None => self.word()?,
        };
        Ok(Node { span: Span::new(start, self.position), content })
    }

    fn word(&mut self) -> Result<Content, Diagnostic> {
        let words = [
            ("true", Content::Bool(true)),
            ("false", Content::Bool(false)),
            ("null", Content::Null),
        ];
        for (word, content) in words {
            if self.rest().starts_with(word) {
                self.position += word.len();
                return Ok(content);
            }
        }
        Err(self.unexpected("a value"))
    }

    fn list(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        self.accept('[');
        let mut nodes = Vec::new();
        if self.accept(']') {
            return Ok(Content::List(nodes));
        }
        loop {
            nodes.push(self.value(depth + 1)?);
            if self.accept(']') {
                return Ok(Content::List(nodes));
            }
            if !self.accept(',') {
                return Err(self.unexpected(", or ]"));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        self.accept('{');
        let mut entries = Vec::new();
        if self.accept('}') {
            return Ok(Content::Map(entries));
        }
        loop {
            self.skip_space();
            let start = self.position;
            if self.peek() != Some('"') {
                return Err(self.unexpected("a name in quotes"));
            }
            let key = self.string()?;
            let key_span = Span::new(start, self.position);
            if !self.accept(':') {
                return Err(self.unexpected(":"));
            }
            entries.push(Entry { key, key_span, value: self.value(depth + 1)? });
            if self.accept('}') {
                return Ok(Content::Map(entries));
            }
            if !self.accept(',') {
                return Err(self.unexpected(", or }"));
            }
        }
    }

    fn number(&mut self) -> Result<String, Diagnostic> {
        let start = self.position;
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let text = rest.get(..length).unwrap_or_default();
        self.position += length;
        if is_number(text) {
            return Ok(text.to_owned());
        }
        Err(syntax(Span::new(start, self.position), format!("{text} is not a number")))
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.position;
        self.position += 1;
        let mut out = String::new();
        while let Some(character) = self.peek() {
            self.position += character.len_utf8();
            match character {
                '"' => return Ok(out),
                '\\' => out.push(self.escape()?),
                '\0'..='\u{1f}' => break,
                _ => out.push(character),
            }
        }
        Err(syntax(Span::new(start, self.position), "the text does not end on its line"))
    }

    fn escape(&mut self) -> Result<char, Diagnostic> {
        let start = self.position - 1;
        let letter = self.peek();
        self.position += letter.map_or(0, char::len_utf8);
        let character = match letter {
            Some('"') => Some('"'),
            Some('\\') => Some('\\'),
            Some('/') => Some('/'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('u') => self.unicode_escape(),
            Some(_) | None => None,
        };
        character.ok_or_else(|| syntax(Span::new(start, self.position), "no such escape"))
    }

    /// The character of `\uHHHH`, or of two of them that are a surrogate pair.
    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.hexadecimal()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.position += self.rest().starts_with("\\u").then_some(2)?;
        let second = self.hexadecimal()?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.position += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

/// Whether a text is a number in JSON's grammar.
pub(super) fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}
