//! Rewrites an expression into the service's own form.

use std::collections::BTreeMap;
use std::ops;

use monotable_expr::{is_reserved, parse_condition, parse_projection, parse_update};
use monotable_item::Value;

use super::token::{Token, TokenKind, bare_names, tokenize};
use super::{Expression, ExpressionError, ExpressionKind, NameSource, Scope, Source};

const CONDITION_KEYWORDS: &[&str] = &["AND", "OR", "NOT", "BETWEEN", "IN"];
const UPDATE_KEYWORDS: &[&str] = &["SET", "REMOVE", "ADD", "DELETE"];

/// Rewrites a text, and has the result parsed.
pub(super) fn rewrite(
    kind: ExpressionKind,
    text: &str,
    scope: &Scope,
) -> Result<Expression, Vec<ExpressionError>> {
    let tokens = tokenize(text).map_err(|range| {
        let message = "a quote, backtick or brace is not closed".to_owned();
        vec![ExpressionError { range: Some(range), message, suggestion: None }]
    })?;
    let mut rewriter = Rewriter::new(kind, scope, &tokens);
    let bare = bare_names(&tokens);
    rewriter.errors.extend(bare.iter().map(|run| bare_name(text, run)));
    let mut before: Option<&Token<'_>> = None;
    for (position, token) in tokens.iter().enumerate() {
        let after = tokens.get(position + 1);
        if let Some(before) = before {
            let gap = text.get(before.range().end..token.start).unwrap_or_default();
            rewriter.out.push_str(gap);
        }
        if !bare.iter().any(|run| run.contains(&token.start)) {
            rewriter.token(before, token, after);
        }
        before = Some(token);
    }
    rewriter.finish(text)
}

/// A name that has to stand between backticks.
pub(super) fn bare_name(text: &str, run: &ops::Range<usize>) -> ExpressionError {
    let name = text.get(run.clone()).unwrap_or_default();
    let (message, suggestion) = match name.strip_prefix(':') {
        Some(_) => (format!("{name} is no parameter: it has other letters than a to z"), None),
        None => {
            let quoted = name.trim_start_matches('#');
            (format!("{quoted} has other letters than a to z"), Some(format!("write `{quoted}`")))
        }
    };
    ExpressionError { range: Some(run.clone()), message, suggestion }
}

/// The value of a literal token, if it is one.
pub(super) fn literal(token: &Token<'_>) -> Option<Result<Value, ExpressionError>> {
    let value = match token.kind {
        TokenKind::Text => {
            let inner = token.text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
            Ok(Value::String(inner.unwrap_or_default().replace("''", "'")))
        }
        TokenKind::Number => {
            token.text.parse().map(Value::Number).map_err(|error| ExpressionError {
                range: Some(token.range()),
                message: format!("{} is not a number: {error}", token.text),
                suggestion: None,
            })
        }
        TokenKind::Word if token.is_word("true") => Ok(Value::Bool(true)),
        TokenKind::Word if token.is_word("false") => Ok(Value::Bool(false)),
        TokenKind::Word if token.is_word("null") => Ok(Value::Null),
        TokenKind::Word
        | TokenKind::Parameter
        | TokenKind::Name
        | TokenKind::Hole
        | TokenKind::Symbol => return None,
    };
    Some(value)
}

struct Rewriter<'s> {
    kind: ExpressionKind,
    scope: &'s Scope,
    out: String,
    names: BTreeMap<String, NameSource>,
    values: BTreeMap<String, Source>,
    indexes: Vec<String>,
    attributes: Vec<String>,
    errors: Vec<ExpressionError>,
}

impl<'s> Rewriter<'s> {
    fn new(kind: ExpressionKind, scope: &'s Scope, tokens: &[Token<'_>]) -> Rewriter<'s> {
        // Parameters keep their names, so they are known before any literal gets one.
        let parameters = tokens.iter().filter(|token| token.kind == TokenKind::Parameter);
        let values = parameters
            .map(|token| (token.text.to_owned(), Source::Parameter(token.inner().to_owned())))
            .collect();
        Rewriter {
            kind,
            scope,
            out: String::new(),
            names: BTreeMap::new(),
            values,
            indexes: Vec::new(),
            attributes: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn token(&mut self, before: Option<&Token<'_>>, token: &Token<'_>, after: Option<&Token<'_>>) {
        let in_brackets = before.is_some_and(|before| before.is_symbol("["));
        let is_member = before.is_some_and(|before| before.is_symbol("."));
        match token.kind {
            TokenKind::Hole if in_brackets => self.index(token),
            TokenKind::Hole => self.member_parameter(token),
            TokenKind::Number if in_brackets => self.out.push_str(token.text),
            TokenKind::Name => self.name(token, is_member),
            TokenKind::Word if is_member => self.name(token, is_member),
            TokenKind::Word if self.is_grammar(token, after) => self.out.push_str(token.text),
            TokenKind::Word | TokenKind::Number | TokenKind::Text => match literal(token) {
                Some(Ok(value)) => self.literal(value),
                Some(Err(error)) => self.errors.push(error),
                None => self.name(token, is_member),
            },
            TokenKind::Parameter | TokenKind::Symbol => self.out.push_str(token.text),
        }
    }

    /// Whether a word is a keyword, or a function.
    fn is_grammar(&self, token: &Token<'_>, after: Option<&Token<'_>>) -> bool {
        let keywords = match self.kind {
            ExpressionKind::Condition | ExpressionKind::Filter | ExpressionKind::When => {
                CONDITION_KEYWORDS
            }
            ExpressionKind::Update => UPDATE_KEYWORDS,
            ExpressionKind::Projection => &[],
        };
        keywords.iter().any(|keyword| token.is_word(keyword))
            || after.is_some_and(|after| after.is_symbol("("))
    }

    /// An attribute or a member, which needs a placeholder if it is reserved or stored under
    /// another name.
    fn name(&mut self, token: &Token<'_>, is_member: bool) {
        let written = token.inner();
        let item_name = if is_member { Some(written) } else { self.attribute(token, written) };
        let Some(item_name) = item_name.map(str::to_owned) else { return };
        let plain = token.kind == TokenKind::Word && item_name == written;
        if plain && !is_reserved(written) {
            self.out.push_str(written);
        } else {
            self.name_placeholder(written, NameSource::Name(item_name));
        }
    }

    fn attribute(&mut self, token: &Token<'_>, written: &str) -> Option<&'s str> {
        let found = self.scope.item_name(written);
        if found.is_none() {
            let nearest = self.scope.nearest(written);
            self.errors.push(ExpressionError {
                range: Some(token.range()),
                message: format!("there is no attribute {written}"),
                suggestion: nearest.map(|nearest| format!("did you mean {nearest}?")),
            });
        } else if !self.attributes.iter().any(|known| known == written) {
            self.attributes.push(written.to_owned());
        }
        found
    }

    fn member_parameter(&mut self, token: &Token<'_>) {
        let name = token.inner().to_owned();
        self.name_placeholder(&name, NameSource::Parameter(name.clone()));
    }

    fn index(&mut self, token: &Token<'_>) {
        let name = token.inner().to_owned();
        if !self.indexes.contains(&name) {
            self.indexes.push(name);
        }
        self.out.push_str(token.text);
    }

    /// Writes a placeholder for a name: its own, or a numbered one where that is taken.
    fn name_placeholder(&mut self, name: &str, source: NameSource) {
        // A placeholder is made of letters, digits and underscores, whatever the name is made of.
        let word = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        let mut placeholder = format!("#{word}");
        let mut number = 1;
        while self.names.get(&placeholder).is_some_and(|taken| *taken != source) {
            number += 1;
            placeholder = format!("#{word}_{number}");
        }
        self.out.push_str(&placeholder);
        self.names.insert(placeholder, source);
    }

    fn literal(&mut self, value: Value) {
        let source = Source::Literal(value);
        let letter = self.kind.letter();
        let mut number = 1;
        let mut placeholder = format!(":{letter}{number}");
        while self.values.get(&placeholder).is_some_and(|taken| *taken != source) {
            number += 1;
            placeholder = format!(":{letter}{number}");
        }
        self.out.push_str(&placeholder);
        self.values.insert(placeholder, source);
    }

    /// Parses what was written, in the grammar of the kind.
    fn finish(mut self, text: &str) -> Result<Expression, Vec<ExpressionError>> {
        if self.errors.is_empty() {
            let mut sample = self.out.clone();
            for index in &self.indexes {
                sample = sample.replace(&format!("{{{index}}}"), "0");
            }
            let parsed = match self.kind {
                ExpressionKind::Condition | ExpressionKind::Filter | ExpressionKind::When => {
                    parse_condition(&sample).map(drop)
                }
                ExpressionKind::Update => parse_update(&sample).map(drop),
                ExpressionKind::Projection => parse_projection(&sample).map(drop),
            };
            if let Err(error) = parsed {
                let message = error.to_string();
                self.errors.push(ExpressionError { range: None, message, suggestion: None });
            }
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        Ok(Expression {
            text: text.to_owned(),
            rewritten: self.out,
            names: self.names,
            values: self.values,
            indexes: self.indexes,
            attributes: self.attributes,
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn scope() -> Scope {
        let mut scope = Scope::new();
        for name in ["Status", "stock", "Addresses", "set", "lines", "c1"] {
            scope.add(name, name);
        }
        scope.add("total", "tot-al");
        scope.add("follower#", "follower#");
        scope
    }

    #[track_caller]
    fn check(kind: ExpressionKind, text: &str, expect: &Expect) {
        let shown = match Expression::parse(kind, text, &scope()) {
            Ok(expression) => {
                let mut lines = vec![expression.rewritten];
                lines.extend(
                    expression.names.iter().map(|(name, source)| format!("{name} {source:?}")),
                );
                lines.extend(
                    expression.values.iter().map(|(name, source)| format!("{name} {source:?}")),
                );
                lines.join("\n")
            }
            Err(errors) => format!("{errors:#?}"),
        };
        expect.assert_eq(&shown);
    }

    #[test]
    fn reserved_words_and_literals_become_placeholders() {
        check(
            ExpressionKind::Condition,
            "Status <> 'SHIPPED' AND stock >= 5 AND (Status = 'SHIPPED' OR NOT stock = true)",
            &expect![[r##"
                #Status <> :c1 AND stock >= :c2 AND (#Status = :c1 OR NOT stock = :c3)
                #Status Name("Status")
                :c1 Literal(String("SHIPPED"))
                :c2 Literal(Number(Number { negative: false, coefficient: 5, exponent: 0 }))
                :c3 Literal(Bool(true))"##]],
        );
    }

    #[test]
    fn parameters_name_members_and_elements() {
        check(
            ExpressionKind::Update,
            "SET Addresses.{label} = :address, lines[{n}].length = :c1 REMOVE #set",
            &expect![[r##"
                SET Addresses.#label = :address, #lines[{n}].#length = :c1 REMOVE #set
                #label Parameter("label")
                #length Name("length")
                #lines Name("lines")
                #set Name("set")
                :address Parameter("address")
                :c1 Parameter("c1")"##]],
        );
    }

    #[test]
    fn a_stored_name_that_differs_is_used() {
        check(
            ExpressionKind::Projection,
            "total, Status",
            &expect![[r##"
                #total, #Status
                #Status Name("Status")
                #total Name("tot-al")"##]],
        );
    }

    #[test]
    fn a_name_of_any_characters_stands_between_backticks() {
        check(
            ExpressionKind::Condition,
            "attribute_exists(`follower#`) AND Addresses.`first line` <> 'x' AND `stock` > 1",
            &expect![[r#"
                attribute_exists(#follower_) AND Addresses.#first_line <> :c1 AND #stock > :c2
                #first_line Name("first line")
                #follower_ Name("follower#")
                #stock Name("stock")
                :c1 Literal(String("x"))
                :c2 Literal(Number(Number { negative: false, coefficient: 1, exponent: 0 }))"#]],
        );
    }

    #[test]
    fn an_unknown_attribute_is_pointed_at() {
        check(
            ExpressionKind::Filter,
            "attribute_exists(Stattus) AND stock > :c1",
            &expect![[r#"
                [
                    ExpressionError {
                        range: Some(
                            17..24,
                        ),
                        message: "there is no attribute Stattus",
                        suggestion: Some(
                            "did you mean Status?",
                        ),
                    },
                ]"#]],
        );
    }

    #[test]
    fn a_name_with_other_letters_is_reported_once_and_whole() {
        let errors = |kind, text| Expression::parse(kind, text, &scope()).unwrap_err();
        let found = errors(ExpressionKind::Update, "SET größe = :g, stock = :s");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].message, "größe has other letters than a to z");
        assert_eq!(found[0].suggestion.as_deref(), Some("write `größe`"));
        assert_eq!(found[0].range, Some(4..11));
        let found = errors(ExpressionKind::Condition, "stock = :größe");
        assert_eq!(found[0].message, ":größe is no parameter: it has other letters than a to z");
    }

    #[test]
    fn what_the_grammar_refuses_is_refused() {
        let errors = |text| Expression::parse(ExpressionKind::Update, text, &scope()).unwrap_err();
        assert_eq!(errors("SET stock = 1, REMOVE Status").len(), 1);
        assert_eq!(errors("").len(), 1);
        assert_eq!(errors("SET stock = 'open").len(), 1);
    }
}
