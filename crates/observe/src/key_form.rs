//! A key template made ready to be matched against the bytes of a key.
//!
//! Nearly every template can be read from left to right without trying anything twice: a literal
//! must be there, a text ends at the delimiter, a number has its width. Such a template becomes a
//! row of tokens. One that cannot (two texts side by side, an attribute that occurs twice) is left
//! to the template itself, which decides by search.

use monotable_item::{Type, Value};
use monotable_model::template::{
    AttributePart, Delimiter, Direction, Encoding, Escaping, Form, Padding, Segment, Shard, Sign,
    Template,
};

use crate::call::KeyBytes;

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct KeyForm {
    key_type: Type,
    /// What every key begins with, so that most keys of other forms are told apart by one
    /// comparison.
    head: Head,
    tail: Tail,
    tokens: Box<[Token]>,
    /// Decides in place of the tokens, or after them.
    exact: Option<Template>,
    has_tokens: bool,
}

/// The first eight bytes of a text; a shorter one ends with zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadBytes(u64);

impl HeadBytes {
    /// Those of a key that is no text.
    pub(crate) const NONE: HeadBytes = HeadBytes(0);

    #[inline]
    pub(crate) fn of_key(key: KeyBytes<'_>) -> HeadBytes {
        match key {
            KeyBytes::Text(text) => HeadBytes::of(text),
            KeyBytes::Number(_) | KeyBytes::Binary(_) => HeadBytes::NONE,
        }
    }

    #[inline]
    fn of(text: &[u8]) -> HeadBytes {
        let Some(bytes) = text.first_chunk::<8>() else { return HeadBytes::of_short(text) };
        HeadBytes(u64::from_be_bytes(*bytes))
    }

    fn of_short(text: &[u8]) -> HeadBytes {
        let value = text.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        HeadBytes(if text.is_empty() { 0 } else { value << (64 - 8 * text.len()) })
    }
}

/// The beginning that all keys of a form have.
#[derive(Debug, Clone, Default)]
struct Head {
    bytes: u64,
    mask: u64,
    /// How long the beginning is.
    length: usize,
    /// What of it comes after the first eight bytes.
    rest: Box<[u8]>,
    /// Its last eight bytes, if it has so many.
    last: Option<[u8; 8]>,
}

impl Head {
    fn of(literal: &[u8]) -> Head {
        let compared = u32::try_from(literal.len().min(8)).unwrap_or(8);
        let mask = if compared == 0 { 0 } else { u64::MAX << (64 - 8 * compared) };
        let rest = literal.get(8..).unwrap_or_default().into();
        let (bytes, last) = (HeadBytes::of(literal).0 & mask, literal.last_chunk().copied());
        Head { bytes, mask, length: literal.len(), rest, last }
    }

    /// Returns whether a text that begins with the first eight bytes of it has the others as well.
    /// The last eight decide that of all but long beginnings.
    #[inline]
    fn goes_on(&self, text: &[u8]) -> bool {
        match self.length {
            ..=8 => true,
            9..=16 => text.get(..self.length).and_then(<[u8]>::last_chunk) == self.last.as_ref(),
            17.. => text.get(8..self.length) == Some(&*self.rest),
        }
    }

    #[inline]
    fn begins(&self, head: HeadBytes) -> bool {
        (head.0 ^ self.bytes) & self.mask == 0
    }
}

/// What follows the beginning, where that is told without tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Nothing.
    Nothing,
    /// So many digits.
    Digits(usize),
    /// A text without delimiters.
    Text { delimiter: u8, escape: u8 },
    /// Something else.
    Tokens,
}

/// A piece of a key form.
#[derive(Debug, Clone)]
enum Token {
    /// Text that is always the same.
    Literal(Box<[u8]>),
    /// A text as it is, up to the delimiter or the end.
    Plain(Box<Part>),
    /// So many digits.
    Digits(usize),
    /// A text as it is, to the end.
    Rest,
    /// A part of so many bytes.
    Fixed(usize, Box<Part>),
    /// A part up to a byte that it cannot hold, or to the end.
    Until(Option<u8>, Box<Part>),
    /// A part at the end that may be missing.
    Optional(Box<Token>),
}

/// A part of a key that is not always the same.
#[derive(Debug, Clone)]
struct Part {
    segment: Segment,
    delimiter: Delimiter,
}

/// A piece that a form is made of.
#[derive(Debug, Clone)]
pub(crate) enum FormPiece {
    /// A segment of a template.
    Segment(Segment),
    /// The beginning of a text, after which nothing follows.
    Beginning,
}

impl KeyForm {
    /// The form of the keys of a template.
    pub(crate) fn of_template(template: &Template) -> KeyForm {
        let pieces: Vec<FormPiece> =
            template.segments().iter().cloned().map(FormPiece::Segment).collect();
        KeyForm::new(template.delimiter(), &pieces)
    }

    /// The form of keys of these pieces.
    pub(crate) fn new(delimiter: Delimiter, pieces: &[FormPiece]) -> KeyForm {
        let segments: Vec<Segment> = pieces.iter().filter_map(FormPiece::segment).collect();
        let template = Template::new(delimiter, segments.clone()).ok();
        let key_type = template.as_ref().map_or(Type::String, Template::key_type);
        let tokens = if key_type == Type::String { tokens(delimiter, pieces) } else { None };
        let is_whole = segments.len() == pieces.len();
        let wants_exact = tokens.is_none() || has_ties(&segments);
        let has_tokens = tokens.is_some();
        let tokens = tokens.unwrap_or_default();
        let head = match tokens.first() {
            Some(Token::Literal(text)) => Head::of(text),
            Some(_) | None => Head::default(),
        };
        KeyForm {
            key_type,
            tail: if wants_exact { Tail::Tokens } else { tail(&tokens, delimiter) },
            head,
            has_tokens,
            tokens: tokens.into(),
            exact: template.filter(|_| is_whole && wants_exact),
        }
    }

    /// Returns whether no key has both this form and another, as far as their beginnings say.
    pub(crate) fn excludes(&self, other: &KeyForm) -> bool {
        let compared = self.head.mask & other.head.mask;
        self.key_type != other.key_type || (self.head.bytes ^ other.head.bytes) & compared != 0
    }

    /// The text that all keys begin with.
    pub(crate) fn beginning(&self) -> &[u8] {
        match self.tokens.first() {
            Some(Token::Literal(text)) => text,
            Some(_) | None => &[],
        }
    }

    /// Returns whether a key has this form.
    #[inline]
    pub(crate) fn matches(&self, key: KeyBytes<'_>) -> bool {
        self.matches_headed(key, HeadBytes::of_key(key))
    }

    /// The same for a key whose first bytes are at hand.
    #[inline]
    pub(crate) fn matches_headed(&self, key: KeyBytes<'_>, head: HeadBytes) -> bool {
        // Forms of other types than text have no beginning.
        self.head.begins(head)
            && match (key, self.key_type) {
                (KeyBytes::Text(text), Type::String) => self.has_tail(text),
                (KeyBytes::Number(_), Type::Number) | (KeyBytes::Binary(_), Type::Binary) => true,
                (KeyBytes::Text(_) | KeyBytes::Number(_) | KeyBytes::Binary(_), _) => false,
            }
    }

    /// Returns whether a text goes on as the form does after its first eight bytes, which were
    /// compared.
    #[inline(always)]
    fn has_tail(&self, text: &[u8]) -> bool {
        let Some(rest) = text.get(self.head.length..) else { return false };
        if !self.head.goes_on(text) {
            return false;
        }
        match self.tail {
            Tail::Nothing => rest.is_empty(),
            Tail::Digits(width) => rest.len() == width && are_digits(rest),
            Tail::Text { delimiter, escape } if is_plain(rest, delimiter, escape) => {
                !rest.is_empty()
            }
            Tail::Text { .. } => self.matches_text(text),
            Tail::Tokens => self.matches_text(text),
        }
    }

    #[inline(never)]
    fn matches_text(&self, text: &[u8]) -> bool {
        if self.has_tokens && !self.split(text, |_| {}) {
            return false;
        }
        match &self.exact {
            Some(template) => is_key_of(template, text),
            None => self.has_tokens,
        }
    }

    /// How many parts stand before the end of a key, where that can be any text.
    pub(crate) fn parts_before_open_end(&self) -> Option<usize> {
        let (last, before) = self.tokens.split_last()?;
        matches!(last, Token::Rest).then_some(before.len())
    }

    /// Returns whether the parts can be found from left to right, without a search.
    pub(crate) fn is_direct(&self) -> bool {
        self.has_tokens
    }

    /// Gives the parts of a key that are no literals, from the left; and whether it has the form as
    /// far as the tokens tell.
    pub(crate) fn split<'k>(&self, text: &'k [u8], mut part: impl FnMut(&'k [u8])) -> bool {
        let mut rest = text;
        for token in &self.tokens {
            let Some((found, after)) = token.take(rest) else { return false };
            if !matches!(token, Token::Literal(_)) {
                part(found);
            }
            rest = after;
        }
        rest.is_empty()
    }

    /// Returns whether a text can be the end of a range of these keys: it begins as they do, as far
    /// as that is always the same. The last character of an end may be raised.
    pub(crate) fn begins_like(&self, text: &[u8]) -> bool {
        let fixed = self.beginning();
        let (fixed, _) = fixed.split_at(fixed.len().saturating_sub(1));
        let shared = fixed.len().min(text.len());
        fixed.get(..shared) == text.get(..shared)
    }
}

impl FormPiece {
    fn segment(&self) -> Option<Segment> {
        match self {
            FormPiece::Segment(segment) => Some(segment.clone()),
            FormPiece::Beginning => None,
        }
    }
}

impl Token {
    /// The bytes of the token at the front of a text, and what follows them.
    #[inline]
    fn take<'k>(&self, text: &'k [u8]) -> Option<(&'k [u8], &'k [u8])> {
        match self {
            Token::Literal(literal) => Some((&[][..], text.strip_prefix(&**literal)?)),
            Token::Plain(part) => part.take_plain(text),
            Token::Digits(width) => {
                let (digits, after) = text.split_at_checked(*width)?;
                are_digits(digits).then_some((digits, after))
            }
            Token::Rest => Some((text, &[][..])),
            Token::Optional(_) if text.is_empty() => Some((text, text)),
            Token::Optional(token) => token.take(text),
            Token::Fixed(width, part) => {
                let (found, after) = text.split_at_checked(*width)?;
                part.accepts(found).then_some((found, after))
            }
            Token::Until(stop, part) => {
                let end = stop.and_then(|stop| text.iter().position(|byte| *byte == stop));
                let (found, after) = text.split_at_checked(end.unwrap_or(text.len()))?;
                part.accepts(found).then_some((found, after))
            }
        }
        .filter(|(found, _)| {
            !found.is_empty() || matches!(self, Token::Literal(_) | Token::Optional(_))
        })
    }
}

impl Part {
    fn take_plain<'k>(&self, text: &'k [u8]) -> Option<(&'k [u8], &'k [u8])> {
        let (delimiter, escape) = (self.delimiter.character(), self.delimiter.escape());
        let is_special = |byte: &u8| {
            let character = char::from(*byte);
            character == delimiter || character == escape
        };
        let special = text.iter().position(is_special);
        let end = match special {
            Some(at) if text.get(at).is_some_and(|byte| char::from(*byte) == escape) => {
                text.iter().position(|byte| char::from(*byte) == delimiter)
            }
            special => special,
        };
        let (found, after) = text.split_at_checked(end.unwrap_or(text.len()))?;
        // A text with an escape is read in full.
        (special == end || self.accepts(found)).then_some((found, after))
    }

    /// Returns whether a text is what the part writes for some value.
    fn accepts(&self, text: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(text) else { return false };
        match &self.segment {
            Segment::Literal(literal) => literal == text,
            Segment::Attribute(part) => part.encoding.can_write(text, self.delimiter),
            Segment::Shard(shard) => is_shard(shard, text),
        }
    }
}

/// Returns whether a text has neither of these bytes.
#[inline(never)]
fn is_plain(text: &[u8], delimiter: u8, escape: u8) -> bool {
    !text.iter().any(|byte| *byte == delimiter || *byte == escape)
}

/// Returns whether all bytes are digits, eight at a time.
#[inline]
fn are_digits(text: &[u8]) -> bool {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    const SIXES: u64 = 0x0606_0606_0606_0606;
    let are_eight = |bytes: &[u8; 8]| {
        let value = u64::from_ne_bytes(*bytes);
        // The high half of a digit is 3, and stays so when 6 is added.
        value & HIGH == ZEROS && value.wrapping_add(SIXES) & HIGH == ZEROS
    };
    // Numbers have eight digits more often than any other count of them.
    if let Some((eight, [])) = text.split_first_chunk() {
        return are_eight(eight);
    }
    let (eights, rest) = text.as_chunks();
    eights.iter().all(are_eight) && rest.iter().all(u8::is_ascii_digit)
}

/// What follows the beginning of a form of these tokens.
fn tail(tokens: &[Token], delimiter: Delimiter) -> Tail {
    let after = match tokens {
        [Token::Literal(_), after @ ..] => after,
        after => after,
    };
    let bytes = (u8::try_from(delimiter.character()), u8::try_from(delimiter.escape()));
    match (after, bytes) {
        _ if tokens.is_empty() => Tail::Tokens,
        ([], _) => Tail::Nothing,
        ([Token::Digits(width)], _) => Tail::Digits(*width),
        ([Token::Plain(_)], (Ok(delimiter), Ok(escape))) => Tail::Text { delimiter, escape },
        (_, _) => Tail::Tokens,
    }
}

/// Returns whether a part writes this text for a value.
pub(crate) fn writes(part: &AttributePart, value: &Value, to: Delimiter, text: &str) -> bool {
    part.encode(value, to).is_ok_and(|written| written == text)
}

fn is_shard(shard: &Shard, text: &str) -> bool {
    let number = text.parse::<u32>().ok();
    number.is_some_and(|number| shard.numbers().contains(&number) && shard.write(number) == text)
}

fn is_key_of(template: &Template, text: &[u8]) -> bool {
    let text = std::str::from_utf8(text);
    text.is_ok_and(|text| template.matches(&Value::String(text.to_owned())))
}

/// Returns whether one part of a key follows from another: an attribute occurs twice, or a shard
/// has an input.
fn has_ties(segments: &[Segment]) -> bool {
    let mut paths: Vec<_> = segments.iter().flat_map(Segment::paths).collect();
    let count = paths.len();
    paths.sort_unstable();
    paths.dedup();
    paths.len() < count
}

/// The tokens of a form; none if it cannot be read from left to right.
fn tokens(delimiter: Delimiter, pieces: &[FormPiece]) -> Option<Vec<Token>> {
    let follow = pieces.iter().skip(1).map(Some).chain([None]);
    let token = |(piece, next): (&FormPiece, Option<&FormPiece>)| match piece {
        FormPiece::Beginning => next.is_none().then_some(Token::Rest),
        FormPiece::Segment(segment) => token(delimiter, segment, next),
    };
    pieces.iter().zip(follow).map(token).collect()
}

fn token(delimiter: Delimiter, segment: &Segment, next: Option<&FormPiece>) -> Option<Token> {
    let token = required_token(delimiter, segment, next)?;
    Some(if segment.is_optional() { Token::Optional(Box::new(token)) } else { token })
}

fn required_token(
    delimiter: Delimiter,
    segment: &Segment,
    next: Option<&FormPiece>,
) -> Option<Token> {
    let part = || Box::new(Part { segment: segment.clone(), delimiter });
    if let Segment::Literal(text) = segment {
        return Some(Token::Literal(text.as_bytes().into()));
    }
    if let Some(digits) = plain_digits(segment) {
        return Some(Token::Digits(digits));
    }
    if let Some(width) = segment.fixed_width() {
        return Some(Token::Fixed(width, part()));
    }
    let stop = match next {
        None => None,
        Some(FormPiece::Segment(Segment::Literal(text))) => Some(*text.as_bytes().first()?),
        Some(FormPiece::Segment(_) | FormPiece::Beginning) => return None,
    };
    match text_form(segment) {
        Some((Escaping::Delimiter, has_steps)) => {
            let ends = stop.is_none_or(|stop| char::from(stop) == delimiter.character());
            let stop = u8::try_from(delimiter.character()).ok();
            let token = if has_steps { Token::Until(stop, part()) } else { Token::Plain(part()) };
            ends.then_some(token)
        }
        Some((Escaping::Verbatim, has_steps)) => {
            let token = if has_steps { Token::Until(None, part()) } else { Token::Rest };
            stop.is_none().then_some(token)
        }
        None => {
            let is_open = stop.is_some_and(|stop| may_hold(segment, stop));
            (!is_open).then(|| Token::Until(stop, part()))
        }
    }
}

/// The width of a whole number without a sign.
fn plain_digits(segment: &Segment) -> Option<usize> {
    let encoding: &Encoding = &segment.attribute()?.encoding;
    let Form::Number(form) = encoding.form() else { return None };
    let is_plain = form.sign() == Sign::Unsigned
        && form.fraction_digits() == 0
        && form.total().is_none()
        && encoding.direction() == Direction::Ascending;
    is_plain.then(|| form.width())
}

/// How a text is escaped, and whether it is normalised.
fn text_form(segment: &Segment) -> Option<(Escaping, bool)> {
    match segment.attribute()?.encoding.form() {
        Form::Text(form) => Some((form.escaping, !form.steps.is_empty())),
        _ => None,
    }
}

/// Returns whether a part of open width may hold a byte.
fn may_hold(segment: &Segment, byte: u8) -> bool {
    match segment {
        Segment::Shard(shard) if shard.padding() == Padding::None => byte.is_ascii_digit(),
        Segment::Attribute(part) => match part.encoding.form() {
            Form::Plain => byte.is_ascii_digit() || byte == b'-',
            Form::Enumeration(enumeration) => {
                enumeration.tokens().any(|(_, token)| token.bytes().any(|one| one == byte))
            }
            _ => true,
        },
        Segment::Literal(_) | Segment::Shard(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the form with the template on each text.
    fn check(template: &str, texts: &[&str]) {
        let template: Template = template.parse().unwrap();
        let form = KeyForm::of_template(&template);
        for text in texts {
            let expected = template.matches(&Value::from(*text));
            assert_eq!(
                form.matches(KeyBytes::Text(text.as_bytes())),
                expected,
                "{template} {text}"
            );
        }
    }

    #[test]
    fn a_form_accepts_what_its_template_builds_and_nothing_else() {
        check(
            "ORDER#{id:06}",
            &["ORDER#000017", "ORDER#17", "ORDER#00001a", "order#000017", "ORDER#"],
        );
        check("A#{a}#B#{b}", &["A#x#B#y", "A#x", "A##B#y", "A#x$0z#B#y", "A#x$2#B#y", "A#x#B#y#z"]);
        check("{a:raw}", &["anything # at all", ""]);
        check("{a}{b}", &["ab", "a", "a#b"]);
        check("{a}#{a}", &["x#x", "x#y"]);
        check("T#{n:plain}#x", &["T#17#x", "T#017#x", "T#-3#x", "T##x"]);
        check("U#{id:uuid}", &["U#018f3e9c-5b1a-4c3e-cf00-0123456789ab", "U#x"]);
        check("D#{at:day}#{id}", &["D#2026-01-03#x", "D#2026-13-03#x", "D#2026-01-03#"]);
        check("S#{shard(id, 16)}#{id}", &["S#01#x", "S#99#x"]);
        check("{name:fold}#x", &["alex#x", "Alex#x"]);
        check("P#{city:optional}", &["P#", "P#rome", "P#a#b", "P"]);
        check("P#{n:03:optional}", &["P#", "P#017", "P#17"]);
        check("H#{mail:hash(4)}#{n:02}", &["H#00af#17", "H#00AF#17", "H#0af#17"]);
        check("{mail:hash(4)}#{mail}", &["3e23#a", "ca97#a"]);
        check("G#{cell:first(3)}#x", &["G#9q8#x", "G#9q8y#x", "G#9#x"]);
    }

    #[test]
    fn digits_are_told_from_all_other_bytes() {
        for byte in 0..=u8::MAX {
            for at in 0..10 {
                let mut text = *b"0123456789";
                text[at] = byte;
                assert_eq!(are_digits(&text), byte.is_ascii_digit(), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn a_key_that_is_a_number_has_no_other_form() {
        let form = KeyForm::of_template(&"{n:number}".parse().unwrap());
        assert!(form.matches(KeyBytes::Number(b"1")) && !form.matches(KeyBytes::Text(b"1")));
    }
}
