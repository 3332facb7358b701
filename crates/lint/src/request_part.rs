//! Recorded requests, taken apart: one part for each item, or range of items, that a request is
//! about.
//!
//! `GetItem`, `Query` and their like are one part; a batch or a transaction is one for each member.
//! So a rule on expressions, keys or items looks at parts and need not know how the ten operations
//! pack them.

use std::collections::BTreeMap;

use monotable_expr::{
    Condition, KeyCondition, KeyConditionError, ParseError, Resolver, parse_condition,
    parse_projection, parse_update,
};
use monotable_item::{Item, Value};
use monotable_model::diagnostic::Place;
use monotable_model::document::{Index, KeyAttribute, Model, Table, TokenKind, Tree, tokenize};
use monotable_model::item_json::{wire_item, wire_value};

use super::Subject;
use super::evidence::RecordedRequest;

/// A part of a recorded request.
#[derive(Debug, Clone)]
pub(super) struct RequestPart<'a> {
    /// Where it stands: `requests[3]`, or a member of it.
    pub(super) place: Place,
    /// What is done.
    pub(super) kind: PartKind,
    /// The members of this part.
    pub(super) body: &'a Tree,
    /// `Key`, or `Item` of a put.
    pub(super) key: Option<&'a Tree>,
    /// The table, if the model has it.
    pub(super) table: Option<&'a Table>,
    /// What the request calls the table.
    pub(super) table_name: &'a str,
    /// The index that it names, if the model has it.
    pub(super) index: Option<&'a Index>,
}

/// What a part does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    Get,
    Put,
    Update,
    Delete,
    Check,
    Query,
    Scan,
}

/// An expression of a part.
#[derive(Debug, Clone)]
pub(super) struct ExpressionText<'a> {
    /// The member that holds it.
    pub(super) member: ExpressionMember,
    /// The text.
    pub(super) text: &'a str,
    /// Where it stands.
    pub(super) place: Place,
}

/// The members that hold expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpressionMember {
    KeyCondition,
    Filter,
    Condition,
    Update,
    Projection,
}

/// What the placeholders of a part stand for. One that is not defined stands for itself, so that
/// what else is wrong can be said too.
#[derive(Debug)]
pub(super) struct Placeholders {
    pub(super) names: BTreeMap<String, String>,
    pub(super) values: BTreeMap<String, Value>,
}

/// The keys of a batch share the expressions of their table, which go with the first.
const NO_MEMBERS: &Tree = &Tree::Map(Vec::new());

impl PartKind {
    /// Whether items are changed.
    pub(super) fn is_write(self) -> bool {
        match self {
            PartKind::Put | PartKind::Update | PartKind::Delete => true,
            PartKind::Get | PartKind::Check | PartKind::Query | PartKind::Scan => false,
        }
    }
}

impl ExpressionMember {
    const ALL: [ExpressionMember; 5] = [
        ExpressionMember::KeyCondition,
        ExpressionMember::Filter,
        ExpressionMember::Condition,
        ExpressionMember::Update,
        ExpressionMember::Projection,
    ];

    /// The member of the request.
    pub(super) fn name(self) -> &'static str {
        match self {
            ExpressionMember::KeyCondition => "KeyConditionExpression",
            ExpressionMember::Filter => "FilterExpression",
            ExpressionMember::Condition => "ConditionExpression",
            ExpressionMember::Update => "UpdateExpression",
            ExpressionMember::Projection => "ProjectionExpression",
        }
    }

    /// What the parser says against a text, if it does.
    pub(super) fn parse_error(self, text: &str) -> Option<ParseError> {
        match self {
            ExpressionMember::KeyCondition
            | ExpressionMember::Filter
            | ExpressionMember::Condition => parse_condition(text).err(),
            ExpressionMember::Update => parse_update(text).err(),
            ExpressionMember::Projection => parse_projection(text).err(),
        }
    }
}

/// Every part of every recorded request, in order.
pub(super) fn request_parts<'a>(subject: &Subject<'a>) -> Vec<RequestPart<'a>> {
    subject.requests.iter().flat_map(|request| parts_of(subject.model, request)).collect()
}

/// The parts of one request.
pub(super) fn parts_of<'a>(model: &'a Model, request: &'a RecordedRequest) -> Vec<RequestPart<'a>> {
    let whole = Whole { model, request };
    match request.operation.as_str() {
        "GetItem" => vec![whole.single(PartKind::Get)],
        "PutItem" => vec![whole.single(PartKind::Put)],
        "UpdateItem" => vec![whole.single(PartKind::Update)],
        "DeleteItem" => vec![whole.single(PartKind::Delete)],
        "Query" => vec![whole.single(PartKind::Query)],
        "Scan" => vec![whole.single(PartKind::Scan)],
        "TransactWriteItems" | "TransactGetItems" => whole.transaction(),
        "BatchWriteItem" => whole.batch_write(),
        "BatchGetItem" => whole.batch_get(),
        _ => Vec::new(),
    }
}

/// Where a recorded request stands.
pub(super) fn request_place(line: usize) -> Place {
    Place::from_text("requests").index(line)
}

struct Whole<'a> {
    model: &'a Model,
    request: &'a RecordedRequest,
}

impl<'a> Whole<'a> {
    fn place(&self) -> Place {
        request_place(self.request.line)
    }

    fn single(&self, kind: PartKind) -> RequestPart<'a> {
        self.part(kind, self.place(), &self.request.body, None)
    }

    fn part(
        &self,
        kind: PartKind,
        place: Place,
        body: &'a Tree,
        table_name: Option<&'a str>,
    ) -> RequestPart<'a> {
        let named = || body.member("TableName").and_then(Tree::text).unwrap_or_default();
        let table_name = table_name.unwrap_or_else(named);
        let table = self.model.tables.iter().find(|table| table.is_called(table_name));
        let index = body.member("IndexName").and_then(Tree::text);
        let index = index.and_then(|name| table?.index(name));
        let member = if kind == PartKind::Put { "Item" } else { "Key" };
        let key = body.member(member);
        RequestPart { place, kind, body, key, table, table_name, index }
    }

    fn transaction(&self) -> Vec<RequestPart<'a>> {
        let members = self.request.body.member("TransactItems").map_or(&[][..], Tree::elements);
        let place = self.place().member("TransactItems");
        let part = |(position, member): (usize, &'a Tree)| {
            let (name, body) = member.members().first()?;
            let kind = match name.as_str() {
                "Get" => PartKind::Get,
                "Put" => PartKind::Put,
                "Update" => PartKind::Update,
                "Delete" => PartKind::Delete,
                "ConditionCheck" => PartKind::Check,
                _ => return None,
            };
            Some(self.part(kind, place.index(position), body, None))
        };
        members.iter().enumerate().filter_map(part).collect()
    }

    fn batch_write(&self) -> Vec<RequestPart<'a>> {
        let part = |place: Place, table: &'a str, member: &'a Tree| {
            let (name, body) = member.members().first()?;
            let kind = match name.as_str() {
                "PutRequest" => PartKind::Put,
                "DeleteRequest" => PartKind::Delete,
                _ => return None,
            };
            Some(self.part(kind, place, body, Some(table)))
        };
        let mut parts = Vec::new();
        for (table, members) in self.request_items() {
            let place = self.place().member("RequestItems").member(table);
            for (position, member) in members.elements().iter().enumerate() {
                parts.extend(part(place.index(position), table, member));
            }
        }
        parts
    }

    fn batch_get(&self) -> Vec<RequestPart<'a>> {
        let mut parts = Vec::new();
        for (table, block) in self.request_items() {
            let place = self.place().member("RequestItems").member(table);
            let keys = block.member("Keys").map_or(&[][..], Tree::elements);
            for (position, key) in keys.iter().enumerate() {
                let body = if position == 0 { block } else { NO_MEMBERS };
                let mut part = self.part(PartKind::Get, place.clone(), body, Some(table));
                part.key = Some(key);
                parts.push(part);
            }
        }
        parts
    }

    fn request_items(&self) -> &'a [(String, Tree)] {
        self.request.body.member("RequestItems").map_or(&[], Tree::members)
    }
}

impl<'a> RequestPart<'a> {
    /// The text of a member.
    pub(super) fn text(&self, member: &str) -> Option<&'a str> {
        self.body.member(member).and_then(Tree::text)
    }

    /// Its expressions.
    pub(super) fn expressions(&self) -> Vec<ExpressionText<'a>> {
        let expression = |member: ExpressionMember| {
            let text = self.text(member.name())?;
            Some(ExpressionText { member, text, place: self.place.member(member.name()) })
        };
        ExpressionMember::ALL.into_iter().filter_map(expression).collect()
    }

    /// One of its expressions.
    pub(super) fn expression(&self, member: ExpressionMember) -> Option<ExpressionText<'a>> {
        self.expressions().into_iter().find(|expression| expression.member == member)
    }

    /// The attributes of the key that it reads by: those of the index, or of the table.
    pub(super) fn key_attributes(&self) -> Vec<&'a KeyAttribute> {
        match (self.index, self.table) {
            (Some(index), _) => index.key_attributes().collect(),
            (None, Some(_)) if self.body.member("IndexName").is_some() => Vec::new(),
            (None, Some(table)) => table.key_attributes().collect(),
            (None, None) => Vec::new(),
        }
    }

    /// What its placeholders stand for.
    pub(super) fn placeholders(&self) -> Placeholders {
        let of = |member: &str| self.body.member(member).map_or(&[][..], Tree::members).iter();
        let names = of("ExpressionAttributeNames");
        let names = names.filter_map(|(name, to)| Some((name.clone(), to.text()?.to_owned())));
        let values = of("ExpressionAttributeValues");
        let values = values.filter_map(|(name, to)| Some((name.clone(), wire_value(to).ok()?)));
        let mut placeholders = Placeholders { names: names.collect(), values: values.collect() };
        for expression in self.expressions() {
            for placeholder in used_placeholders(expression.text) {
                placeholders.define(placeholder);
            }
        }
        placeholders
    }

    /// A condition or filter, unless the service refuses it.
    pub(super) fn condition(&self, member: ExpressionMember) -> Option<Condition> {
        let parsed = parse_condition(self.expression(member)?.text).ok()?;
        let placeholders = self.placeholders();
        Resolver::new(&placeholders.names, &placeholders.values).condition(&parsed).ok()
    }

    /// The key condition of a query, or what no key condition has.
    pub(super) fn key_condition(&self) -> Option<Result<KeyCondition, KeyConditionError>> {
        let condition = self.condition(ExpressionMember::KeyCondition)?;
        Some(KeyCondition::new(&condition))
    }

    /// The item that is put, or the key of the item that is meant.
    pub(super) fn item(&self) -> Option<Item> {
        self.key.and_then(|key| wire_item(key).ok())
    }

    /// The key of the item in its table, if it is whole.
    pub(super) fn item_key(&self) -> Option<Item> {
        let (table, item) = (self.table?, self.item()?);
        let part = |key: &KeyAttribute| Some((key.name.clone(), item.get(&key.name)?.clone()));
        table.key_attributes().map(part).collect()
    }
}

impl Placeholders {
    fn define(&mut self, placeholder: &str) {
        match placeholder.strip_prefix('#') {
            Some(name) => {
                self.names.entry(placeholder.to_owned()).or_insert_with(|| name.to_owned());
            }
            None => {
                let anything = || Value::from("S");
                self.values.entry(placeholder.to_owned()).or_insert_with(anything);
            }
        }
    }
}

/// The `#names` and `:values` that a text has, in order.
pub(super) fn used_placeholders(text: &str) -> Vec<&str> {
    let is_placeholder = |kind: TokenKind| match kind {
        TokenKind::Name | TokenKind::Parameter => true,
        TokenKind::Word
        | TokenKind::Hole
        | TokenKind::Text
        | TokenKind::Number
        | TokenKind::Symbol => false,
    };
    let tokens = tokenize(text).unwrap_or_default().into_iter();
    tokens.filter(|token| is_placeholder(token.kind)).map(|token| token.text).collect()
}
