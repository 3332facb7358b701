//! Syntax trees of statements: only the grammar has been checked.
//!
//! PartiQL has one grammar for everything that has a value, whether it is a condition, the right
//! side of a `SET` or an item; `lower` decides afterwards what is allowed where.

use super::error::Returning;
use super::lexer::Span;
use crate::operation::{Arithmetic, Comparator};

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    /// The token that identifies the expression in messages.
    pub(super) span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ExprKind {
    /// `a.b[0]`
    Path(PathExpr),
    /// `'text'`
    Text(String),
    /// A number as written, with its sign.
    Number(String),
    /// `TRUE` or `FALSE`
    Bool(bool),
    /// `NULL`
    Null,
    /// `MISSING`
    Missing,
    /// The `?` at this position, from 0.
    Parameter(usize),
    /// `[…]`, or several expressions in parentheses.
    List(Vec<Expr>),
    /// `<<…>>`
    Bag(Vec<Expr>),
    /// `{…}`
    Struct(Vec<(Expr, Expr)>),
    /// `name(…)`, the name in lower case.
    Call {
        /// The function.
        name: String,
        /// What it is called with.
        arguments: Vec<Expr>,
    },
    /// `*` in a call, such as `COUNT(*)`.
    Star,
    /// `NOT …`
    Not(Box<Expr>),
    /// `left operator right`
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `… BETWEEN lower AND upper`
    Between(Box<[Expr; 3]>),
    /// `… IS type`, the type in capitals.
    Is(Box<Expr>, String),
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BinaryOperator {
    Or,
    And,
    Compare(Comparator),
    In,
    Arithmetic(Arithmetic),
    /// An operator that DynamoDB parses but never executes.
    Unsupported(&'static str),
}

/// A path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathExpr {
    pub(super) root: String,
    pub(super) steps: Vec<StepExpr>,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StepExpr {
    /// `.name` or `['name']`
    Member(String),
    /// `[index]` as it is written, and where.
    Index(String, Span),
}

/// What `FROM` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceExpr {
    pub(super) names: Vec<String>,
    pub(super) span: Span,
    /// The position of its alias, if there is one.
    pub(super) alias: Option<Span>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StatementExpr {
    Select(SelectExpr),
    Exists(SelectExpr),
    Insert {
        source: SourceExpr,
        value: Expr,
        returning: Option<(Returning, Span)>,
    },
    Update {
        source: SourceExpr,
        changes: Vec<ChangeExpr>,
        condition: Option<Expr>,
        returning: Option<(Returning, Span)>,
    },
    Delete {
        source: SourceExpr,
        condition: Option<Expr>,
        returning: Option<(Returning, Span)>,
    },
}

/// `SELECT … FROM … WHERE … ORDER BY …`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SelectExpr {
    /// The columns; empty for `*`.
    pub(super) columns: Option<Vec<ColumnExpr>>,
    pub(super) source: SourceExpr,
    pub(super) condition: Option<Expr>,
    /// The keys to order by, and whether they descend.
    pub(super) order: Vec<(Expr, bool)>,
    /// The position of `ORDER`.
    pub(super) order_span: Option<Span>,
    /// A clause that DynamoDB does not support, and its position.
    pub(super) unsupported: Option<(&'static str, Span)>,
}

/// A column of a `SELECT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnExpr {
    pub(super) expr: Expr,
    /// The position of its alias, if there is one.
    pub(super) alias: Option<Span>,
}

/// A change of an `UPDATE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChangeExpr {
    /// `SET path = value`
    Set(Expr, Expr),
    /// `REMOVE path`
    Remove(Expr),
}

impl BinaryOperator {
    /// The operator as written, keywords in capitals.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Or => "OR",
            BinaryOperator::And => "AND",
            BinaryOperator::Compare(comparator) => comparator.symbol(),
            BinaryOperator::In => "IN",
            BinaryOperator::Arithmetic(Arithmetic::Plus) => "+",
            BinaryOperator::Arithmetic(Arithmetic::Minus) => "-",
            BinaryOperator::Unsupported(symbol) => symbol,
        }
    }
}
