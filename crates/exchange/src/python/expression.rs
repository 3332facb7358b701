//! Expressions of Python.

use monotable_expr::Comparator;
use monotable_item::Value;

use super::name::{Names, helper, literal};
use super::types::row_type;
use crate::typed_code::code::{ChangedMember, Member};
use crate::typed_code::layout::Doc;
use crate::typed_code::{Code, Loop, Row};

/// Writes expressions.
pub(super) struct Expressions<'a> {
    pub(super) names: &'a Names,
    /// The access pattern whose function they stand in; of entities, none.
    pub(super) pattern: &'a str,
}

impl Expressions<'_> {
    /// The text of an expression that begins in a column.
    pub(super) fn lay_out(&self, code: &Code, column: usize, indent: usize) -> String {
        self.doc(code).lay_out(column, indent, 4)
    }

    fn doc(&self, code: &Code) -> Doc {
        match code {
            Code::Literal(value) => Doc::text(value_text(value)),
            Code::Count(number) => Doc::text(number.to_string()),
            Code::Pattern(pattern) => Doc::text(pattern_text(pattern)),
            Code::Database => Doc::text("db"),
            Code::PageOptions => Doc::text("page"),
            Code::Parameter(name) => Doc::text(self.names.parameter(self.pattern, name)),
            Code::Element(None) => Doc::text(variable(Loop::Element)),
            Code::Element(Some(one)) => Doc::text(member(variable(Loop::Element), one)),
            Code::Variable(of) => Doc::text(variable(*of)),
            Code::Attribute(one) => Doc::text(member("item", one)),
            Code::KeyMember(name) => Doc::text(format!("key[{}]", literal(name))),
            Code::Changed(one) => Doc::text(changed(one)),
            Code::Assigned(one) => Doc::text(assigned(one)),
            Code::Stored(name) => Doc::text(format!("stored.get({})", literal(name))),
            Code::Call(name, arguments) => {
                Doc::Row(vec![Doc::text(helper(name)), self.arguments(arguments)])
            }
            Code::Operation { entity, operation, arguments } => {
                let name = format!("{}Entity.{operation}", self.names.entity(entity));
                Doc::Row(vec![Doc::text(name), self.arguments(arguments)])
            }
            Code::Join(parts) => self.join(parts),
            Code::Map(members) => self.map(members),
            Code::Entity { entity, attributes } => self.entity(entity, attributes),
            Code::List(members) => self.list(members),
            Code::ForEach { variable, over, body } => self.for_each(*variable, over, body),
            Code::If { condition, then, otherwise } => self.choice(condition, then, otherwise),
            Code::Default(value, other) => {
                let is_present = Code::IsPresent(value.clone());
                self.choice(&is_present, value, other)
            }
            Code::Absent | Code::Removed => Doc::text("None"),
            Code::Untouched => Doc::text("_UNTOUCHED"),
            Code::IsPresent(inner) => match &**inner {
                Code::Attribute(one) => Doc::text(format!("{} in item", literal(&one.name))),
                Code::KeyMember(name) => Doc::text(format!("{} in key", literal(name))),
                other => Doc::Row(vec![self.doc(other), Doc::text(" is not None")]),
            },
            Code::IsChanged(one) => {
                let name = one.group.as_ref().unwrap_or(&one.name);
                Doc::text(format!("{} in change", literal(name)))
            }
            Code::IsKept(one) => Doc::text(format!("{} is not None", changed(one))),
            Code::All(conditions) if conditions.is_empty() => Doc::text("True"),
            Code::All(conditions) => self.conditions(conditions, " and "),
            Code::Any(conditions) => self.conditions(conditions, " or "),
            Code::Not(inner) => Doc::Row(vec![Doc::text("not "), self.wrapped(inner)]),
            Code::Compare { comparator, left, right } => self.compare(*comparator, left, right),
            Code::Reader(row) => Doc::text(self.reader(row)),
        }
    }

    fn arguments(&self, arguments: &[Code]) -> Doc {
        Doc::arguments(arguments.iter().map(|argument| self.doc(argument)).collect())
    }

    fn join(&self, parts: &[Code]) -> Doc {
        let parts = parts.iter().map(|part| self.wrapped(part)).collect();
        Doc::Wrapped { open: "(", inner: Box::new(Doc::separated(parts, " + ")), close: ")" }
    }

    fn map(&self, members: &[(String, Code)]) -> Doc {
        let members = members.iter().map(|(name, code)| {
            Doc::Row(vec![Doc::text(format!("{}: ", literal(name))), self.doc(code)])
        });
        Doc::Members { open: "{", members: members.collect(), close: "}", padded: false }
    }

    fn entity(&self, entity: &str, attributes: &[(String, Code)]) -> Doc {
        let present =
            Doc::Row(vec![Doc::text("_present"), Doc::arguments(vec![self.map(attributes)])]);
        let name = Doc::text(self.names.entity(entity));
        Doc::Row(vec![Doc::text("cast"), Doc::arguments(vec![name, present])])
    }

    fn list(&self, members: &[Code]) -> Doc {
        let members = members.iter().map(|member| match member {
            list if is_list(list) => Doc::Row(vec![Doc::text("*"), self.doc(list)]),
            one => self.doc(one),
        });
        Doc::Members { open: "[", members: members.collect(), close: "]", padded: false }
    }

    fn for_each(&self, of: Loop, over: &Code, body: &Code) -> Doc {
        let head = |of: &str| Doc::text(format!(" for {of} in "));
        let inner = match body {
            Code::List(members) => match members.as_slice() {
                [one] if !is_list(one) => {
                    Doc::Row(vec![self.doc(one), head(variable(of)), self.doc(over)])
                }
                _ => self.flat(of, over, body),
            },
            other => self.flat(of, over, other),
        };
        Doc::Wrapped { open: "[", inner: Box::new(inner), close: "]" }
    }

    fn flat(&self, of: Loop, over: &Code, body: &Code) -> Doc {
        Doc::Row(vec![
            Doc::text(format!("_request for {} in ", variable(of))),
            self.doc(over),
            Doc::text(" for _request in "),
            self.doc(body),
        ])
    }

    fn choice(&self, condition: &Code, then: &Code, otherwise: &Code) -> Doc {
        let inner = Doc::Row(vec![
            self.doc(then),
            Doc::text(" if "),
            self.doc(condition),
            Doc::text(" else "),
            self.doc(otherwise),
        ]);
        Doc::Wrapped { open: "(", inner: Box::new(inner), close: ")" }
    }

    fn conditions(&self, conditions: &[Code], operator: &str) -> Doc {
        match conditions {
            [one] => self.doc(one),
            several => {
                let several = several.iter().map(|one| self.wrapped(one)).collect();
                let inner = Doc::separated(several, operator);
                Doc::Wrapped { open: "(", inner: Box::new(inner), close: ")" }
            }
        }
    }

    /// An expression that can stand beside others.
    fn wrapped(&self, code: &Code) -> Doc {
        match code {
            Code::Not(_) | Code::Compare { .. } => {
                Doc::Wrapped { open: "(", inner: Box::new(self.doc(code)), close: ")" }
            }
            _ => self.doc(code),
        }
    }

    fn compare(&self, comparator: Comparator, left: &Code, right: &Code) -> Doc {
        let call = |name: &str, left: &Code, right: &Code| {
            Doc::Row(vec![Doc::text(name), Doc::arguments(vec![self.doc(left), self.doc(right)])])
        };
        let or_equal =
            |before: Doc| Doc::Row(vec![before, Doc::text(" or "), call("_is_equal", left, right)]);
        match comparator {
            Comparator::Equal => call("_is_equal", left, right),
            Comparator::NotEqual => {
                Doc::Row(vec![Doc::text("not "), call("_is_equal", left, right)])
            }
            Comparator::Less => call("_is_before", left, right),
            Comparator::LessOrEqual => or_equal(call("_is_before", left, right)),
            Comparator::Greater => call("_is_before", right, left),
            Comparator::GreaterOrEqual => or_equal(call("_is_before", right, left)),
        }
    }

    fn reader(&self, row: &Row) -> String {
        match row {
            Row::Entity { entity, checked: false } => {
                format!("{}Entity.read", self.names.entity(entity))
            }
            Row::Entity { entity, checked: true } => {
                let of = format!("{}Entity", self.names.entity(entity));
                format!("lambda stored: {of}.read(stored) if {of}.matches(stored) else None")
            }
            Row::Part(entity) => {
                let part = row_type(row, self.names);
                format!(
                    "lambda stored: cast({part}, cast(object, {}Entity.read(stored)))",
                    self.names.entity(entity)
                )
            }
            Row::Union(name) => format!("_read_{name}"),
            Row::Stored => "lambda stored: stored".to_owned(),
        }
    }
}

/// Whether an expression is a list, to be spread among the members of another.
fn is_list(code: &Code) -> bool {
    match code {
        Code::ForEach { .. } | Code::List(_) => true,
        Code::If { then, .. } => is_list(then),
        _ => false,
    }
}

fn member(of: &str, one: &Member) -> String {
    let name = literal(&one.name);
    if one.optional { format!("{of}.get({name})") } else { format!("{of}[{name}]") }
}

/// Parameters have the names of the model, so these begin with a line.
fn variable(of: Loop) -> &'static str {
    match of {
        Loop::Element => "_element",
        Loop::Shard => "_number",
        Loop::Period => "_time",
        Loop::Table => "_table",
        Loop::Copy => "_copy",
    }
}

fn changed(one: &ChangedMember) -> String {
    let name = literal(&one.name);
    match &one.group {
        Some(group) => format!("change[{}][{name}]", literal(group)),
        None => format!("change[{name}]"),
    }
}

fn assigned(one: &ChangedMember) -> String {
    match &one.group {
        Some(group) => {
            format!("({} if {} in change else _UNTOUCHED)", changed(one), literal(group))
        }
        None => format!("change.get({}, _UNTOUCHED)", literal(&one.name)),
    }
}

/// A raw text, unless that could not hold it.
fn pattern_text(pattern: &str) -> String {
    if pattern.contains(['"', '\n']) { literal(pattern) } else { format!("r\"{pattern}\"") }
}

fn value_text(value: &Value) -> String {
    let list = |texts: Vec<String>| texts.join(", ");
    match value {
        Value::String(text) => literal(text),
        Value::Number(number) => {
            let text = number.to_string();
            if text.contains('.') { format!("Decimal(\"{text}\")") } else { text }
        }
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        Value::Binary(bytes) => {
            format!("bytes([{}])", list(bytes.iter().map(ToString::to_string).collect()))
        }
        Value::List(elements) => format!("[{}]", list(elements.iter().map(value_text).collect())),
        Value::Map(members) => {
            let members =
                members.iter().map(|(name, one)| format!("{}: {}", literal(name), value_text(one)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::StringSet(texts) => {
            format!("{{{}}}", list(texts.iter().map(|text| literal(text)).collect()))
        }
        Value::NumberSet(numbers) => {
            let one = |number: &monotable_item::Number| value_text(&Value::Number(*number));
            format!("{{{}}}", list(numbers.iter().map(one).collect()))
        }
        Value::BinarySet(several) => {
            let one = |bytes: &Vec<u8>| value_text(&Value::Binary(bytes.clone()));
            format!("{{{}}}", list(several.iter().map(one).collect()))
        }
    }
}
