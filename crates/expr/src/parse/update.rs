//! Update expressions: `SET`, `REMOVE`, `ADD` and `DELETE` sections in any order, each once.

use super::operand::operand;
use super::path::path;
use super::{Cursor, Findings, Grammar, check_length};
use crate::ParseError;
use crate::ast::{ParsedAction, ParsedChange, ParsedOperand, ParsedSource, ParsedUpdate};
use crate::lexer::TokenKind;
use crate::operation::{Arithmetic, Section};

const KEYWORDS: [&str; 4] = ["SET", "REMOVE", "ADD", "DELETE"];
const SECTIONS: [Section; 4] = [Section::Set, Section::Remove, Section::Add, Section::Delete];

/// Parses an update expression.
pub fn parse_update(text: &str) -> Result<ParsedUpdate, ParseError> {
    check_length(text)?;
    let mut parser = Parser { cursor: Cursor::new(text, &KEYWORDS), findings: Findings::default() };
    let actions = parser.sections()?;
    parser.findings.conclude(Grammar::Update)?;
    Ok(ParsedUpdate { actions })
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    findings: Findings,
}

impl Parser<'_> {
    fn sections(&mut self) -> Result<Vec<ParsedAction>, ParseError> {
        let mut actions = Vec::new();
        let mut seen = Vec::new();
        loop {
            let section = self.section_keyword()?;
            if seen.contains(&section) {
                self.findings.repeated_section(ParseError::RepeatedSection { section });
            }
            seen.push(section);
            self.section(section, &mut actions)?;
            if self.cursor.kind() == TokenKind::End {
                return Ok(actions);
            }
        }
    }

    fn section_keyword(&mut self) -> Result<Section, ParseError> {
        let section =
            SECTIONS.into_iter().find(|section| self.cursor.accept_keyword(section.keyword()));
        section.ok_or_else(|| self.cursor.unexpected())
    }

    fn section(
        &mut self,
        section: Section,
        actions: &mut Vec<ParsedAction>,
    ) -> Result<(), ParseError> {
        loop {
            let target = path(&mut self.cursor, &mut self.findings)?;
            let change = self.change(section)?;
            actions.push(ParsedAction { target, change });
            if !self.cursor.accept(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn change(&mut self, section: Section) -> Result<ParsedChange, ParseError> {
        match section {
            Section::Set => {
                self.cursor.expect(TokenKind::Equal)?;
                Ok(ParsedChange::Set(self.source()?))
            }
            Section::Remove => Ok(ParsedChange::Remove),
            Section::Add => Ok(ParsedChange::Add(self.value()?)),
            Section::Delete => Ok(ParsedChange::Delete(self.value()?)),
        }
    }

    fn value(&mut self) -> Result<String, ParseError> {
        let text = self.cursor.token_text();
        self.cursor.expect(TokenKind::Value)?;
        Ok(text.to_owned())
    }

    /// The right side of a `SET`, around the whole of which parentheses may stand.
    ///
    /// Whether parentheses hold the whole or only the first operand shows at their end, so those in
    /// front are counted and closed one by one. An operand may be in one pair: `((a) + b)`.
    fn source(&mut self) -> Result<ParsedSource, ParseError> {
        let mut open = 0_usize;
        while self.cursor.accept(TokenKind::OpenParenthesis) {
            open += 1;
        }
        let first = self.operand()?;
        let mut closed = 0_usize;
        while closed < open && self.cursor.accept(TokenKind::CloseParenthesis) {
            closed += 1;
        }
        let source = self.arithmetic(first)?;
        for _ in closed..open {
            self.cursor.expect(TokenKind::CloseParenthesis)?;
        }
        if closed > 1 || open - closed > 1 {
            self.findings.redundant_parentheses();
        }
        Ok(source)
    }

    fn arithmetic(&mut self, left: ParsedOperand) -> Result<ParsedSource, ParseError> {
        let operator = match self.cursor.kind() {
            TokenKind::Plus => Arithmetic::Plus,
            TokenKind::Minus => Arithmetic::Minus,
            _ => return Ok(ParsedSource::Operand(left)),
        };
        self.cursor.advance();
        self.findings.operator();
        let right = self.operand()?;
        Ok(ParsedSource::Arithmetic { operator, left, right })
    }

    fn operand(&mut self) -> Result<ParsedOperand, ParseError> {
        operand(&mut self.cursor, &mut self.findings, Grammar::Update)
    }
}
