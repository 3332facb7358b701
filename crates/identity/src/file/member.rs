//! The members of a table of the file, each taken by its name.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::Text;
use crate::error::FileError;

/// One `[[key]]` or `[[policy]]`.
pub(super) struct Members<'a> {
    pub(super) text: Text<'a>,
    table: &'a DeTable<'a>,
    span: Range<usize>,
}

impl<'a> Members<'a> {
    /// The tables of an array of tables; none if there is no such array.
    pub(super) fn all(
        text: Text<'a>,
        root: &'a DeTable<'a>,
        name: &str,
        known: &[&str],
    ) -> Result<Vec<Members<'a>>, FileError> {
        let Some(array) = root.get(name) else { return Ok(Vec::new()) };
        let wrong = || text.error(array.span(), format!("write [[{name}]] here"));
        let DeValue::Array(array) = array.get_ref() else { return Err(wrong()) };
        let mut all = Vec::with_capacity(array.len());
        for entry in array.iter() {
            let DeValue::Table(table) = entry.get_ref() else { return Err(wrong()) };
            refuse_unknown(text, table, known)?;
            all.push(Members { text, table, span: entry.span() });
        }
        Ok(all)
    }

    /// Where the table is, for what it lacks.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// A text that may be missing.
    pub(super) fn text(&self, name: &str) -> Result<Option<Spanned<&'a str>>, FileError> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        Ok(Some(self.as_text(name, value)?))
    }

    /// A text that must be there.
    pub(super) fn required(&self, name: &str) -> Result<Spanned<&'a str>, FileError> {
        let missing = || self.text.error(self.span(), format!("{name} is missing here"));
        self.text(name)?.ok_or_else(missing)
    }

    /// Texts, of which there may be none.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<Spanned<&'a str>>, FileError> {
        let Some(value) = self.table.get(name) else { return Ok(Vec::new()) };
        let DeValue::Array(values) = value.get_ref() else {
            let reason = format!("{name} must be a list of texts");
            return Err(self.text.error(value.span(), reason));
        };
        values.iter().map(|value| self.as_text(name, value)).collect()
    }

    /// Yes or no; no if it is missing.
    pub(super) fn flag(&self, name: &str) -> Result<bool, FileError> {
        match self.table.get(name).map(|value| (value.get_ref(), value.span())) {
            None => Ok(false),
            Some((DeValue::Boolean(flag), _)) => Ok(*flag),
            Some((_, span)) => Err(self.text.error(span, format!("{name} must be true or false"))),
        }
    }

    /// A time, as a text or as TOML writes times.
    pub(super) fn time(&self, name: &str) -> Result<Option<Spanned<String>>, FileError> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Datetime(time) => time.to_string(),
            _ => (*self.as_text(name, value)?.get_ref()).to_owned(),
        };
        Ok(Some(Spanned::new(value.span(), text)))
    }

    fn as_text(
        &self,
        name: &str,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Result<Spanned<&'a str>, FileError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(Spanned::new(value.span(), text.as_ref())),
            _ => Err(self.text.error(value.span(), format!("{name} must be a text"))),
        }
    }
}

/// Refuses members that mean nothing.
pub(super) fn refuse_unknown(
    text: Text<'_>,
    table: &DeTable<'_>,
    known: &[&str],
) -> Result<(), FileError> {
    let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
    match unknown.min_by_key(|key| key.span().start) {
        Some(key) => {
            let reason =
                format!("{} is not known here; there is {}", key.get_ref(), known.join(", "));
            Err(text.error(key.span(), reason))
        }
        None => Ok(()),
    }
}
