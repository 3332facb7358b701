//! The values that recorded requests send, each with the attribute that it is for.

use std::collections::BTreeMap;

use monotable_expr::{Condition, Operand, Section};
use monotable_item::key_encoding::KeyType;
use monotable_item::{Type, Value};
use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Table, Token, TokenKind, Tree};
use monotable_model::item_json::wire_value;

use super::condition_shape::leaves;
use super::request_part::{ExpressionMember, RequestPart};
use super::update_clause::{Clause, clauses};

/// A value that is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SentValue {
    /// Where it stands, or the expression that uses it.
    pub(super) place: Place,
    /// The attribute, as it is stored.
    pub(super) attribute: String,
    /// The value.
    pub(super) value: Value,
    /// What it is to the attribute.
    pub(super) role: SentRole,
}

/// What a value is to its attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SentRole {
    /// The attribute gets it, or is compared with it.
    Same,
    /// It is looked for among the attribute's elements.
    Element,
    /// The attribute's size is compared with it.
    Size,
}

/// The values of a part that can be read: those of keys and items, and those that an expression
/// ties to an attribute.
pub(super) fn sent_values(part: &RequestPart<'_>) -> Vec<SentValue> {
    let mut sent = of_item(part);
    for member in
        [ExpressionMember::KeyCondition, ExpressionMember::Filter, ExpressionMember::Condition]
    {
        if let Some(condition) = part.condition(member) {
            let place = part.place.member(member.name());
            sent.extend(leaves(&condition).into_iter().flat_map(|leaf| of_leaf(leaf, &place)));
        }
    }
    sent.extend(of_update(part));
    sent
}

/// The type that an attribute has in a table, if all that is said of it agrees.
pub(super) fn declared_type(model: &Model, table: &Table, attribute: &str) -> Option<Type> {
    let of_indexes = table.indexes.iter().flat_map(|index| index.key_attributes());
    let mut keys = table.key_attributes().chain(of_indexes);
    if let Some(key) = keys.find(|key| key.name == attribute) {
        return Some(match key.kind {
            KeyType::String => Type::String,
            KeyType::Number => Type::Number,
            KeyType::Binary => Type::Binary,
        });
    }
    let attributes = model.entities_in(table).flat_map(|entity| &entity.attributes);
    let mut kinds = attributes.filter(|one| one.item_name() == attribute).map(|one| one.kind);
    let first = kinds.next()?;
    kinds.all(|kind| kind == first).then_some(first)
}

fn of_item(part: &RequestPart<'_>) -> Vec<SentValue> {
    let member = if part.body.member("Item").is_some() { "Item" } else { "Key" };
    let place = part.place.member(member);
    let attributes = part.key.map_or(&[][..], Tree::members).iter();
    let sent = attributes.filter_map(|(name, value)| {
        let value = wire_value(value).ok()?;
        Some(SentValue {
            place: place.member(name),
            attribute: name.clone(),
            value,
            role: SentRole::Same,
        })
    });
    sent.collect()
}

fn of_leaf(leaf: &Condition, place: &Place) -> Vec<SentValue> {
    let (operand, values, inner): (&Operand, Vec<&Operand>, bool) = match leaf {
        Condition::Compare { left: value @ Operand::Value(_), right, .. } => {
            (right, vec![value], false)
        }
        Condition::Compare { left, right, .. } => (left, vec![right], false),
        Condition::Between { operand, lower, upper } => (operand, vec![lower, upper], false),
        Condition::In { operand, candidates } => (operand, candidates.iter().collect(), false),
        Condition::BeginsWith { operand, prefix } => (operand, vec![prefix], false),
        Condition::Contains { operand, element } => (operand, vec![element], true),
        Condition::Exists(_)
        | Condition::NotExists(_)
        | Condition::HasType { .. }
        | Condition::And(..)
        | Condition::Or(..)
        | Condition::Not(_) => return Vec::new(),
    };
    let (path, role) = match operand {
        Operand::Path(path) if inner => (path, SentRole::Element),
        Operand::Path(path) => (path, SentRole::Same),
        Operand::Size(sized) => match sized.as_ref() {
            Operand::Path(path) => (path, SentRole::Size),
            Operand::Value(_) | Operand::Size(_) | Operand::Condition(_) => return Vec::new(),
        },
        Operand::Value(_) | Operand::Condition(_) => return Vec::new(),
    };
    if !path.is_attribute() {
        return Vec::new();
    }
    let sent = values.into_iter().filter_map(|value| match value {
        Operand::Value(value) => Some(SentValue {
            place: place.clone(),
            attribute: path.root.clone(),
            value: value.as_ref().clone(),
            role,
        }),
        Operand::Path(_) | Operand::Size(_) | Operand::Condition(_) => None,
    });
    sent.collect()
}

fn of_update(part: &RequestPart<'_>) -> Vec<SentValue> {
    let Some(update) = part.expression(ExpressionMember::Update) else { return Vec::new() };
    let placeholders = part.placeholders();
    let sent = |clause: &Clause<'_>| {
        let token = clause.value().filter(|_| clause.target.is_attribute())?;
        let attribute = resolved(clause.target.root(), &placeholders.names);
        let value = parameter(token, &placeholders.values)?.clone();
        let role = match clause.section {
            Section::Set | Section::Add | Section::Delete => SentRole::Same,
            Section::Remove => return None,
        };
        Some(SentValue { place: update.place.clone(), attribute, value, role })
    };
    clauses(update.text).iter().filter_map(sent).collect()
}

fn parameter<'v>(token: &Token<'_>, values: &'v BTreeMap<String, Value>) -> Option<&'v Value> {
    (token.kind == TokenKind::Parameter).then(|| values.get(token.text)).flatten()
}

/// The name behind a placeholder, or the name itself.
pub(super) fn resolved(name: &str, names: &BTreeMap<String, String>) -> String {
    names.get(name).cloned().unwrap_or_else(|| name.to_owned())
}
