//! The words of a statement, as far as the shell looks at them: where statements end, what is
//! coloured, and what can be completed. What a statement means is decided by the endpoint.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// White space.
    Space,
    /// `-- to the end of the line`, or `/* up to here */`.
    Comment,
    /// A keyword, or a name without quotes.
    Word,
    /// Digits and what belongs to them.
    Number,
    /// `'text'`.
    Text,
    /// `"name"`.
    Name,
    /// `;`
    Semicolon,
    /// Any other character.
    Symbol,
}

/// A piece of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Where it begins, in bytes.
    pub(super) start: usize,
    /// Whether what was opened is closed: the quote, or the comment.
    pub(super) is_closed: bool,
}

impl Token<'_> {
    /// Whether it is for people or for nothing.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.kind, Kind::Space | Kind::Comment)
    }

    /// Whether it is this word, in any case.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is this character.
    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// The name that it is: a word, or what is between the quotes.
    pub(super) fn name(&self) -> Option<String> {
        match self.kind {
            Kind::Word => Some(self.text.to_owned()),
            Kind::Name => Some(unquoted(self.text).replace("\"\"", "\"")),
            Kind::Space
            | Kind::Comment
            | Kind::Number
            | Kind::Text
            | Kind::Semicolon
            | Kind::Symbol => None,
        }
    }
}

fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').unwrap_or(text);
    inner.strip_suffix('"').unwrap_or(inner)
}

/// The tokens of a text, which together are the text.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, position: 0 }
}

/// Goes through a text.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let rest = self.text.get(self.position..)?;
        let (kind, length, is_closed) = first(rest)?;
        let start = self.position;
        self.position += length;
        Some(Token { kind, text: self.text.get(start..self.position)?, start, is_closed })
    }
}

/// The kind of the first token, its length, and whether it is closed.
fn first(rest: &str) -> Option<(Kind, usize, bool)> {
    let character = rest.chars().next()?;
    let closed = |kind, length| Some((kind, length, true));
    match character {
        _ if character.is_whitespace() => closed(Kind::Space, run(rest, char::is_whitespace)),
        _ if rest.starts_with("--") => closed(Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
        _ if rest.starts_with("/*") => {
            let end = rest.find("*/").map(|at| at + 2);
            Some((Kind::Comment, end.unwrap_or(rest.len()), end.is_some()))
        }
        '\'' => Some(quoted(rest, Kind::Text, '\'')),
        '"' => Some(quoted(rest, Kind::Name, '"')),
        ';' => closed(Kind::Semicolon, 1),
        _ if character.is_ascii_digit() => closed(Kind::Number, run(rest, is_of_number)),
        _ if is_of_word(character) => closed(Kind::Word, run(rest, is_of_word)),
        _ => closed(Kind::Symbol, character.len_utf8()),
    }
}

fn run(rest: &str, belongs: fn(char) -> bool) -> usize {
    rest.find(|character| !belongs(character)).unwrap_or(rest.len())
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn is_of_number(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '.'
}

/// A quote that is doubled stands for itself.
fn quoted(rest: &str, kind: Kind, quote: char) -> (Kind, usize, bool) {
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return (kind, at + 1, true);
        }
    }
    (kind, rest.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        tokens(text)
            .filter(|token| !token.is_blank())
            .map(|token| (token.kind, token.text))
            .collect()
    }

    #[test]
    fn quotes_that_are_doubled_do_not_end_a_text() {
        assert_eq!(
            kinds("a = 'it''s; x' AND \"b\"\"c\".d > 1.5e3;"),
            [
                (Kind::Word, "a"),
                (Kind::Symbol, "="),
                (Kind::Text, "'it''s; x'"),
                (Kind::Word, "AND"),
                (Kind::Name, "\"b\"\"c\""),
                (Kind::Symbol, "."),
                (Kind::Word, "d"),
                (Kind::Symbol, ">"),
                (Kind::Number, "1.5e3"),
                (Kind::Semicolon, ";"),
            ]
        );
    }

    #[test]
    fn comments_end_with_the_line_or_where_they_are_closed() {
        assert_eq!(
            kinds("a -- b; c\nd /* e; */ f"),
            [(Kind::Word, "a"), (Kind::Word, "d"), (Kind::Word, "f")]
        );
        assert!(tokens("/* no end").all(|token| !token.is_closed));
    }

    #[test]
    fn what_is_not_closed_goes_to_the_end() {
        let last = tokens("x 'it''").last().unwrap();
        assert_eq!((last.text, last.is_closed), ("'it''", false));
    }

    #[test]
    fn tokens_together_are_the_text() {
        let text = "SELECT ü.\"a b\", '注' -- c\n /* x";
        assert_eq!(tokens(text).map(|token| token.text).collect::<String>(), text);
    }

    #[test]
    fn a_name_is_what_is_between_the_quotes() {
        let names: Vec<_> = tokens("a \"b\"\"c\" 'd'").filter_map(|token| token.name()).collect();
        assert_eq!(names, ["a", "b\"c"]);
    }
}
