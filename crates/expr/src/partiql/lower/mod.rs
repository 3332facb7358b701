//! From syntax trees to what DynamoDB's expressions can express.
//!
//! Conditions and updates become the trees that expressions parse to, with the literals of the text
//! replaced by placeholders. So both languages share one resolver and one evaluator.

mod condition;
mod statement;
mod update;
mod value;

use monotable_item::{Path, Step, Value};

use super::error::{PartiqlError, PartiqlErrorKind, TokenPosition};
use super::lexer::Span;
use super::syntax::{PathExpr, StepExpr};
use crate::ast::{ParsedName, ParsedPath, ParsedStep};

pub(super) use statement::lower;

/// The largest list index.
const INDEX_MAX: u32 = i32::MAX as u32;

/// The literals found so far, and the text for positions.
struct Lowering<'t> {
    text: &'t str,
    literals: Vec<Value>,
}

impl Lowering<'_> {
    fn error(&self, kind: PartiqlErrorKind, span: Span) -> PartiqlError {
        PartiqlError::new(kind, self.place(span))
    }

    fn place(&self, span: Span) -> TokenPosition {
        TokenPosition::of(self.text, span)
    }

    /// Keeps a literal, and returns its placeholder.
    fn literal(&mut self, value: Value) -> String {
        self.literals.push(value);
        super::statement::literal_placeholder(self.literals.len() - 1)
    }

    fn path(&self, path: &PathExpr) -> Result<Path, PartiqlError> {
        let mut steps = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            steps.push(match step {
                StepExpr::Member(name) => Step::Member(name.clone()),
                StepExpr::Index(index, span) => Step::Index(self.index(index, *span)?),
            });
        }
        Ok(Path { root: path.root.clone(), steps })
    }

    /// The path in the form that expressions parse to.
    fn parsed_path(&self, path: &PathExpr) -> Result<ParsedPath, PartiqlError> {
        let Path { root, steps } = self.path(path)?;
        let steps = steps.into_iter().map(|step| match step {
            Step::Member(name) => ParsedStep::Member(ParsedName::Bare(name)),
            Step::Index(index) => ParsedStep::Index(index),
        });
        Ok(ParsedPath { root: ParsedName::Bare(root), steps: steps.collect() })
    }

    fn index(&self, index: &str, span: Span) -> Result<u32, PartiqlError> {
        // `-0` is a valid index, though no other negative number is.
        let number = index.strip_prefix('-').filter(|rest| *rest == "0").unwrap_or(index);
        match number.parse() {
            Ok(number) if number <= INDEX_MAX => Ok(number),
            Ok(_) | Err(_) => {
                let index = index.to_owned();
                Err(self.error(PartiqlErrorKind::IndexOutOfRange { index }, span))
            }
        }
    }
}
