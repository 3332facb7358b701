//! Condition expressions, which are also filter and key-condition expressions.
//!
//! `OR` binds loosest, then `AND`, then `NOT`, then comparisons. Parentheses may hold a condition
//! or an operand, and which of the two shows only after them: `(a) = b`, `(a = b)`. So the parser
//! reads a [`Term`], which becomes a condition when the next token asks for one. It is an
//! operator-precedence parser with an explicit stack: what is open (parentheses, `NOT`, the left
//! side of `AND` and `OR`) waits in [`Open`] until its right side is complete.

use super::operand::{Read, check_nested_calls, close_group, extend, operand};
use super::{Cursor, Findings, Grammar, check_length};
use crate::ParseError;
use crate::ast::{ConditionTree, ParsedCondition, ParsedOperand};
use crate::lexer::TokenKind;
use crate::operation::{Comparator, Function};

const KEYWORDS: [&str; 5] = ["AND", "OR", "NOT", "BETWEEN", "IN"];

/// Parses a condition, filter or key-condition expression.
pub fn parse_condition(text: &str) -> Result<ParsedCondition, ParseError> {
    check_length(text)?;
    let cursor = Cursor::new(text, &KEYWORDS);
    let mut parser = Parser { cursor, findings: Findings::default(), open: Vec::new() };
    let condition = parser.condition()?;
    parser.findings.conclude(Grammar::Condition)?;
    Ok(ParsedCondition(condition))
}

/// What waits for its right side.
enum Open {
    Group,
    Not,
    And(ConditionTree),
    Or(ConditionTree),
}

/// What has been read last.
enum Term {
    Operand(Read),
    Condition { condition: ConditionTree, grouped: bool },
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    findings: Findings,
    open: Vec<Open>,
}

impl Parser<'_> {
    fn condition(&mut self) -> Result<ConditionTree, ParseError> {
        loop {
            let mut term = self.first_term()?;
            loop {
                term = self.complete_comparison(term)?;
                if self.cursor.at_keyword("AND") {
                    let left = self.take_condition(term)?;
                    let left = self.reduce(left, |open| matches!(open, Open::Not | Open::And(_)));
                    self.binary(Open::And(left));
                    break;
                }
                if self.cursor.at_keyword("OR") {
                    let left = self.take_condition(term)?;
                    let left = self.reduce(left, |open| !matches!(open, Open::Group));
                    self.binary(Open::Or(left));
                    break;
                }
                if self.cursor.kind() == TokenKind::End {
                    return self.whole(term);
                }
                term = self.close_parentheses(term)?;
            }
        }
    }

    /// Opens parentheses and `NOT`s, then reads an operand.
    fn first_term(&mut self) -> Result<Term, ParseError> {
        loop {
            if self.cursor.accept(TokenKind::OpenParenthesis) {
                self.open.push(Open::Group);
            } else if self.cursor.accept_keyword("NOT") {
                self.findings.operator();
                self.open.push(Open::Not);
            } else {
                let operand = self.operand()?;
                return Ok(Term::Operand(Read { operand, grouped: false }));
            }
        }
    }

    /// Reads the rest of a comparison if the term is its left operand.
    fn complete_comparison(&mut self, term: Term) -> Result<Term, ParseError> {
        let Term::Operand(mut left) = term else { return Ok(term) };
        if left.grouped {
            extend(&mut self.cursor, &mut self.findings, &mut left)?;
        }
        let condition = if let Some(comparator) = self.comparator() {
            let right = self.operand()?;
            self.check_operands(&[&left.operand, &right]);
            ConditionTree::Compare { comparator, left: left.operand, right }
        } else if self.cursor.accept_keyword("BETWEEN") {
            self.between(left.operand)?
        } else if self.cursor.accept_keyword("IN") {
            self.candidates(left.operand)?
        } else {
            return Ok(Term::Operand(left));
        };
        self.findings.operator();
        Ok(Term::Condition { condition, grouped: false })
    }

    fn between(&mut self, operand: ParsedOperand) -> Result<ConditionTree, ParseError> {
        let lower = self.operand()?;
        if !self.cursor.accept_keyword("AND") {
            return Err(self.cursor.unexpected());
        }
        let upper = self.operand()?;
        self.check_operands(&[&operand, &lower, &upper]);
        Ok(ConditionTree::Between { operand, lower, upper })
    }

    fn candidates(&mut self, operand: ParsedOperand) -> Result<ConditionTree, ParseError> {
        self.cursor.expect(TokenKind::OpenParenthesis)?;
        let mut candidates = vec![self.operand()?];
        while self.cursor.accept(TokenKind::Comma) {
            candidates.push(self.operand()?);
        }
        self.cursor.expect(TokenKind::CloseParenthesis)?;
        self.check_operands(&[&operand]);
        check_nested_calls(&mut self.findings, &candidates);
        Ok(ConditionTree::In { operand, candidates })
    }

    fn comparator(&mut self) -> Option<Comparator> {
        let comparator = match self.cursor.kind() {
            TokenKind::Equal => Comparator::Equal,
            TokenKind::NotEqual => Comparator::NotEqual,
            TokenKind::Less => Comparator::Less,
            TokenKind::LessOrEqual => Comparator::LessOrEqual,
            TokenKind::Greater => Comparator::Greater,
            TokenKind::GreaterOrEqual => Comparator::GreaterOrEqual,
            _ => return None,
        };
        self.cursor.advance();
        Some(comparator)
    }

    /// Closes the innermost parentheses with the current token, which must be `)`.
    fn close_parentheses(&mut self, term: Term) -> Result<Term, ParseError> {
        let term = match self.open.last() {
            Some(Open::Group) => term,
            Some(Open::Not | Open::And(_) | Open::Or(_)) | None => {
                let condition = self.take_condition(term)?;
                let condition = self.reduce(condition, |open| !matches!(open, Open::Group));
                Term::Condition { condition, grouped: false }
            }
        };
        if self.open.is_empty() {
            return Err(self.cursor.unexpected());
        }
        self.cursor.expect(TokenKind::CloseParenthesis)?;
        self.open.pop();
        Ok(self.group(term))
    }

    fn group(&mut self, content: Term) -> Term {
        match content {
            Term::Operand(read) => Term::Operand(close_group(&mut self.findings, read)),
            Term::Condition { condition, grouped } => {
                if grouped {
                    self.findings.redundant_parentheses();
                }
                Term::Condition { condition, grouped: true }
            }
        }
    }

    /// The whole expression, at the end of the text.
    fn whole(&mut self, term: Term) -> Result<ConditionTree, ParseError> {
        let condition = self.take_condition(term)?;
        let condition = self.reduce(condition, |open| !matches!(open, Open::Group));
        if self.open.is_empty() { Ok(condition) } else { Err(self.cursor.unexpected()) }
    }

    /// Takes a term as a condition. Of the operands, only calls can be one.
    fn take_condition(&mut self, term: Term) -> Result<ConditionTree, ParseError> {
        match term {
            Term::Condition { condition, .. } => Ok(condition),
            Term::Operand(Read { operand: ParsedOperand::Call(call), .. }) => {
                if call.function == Function::Size {
                    let function = call.function;
                    self.findings.misplaced_function(ParseError::MisplacedFunction { function });
                }
                Ok(ConditionTree::Call(call))
            }
            Term::Operand(_) => Err(self.cursor.unexpected()),
        }
    }

    /// Applies what is open and binds tighter than the current token to the condition on its right.
    fn reduce(
        &mut self,
        mut condition: ConditionTree,
        binds: impl Fn(&Open) -> bool,
    ) -> ConditionTree {
        while self.open.last().is_some_and(&binds) {
            let right = Box::new(condition);
            condition = match self.open.pop() {
                Some(Open::Not) => ConditionTree::Not(right),
                Some(Open::And(left)) => ConditionTree::And(Box::new(left), right),
                Some(Open::Or(left)) => ConditionTree::Or(Box::new(left), right),
                Some(Open::Group) | None => *right,
            };
        }
        condition
    }

    fn binary(&mut self, open: Open) {
        self.cursor.advance();
        self.findings.operator();
        self.open.push(open);
    }

    fn check_operands(&mut self, operands: &[&ParsedOperand]) {
        for operand in operands {
            check_nested_calls(&mut self.findings, std::slice::from_ref(*operand));
        }
    }

    fn operand(&mut self) -> Result<ParsedOperand, ParseError> {
        operand(&mut self.cursor, &mut self.findings, Grammar::Condition)
    }
}
