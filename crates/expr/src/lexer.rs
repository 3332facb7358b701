//! Splits the text of an expression into tokens.
//!
//! The lexer never fails: a character that belongs to no token becomes a token of its own, and the
//! parser refuses it where it stands. That is what DynamoDB does, and it is why `SET _id = :v` is
//! reported at `_`: names begin with a letter, so `_` and `id` are two tokens.
//!
//! Numbers have no leading zeros, so `03` is the two tokens `0` and `3`. Placeholders may continue
//! with any letter, digit or underscore right after their `#` or `:`.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A letter, then letters, digits and underscores: a name, a keyword or a function.
    Word,
    /// `#placeholder`, for an attribute name.
    Name,
    /// `:placeholder`, for a value.
    Value,
    /// An unsigned integer without leading zeros.
    Integer,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `=`
    Equal,
    /// `<>`
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
    /// One character that belongs to no other token.
    Unknown,
    /// The end of the text, always the last token.
    End,
}

/// A token and the bytes of the text that it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Splits a text into tokens, the last of which is [`TokenKind::End`].
pub(crate) fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = rest(text, start).chars().next() {
        if is_space(first) {
            start += first.len_utf8();
            continue;
        }
        let (kind, length) = next_token(rest(text, start), first);
        tokens.push(Token { kind, start, end: start + length });
        start += length;
    }
    tokens.push(Token { kind: TokenKind::End, start, end: start });
    tokens
}

/// The kind and the byte length of the token that `rest` begins with.
fn next_token(rest: &str, first: char) -> (TokenKind, usize) {
    match first {
        '#' => placeholder(rest, TokenKind::Name),
        ':' => placeholder(rest, TokenKind::Value),
        '0' => (TokenKind::Integer, 1),
        '1'..='9' => (TokenKind::Integer, run(rest, |byte| byte.is_ascii_digit())),
        letter if letter.is_ascii_alphabetic() => (TokenKind::Word, run(rest, is_word_byte)),
        '<' if rest.starts_with("<>") => (TokenKind::NotEqual, 2),
        '<' if rest.starts_with("<=") => (TokenKind::LessOrEqual, 2),
        '>' if rest.starts_with(">=") => (TokenKind::GreaterOrEqual, 2),
        other => (symbol(other), other.len_utf8()),
    }
}

fn placeholder(rest: &str, kind: TokenKind) -> (TokenKind, usize) {
    match run(rest.get(1..).unwrap_or_default(), is_word_byte) {
        0 => (TokenKind::Unknown, 1),
        length => (kind, 1 + length),
    }
}

fn symbol(character: char) -> TokenKind {
    match character {
        '(' => TokenKind::OpenParenthesis,
        ')' => TokenKind::CloseParenthesis,
        '[' => TokenKind::OpenBracket,
        ']' => TokenKind::CloseBracket,
        ',' => TokenKind::Comma,
        '.' => TokenKind::Dot,
        '=' => TokenKind::Equal,
        '<' => TokenKind::Less,
        '>' => TokenKind::Greater,
        '+' => TokenKind::Plus,
        '-' => TokenKind::Minus,
        _ => TokenKind::Unknown,
    }
}

fn rest(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

/// How many of the first bytes satisfy the predicate.
fn run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| belongs(*byte)).count()
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = tokenize(text);
        let texts: Vec<&str> = tokens.iter().map(|token| &text[token.start..token.end]).collect();
        assert_eq!(texts, [expected, &[""]].concat());
    }

    #[test]
    fn spaces_are_optional_between_tokens() {
        check(
            "a=:v AND#n>=b[0].c",
            &["a", "=", ":v", "AND", "#n", ">=", "b", "[", "0", "]", ".", "c"],
        );
    }

    #[test]
    fn names_begin_with_a_letter_and_placeholders_need_not() {
        check("_a #_a :1b 1b", &["_", "a", "#_a", ":1b", "1", "b"]);
    }

    #[test]
    fn integers_have_no_leading_zeros() {
        check("2021-03-03", &["2021", "-", "0", "3", "-", "0", "3"]);
    }

    #[test]
    fn a_lone_placeholder_mark_and_foreign_characters_are_tokens_of_their_own() {
        check("# : ü\u{a0}\"", &["#", ":", "ü", "\u{a0}", "\""]);
        assert!(tokenize("# : ü").iter().take(3).all(|token| token.kind == TokenKind::Unknown));
    }
}
