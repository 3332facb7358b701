//! Arguments: texts of a caller, as values of a pattern's parameters.

use monotable_item::{Item, Type, Value};
use monotable_model::diagnostic::nearest;
use monotable_model::document::{Attribute, Tree, read_value, value_of_tree};
use thiserror::Error;

use super::parameter::PatternParameter;

/// What is wrong with an argument.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// The pattern has no such parameter.
    #[error("there is no parameter {name}{}", meant.as_ref().map(|meant| format!(", did you mean \
        {meant}?")).unwrap_or_default())]
    Unknown {
        /// What was given.
        name: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// A parameter that the pattern cannot run without.
    #[error("parameter {name} is missing: {name}={example}")]
    Missing {
        /// The parameter.
        name: String,
        /// What to write, by its type.
        example: &'static str,
    },
    /// A parameter was given twice.
    #[error("parameter {name} is given twice")]
    Repeated {
        /// The parameter.
        name: String,
    },
    /// The text is not a value of the parameter's type.
    #[error("parameter {name}: {reason}")]
    Invalid {
        /// The parameter.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The value is not one of those that the attribute has.
    #[error("parameter {name} is one of {}", values.join(", "))]
    NotAmong {
        /// The parameter.
        name: String,
        /// The values.
        values: Vec<String>,
    },
}

/// Reads the arguments of a call: texts such as `alex` and `17`, and members of a JSON object. Says
/// all that is wrong with them.
pub fn read_arguments(
    parameters: &[PatternParameter],
    texts: &[(String, String)],
    members: &[(String, Tree)],
) -> Result<Item, Vec<ArgumentError>> {
    let mut reading = Reading { parameters, values: Item::new(), errors: Vec::new() };
    for (name, tree) in members {
        reading.take(name, |parameter| of_tree(parameter, tree));
    }
    for (name, text) in texts {
        reading.take(name, |parameter| of_text(parameter, text));
    }
    reading.check_missing();
    if reading.errors.is_empty() { Ok(reading.values) } else { Err(reading.errors) }
}

struct Reading<'a> {
    parameters: &'a [PatternParameter],
    values: Item,
    errors: Vec<ArgumentError>,
}

impl Reading<'_> {
    fn take(&mut self, name: &str, read: impl Fn(&PatternParameter) -> Result<Value, String>) {
        let name = name.to_owned();
        let Some(parameter) = self.parameters.iter().find(|found| found.name == name) else {
            let names = self.parameters.iter().map(|parameter| parameter.name.as_str());
            let meant = nearest(&name, names).map(str::to_owned);
            return self.errors.push(ArgumentError::Unknown { name, meant });
        };
        match read(parameter) {
            Err(reason) => self.errors.push(ArgumentError::Invalid { name, reason }),
            Ok(value) if !parameter.allows(&value) => {
                let values = parameter.values().iter().map(text_of).collect();
                self.errors.push(ArgumentError::NotAmong { name, values });
            }
            Ok(_) if self.values.contains_key(&name) => {
                self.errors.push(ArgumentError::Repeated { name });
            }
            Ok(value) => {
                self.values.insert(name, value);
            }
        }
    }

    fn check_missing(&mut self) {
        for parameter in self.parameters.iter().filter(|parameter| parameter.is_required) {
            let name = parameter.name.clone();
            let is_wrong = self.errors.iter().any(|error| error.is_about(&name));
            if !self.values.contains_key(&name) && !is_wrong {
                self.errors.push(ArgumentError::Missing { name, example: parameter.example() });
            }
        }
    }
}

impl ArgumentError {
    fn is_about(&self, parameter: &str) -> bool {
        match self {
            ArgumentError::Unknown { .. } => false,
            ArgumentError::Missing { name, .. }
            | ArgumentError::Repeated { name }
            | ArgumentError::Invalid { name, .. }
            | ArgumentError::NotAmong { name, .. } => name == parameter,
        }
    }
}

impl PatternParameter {
    fn values(&self) -> &[Value] {
        self.attribute.as_ref().map_or(&[], |attribute| &attribute.values)
    }

    fn allows(&self, value: &Value) -> bool {
        let values = self.values();
        values.is_empty() || values.contains(value) || Some(value.kind()) != self.kind()
    }

    /// What to write for a value, by its type.
    pub fn example(&self) -> &'static str {
        match self.kind() {
            Some(Type::Number) => "NUMBER",
            Some(Type::Bool) => "true|false",
            Some(Type::Binary) => "BASE64",
            Some(Type::Null) => "null",
            Some(Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet) => "'[…]'",
            Some(Type::Map) => "'{…}'",
            Some(Type::String) | None => "TEXT",
        }
    }
}

fn of_tree(parameter: &PatternParameter, tree: &Tree) -> Result<Value, String> {
    if let (true, Tree::List(elements)) = (parameter.takes_lists, tree) {
        let values = elements.iter().map(|one| value_of_tree(one, parameter.attribute.as_ref()));
        return Ok(Value::List(values.collect::<Result<_, _>>()?));
    }
    value_of_tree(tree, parameter.attribute.as_ref())
}

/// Texts need no quotes; what is not plain is JSON.
fn of_text(parameter: &PatternParameter, text: &str) -> Result<Value, String> {
    if parameter.takes_lists && text.trim_start().starts_with('[') {
        let items = parameter.attribute.clone().map(Box::new);
        let list = Attribute { items, ..Attribute::new(&parameter.name, Type::List) };
        return read_value(text, Some(&list));
    }
    let attribute = parameter.attribute.as_ref();
    match parameter.kind() {
        Some(Type::String) => Ok(Value::from(text)),
        Some(Type::Binary) => read_value(&quoted(text), attribute),
        Some(Type::Number) => {
            let number = text.parse().map(Value::Number);
            number.map_err(|error| format!("{text:?} is not a number: {error}"))
        }
        Some(_) => read_value(text, attribute).map_err(|reason| format!("{reason} in {text:?}")),
        None => Ok(read_value(text, None).unwrap_or_else(|_| Value::from(text))),
    }
}

fn quoted(text: &str) -> String {
    monotable_model::document::inline_tree(&Tree::String(text.to_owned()))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => crate::value_text(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, kind: Type) -> PatternParameter {
        let attribute = Some(Attribute::new(name, kind));
        PatternParameter { name: name.to_owned(), attribute, is_required: true, takes_lists: false }
    }

    fn read(parameters: &[PatternParameter], texts: &[(&str, &str)]) -> Result<Item, String> {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let texts: Vec<(String, String)> = texts.iter().map(owned).collect();
        read_arguments(parameters, &texts, &[])
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn texts_are_read_by_the_type_of_the_parameter() {
        for (kind, text, expected) in [
            (Type::String, "17", Value::from("17")),
            (Type::Number, "17", Value::from(17)),
            (Type::Bool, "true", Value::Bool(true)),
            (Type::Binary, "AAE=", Value::Binary(vec![0, 1])),
            (Type::List, "[1]", Value::List(vec![Value::from(1)])),
            (Type::StringSet, r#"["a"]"#, Value::string_set(vec!["a".to_owned()])),
        ] {
            assert_eq!(read(&[parameter("p", kind)], &[("p", text)]).unwrap()["p"], expected);
        }
    }

    #[test]
    fn a_parameter_of_unknown_type_is_what_it_looks_like() {
        let unknown = PatternParameter { attribute: None, ..parameter("p", Type::String) };
        for (text, expected) in [
            ("17", Value::from(17)),
            ("\"17\"", Value::from("17")),
            ("alex", Value::from("alex")),
            ("2026-01-03", Value::from("2026-01-03")),
        ] {
            assert_eq!(
                read(std::slice::from_ref(&unknown), &[("p", text)]).unwrap()["p"],
                expected
            );
        }
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let mut status = parameter("status", Type::String);
        status.attribute.as_mut().unwrap().values = vec![Value::from("NEW"), Value::from("DONE")];
        let parameters =
            [parameter("customer", Type::String), parameter("id", Type::Number), status];
        let said = read(&parameters, &[("custmer", "alex"), ("id", "x"), ("status", "OPEN")]);
        assert_eq!(
            said.unwrap_err(),
            "there is no parameter custmer, did you mean customer?; parameter id: \"x\" is not a \
             number: not a decimal number; parameter status is one of NEW, DONE; parameter \
             customer is missing: customer=TEXT"
        );
    }

    #[test]
    fn reads_of_many_items_take_lists() {
        let many = PatternParameter { takes_lists: true, ..parameter("id", Type::Number) };
        let list = Value::List(vec![Value::from(1), Value::from(2)]);
        assert_eq!(read(&[many], &[("id", "[1, 2]")]).unwrap()["id"], list);
    }
}
