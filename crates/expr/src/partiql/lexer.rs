//! Splits the text of a statement into tokens.
//!
//! Unlike the lexer of expressions, this one can fail: on characters that begin no token, on
//! unterminated quotes and comments, and on numbers with an exponent that is too large. DynamoDB
//! reports all of these before it checks the grammar.

use super::error::{PartiqlError, PartiqlErrorKind, TokenPosition};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A letter, `_` or `$`, then such characters and digits: a name, a keyword or a function.
    Word,
    /// `"name"`, with quotes inside doubled.
    QuotedName,
    /// `'text'`, with quotes inside doubled.
    Text,
    /// A number without a sign.
    Number,
    /// `?`
    Parameter,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `<<`
    OpenBag,
    /// `>>`
    CloseBag,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `:`
    Colon,
    /// `;`
    Semicolon,
    /// `*`
    Star,
    /// `=`
    Equal,
    /// `<>` or `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `/`, `%` or `||`, which DynamoDB parses but never executes.
    OtherOperator,
    /// The end of the text, always the last token.
    End,
}

/// The bytes of the text that something covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A token and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// Splits a text into tokens, the last of which is [`TokenKind::End`].
pub(super) fn tokenize(text: &str) -> Result<Vec<Token>, PartiqlError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut start = 0;
    while let Some(first) = rest(text, start).chars().next() {
        if first.is_ascii_whitespace() {
            start += 1;
            continue;
        }
        let unreadable = || {
            let place = TokenPosition::of(text, Span { start, end: start + first.len_utf8() });
            PartiqlError::new(PartiqlErrorKind::Unreadable, place)
        };
        if let Some(length) = comment(rest(text, start)).ok_or_else(unreadable)? {
            start += length;
            continue;
        }
        let follows_path = tokens.last().is_some_and(|token| ends_path(token.kind));
        let token = next_token(rest(text, start), first, follows_path);
        let (kind, length) = token.ok_or_else(unreadable)?;
        tokens.push(Token { kind, span: Span { start, end: start + length } });
        start += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: Span { start, end: start } });
    Ok(tokens)
}

/// Returns the length of the comment at the start of a text, or nothing if there is none. An
/// unterminated block comment makes the text invalid.
fn comment(rest: &str) -> Option<Option<usize>> {
    if rest.starts_with("--") {
        return Some(Some(rest.find(['\n', '\r']).unwrap_or(rest.len())));
    }
    let Some(inside) = rest.strip_prefix("/*") else { return Some(None) };
    inside.find("*/").map(|length| Some(length + 4))
}

/// Returns whether a `.` after such a token continues a path even if a digit follows.
fn ends_path(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Word | TokenKind::QuotedName | TokenKind::CloseBracket)
}

/// Returns the kind and the byte length of the token at the start of `rest`.
fn next_token(rest: &str, first: char, follows_path: bool) -> Option<(TokenKind, usize)> {
    let starts_number = rest.as_bytes().get(1).is_some_and(|byte| byte.is_ascii_digit());
    match first {
        '\'' => quoted(rest, b'\'').map(|length| (TokenKind::Text, length)),
        '"' => quoted(rest, b'"').map(|length| (TokenKind::QuotedName, length)),
        '0'..='9' => number(rest).map(|length| (TokenKind::Number, length)),
        '.' if starts_number && !follows_path => {
            number(rest).map(|length| (TokenKind::Number, length))
        }
        letter if letter.is_ascii_alphabetic() || matches!(letter, '_' | '$') => {
            Some((TokenKind::Word, run(rest, is_word_byte)))
        }
        _ => symbol(rest),
    }
}

/// Returns the length of a quoted token, which ends at the first quote that is not doubled.
fn quoted(rest: &str, quote: u8) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 1;
    loop {
        at += memchr::memchr(quote, bytes.get(at..)?)? + 1;
        if bytes.get(at) != Some(&quote) {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns the length of a number. The power of ten of its last digit must fit into 32 bits, as
/// must its exponent; whether DynamoDB can store the number is another question.
fn number(rest: &str) -> Option<usize> {
    let whole = run(rest, |byte| byte.is_ascii_digit());
    let mut length = whole;
    let mut fraction = 0;
    if rest.as_bytes().get(length) == Some(&b'.') {
        fraction = digits_from(rest, length + 1);
        length += 1 + fraction;
    }
    if matches!(rest.as_bytes().get(length), Some(b'e' | b'E')) {
        let signed = matches!(rest.as_bytes().get(length + 1), Some(b'+' | b'-'));
        let digits_at = length + 1 + usize::from(signed);
        let end = digits_at + digits_from(rest, digits_at);
        let exponent: i32 = rest.get(length + 1..end)?.parse().ok()?;
        i32::try_from(fraction as i64 - i64::from(exponent)).ok()?;
        length = end;
    }
    match rest.as_bytes().get(length) {
        Some(byte) if is_word_byte(*byte) => None,
        Some(_) | None => Some(length),
    }
}

fn digits_from(rest: &str, at: usize) -> usize {
    run(rest.get(at..).unwrap_or_default(), |byte| byte.is_ascii_digit())
}

fn symbol(rest: &str) -> Option<(TokenKind, usize)> {
    const SYMBOLS: [(&str, TokenKind); 26] = [
        ("<<", TokenKind::OpenBag),
        (">>", TokenKind::CloseBag),
        ("<>", TokenKind::NotEqual),
        ("!=", TokenKind::NotEqual),
        ("<=", TokenKind::LessOrEqual),
        (">=", TokenKind::GreaterOrEqual),
        ("||", TokenKind::OtherOperator),
        ("(", TokenKind::OpenParenthesis),
        (")", TokenKind::CloseParenthesis),
        ("[", TokenKind::OpenBracket),
        ("]", TokenKind::CloseBracket),
        ("{", TokenKind::OpenBrace),
        ("}", TokenKind::CloseBrace),
        (",", TokenKind::Comma),
        (".", TokenKind::Dot),
        (":", TokenKind::Colon),
        (";", TokenKind::Semicolon),
        ("*", TokenKind::Star),
        ("=", TokenKind::Equal),
        ("<", TokenKind::Less),
        (">", TokenKind::Greater),
        ("+", TokenKind::Plus),
        ("-", TokenKind::Minus),
        ("/", TokenKind::OtherOperator),
        ("%", TokenKind::OtherOperator),
        ("?", TokenKind::Parameter),
    ];
    let found = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol));
    found.map(|(symbol, kind)| (*kind, symbol.len()))
}

fn rest(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

/// Counts the leading bytes that satisfy the predicate.
fn run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| belongs(*byte)).count()
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = tokenize(text).unwrap();
        let texts: Vec<&str> =
            tokens.iter().map(|token| &text[token.span.start..token.span.end]).collect();
        assert_eq!(texts, [expected, &[""]].concat());
    }

    #[test]
    fn comments_are_spaces_and_quotes_keep_them() {
        check("a--b\n/* c */d '--e' \"/*f*/\" --", &["a", "d", "'--e'", "\"/*f*/\""]);
    }

    #[test]
    fn doubled_quotes_do_not_end_a_text() {
        check("'it''s' '''' \"a\"\"b\"", &["'it''s'", "''''", "\"a\"\"b\""]);
    }

    #[test]
    fn numbers_have_fractions_and_exponents_and_no_sign() {
        check("1 .5 5. 1.5e-3 -1E3", &["1", ".5", "5.", "1.5e-3", "-", "1E3"]);
        check("a.5", &["a", ".", "5"]);
    }

    #[test]
    fn bags_and_comparisons_are_apart() {
        check("a<<<1>>>=b", &["a", "<<", "<", "1", ">>", ">=", "b"]);
    }

    #[test]
    fn what_no_token_has_is_unreadable() {
        for text in ["#", "'a", "\"a", "/* a", "1e2147483648", "1.5e-2147483647", "1e", "1a", "ü"]
        {
            let error = tokenize(text).unwrap_err();
            assert_eq!(*error.kind(), PartiqlErrorKind::Unreadable, "{text}");
        }
        assert!(tokenize("1e2147483647").is_ok());
    }
}
