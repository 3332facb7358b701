//! Where the values of a request come from: parameters, elements of lists, loops.

use monotable_expr::is_reserved;
use monotable_item::Value;
use monotable_model::document::{Expression, NameSource, Source};

use super::code::{Code, Loop, Member};
use super::kind::Field;

/// What names mean in a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// What an element of the list gives that the request runs for each of.
    pub(crate) element: Option<Element>,
    /// The attribute that a loop over copies numbers.
    pub(crate) copy: Option<String>,
}

/// The elements of a list parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    /// The members of an element.
    pub(crate) fields: Vec<Field>,
    /// Whether an element is the value of its only member.
    pub(crate) is_plain: bool,
}

impl Scope {
    /// The value of a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Code {
        if self.copy.as_deref() == Some(name) {
            return Code::Variable(Loop::Copy);
        }
        let element = self.element.as_ref();
        let field = element.and_then(|one| one.fields.iter().find(|field| field.name == name));
        match (element, field) {
            (Some(element), Some(_)) if element.is_plain => Code::Element(None),
            (Some(_), Some(field)) => {
                Code::Element(Some(Member { name: name.to_owned(), optional: field.optional }))
            }
            _ => Code::Parameter(name.to_owned()),
        }
    }

    /// The value of a source.
    pub(crate) fn source(&self, source: &Source) -> Code {
        match source {
            Source::Parameter(name) => self.parameter(name),
            Source::Literal(value) => Code::Literal(value.clone()),
        }
    }
}

/// The placeholders of one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placeholders {
    names: Vec<(String, Code)>,
    values: Vec<(String, Code)>,
    indexes: Vec<(String, Code)>,
}

impl Placeholders {
    /// Takes the placeholders of an expression, and returns its text. Indexes that parameters give
    /// are put in by [`Placeholders::text`].
    pub(crate) fn bind(&mut self, expression: &Expression, scope: &Scope) -> String {
        for (placeholder, source) in &expression.names {
            let name = match source {
                NameSource::Name(name) => Code::text(name),
                NameSource::Parameter(name) => Code::Call("nameOf", vec![scope.parameter(name)]),
            };
            put(&mut self.names, placeholder, name);
        }
        for (placeholder, source) in &expression.values {
            put(&mut self.values, placeholder, scope.source(source));
        }
        for name in &expression.indexes {
            let index = Code::Call("nameOf", vec![scope.parameter(name)]);
            put(&mut self.indexes, &format!("{{{name}}}"), index);
        }
        expression.rewritten.clone()
    }

    /// A text of the request, with the indexes that parameters give.
    pub(crate) fn text(&self, text: &str) -> Code {
        let found = self.indexes.iter().find(|(name, _)| text.contains(name.as_str()));
        let Some((name, index)) = found else { return Code::text(text) };
        let (before, after) = text.split_once(name.as_str()).unwrap_or((text, ""));
        Code::Join(vec![Code::text(before), index.clone(), self.text(after)])
    }

    /// An attribute's name as an expression can hold it.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let mut characters = name.chars();
        let is_plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
        if is_plain && !is_reserved(name) {
            return name.to_owned();
        }
        let known = self.names.iter().find(|(_, known)| *known == Code::text(name));
        if let Some((placeholder, _)) = known {
            return placeholder.clone();
        }
        let placeholder = free("#k", &self.names);
        self.names.push((placeholder.clone(), Code::text(name)));
        placeholder
    }

    /// Puts another expression in the place of each value that is the same as one.
    pub(crate) fn replace_value(&mut self, known: &Code, other: &Code) {
        let values = self.values.iter_mut().map(|(_, value)| value);
        values.filter(|value| *value == known).for_each(|value| *value = other.clone());
    }

    /// A placeholder for a value.
    pub(crate) fn value(&mut self, value: Code) -> String {
        let placeholder = free(":k", &self.values);
        self.values.push((placeholder.clone(), value));
        placeholder
    }

    /// A placeholder for a number.
    pub(crate) fn number(&mut self, number: i64) -> String {
        self.value(Code::Literal(Value::from(number)))
    }

    /// The members of a request: the service refuses empty ones.
    pub(crate) fn members(self) -> Vec<(String, Code)> {
        let maps =
            [("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)];
        let full = maps.into_iter().filter(|(_, map)| !map.is_empty());
        full.map(|(name, map)| (name.to_owned(), Code::Map(map))).collect()
    }
}

fn put(map: &mut Vec<(String, Code)>, name: &str, code: Code) {
    if !map.iter().any(|(known, _)| known == name) {
        map.push((name.to_owned(), code));
    }
}

fn free(stem: &str, taken: &[(String, Code)]) -> String {
    let is_free = |name: &String| !taken.iter().any(|(known, _)| known == name);
    let mut names = (1..).map(|number| format!("{stem}{number}"));
    names.find(is_free).expect("there are more numbers than placeholders")
}
