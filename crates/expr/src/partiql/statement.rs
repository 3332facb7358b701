//! Statements, and what they mean once their parameters are bound.

use std::collections::BTreeMap;

use monotable_item::{Item, Path, Type, Value};

use super::columns::Columns;
use super::error::{PartiqlError, PartiqlErrorKind, Returning, SetFunction, TokenPosition};
use crate::ast::{ConditionTree, ParsedCondition, ParsedName, ParsedOperand, ParsedUpdate};
use crate::operation::Comparator;
use crate::{Condition, ResolveError, Resolver, Update, Values};

/// A statement whose parameters are not bound yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub(super) body: Body,
    pub(super) table: String,
    pub(super) index: Option<String>,
    pub(super) returning: Option<Returning>,
    /// The literals of the text, each replaced by a placeholder.
    pub(super) literals: Vec<Value>,
    pub(super) parameter_count: usize,
}

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// `SELECT`
    Select,
    /// `EXISTS(SELECT …)`, which checks a condition in a transaction.
    Exists,
    /// `INSERT`
    Insert,
    /// `UPDATE`
    Update,
    /// `DELETE`
    Delete,
}

/// A key that a `SELECT` orders by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderKey {
    /// The key.
    pub path: Path,
    /// Whether the order is descending.
    pub descends: bool,
}

/// A statement with its parameters bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// Reads the items that satisfy a condition.
    Select {
        /// The condition, if there is one.
        condition: Option<Condition>,
    },
    /// Checks that an item satisfies a condition.
    Exists {
        /// The condition, if there is one.
        condition: Option<Condition>,
    },
    /// Writes an item that must not exist yet.
    Insert {
        /// The item.
        item: Item,
    },
    /// Changes an item that must exist.
    Update {
        /// The changes.
        update: Update,
        /// Which item, and what must hold.
        condition: Option<Condition>,
    },
    /// Deletes an item.
    Delete {
        /// Which item, and what must hold.
        condition: Option<Condition>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    Select(Select),
    Exists(Select),
    Insert(Vec<(String, Attribute)>),
    Update { update: ParsedUpdate, sets: Vec<SetParameter>, condition: Option<ParsedCondition> },
    Delete { condition: Option<ParsedCondition> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Select {
    /// The columns; empty for `*`.
    pub(super) columns: Option<Columns>,
    pub(super) condition: Option<ParsedCondition>,
    pub(super) order: Vec<OrderKey>,
}

/// An attribute of a new item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Attribute {
    Literal(Value),
    Parameter(usize),
}

/// A parameter that must be a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SetParameter {
    pub(super) position: usize,
    pub(super) function: SetFunction,
    pub(super) place: TokenPosition,
}

/// Literals and parameters need no names.
static NO_NAMES: BTreeMap<String, String> = BTreeMap::new();

impl Statement {
    /// What the statement does.
    pub fn kind(&self) -> StatementKind {
        match &self.body {
            Body::Select(_) => StatementKind::Select,
            Body::Exists(_) => StatementKind::Exists,
            Body::Insert(_) => StatementKind::Insert,
            Body::Update { .. } => StatementKind::Update,
            Body::Delete { .. } => StatementKind::Delete,
        }
    }

    /// The table that it reads or writes.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The index that it reads, if it reads one.
    pub fn index(&self) -> Option<&str> {
        self.index.as_deref()
    }

    /// How many parameters it has.
    pub fn parameter_count(&self) -> usize {
        self.parameter_count
    }

    /// What it returns of the item that it writes.
    pub fn returning(&self) -> Option<Returning> {
        self.returning
    }

    /// The columns that a `SELECT` returns; none for `*`.
    pub fn columns(&self) -> Option<&Columns> {
        self.select().and_then(|select| select.columns.as_ref())
    }

    /// The keys that a `SELECT` orders by.
    pub fn order(&self) -> &[OrderKey] {
        self.select().map_or(&[], |select| &select.order)
    }

    /// Returns whether `WHERE` restricts an attribute to certain values in every case, by `=` or
    /// `IN`. A `SELECT` that does not pin the partition key of what it reads is a scan; one that
    /// pins the whole key is a lookup.
    pub fn pins(&self, attribute: &str) -> bool {
        self.condition().is_some_and(|condition| pins(&condition.0, attribute))
    }

    /// Binds values to the parameters of the statement, of which there must be as many.
    pub fn bind(&self, parameters: &[Value]) -> Result<Bound, PartiqlError> {
        if parameters.len() != self.parameter_count {
            let (wanted, given) = (self.parameter_count, parameters.len());
            return Err(at_start(PartiqlErrorKind::ParameterCount { wanted, given }));
        }
        let values = Bindings { literals: &self.literals, parameters };
        let mut resolver = Resolver::new(&NO_NAMES, &values);
        let mut resolve = |condition: &Option<ParsedCondition>| {
            let condition = condition.as_ref().map(|parsed| resolver.condition(parsed));
            condition.transpose().map_err(expression)
        };
        Ok(match &self.body {
            Body::Select(select) => Bound::Select { condition: resolve(&select.condition)? },
            Body::Exists(select) => Bound::Exists { condition: resolve(&select.condition)? },
            Body::Insert(attributes) => Bound::Insert { item: item(attributes, parameters) },
            Body::Delete { condition } => Bound::Delete { condition: resolve(condition)? },
            Body::Update { update, sets, condition } => {
                check_sets(sets, parameters)?;
                let update = resolver.update(update).map_err(expression)?;
                let condition = condition.as_ref().map(|parsed| resolver.condition(parsed));
                Bound::Update { update, condition: condition.transpose().map_err(expression)? }
            }
        })
    }

    fn select(&self) -> Option<&Select> {
        match &self.body {
            Body::Select(select) | Body::Exists(select) => Some(select),
            Body::Insert(_) | Body::Update { .. } | Body::Delete { .. } => None,
        }
    }

    fn condition(&self) -> Option<&ParsedCondition> {
        match &self.body {
            Body::Select(select) | Body::Exists(select) => select.condition.as_ref(),
            Body::Update { condition, .. } | Body::Delete { condition } => condition.as_ref(),
            Body::Insert(_) => None,
        }
    }
}

/// The placeholder of a literal.
pub(super) fn literal_placeholder(position: usize) -> String {
    format!(":l{position}")
}

/// The placeholder of a parameter.
pub(super) fn parameter_placeholder(position: usize) -> String {
    format!(":p{position}")
}

/// The values behind the placeholders of a statement.
struct Bindings<'p> {
    literals: &'p [Value],
    parameters: &'p [Value],
}

impl Values for Bindings<'_> {
    fn value(&self, placeholder: &str) -> Option<&Value> {
        if let Some(position) = placeholder.strip_prefix(":l") {
            return self.literals.get(position.parse::<usize>().ok()?);
        }
        self.parameters.get(placeholder.strip_prefix(":p")?.parse::<usize>().ok()?)
    }
}

fn item(attributes: &[(String, Attribute)], parameters: &[Value]) -> Item {
    let value = |attribute: &Attribute| match attribute {
        Attribute::Literal(value) => Some(value.clone()),
        Attribute::Parameter(position) => parameters.get(*position).cloned(),
    };
    let values = attributes.iter().map(|(name, attribute)| (name.clone(), value(attribute)));
    values.filter_map(|(name, value)| Some((name, value?))).collect()
}

fn check_sets(sets: &[SetParameter], parameters: &[Value]) -> Result<(), PartiqlError> {
    for SetParameter { position, function, place } in sets {
        let Some(kind) = parameters.get(*position).map(Value::kind) else { continue };
        if !matches!(kind, Type::StringSet | Type::NumberSet | Type::BinarySet) {
            let (function, operand) = (*function, Some(kind));
            return Err(PartiqlError::new(
                PartiqlErrorKind::SetOperand { function, operand },
                *place,
            ));
        }
    }
    Ok(())
}

fn expression(error: ResolveError) -> PartiqlError {
    at_start(PartiqlErrorKind::Expression(error))
}

fn at_start(kind: PartiqlErrorKind) -> PartiqlError {
    PartiqlError::new(kind, TokenPosition::START)
}

fn pins(condition: &ConditionTree, attribute: &str) -> bool {
    match condition {
        ConditionTree::And(left, right) => pins(left, attribute) || pins(right, attribute),
        ConditionTree::Or(left, right) => pins(left, attribute) && pins(right, attribute),
        ConditionTree::Compare { comparator: Comparator::Equal, left, right } => {
            is_attribute(left, attribute) && is_value(right)
                || is_value(left) && is_attribute(right, attribute)
        }
        ConditionTree::In { operand, candidates } => {
            is_attribute(operand, attribute) && candidates.iter().all(is_value)
        }
        ConditionTree::Compare { .. }
        | ConditionTree::Between { .. }
        | ConditionTree::Call(_)
        | ConditionTree::Not(_) => false,
    }
}

fn is_attribute(operand: &ParsedOperand, attribute: &str) -> bool {
    matches!(operand, ParsedOperand::Path(path)
        if path.steps.is_empty()
            && matches!(&path.root, ParsedName::Bare(name) if name == attribute))
}

fn is_value(operand: &ParsedOperand) -> bool {
    matches!(operand, ParsedOperand::Value(_))
}
