//! Literals: values written in the text.

use monotable_item::limits::NESTING_MAX;
use monotable_item::{Map, Number, Value};

use super::super::error::{PartiqlError, PartiqlErrorKind};
use super::super::syntax::{Expr, ExprKind};
use super::Lowering;

/// Where in a value something stands, as messages write it.
#[derive(Clone)]
pub(super) struct ValuePath {
    text: String,
    depth: usize,
}

impl ValuePath {
    /// The value itself.
    pub(super) fn root() -> ValuePath {
        ValuePath { text: "root".to_owned(), depth: 0 }
    }

    fn member(&self, name: &str) -> ValuePath {
        ValuePath { text: format!("{}.{name}", self.text), depth: self.depth + 1 }
    }

    fn element(&self, index: usize) -> ValuePath {
        ValuePath { text: format!("{}[{index}]", self.text), depth: self.depth + 1 }
    }
}

impl Lowering<'_> {
    /// Returns whether an expression is a literal, even an invalid one.
    pub(super) fn is_literal(expr: &Expr) -> bool {
        match expr.kind {
            ExprKind::Text(_)
            | ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Missing
            | ExprKind::List(_)
            | ExprKind::Bag(_)
            | ExprKind::Struct(_) => true,
            ExprKind::Path(_)
            | ExprKind::Parameter(_)
            | ExprKind::Call { .. }
            | ExprKind::Star
            | ExprKind::Not(_)
            | ExprKind::Binary(..)
            | ExprKind::Between(_)
            | ExprKind::Is(..) => false,
        }
    }

    /// The value of a literal.
    pub(super) fn value(&self, expr: &Expr, path: &ValuePath) -> Result<Value, PartiqlError> {
        if path.depth > NESTING_MAX {
            let path = path.text.clone();
            return Err(self.error(PartiqlErrorKind::NestedTooDeep { path }, expr.span));
        }
        match &expr.kind {
            ExprKind::Text(text) => Ok(Value::String(text.clone())),
            ExprKind::Number(text) => self.number(expr, text, path).map(Value::Number),
            ExprKind::Bool(value) => Ok(Value::Bool(*value)),
            ExprKind::Null => Ok(Value::Null),
            ExprKind::List(elements) => {
                let elements = elements.iter().enumerate();
                let elements =
                    elements.map(|(index, element)| self.value(element, &path.element(index)));
                Ok(Value::List(elements.collect::<Result<_, _>>()?))
            }
            ExprKind::Bag(members) => self.set(expr, members, path),
            ExprKind::Struct(members) => self.map(expr, members, path).map(Value::Map),
            ExprKind::Parameter(_) => Err(self.not_a_value(expr, "Parameter", path)),
            ExprKind::Call { name, .. } => Err(self.not_a_value(expr, name, path)),
            ExprKind::Path(name) => Err(self.not_a_value(expr, &name.root, path)),
            ExprKind::Missing => Err(self.not_a_value(expr, "MISSING", path)),
            ExprKind::Star => Err(self.not_a_value(expr, "*", path)),
            ExprKind::Not(_) | ExprKind::Binary(..) | ExprKind::Between(_) | ExprKind::Is(..) => {
                Err(self.not_a_value(expr, "NAry", path))
            }
        }
    }

    fn not_a_value(&self, expr: &Expr, what: &str, path: &ValuePath) -> PartiqlError {
        let (what, path) = (what.to_owned(), path.text.clone());
        self.error(PartiqlErrorKind::NotAValue { what, path }, expr.span)
    }

    fn number(&self, expr: &Expr, text: &str, path: &ValuePath) -> Result<Number, PartiqlError> {
        text.parse().map_err(|error| {
            let path = path.text.clone();
            self.error(PartiqlErrorKind::Number { error, path }, expr.span)
        })
    }

    fn map(
        &self,
        expr: &Expr,
        members: &[(Expr, Expr)],
        path: &ValuePath,
    ) -> Result<Map, PartiqlError> {
        let mut map = Map::new();
        for (name, value) in members {
            let name = self.member_name(name, path)?;
            let value = self.value(value, &path.member(&name))?;
            if map.insert(name.clone(), value).is_some() {
                let path = path.text.clone();
                return Err(self.error(PartiqlErrorKind::RepeatedMember { name, path }, expr.span));
            }
        }
        Ok(map)
    }

    /// Returns the name of a member, which must be a string literal.
    pub(super) fn member_name(
        &self,
        name: &Expr,
        path: &ValuePath,
    ) -> Result<String, PartiqlError> {
        match &name.kind {
            ExprKind::Text(text) => Ok(text.clone()),
            ExprKind::Path(name) if name.steps.is_empty() => Ok(name.root.clone()),
            _ => Err(self.not_a_value(name, "key", path)),
        }
    }

    fn set(&self, expr: &Expr, members: &[Expr], path: &ValuePath) -> Result<Value, PartiqlError> {
        if members.is_empty() {
            return Err(self.error(PartiqlErrorKind::EmptySet, expr.span));
        }
        let texts: Option<Vec<String>> = members.iter().map(text).collect();
        if let Some(texts) = texts {
            let mut distinct = texts.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() < texts.len() {
                let kind = PartiqlErrorKind::RepeatedStrings { members: texts };
                return Err(self.error(kind, expr.span));
            }
            return Ok(Value::string_set(texts));
        }
        let texts: Option<Vec<String>> = members.iter().map(number_text).collect();
        let Some(texts) = texts else {
            return Err(self.error(PartiqlErrorKind::SetMembers, expr.span));
        };
        let numbers = texts.iter().map(|text| self.number(expr, text, path));
        let numbers: Vec<Number> = numbers.collect::<Result<_, _>>()?;
        let mut distinct = numbers.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < numbers.len() {
            let path = path.text.clone();
            let kind = PartiqlErrorKind::RepeatedNumbers { members: texts, path };
            return Err(self.error(kind, expr.span));
        }
        Ok(Value::number_set(numbers))
    }
}

fn text(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn number_text(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Number(text) => Some(text.clone()),
        _ => None,
    }
}
