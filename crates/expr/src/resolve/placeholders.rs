//! Where names and values are looked up.

use std::collections::{BTreeMap, HashMap};

use monotable_item::Value;

/// The names of a request: what `#placeholder` stands for.
pub trait Names {
    /// The name behind a placeholder, given with its `#`.
    fn name(&self, placeholder: &str) -> Option<&str>;
}

/// The values of a request: what `:placeholder` stands for.
pub trait Values {
    /// The value behind a placeholder, given with its `:`.
    fn value(&self, placeholder: &str) -> Option<&Value>;
}

impl Names for BTreeMap<String, String> {
    fn name(&self, placeholder: &str) -> Option<&str> {
        self.get(placeholder).map(String::as_str)
    }
}

impl Names for HashMap<String, String> {
    fn name(&self, placeholder: &str) -> Option<&str> {
        self.get(placeholder).map(String::as_str)
    }
}

impl<T: Names> Names for Option<T> {
    fn name(&self, placeholder: &str) -> Option<&str> {
        self.as_ref()?.name(placeholder)
    }
}

impl Values for BTreeMap<String, Value> {
    fn value(&self, placeholder: &str) -> Option<&Value> {
        self.get(placeholder)
    }
}

impl Values for HashMap<String, Value> {
    fn value(&self, placeholder: &str) -> Option<&Value> {
        self.get(placeholder)
    }
}

impl<T: Values> Values for Option<T> {
    fn value(&self, placeholder: &str) -> Option<&Value> {
        self.as_ref()?.value(placeholder)
    }
}
