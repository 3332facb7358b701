//! Splits the text of a model's expression into tokens.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, digits and underscores that begin with a letter.
    Word,
    /// `:name`
    Parameter,
    /// `#name`, or any name between two backticks
    Name,
    /// `{name}`
    Hole,
    /// `'text'`, in which `''` is a quote.
    Text,
    /// A number, perhaps with a sign.
    Number,
    /// Any other character but white space, or two that are one operator.
    Symbol,
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// The whole token, quotes and braces included.
    pub text: &'t str,
    /// Where it begins, in bytes.
    pub start: usize,
}

impl<'t> Token<'t> {
    /// The bytes where it stands.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The name in `:name`, `#name`, `{name}` and between backticks.
    pub fn inner(&self) -> &'t str {
        if let Some(rest) = self.text.strip_prefix('`') {
            return rest.strip_suffix('`').unwrap_or(rest);
        }
        self.text.trim_start_matches([':', '#', '{']).trim_end_matches('}')
    }

    /// Returns whether it is this symbol.
    pub fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }

    /// Returns whether it is this word, in whatever case.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(word)
    }
}

/// A name as expressions write it: as it is, or between backticks where it is no word.
pub fn quoted_name(name: &str) -> String {
    let is_word =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && word_length(name) == name.len();
    if is_word { name.to_owned() } else { format!("`{name}`") }
}

/// The tokens of a text, or where one does not end.
pub fn tokenize(text: &str) -> Result<Vec<Token<'_>>, Range<usize>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let spaces = rest.len() - rest.trim_start().len();
        if spaces > 0 {
            start += spaces;
            continue;
        }
        let signed = !tokens.last().is_some_and(ends_operand);
        let (kind, length) = next(rest, signed).ok_or(start..text.len())?;
        let text = rest.get(..length).unwrap_or(rest);
        tokens.push(Token { kind, text, start });
        start += text.len();
    }
    Ok(tokens)
}

/// Names with letters that are not ASCII, which have to stand between backticks: runs of words,
/// digits and such letters with nothing between them.
pub(super) fn bare_names(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut runs: Vec<(Range<usize>, bool)> = Vec::new();
    for token in tokens {
        let is_letter = token.kind == TokenKind::Symbol
            && token.text.starts_with(|c: char| !c.is_ascii() && c.is_alphanumeric());
        let can_follow = is_letter || matches!(token.kind, TokenKind::Word | TokenKind::Number);
        match runs.last_mut().filter(|(run, _)| run.end == token.start && can_follow) {
            Some((run, is_bare)) => {
                run.end = token.range().end;
                *is_bare |= is_letter;
            }
            None => runs.push((token.range(), is_letter)),
        }
    }
    runs.into_iter().filter(|(_, is_bare)| *is_bare).map(|(run, _)| run).collect()
}

/// Whether an operand ends with the token, so that a `-` after it is a subtraction.
fn ends_operand(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Symbol => token.text == ")" || token.text == "]",
        TokenKind::Word
        | TokenKind::Parameter
        | TokenKind::Name
        | TokenKind::Hole
        | TokenKind::Text
        | TokenKind::Number => true,
    }
}

/// The kind and length of the token that the rest begins with; nothing if it does not end.
fn next(rest: &str, signed: bool) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    let second = rest.chars().nth(1);
    let is_digit = |character: Option<char>| character.is_some_and(|c| c.is_ascii_digit());
    let token = match first {
        '\'' => (TokenKind::Text, text_length(rest)?),
        '{' => (TokenKind::Hole, rest.find('}')? + 1),
        '`' => (TokenKind::Name, rest.get(1..)?.find('`')? + 2),
        ':' => (TokenKind::Parameter, 1 + word_length(rest.get(1..)?)),
        '#' => (TokenKind::Name, 1 + word_length(rest.get(1..)?)),
        '-' if signed && is_digit(second) => (TokenKind::Number, number_length(rest)),
        _ if first.is_ascii_digit() => (TokenKind::Number, number_length(rest)),
        _ if first.is_ascii_alphabetic() => (TokenKind::Word, word_length(rest)),
        _ if ["<>", "<=", ">="].iter().any(|pair| rest.starts_with(pair)) => (TokenKind::Symbol, 2),
        _ => (TokenKind::Symbol, first.len_utf8()),
    };
    Some(token)
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
}

fn number_length(rest: &str) -> usize {
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    let sign = rest.len() - digits.len();
    let whole = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let after = digits.get(whole..).unwrap_or_default();
    let fraction = after.strip_prefix('.').map_or(0, |fraction| {
        let digits = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        if digits == 0 { 0 } else { digits + 1 }
    });
    sign + whole + fraction
}

fn text_length(rest: &str) -> Option<usize> {
    let mut quotes = rest.match_indices('\'').skip(1).peekable();
    while let Some((position, _)) = quotes.next() {
        if quotes.peek().is_some_and(|(next, _)| *next == position + 1) {
            quotes.next();
            continue;
        }
        return Some(position + 1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let tokens = tokenize(text).unwrap();
        assert_eq!(tokens.iter().map(|token| token.text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_minus_after_an_operand_is_not_a_sign() {
        check("a = a -5", &["a", "=", "a", "-", "5"]);
        check("a = -5", &["a", "=", "-5"]);
        check("(-1.5,-2.)", &["(", "-1.5", ",", "-2", ".", ")"]);
    }

    #[test]
    fn quotes_inside_texts_are_doubled() {
        check("name = 'it''s' OR b", &["name", "=", "'it''s'", "OR", "b"]);
        check("''", &["''"]);
        assert_eq!(tokenize("name = 'open"), Err(7..12));
    }

    #[test]
    fn names_between_backticks_may_hold_anything() {
        check("`follower#` = :x", &["`follower#`", "=", ":x"]);
        let tokens = tokenize("size(`#a b`)").unwrap();
        assert_eq!(tokens[2].inner(), "#a b");
        assert_eq!(tokenize("a = `open"), Err(4..9));
    }

    #[test]
    fn a_name_with_other_letters_is_one_run() {
        let text = "größe = :g AND `größe` > Ähre_1 AND n = 'ö'";
        let runs = bare_names(&tokenize(text).unwrap());
        let runs: Vec<&str> = runs.into_iter().map(|run| &text[run]).collect();
        assert_eq!(runs, ["größe", "Ähre_1"]);
        assert!(bare_names(&tokenize("a = 5 AND b<>:c").unwrap()).is_empty());
    }

    #[test]
    fn holes_and_placeholders_are_one_token() {
        check("a.{b}[{n}]<=:c", &["a", ".", "{b}", "[", "{n}", "]", "<=", ":c"]);
        check("#SET<>:x", &["#SET", "<>", ":x"]);
    }
}
