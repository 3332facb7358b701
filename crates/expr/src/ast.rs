//! The syntax of expressions: what a text says before its placeholders are replaced.
//!
//! Everything here is a function of the text alone, so that a parsed expression can be kept and
//! shared between requests with different names and values. `Display` prints a form that parses
//! back to the same tree.

use crate::operation::{Arithmetic, Comparator, Function, Section};

/// An attribute or member name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParsedName {
    /// Written out.
    Bare(String),
    /// `#placeholder`, with its `#`.
    Placeholder(String),
}

/// A document path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedPath {
    /// The attribute.
    pub(crate) root: ParsedName,
    /// The steps below it.
    pub(crate) steps: Vec<ParsedStep>,
}

/// A step of a document path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParsedStep {
    /// `.name`
    Member(ParsedName),
    /// `[index]`
    Index(u32),
}

/// An operand of an operator or function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParsedOperand {
    /// A document path.
    Path(ParsedPath),
    /// `:placeholder`, with its `:`.
    Value(String),
    /// A function call.
    Call(ParsedCall),
    /// Whether a condition holds. Only statements have such operands.
    #[cfg_attr(not(feature = "partiql"), expect(dead_code, reason = "only statements make it"))]
    Condition(Box<ConditionTree>),
}

/// A function call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedCall {
    /// The function.
    pub(crate) function: Function,
    /// Its operands: at least one, and not checked to be as many as the function takes.
    pub(crate) operands: Vec<ParsedOperand>,
}

/// A condition, filter or key condition whose placeholders are not replaced yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedCondition(pub(crate) ConditionTree);

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConditionTree {
    /// `left comparator right`
    Compare {
        /// The comparator.
        comparator: Comparator,
        /// The operand before it.
        left: ParsedOperand,
        /// The operand after it.
        right: ParsedOperand,
    },
    /// `operand BETWEEN lower AND upper`
    Between {
        /// What is compared.
        operand: ParsedOperand,
        /// The lower bound.
        lower: ParsedOperand,
        /// The upper bound.
        upper: ParsedOperand,
    },
    /// `operand IN (candidates)`
    In {
        /// What is compared.
        operand: ParsedOperand,
        /// What it is compared with.
        candidates: Vec<ParsedOperand>,
    },
    /// A function that is true or false.
    Call(ParsedCall),
    /// `left AND right`
    And(Box<ConditionTree>, Box<ConditionTree>),
    /// `left OR right`
    Or(Box<ConditionTree>, Box<ConditionTree>),
    /// `NOT condition`
    Not(Box<ConditionTree>),
}

/// A projection: the paths to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedProjection {
    /// The paths, as written.
    pub(crate) paths: Vec<ParsedPath>,
}

/// An update: its actions in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedUpdate {
    /// The actions.
    pub(crate) actions: Vec<ParsedAction>,
}

/// One action of an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedAction {
    /// What the action changes.
    pub(crate) target: ParsedPath,
    /// How it changes it.
    pub(crate) change: ParsedChange,
}

/// How an action changes its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParsedChange {
    /// `SET target = value`
    Set(ParsedSource),
    /// `REMOVE target`
    Remove,
    /// `ADD target :value`
    Add(String),
    /// `DELETE target :value`
    Delete(String),
}

/// The right side of a `SET`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParsedSource {
    /// An operand as it is.
    Operand(ParsedOperand),
    /// `left + right` or `left - right`
    Arithmetic {
        /// The operator.
        operator: Arithmetic,
        /// The operand before it.
        left: ParsedOperand,
        /// The operand after it.
        right: ParsedOperand,
    },
}

impl ParsedUpdate {
    /// The attributes that the update changes, as they are written: names, or placeholders with
    /// their `#`.
    pub fn target_names(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().map(|action| action.target.root.as_written())
    }

    /// The same with the section that each stands in.
    pub fn sections(&self) -> impl Iterator<Item = (&str, Section)> {
        self.actions.iter().map(|action| {
            let section = match &action.change {
                ParsedChange::Set(_) => Section::Set,
                ParsedChange::Remove => Section::Remove,
                ParsedChange::Add(_) => Section::Add,
                ParsedChange::Delete(_) => Section::Delete,
            };
            (action.target.root.as_written(), section)
        })
    }

    /// The attributes that something is added to: `ADD n :value` and `SET n = … + …`.
    pub fn raised_names(&self) -> impl Iterator<Item = &str> {
        let raised = self.actions.iter().filter(|action| match &action.change {
            ParsedChange::Set(ParsedSource::Arithmetic { operator, .. }) => {
                *operator == Arithmetic::Plus
            }
            ParsedChange::Add(_) => true,
            ParsedChange::Set(ParsedSource::Operand(_))
            | ParsedChange::Remove
            | ParsedChange::Delete(_) => false,
        });
        raised.map(|action| action.target.root.as_written())
    }

    /// The whole attributes that are set to a value of the request, and its placeholder with the
    /// `:`.
    pub fn assignments(&self) -> impl Iterator<Item = (&str, &str)> {
        self.actions.iter().filter_map(|action| {
            match (&action.change, action.target.steps.as_slice()) {
                (ParsedChange::Set(ParsedSource::Operand(ParsedOperand::Value(value))), []) => {
                    Some((action.target.root.as_written(), value.as_str()))
                }
                (
                    ParsedChange::Set(_)
                    | ParsedChange::Remove
                    | ParsedChange::Add(_)
                    | ParsedChange::Delete(_),
                    _,
                ) => None,
            }
        })
    }

    /// The attributes that are removed, or that something is removed of.
    pub fn cut_names(&self) -> impl Iterator<Item = &str> {
        let cut = self.actions.iter().filter(|action| action.change == ParsedChange::Remove);
        cut.map(|action| action.target.root.as_written())
    }

    /// The whole attributes that are removed.
    pub fn removals(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().filter_map(|action| {
            match (&action.change, action.target.steps.as_slice()) {
                (ParsedChange::Remove, []) => Some(action.target.root.as_written()),
                (
                    ParsedChange::Set(_)
                    | ParsedChange::Remove
                    | ParsedChange::Add(_)
                    | ParsedChange::Delete(_),
                    _,
                ) => None,
            }
        })
    }
}

impl ParsedName {
    /// The name, or the placeholder with its `#`.
    fn as_written(&self) -> &str {
        match self {
            ParsedName::Bare(name) | ParsedName::Placeholder(name) => name,
        }
    }
}

impl ParsedChange {
    /// The section that the change stands in.
    pub(crate) fn section(&self) -> Section {
        match self {
            ParsedChange::Set(_) => Section::Set,
            ParsedChange::Remove => Section::Remove,
            ParsedChange::Add(_) => Section::Add,
            ParsedChange::Delete(_) => Section::Delete,
        }
    }
}
