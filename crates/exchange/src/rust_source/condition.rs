//! Conditions and filters: from the model's expressions to the client's typed ones.

use monotable_item::Value;
use monotable_model::document::{Entity, Expression, Source, Token, TokenKind, tokenize};

use super::function::Function;
use super::identifier::{column_name, field_name, type_name};
use super::kind::Kind;

/// A condition in code, and what it says about the item itself.
pub(super) struct Written {
    /// The expression; nothing where only the item's existence is asked.
    pub(super) code: Option<String>,
    /// Whether it holds of an item that is there only.
    pub(super) needs_item: bool,
    /// Whether it holds where there is no item only.
    pub(super) needs_absence: bool,
    /// The parameter that the lock is compared with.
    pub(super) lock: Option<String>,
}

/// A condition of an entity in code, or why there is none.
pub(super) fn write(
    expression: &Expression,
    entity: &Entity,
    key_names: &[String],
    function: &mut Function,
) -> Result<Written, String> {
    let tokens = tokenize(&expression.text).map_err(|_| "the condition has no end".to_owned())?;
    let mut parser = Parser { tokens: &tokens, at: 0, entity, key_names, function, lock: None };
    let term = parser.any()?;
    if parser.at < tokens.len() {
        return Err(format!("{} cannot be read as a condition", expression.text));
    }
    let lock = parser.lock.take();
    let (mut needs_item, mut needs_absence) = (lock.is_some(), false);
    let mut parts: Vec<Term> = Vec::new();
    for part in term.conjuncts() {
        match part {
            Term::Exists => needs_item = true,
            Term::Missing => needs_absence = true,
            Term::Lock => {}
            other => {
                needs_item |= other.is_positive();
                parts.push(other);
            }
        }
    }
    let code = match parts.as_slice() {
        [] => None,
        [one @ Term::Any(_)] => Some(one.code(Outer::Or)?),
        several => {
            let codes: Result<Vec<String>, String> =
                several.iter().map(|term| term.code(Outer::And)).collect();
            Some(codes?.join(" & "))
        }
    };
    Ok(Written { code, needs_item, needs_absence, lock })
}

/// A part of a condition.
enum Term {
    /// The item is there.
    Exists,
    /// The item is not there.
    Missing,
    /// The lock is a parameter.
    Lock,
    /// A test of a column; the second says whether only an item that is there can pass it.
    Test(String, bool),
    All(Vec<Term>),
    Any(Vec<Term>),
    Not(Box<Term>),
}

/// What stands around a term, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Outer {
    And,
    Or,
    Not,
}

impl Term {
    fn conjuncts(self) -> Vec<Term> {
        match self {
            Term::All(terms) => terms,
            Term::Exists
            | Term::Missing
            | Term::Lock
            | Term::Test(..)
            | Term::Any(_)
            | Term::Not(_) => vec![self],
        }
    }

    fn is_positive(&self) -> bool {
        match self {
            Term::Exists | Term::Lock => true,
            Term::Test(_, is_positive) => *is_positive,
            Term::All(terms) => terms.iter().any(Term::is_positive),
            Term::Any(terms) => terms.iter().all(Term::is_positive),
            Term::Missing | Term::Not(_) => false,
        }
    }

    fn code(&self, outer: Outer) -> Result<String, String> {
        let joined = |terms: &[Term], with: &str, inner: Outer| -> Result<String, String> {
            let codes: Result<Vec<String>, String> =
                terms.iter().map(|term| term.code(inner)).collect();
            let code = codes?.join(with);
            Ok(if outer == inner { code } else { format!("({code})") })
        };
        match self {
            Term::Test(code, _) => Ok(code.clone()),
            Term::All(terms) => joined(terms, " & ", Outer::And),
            Term::Any(terms) => joined(terms, " | ", Outer::Or),
            Term::Not(term) => Ok(format!("!{}", term.code(Outer::Not)?)),
            Term::Exists | Term::Missing | Term::Lock => {
                Err("whether the item exists can only be asked beside everything else".to_owned())
            }
        }
    }
}

struct Parser<'t, 'e, 'f> {
    tokens: &'t [Token<'t>],
    at: usize,
    entity: &'e Entity,
    key_names: &'e [String],
    function: &'f mut Function,
    lock: Option<String>,
}

impl<'t> Parser<'t, '_, '_> {
    fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Result<&'t Token<'t>, String> {
        let token = self.peek().ok_or_else(|| "the condition ends too early".to_owned())?;
        self.at += 1;
        Ok(token)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_there = self.peek().is_some_and(|token| token.is_word(word));
        self.at += usize::from(is_there);
        is_there
    }

    fn symbol(&mut self, symbol: &str) -> Result<(), String> {
        let token = self.next()?;
        if token.is_symbol(symbol) {
            Ok(())
        } else {
            Err(format!("{} stands where the client has {symbol}", token.text))
        }
    }

    fn any(&mut self) -> Result<Term, String> {
        let mut terms = vec![self.all()?];
        while self.take_word("OR") {
            terms.push(self.all()?);
        }
        Ok(only(terms, Term::Any))
    }

    fn all(&mut self) -> Result<Term, String> {
        let mut terms = vec![self.one()?];
        while self.take_word("AND") {
            terms.push(self.one()?);
        }
        Ok(only(terms, Term::All))
    }

    fn one(&mut self) -> Result<Term, String> {
        if self.take_word("NOT") {
            return Ok(Term::Not(Box::new(self.one()?)));
        }
        if self.peek().is_some_and(|token| token.is_symbol("(")) {
            self.at += 1;
            let term = self.any()?;
            self.symbol(")")?;
            return Ok(term);
        }
        for function in ["attribute_exists", "attribute_not_exists", "contains", "begins_with"] {
            if self.take_word(function) {
                self.symbol("(")?;
                let term = self.call(function)?;
                self.symbol(")")?;
                return Ok(term);
            }
        }
        if self.take_word("size") {
            return self.size();
        }
        self.comparison()
    }

    fn call(&mut self, function: &str) -> Result<Term, String> {
        let name = self.next()?;
        let is_key = self.key_names.iter().any(|key| key == name.inner());
        let is_attribute = self.entity.attribute(name.inner()).is_some();
        match function {
            "attribute_exists" if is_key => return Ok(Term::Exists),
            "attribute_not_exists" if is_key => return Ok(Term::Missing),
            _ if !is_attribute => return Err(format!("{} is no attribute", name.text)),
            _ => {}
        }
        let (column, kind) = self.column(name)?;
        let member = self.member()?;
        let exists = function == "attribute_exists";
        Ok(match function {
            "attribute_exists" | "attribute_not_exists" => {
                let test = if exists { "exists" } else { "is_missing" };
                let member = member.map(|it| format!(".member({it})")).unwrap_or_default();
                Term::Test(format!("{column}{member}.{test}()"), exists)
            }
            _ if member.is_some() => return Err(format!("{function} of a member")),
            "contains" => {
                self.symbol(",")?;
                let value = self.value(&Kind::Text)?;
                Term::Test(format!("{column}.contains({value})"), true)
            }
            _ => {
                self.symbol(",")?;
                let value = self.value(&kind)?;
                Term::Test(format!("{column}.begins_with({value})"), true)
            }
        })
    }

    fn size(&mut self) -> Result<Term, String> {
        self.symbol("(")?;
        let name = self.next()?;
        let (column, _) = self.column(name)?;
        self.symbol(")")?;
        let method = method(self.next()?.text)?;
        let value = self.value(&Kind::Number)?;
        Ok(Term::Test(format!("{column}.size().{method}({value})"), true))
    }

    fn comparison(&mut self) -> Result<Term, String> {
        let name = self.next()?;
        let (column, kind) = self.column(name)?;
        if self.take_word("BETWEEN") {
            let from = self.value(&kind)?;
            if !self.take_word("AND") {
                return Err("BETWEEN without AND".to_owned());
            }
            let to = self.value(&kind)?;
            return Ok(Term::Test(format!("{column}.between({from}, {to})"), true));
        }
        if self.take_word("IN") {
            return self.one_of(&column, &kind);
        }
        let method = method(self.next()?.text)?;
        let is_lock = self.entity.lock.as_deref() == Some(name.inner()) && method == "is";
        let value = self.value(&kind)?;
        if is_lock {
            self.lock = Some(value);
            return Ok(Term::Lock);
        }
        Ok(Term::Test(format!("{column}.{method}({value})"), method != "is_not"))
    }

    fn one_of(&mut self, column: &str, kind: &Kind) -> Result<Term, String> {
        self.symbol("(")?;
        let mut values = vec![self.value(kind)?];
        while self.peek().is_some_and(|token| token.is_symbol(",")) {
            self.at += 1;
            values.push(self.value(kind)?);
        }
        self.symbol(")")?;
        Ok(Term::Test(format!("{column}.one_of([{}])", values.join(", ")), true))
    }

    /// The column of an attribute, and its type.
    fn column(&mut self, name: &Token<'_>) -> Result<(String, Kind), String> {
        let attribute = self.entity.attribute(name.inner());
        let attribute = attribute.ok_or_else(|| format!("{} is no attribute", name.text))?;
        let column = column_name(&field_name(&attribute.name));
        let column = format!("{}::{column}", type_name(&self.entity.name));
        Ok((column, Kind::of(self.entity, attribute)))
    }

    /// `.{name}` after an attribute: the expression of the member's name.
    fn member(&mut self) -> Result<Option<String>, String> {
        if !self.peek().is_some_and(|token| token.is_symbol(".")) {
            return Ok(None);
        }
        self.at += 1;
        let member = self.next()?;
        Ok(Some(match member.kind {
            TokenKind::Hole => self.function.parameter(member.inner(), &Kind::Text),
            _ => super::identifier::literal(member.inner()),
        }))
    }

    /// A parameter, which gets the type of what it is compared with, or a literal.
    fn value(&mut self, kind: &Kind) -> Result<String, String> {
        let token = self.next()?;
        let value = match token.kind {
            TokenKind::Parameter => return Ok(self.function.parameter(token.inner(), kind)),
            TokenKind::Text => Value::from(unquoted(token.text).as_str()),
            TokenKind::Number => Value::Number(
                token.text.parse().map_err(|_| format!("{} is no number", token.text))?,
            ),
            _ => return Err(format!("{} is no value that the client has", token.text)),
        };
        kind.literal(&value).ok_or_else(|| format!("{} is no value of its column", token.text))
    }
}

fn only(mut terms: Vec<Term>, join: fn(Vec<Term>) -> Term) -> Term {
    match terms.len() {
        1 => terms.remove(0),
        _ => join(terms),
    }
}

fn method(operator: &str) -> Result<&'static str, String> {
    Ok(match operator {
        "=" => "is",
        "<>" => "is_not",
        "<" => "lt",
        "<=" => "le",
        ">" => "gt",
        ">=" => "ge",
        other => return Err(format!("the client has no {other}")),
    })
}

/// The text of `'text'`, in which `''` is a quote.
pub(super) fn unquoted(text: &str) -> String {
    text.trim_matches('\'').replace("''", "'")
}

/// The value of a source: a parameter of this type, or what the model says.
pub(super) fn source(
    source: &Source,
    kind: &Kind,
    function: &mut Function,
) -> Result<String, String> {
    match source {
        Source::Parameter(name) => Ok(function.parameter(name, kind)),
        Source::Literal(value) => {
            kind.literal(value).ok_or_else(|| "a value that its field cannot have".to_owned())
        }
    }
}
