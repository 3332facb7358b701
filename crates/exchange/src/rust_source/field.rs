//! Types: a struct for each entity, and for each map whose members are declared.

use std::fmt::Write as _;

use monotable_item::{Type, Value};
use monotable_model::document::{Attribute, AttributeFormat, Entity, Model};
use monotable_model::template::{Form, Template};

use super::identifier::{field_name, type_name};

/// Types that fields need besides those of the entities.
#[derive(Default)]
pub(super) struct Nested {
    structs: Vec<(String, Vec<Attribute>)>,
    needs_value: bool,
}

/// The number attributes of an entity that are whole numbers, as far as can be seen: those in keys,
/// those that count time, and those of which all samples are whole.
pub(super) fn whole_numbers(model: &Model, entity: &Entity) -> Vec<String> {
    let of_indexes = entity.indexes.iter().map(|keys| &keys.keys);
    let keys = entity.key.iter().chain(of_indexes);
    let templates: Vec<&Template> =
        keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort)).collect();
    let is_in_key = |name: &str| templates.iter().any(|template| has_whole(template, name));
    let is_sampled_whole = |name: &str| {
        let of_attribute = model.samples.iter().filter(|sample| sample.entity == entity.name);
        let mut values = of_attribute.filter_map(|sample| sample.attributes.get(name)).peekable();
        values.peek().is_some()
            && values
                .all(|value| matches!(value, Value::Number(number) if number.to_i64().is_some()))
    };
    let numbers = entity.attributes.iter().filter(|attribute| attribute.kind == Type::Number);
    numbers
        .filter(|attribute| {
            let counts_time = matches!(
                attribute.format,
                Some(AttributeFormat::EpochSeconds | AttributeFormat::EpochMillis)
            );
            counts_time
                || attribute.digits.is_some()
                || is_in_key(&attribute.name)
                || is_sampled_whole(&attribute.name)
        })
        .map(|attribute| attribute.name.clone())
        .collect()
}

fn has_whole(template: &Template, name: &str) -> bool {
    let is_decimal =
        |form: &Form| matches!(form, Form::Number(number) if number.fraction_digits() > 0);
    let in_parts = template
        .attributes()
        .any(|part| part.path.root == name && !is_decimal(part.encoding.form()));
    let is_part = template.attributes().any(|part| part.path.root == name);
    in_parts || !is_part && template.paths().any(|path| path.root == name)
}

/// Writes a struct with a field for each attribute.
pub(super) fn write_struct(
    out: &mut String,
    name: &str,
    attributes: &[Attribute],
    whole: &[String],
    nested: &mut Nested,
) {
    let _ = writeln!(out, "#[derive(Debug, Clone, PartialEq)]\npub struct {name} {{");
    let mut seen: Vec<String> = Vec::new();
    for attribute in attributes {
        let mut field = field_name(&attribute.name);
        while seen.contains(&field) {
            field.push('_');
        }
        seen.push(field.clone());
        let doc =
            attribute.description.clone().unwrap_or_else(|| format!("`{}`", attribute.item_name()));
        let kind = field_type(name, attribute, whole.contains(&attribute.name), nested);
        let kind = if attribute.required { kind } else { format!("Option<{kind}>") };
        let _ = writeln!(out, "    /// {}", super::one_line(&doc));
        let _ = writeln!(out, "    pub {field}: {kind},");
    }
    out.push_str("}\n");
}

fn field_type(owner: &str, attribute: &Attribute, is_whole: bool, nested: &mut Nested) -> String {
    match attribute.kind {
        Type::String => "String".to_owned(),
        Type::Number => if is_whole { "i64" } else { "f64" }.to_owned(),
        Type::Binary => "Vec<u8>".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Null => "()".to_owned(),
        Type::StringSet => "std::collections::BTreeSet<String>".to_owned(),
        Type::NumberSet => "Vec<f64>".to_owned(),
        Type::BinarySet => "std::collections::BTreeSet<Vec<u8>>".to_owned(),
        Type::List => match attribute.items.as_deref() {
            Some(items) => {
                let mut element = items.clone();
                element.name = format!("{}Element", attribute.name);
                format!("Vec<{}>", field_type(owner, &element, false, nested))
            }
            None => format!("Vec<{}>", nested.value()),
        },
        Type::Map if attribute.members.is_empty() => {
            format!("std::collections::BTreeMap<String, {}>", nested.value())
        }
        Type::Map => {
            let name = format!("{owner}{}", type_name(&attribute.name));
            nested.structs.push((name.clone(), attribute.members.clone()));
            name
        }
    }
}

impl Nested {
    fn value(&mut self) -> &'static str {
        self.needs_value = true;
        "Value"
    }

    /// Writes the structs of maps, and those of the maps in them, and the type of any value.
    pub(super) fn write(mut self, out: &mut String) {
        while let Some((name, members)) = self.structs.pop() {
            let _ = writeln!(out, "\n/// Members of a map.");
            write_struct(out, &name, &members, &[], &mut self);
        }
        if self.needs_value {
            out.push_str(VALUE);
        }
    }
}

const VALUE: &str = "
/// Any value that an attribute can have.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text.
    S(String),
    /// A number, as decimal text.
    N(String),
    /// Bytes.
    B(Vec<u8>),
    /// True or false.
    Bool(bool),
    /// Nothing.
    Null,
    /// Values in order.
    L(Vec<Value>),
    /// Values by name.
    M(std::collections::BTreeMap<String, Value>),
}
";
