//! Replaces placeholders by a request's names and values.
//!
//! What can be said without an item is checked here: undefined placeholders, the number and the
//! types of operands, paths that overlap. The order of the checks is DynamoDB's, which differs by
//! kind. A condition is checked comparison by comparison; in each, placeholders come first, then
//! the number of operands, then repeated operands, then types. An update is checked as a whole: all
//! names, all values, its targets, the operands of `ADD` and `DELETE`, the functions.

mod condition;
mod draft;
mod overlap;
mod placeholders;
mod projection;
mod update;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use monotable_item::{Path, Step, Value};

use crate::ResolveError;
use crate::ast::{ParsedName, ParsedPath, ParsedStep};
use draft::Draft;
pub use placeholders::{Names, Values};

/// The most elements of a document path.
const PATH_LEVELS_MAX: usize = 32;

/// Replaces the placeholders of a request's expressions, and remembers which were used.
///
/// The expressions of a request share its names and values, so they go through one resolver, in
/// DynamoDB's order; afterwards the request knows which placeholders none of them used.
pub struct Resolver<'r> {
    names: &'r dyn Names,
    values: &'r dyn Values,
    used_names: BTreeSet<String>,
    /// The values that were used. Each is copied once, however often it is used: a text of 4 KB can
    /// name a value of megabytes hundreds of times.
    used_values: BTreeMap<String, Arc<Value>>,
}

impl<'r> Resolver<'r> {
    /// A resolver for the names and values of one request.
    pub fn new(names: &'r dyn Names, values: &'r dyn Values) -> Resolver<'r> {
        Resolver { names, values, used_names: BTreeSet::new(), used_values: BTreeMap::new() }
    }

    /// Returns whether an expression so far used this name, given with its `#`.
    pub fn is_name_used(&self, placeholder: &str) -> bool {
        self.used_names.contains(placeholder)
    }

    /// Returns whether an expression so far used this value, given with its `:`.
    pub fn is_value_used(&self, placeholder: &str) -> bool {
        self.used_values.contains_key(placeholder)
    }

    fn name<'p>(&mut self, name: &'p ParsedName) -> Result<&'p str, ResolveError>
    where
        'r: 'p,
    {
        let placeholder = match name {
            ParsedName::Bare(name) => return Ok(name),
            ParsedName::Placeholder(placeholder) => placeholder,
        };
        let Some(name) = self.names.name(placeholder) else {
            return Err(ResolveError::UndefinedName { name: placeholder.clone() });
        };
        if !self.used_names.contains(placeholder) {
            self.used_names.insert(placeholder.clone());
        }
        Ok(name)
    }

    fn value(&mut self, placeholder: &str) -> Result<Arc<Value>, ResolveError> {
        if let Some(value) = self.used_values.get(placeholder) {
            return Ok(value.clone());
        }
        let Some(value) = self.values.value(placeholder) else {
            return Err(ResolveError::UndefinedValue { value: placeholder.to_owned() });
        };
        let value = Arc::new(value.clone());
        self.used_values.insert(placeholder.to_owned(), value.clone());
        Ok(value)
    }

    /// Refuses a path with undefined names, or one that is too long.
    fn check_path(&mut self, path: &ParsedPath) -> Result<(), ResolveError> {
        self.name(&path.root)?;
        for step in &path.steps {
            match step {
                ParsedStep::Member(name) => self.name(name).map(drop)?,
                ParsedStep::Index(_) => {}
            }
        }
        check_levels(path)
    }

    fn path(&mut self, path: &ParsedPath) -> Result<Path, ResolveError> {
        let root = self.name(&path.root)?.to_owned();
        let mut steps = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            steps.push(match step {
                ParsedStep::Member(name) => Step::Member(self.name(name)?.to_owned()),
                ParsedStep::Index(index) => Step::Index(*index),
            });
        }
        check_levels(path)?;
        Ok(Path { root, steps })
    }
}

fn check_levels(path: &ParsedPath) -> Result<(), ResolveError> {
    let levels = 1 + path.steps.len();
    if levels > PATH_LEVELS_MAX { Err(ResolveError::PathTooDeep { levels }) } else { Ok(()) }
}
