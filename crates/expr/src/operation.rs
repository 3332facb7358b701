//! The operators, functions and sections of expressions, as trees and errors name them.

use std::fmt;

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparator {
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
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// A section of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// `SET`
    Set,
    /// `REMOVE`
    Remove,
    /// `ADD`
    Add,
    /// `DELETE`
    Delete,
}

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// `attribute_exists(path)`
    AttributeExists,
    /// `attribute_not_exists(path)`
    AttributeNotExists,
    /// `attribute_type(operand, :type)`
    AttributeType,
    /// `begins_with(operand, prefix)`
    BeginsWith,
    /// `contains(operand, element)`
    Contains,
    /// `size(operand)`
    Size,
    /// `if_not_exists(path, operand)`
    IfNotExists,
    /// `list_append(list, list)`
    ListAppend,
}

/// An operator or function, as errors name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A comparison.
    Compare(Comparator),
    /// `BETWEEN`
    Between,
    /// `IN`
    In,
    /// `AND`
    And,
    /// `OR`
    Or,
    /// `NOT`
    Not,
    /// `+` or `-`
    Arithmetic(Arithmetic),
    /// A function.
    Call(Function),
}

impl Function {
    /// Every function.
    pub const ALL: [Function; 8] = [
        Function::AttributeExists,
        Function::AttributeNotExists,
        Function::AttributeType,
        Function::BeginsWith,
        Function::Contains,
        Function::Size,
        Function::IfNotExists,
        Function::ListAppend,
    ];

    /// The function of this name. Unlike keywords, names of functions keep their case.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.name() == name)
    }

    /// The name of the function.
    pub fn name(self) -> &'static str {
        match self {
            Function::AttributeExists => "attribute_exists",
            Function::AttributeNotExists => "attribute_not_exists",
            Function::AttributeType => "attribute_type",
            Function::BeginsWith => "begins_with",
            Function::Contains => "contains",
            Function::Size => "size",
            Function::IfNotExists => "if_not_exists",
            Function::ListAppend => "list_append",
        }
    }

    /// How many operands the function takes.
    pub fn operand_count(self) -> usize {
        match self {
            Function::AttributeExists | Function::AttributeNotExists | Function::Size => 1,
            Function::AttributeType
            | Function::BeginsWith
            | Function::Contains
            | Function::IfNotExists
            | Function::ListAppend => 2,
        }
    }

    /// Returns whether the function belongs to updates; the others belong to conditions.
    pub fn is_for_updates(self) -> bool {
        matches!(self, Function::IfNotExists | Function::ListAppend)
    }
}

impl Comparator {
    /// The comparator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::NotEqual => "<>",
            Comparator::Less => "<",
            Comparator::LessOrEqual => "<=",
            Comparator::Greater => ">",
            Comparator::GreaterOrEqual => ">=",
        }
    }

    /// The comparator that says the same with the sides exchanged.
    pub(crate) fn flipped(self) -> Comparator {
        match self {
            Comparator::Equal => Comparator::Equal,
            Comparator::NotEqual => Comparator::NotEqual,
            Comparator::Less => Comparator::Greater,
            Comparator::LessOrEqual => Comparator::GreaterOrEqual,
            Comparator::Greater => Comparator::Less,
            Comparator::GreaterOrEqual => Comparator::LessOrEqual,
        }
    }

    /// Returns whether the comparator asks for an order, which only strings, numbers and binaries
    /// have.
    pub fn is_ordering(self) -> bool {
        !matches!(self, Comparator::Equal | Comparator::NotEqual)
    }
}

impl Operation {
    /// The operator or function as it is written, keywords in capitals.
    pub fn symbol(self) -> &'static str {
        match self {
            Operation::Compare(comparator) => comparator.symbol(),
            Operation::Between => "BETWEEN",
            Operation::In => "IN",
            Operation::And => "AND",
            Operation::Or => "OR",
            Operation::Not => "NOT",
            Operation::Arithmetic(Arithmetic::Plus) => "+",
            Operation::Arithmetic(Arithmetic::Minus) => "-",
            Operation::Call(function) => function.name(),
        }
    }
}

impl Section {
    /// The keyword of the section.
    pub fn keyword(self) -> &'static str {
        match self {
            Section::Set => "SET",
            Section::Remove => "REMOVE",
            Section::Add => "ADD",
            Section::Delete => "DELETE",
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}
