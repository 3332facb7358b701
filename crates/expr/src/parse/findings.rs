//! What is wrong with a text that is well formed.

use monotable_item::limits::EXPRESSION_OPERATORS_MAX;

use super::Grammar;
use crate::ParseError;

/// The first finding of each class, to be reported once the syntax is known to be right.
#[derive(Debug, Default)]
pub(super) struct Findings {
    redundant_parentheses: Option<ParseError>,
    /// A name that is reserved or an index that is out of range.
    path: Option<ParseError>,
    /// A function that is unknown or belongs to the other grammar.
    function: Option<ParseError>,
    misplaced_function: Option<ParseError>,
    repeated_section: Option<ParseError>,
    operators: usize,
}

impl Findings {
    pub(super) fn redundant_parentheses(&mut self) {
        self.redundant_parentheses.get_or_insert(ParseError::RedundantParentheses);
    }

    pub(super) fn path(&mut self, error: ParseError) {
        self.path.get_or_insert(error);
    }

    pub(super) fn function(&mut self, error: ParseError) {
        self.function.get_or_insert(error);
    }

    pub(super) fn misplaced_function(&mut self, error: ParseError) {
        self.misplaced_function.get_or_insert(error);
    }

    pub(super) fn repeated_section(&mut self, error: ParseError) {
        self.repeated_section.get_or_insert(error);
    }

    /// Counts an operator or function.
    pub(super) fn operator(&mut self) {
        self.operators += 1;
    }

    /// The finding to report, by DynamoDB's order for the grammar.
    pub(super) fn conclude(self, grammar: Grammar) -> Result<(), ParseError> {
        let too_many = (self.operators > EXPRESSION_OPERATORS_MAX)
            .then_some(ParseError::TooManyOperators { count: EXPRESSION_OPERATORS_MAX + 1 });
        let ordered = match grammar {
            Grammar::Condition => [self.function, self.misplaced_function, self.path],
            Grammar::Update => [self.path, self.function, self.misplaced_function],
        };
        let rest = [self.repeated_section, too_many];
        let mut findings = [self.redundant_parentheses].into_iter().chain(ordered).chain(rest);
        findings.find_map(|finding| finding).map_or(Ok(()), Err)
    }
}
