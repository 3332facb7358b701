//! The expressions of a request, with the names and values they share.

use std::collections::BTreeMap;

use monotable_expr::{Condition, Projection, Resolver, Update};
use monotable_item::Item;
use monotable_protocol::{InvalidAttribute, WireItem};

use super::item::name_fault;
use super::parsed;
use crate::error::ApiError;
use crate::wording::expression::{self, Kind};
use crate::wording::hash_order;
use crate::wording::value::{self, ValueLayer};

/// The names and values of a request.
#[derive(Clone, Copy)]
pub(crate) struct Placeholders<'r> {
    names: &'r Option<BTreeMap<String, String>>,
    values: Option<&'r Item>,
}

impl<'r> Placeholders<'r> {
    /// Checks the names and values of a request: not empty, well-formed, with valid values.
    pub(crate) fn new(
        names: &'r Option<BTreeMap<String, String>>,
        values: &'r Option<WireItem>,
        layer: ValueLayer,
    ) -> Result<Placeholders<'r>, ApiError> {
        check_names(names)?;
        let values = values.as_ref().map(|values| checked_values(values.0.as_ref(), layer));
        Ok(Placeholders { names, values: values.transpose()? })
    }

    /// Starts on the expressions.
    pub(crate) fn expressions(self) -> Expressions<'r> {
        let values: &dyn monotable_expr::Values = match self.values {
            Some(values) => values,
            None => &NO_VALUES,
        };
        Expressions { placeholders: self, resolver: Resolver::new(self.names, values) }
    }
}

static NO_VALUES: Option<Item> = None;

fn check_names(names: &Option<BTreeMap<String, String>>) -> Result<(), ApiError> {
    let Some(names) = names else { return Ok(()) };
    check_keys("ExpressionAttributeNames", '#', names.keys())?;
    for (key, name) in names {
        if let Some(fault) = name_fault(name.as_bytes()) {
            return Err(ApiError::validation(format!(
                "ExpressionAttributeNames contains invalid value: {fault} for key {key}"
            )));
        }
    }
    Ok(())
}

fn checked_values<'r>(
    values: Result<&'r Item, &'r InvalidAttribute>,
    layer: ValueLayer,
) -> Result<&'r Item, ApiError> {
    match values {
        Ok(values) => {
            check_keys("ExpressionAttributeValues", ':', values.keys())?;
            Ok(values)
        }
        Err(invalid) => {
            check_keys("ExpressionAttributeValues", ':', [&invalid.name])?;
            Err(match layer {
                ValueLayer::Current => value::word_attribute(invalid, layer),
                ValueLayer::Older => ApiError::validation(format!(
                    "ExpressionAttributeValues contains invalid value: {} for key {}",
                    value::text(&invalid.error, layer),
                    invalid.name
                )),
            })
        }
    }
}

fn check_keys<'k>(
    parameter: &str,
    sigil: char,
    keys: impl IntoIterator<Item = &'k String>,
) -> Result<(), ApiError> {
    let mut any = false;
    for key in keys {
        any = true;
        let name = key.strip_prefix(sigil).unwrap_or_default();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Err(ApiError::validation(format!(
                "{parameter} contains invalid key: Syntax error; key: \"{key}\""
            )));
        }
    }
    if any { Ok(()) } else { Err(ApiError::validation(format!("{parameter} must not be empty"))) }
}

/// Expressions that are resolved one after the other.
pub(crate) struct Expressions<'r> {
    placeholders: Placeholders<'r>,
    resolver: Resolver<'r>,
}

impl Expressions<'_> {
    /// A condition or filter.
    pub(crate) fn condition(
        &mut self,
        kind: Kind,
        text: &Option<String>,
    ) -> Result<Option<Condition>, ApiError> {
        let Some(text) = text else { return Ok(None) };
        let parsed = parsed::condition(text).map_err(|error| expression::parse(kind, &error))?;
        let condition = self.resolver.condition(&parsed);
        condition.map(Some).map_err(|error| expression::resolve(kind, &error))
    }

    /// A projection.
    pub(crate) fn projection(
        &mut self,
        text: &Option<String>,
    ) -> Result<Option<Projection>, ApiError> {
        let Some(text) = text else { return Ok(None) };
        let kind = Kind::Projection;
        let parsed = parsed::projection(text).map_err(|error| expression::parse(kind, &error))?;
        let projection = self.resolver.projection(&parsed);
        projection.map(Some).map_err(|error| expression::resolve(kind, &error))
    }

    /// An update.
    pub(crate) fn update(&mut self, text: &str) -> Result<Update, ApiError> {
        let parsed =
            parsed::update(text).map_err(|error| expression::parse(Kind::Update, &error))?;
        let update = self.resolver.update(&parsed);
        update.map_err(|error| expression::resolve(Kind::Update, &error))
    }

    /// Refuses names and values that no expression used.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if let Some(names) = self.placeholders.names {
            let unused = names.keys().filter(|name| !self.resolver.is_name_used(name));
            refuse_unused("ExpressionAttributeNames", unused)?;
        }
        if let Some(values) = self.placeholders.values {
            let unused = values.keys().filter(|value| !self.resolver.is_value_used(value));
            refuse_unused("ExpressionAttributeValues", unused)?;
        }
        Ok(())
    }
}

fn refuse_unused<'k>(
    parameter: &str,
    unused: impl Iterator<Item = &'k String>,
) -> Result<(), ApiError> {
    let mut keys: Vec<&str> = unused.map(String::as_str).collect();
    if keys.is_empty() {
        return Ok(());
    }
    hash_order::sort(&mut keys);
    Err(ApiError::validation(format!(
        "Value provided in {parameter} unused in expressions: keys: {{{}}}",
        keys.join(", ")
    )))
}

/// Refuses names and values that come without any expression to use them.
pub(crate) struct WithoutExpressions<'r> {
    /// Whether there are names.
    pub(crate) names: bool,
    /// Whether there are values.
    pub(crate) values: bool,
    /// Whether there is any expression.
    pub(crate) any_expression: bool,
    /// Whether there is an expression that can use values.
    pub(crate) any_with_values: bool,
    /// What follows in the text for values.
    pub(crate) suffix: &'r str,
}

impl WithoutExpressions<'_> {
    /// The check.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        if self.names && !self.any_expression {
            return Err(ApiError::validation(
                "ExpressionAttributeNames can only be specified when using expressions",
            ));
        }
        if self.values && !self.any_with_values {
            return Err(ApiError::validation(format!(
                "ExpressionAttributeValues can only be specified when using expressions{}",
                self.suffix
            )));
        }
        Ok(())
    }
}

/// Refuses expressions beside parameters from before expressions. Each list holds the parameters
/// that are there, in DynamoDB's order.
pub(crate) fn check_mixing(
    legacy: &[(&str, bool)],
    modern: &[(&str, bool)],
) -> Result<(), ApiError> {
    let present = |list: &[(&str, bool)]| -> Vec<String> {
        list.iter().filter(|(_, there)| *there).map(|(name, _)| (*name).to_owned()).collect()
    };
    let (legacy, modern) = (present(legacy), present(modern));
    if legacy.is_empty() || modern.is_empty() {
        return Ok(());
    }
    Err(ApiError::validation(format!(
        "Can not use both expression and non-expression parameters in the same request: \
         Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
        legacy.join(", "),
        modern.join(", ")
    )))
}
