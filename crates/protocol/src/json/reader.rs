//! A pull reader: the caller asks for what it expects next.
//!
//! The reader never builds a tree. It hands out strings borrowed from the body unless they have
//! escapes, and numbers as their text. It accepts exactly the JSON of RFC 8259, in UTF-8, except
//! that an escaped half of a surrogate pair without its other half is refused, since no string can
//! hold it.

use std::borrow::Cow;

use super::string::{hex_unit, plain_len, short_escape};
use crate::error::{DecodeError, Found, TextPosition, ValueRole, WireType};

/// How deep objects and arrays may lie in each other.
///
/// Attribute values nest up to 31 levels, and each level takes an object and its member, so no
/// request that DynamoDB accepts comes near. The limit keeps hostile bodies from exhausting the
/// stack.
pub const DEPTH_MAX: usize = 256;

/// The kind of a value, as told by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// `{`
    Object,
    /// `[`
    Array,
    /// `"`
    String,
    /// A digit or a minus.
    Number,
    /// `t`
    True,
    /// `f`
    False,
    /// `n`
    Null,
}

/// Reads a body from front to back.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    /// Always at a character boundary of `text`.
    offset: usize,
    depth: usize,
    role: ValueRole,
}

impl<'a> Reader<'a> {
    /// Starts to read a body, if it is UTF-8.
    pub fn new(body: &'a [u8]) -> Result<Reader<'a>, DecodeError> {
        let text = std::str::from_utf8(body)
            .map_err(|error| DecodeError::Malformed { offset: error.valid_up_to() })?;
        Ok(Reader { text, offset: 0, depth: 0, role: ValueRole::Root })
    }

    /// Notes where the next value stands, for the sake of [`Reader::mismatch`].
    pub fn set_role(&mut self, role: ValueRole) {
        self.role = role;
    }

    /// The kind of the next value, which stays unread.
    pub fn peek(&mut self) -> Result<Token, DecodeError> {
        self.skip_whitespace();
        Ok(match self.byte() {
            Some(b'"') => Token::String,
            Some(b'{') => Token::Object,
            Some(b'[') => Token::Array,
            Some(b'-' | b'0'..=b'9') => Token::Number,
            Some(b't') => Token::True,
            Some(b'f') => Token::False,
            Some(b'n') => Token::Null,
            _ => return Err(self.malformed()),
        })
    }

    /// Reads an object: calls `member` with each name, and `member` must read the value.
    pub fn object(
        &mut self,
        member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        self.members(member)
    }

    /// Reads an array: calls `element` for each element, and `element` must read it.
    pub fn array(
        &mut self,
        element: impl FnMut(&mut Self) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        self.elements(element)
    }

    /// Reads an object as [`Reader::object`] does, for a caller that has errors of its own.
    #[inline]
    pub(crate) fn members<E: From<DecodeError>>(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.enter(b'{')?;
        if self.take(b'}') {
            self.leave();
            return Ok(());
        }
        loop {
            let name = self.string()?;
            self.expect(b':')?;
            member(self, name)?;
            if self.ends(b'}')? {
                self.leave();
                return Ok(());
            }
        }
    }

    /// Starts to read an object, and the name of its first member, if that is a capital letter and
    /// there is no white space inside. [`Reader::close`] must follow the member's value.
    #[inline]
    pub(crate) fn open_letter(&mut self) -> Option<u8> {
        self.skip_whitespace();
        match self.rest() {
            [b'{', b'"', letter @ b'A'..=b'Z', b'"', b':', ..] if self.depth < DEPTH_MAX => {
                self.depth += 1;
                self.offset += 5;
                Some(*letter)
            }
            _ => None,
        }
    }

    /// Reads the end of an object, which must come next.
    #[inline]
    pub(crate) fn close(&mut self) -> Result<(), DecodeError> {
        self.expect(b'}')?;
        self.leave();
        Ok(())
    }

    /// Reads an array as [`Reader::array`] does, for a caller that has errors of its own.
    #[inline]
    pub(crate) fn elements<E: From<DecodeError>>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.enter(b'[')?;
        if self.take(b']') {
            self.leave();
            return Ok(());
        }
        loop {
            element(self)?;
            if self.ends(b']')? {
                self.leave();
                return Ok(());
            }
        }
    }

    /// Reads a string.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>, DecodeError> {
        self.expect(b'"')?;
        let start = self.offset;
        let end = start + plain_len(self.rest());
        if let (Some(b'"'), Some(plain)) =
            (self.text.as_bytes().get(end), self.text.get(start..end))
        {
            self.offset = end + 1;
            return Ok(Cow::Borrowed(plain));
        }
        self.escaped_string().map(Cow::Owned)
    }

    /// Reads a number and returns its text.
    pub fn number(&mut self) -> Result<&'a str, DecodeError> {
        self.skip_whitespace();
        let start = self.offset;
        self.step_over(b"-");
        if !self.step_over(b"0") {
            self.digits()?;
        }
        if self.step_over(b".") {
            self.digits()?;
        }
        if self.step_over(b"eE") {
            self.step_over(b"+-");
            self.digits()?;
        }
        self.text.get(start..self.offset).ok_or_else(|| self.malformed())
    }

    /// Reads `true`, `false` or `null`.
    pub fn literal(&mut self, word: &str) -> Result<(), DecodeError> {
        self.skip_whitespace();
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.malformed());
        }
        self.offset += word.len();
        Ok(())
    }

    /// Reads a `null` if that is next.
    pub fn take_null(&mut self) -> Result<bool, DecodeError> {
        let is_null = self.peek()? == Token::Null;
        if is_null {
            self.literal("null")?;
        }
        Ok(is_null)
    }

    /// Reads past a value of any kind.
    pub fn skip_value(&mut self) -> Result<(), DecodeError> {
        match self.peek()? {
            Token::Object => self.object(|reader, _| reader.skip_value()),
            Token::Array => self.array(Reader::skip_value),
            Token::String => self.string().map(drop),
            Token::Number => self.number().map(drop),
            Token::True => self.literal("true"),
            Token::False => self.literal("false"),
            Token::Null => self.literal("null"),
        }
    }

    /// Checks that nothing follows the body's one value.
    pub fn finish(mut self) -> Result<(), DecodeError> {
        self.skip_whitespace();
        if self.offset == self.text.len() { Ok(()) } else { Err(self.malformed()) }
    }

    /// The error of a next value that is not of the expected type.
    ///
    /// A value that is not even JSON is reported as such, since DynamoDB's own parser fails on it
    /// first.
    #[cold]
    pub fn mismatch(&mut self, expected: WireType) -> DecodeError {
        match self.found() {
            Ok(found) => DecodeError::Mismatch { expected, found, role: self.role },
            Err(error) => error,
        }
    }

    fn found(&mut self) -> Result<Found, DecodeError> {
        Ok(match self.peek()? {
            Token::Object => Found::Object,
            Token::Array => Found::Array,
            Token::String => self.string().map(|_| Found::String)?,
            Token::Number => {
                if self.number()?.contains(['.', 'e', 'E']) {
                    Found::Decimal
                } else {
                    Found::Integer
                }
            }
            Token::True => self.literal("true").map(|()| Found::True)?,
            Token::False => self.literal("false").map(|()| Found::False)?,
            Token::Null => self.literal("null").map(|()| Found::Null)?,
        })
    }

    /// Where the reader stands.
    pub(crate) fn position(&self) -> TextPosition {
        let before = self.text.as_bytes().get(..self.offset).unwrap_or_default();
        let lines = before.split(|byte| *byte == b'\n');
        let (line, column) = lines.fold((0, 0), |(line, _), text| (line + 1, text.len()));
        TextPosition { line, column }
    }

    /// How much of the body is left.
    pub(crate) fn rest_bytes(&self) -> usize {
        self.rest().len()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.offset..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn malformed(&self) -> DecodeError {
        DecodeError::Malformed { offset: self.offset }
    }

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.offset += 1;
        }
    }

    /// Reads a byte if it comes next, white space aside.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_whitespace();
        let is_next = self.byte() == Some(byte);
        if is_next {
            self.offset += 1;
        }
        is_next
    }

    /// Reads a byte that must come next, white space aside.
    fn expect(&mut self, byte: u8) -> Result<(), DecodeError> {
        self.skip_whitespace();
        if self.byte() != Some(byte) {
            return Err(self.malformed());
        }
        self.offset += 1;
        Ok(())
    }

    /// Reads the comma or the bracket after an element, and returns whether it was the bracket.
    fn ends(&mut self, close: u8) -> Result<bool, DecodeError> {
        self.skip_whitespace();
        let next = self.byte();
        if next != Some(b',') && next != Some(close) {
            return Err(self.malformed());
        }
        self.offset += 1;
        Ok(next == Some(close))
    }

    fn enter(&mut self, open: u8) -> Result<(), DecodeError> {
        self.expect(open)?;
        self.depth += 1;
        if self.depth > DEPTH_MAX { Err(DecodeError::TooDeep) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Reads one of these bytes if it comes next; white space matters inside numbers.
    fn step_over(&mut self, any_of: &[u8]) -> bool {
        let is_next = self.byte().is_some_and(|byte| any_of.contains(&byte));
        self.offset += usize::from(is_next);
        is_next
    }

    /// Reads one digit or more.
    fn digits(&mut self) -> Result<(), DecodeError> {
        let rest = self.rest();
        let count = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.offset += count;
        if count == 0 { Err(self.malformed()) } else { Ok(()) }
    }

    /// Reads the part of a string up to its end or its next escape.
    fn plain_text(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.offset;
        self.offset += plain_len(self.rest());
        match self.byte() {
            Some(b'"' | b'\\') => self.text.get(start..self.offset).ok_or_else(|| self.malformed()),
            _ => Err(self.malformed()),
        }
    }

    /// Reads the rest of a string that has escapes, or has no end.
    #[cold]
    fn escaped_string(&mut self) -> Result<String, DecodeError> {
        let mut string = self.plain_text()?.to_owned();
        while self.step_over(b"\\") {
            string.push(self.escape()?);
            string.push_str(self.plain_text()?);
        }
        self.offset += 1;
        Ok(string)
    }

    /// Reads an escape after its backslash.
    fn escape(&mut self) -> Result<char, DecodeError> {
        let byte = self.byte().ok_or_else(|| self.malformed())?;
        if byte == b'u' {
            self.offset += 1;
            return self.unicode_escape();
        }
        let character = short_escape(byte).ok_or_else(|| self.malformed())?;
        self.offset += 1;
        Ok(character)
    }

    /// Reads the digits of a `\u` escape, and its second half if it is one of a surrogate pair.
    fn unicode_escape(&mut self) -> Result<char, DecodeError> {
        let start = self.offset;
        let first = self.utf16_unit()?;
        if let Some(character) = char::from_u32(u32::from(first)) {
            return Ok(character);
        }
        if !(self.step_over(b"\\") && self.step_over(b"u")) {
            return Err(self.malformed());
        }
        let second = self.utf16_unit()?;
        match char::decode_utf16([first, second]).next() {
            Some(Ok(character)) => Ok(character),
            _ => Err(DecodeError::Malformed { offset: start }),
        }
    }

    fn utf16_unit(&mut self) -> Result<u16, DecodeError> {
        let digits = self.rest().get(..4).ok_or_else(|| self.malformed())?;
        let unit = hex_unit(digits).ok_or_else(|| self.malformed())?;
        self.offset += 4;
        Ok(unit)
    }
}
