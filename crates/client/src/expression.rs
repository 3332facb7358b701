//! Placeholders: every name and value of an expression goes through one, so that no attribute name
//! can clash with a reserved word and no value with the syntax.

use monotable_item::Value;

use crate::backend::{Names, Values};
use crate::nested_change::PathStep;

/// The names and values of one request.
#[derive(Debug, Default)]
pub(crate) struct Placeholders {
    pub(crate) names: Names,
    pub(crate) values: Values,
}

impl Placeholders {
    /// The placeholder of an attribute name, the same for the same name.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let known = self.names.iter().find(|(_, of)| *of == name).map(|(it, _)| it.clone());
        known.unwrap_or_else(|| {
            let placeholder = format!("#n{}", self.names.len());
            self.names.insert(placeholder.clone(), name.to_owned());
            placeholder
        })
    }

    /// The path from an attribute, by its placeholder, to a place inside of it.
    pub(crate) fn path(&mut self, attribute: &str, steps: &[PathStep]) -> String {
        let mut path = attribute.to_owned();
        for step in steps {
            match step {
                PathStep::Member(name) => {
                    path.push('.');
                    path.push_str(&self.name(name));
                }
                PathStep::Element(at) => path.push_str(&format!("[{at}]")),
            }
        }
        path
    }

    /// The projection of these attributes, each of which may be named more than once.
    pub(crate) fn projection<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> String {
        let mut placeholders: Vec<String> = Vec::new();
        for name in names {
            let placeholder = self.name(name);
            if !placeholders.contains(&placeholder) {
                placeholders.push(placeholder);
            }
        }
        placeholders.join(", ")
    }

    /// The placeholder of a value.
    pub(crate) fn value(&mut self, value: Value) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }
}
