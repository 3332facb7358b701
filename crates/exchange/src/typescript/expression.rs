//! Expressions of TypeScript.

use monotable_expr::Comparator;
use monotable_item::Value;

use super::name::{Names, literal, member, property, template_text};
use super::types::row_type;
use crate::typed_code::code::ChangedMember;
use crate::typed_code::layout::Doc;
use crate::typed_code::{Code, Loop, Row};

/// Helper functions that wait for the database.
const WAITING: [&str; 10] = [
    "getItem",
    "query",
    "scan",
    "write",
    "writeEach",
    "fetchWhole",
    "batchGet",
    "batchWrite",
    "transact",
    "transactGet",
];

/// Writes expressions.
pub(super) struct Expressions<'a> {
    pub(super) names: &'a Names,
}

impl Expressions<'_> {
    /// The text of an expression that begins in a column.
    pub(super) fn lay_out(&self, code: &Code, column: usize, indent: usize) -> String {
        self.doc(code).lay_out(column, indent, 2)
    }

    pub(super) fn doc(&self, code: &Code) -> Doc {
        match code {
            Code::Literal(value) => Doc::text(value_text(value)),
            Code::Count(number) => Doc::text(number.to_string()),
            Code::Pattern(pattern) => Doc::text(pattern_text(pattern)),
            Code::Database => Doc::text("db"),
            Code::PageOptions => Doc::text("page"),
            Code::Parameter(name) => Doc::text(member("p", name)),
            Code::Element(None) => Doc::text(variable(Loop::Element)),
            Code::Element(Some(one)) => Doc::text(member(variable(Loop::Element), &one.name)),
            Code::Variable(of) => Doc::text(variable(*of)),
            Code::Attribute(one) => Doc::text(member("item", &one.name)),
            Code::KeyMember(name) => Doc::text(member("key", name)),
            Code::Changed(one) => Doc::text(changed(one)),
            Code::Assigned(one) => Doc::text(assigned(one)),
            Code::Stored(name) => Doc::text(member("stored", name)),
            Code::Call(name, arguments) => {
                let wait = if WAITING.contains(name) { "await " } else { "" };
                Doc::Row(vec![Doc::text(format!("{wait}{name}")), self.arguments(arguments)])
            }
            Code::Operation { entity, operation, arguments } => {
                let name = format!("{}Entity.{operation}", self.names.entity(entity));
                Doc::Row(vec![Doc::text(name), self.arguments(arguments)])
            }
            Code::Join(parts) => self.join(parts),
            Code::Map(members) | Code::Entity { attributes: members, .. } => self.map(members),
            Code::List(members) => self.list(members),
            Code::ForEach { variable, over, body } => self.for_each(*variable, over, body),
            Code::If { condition, then, otherwise } => Doc::Row(vec![
                self.doc(condition),
                Doc::text(" ? "),
                self.doc(then),
                Doc::text(" : "),
                self.doc(otherwise),
            ]),
            Code::Default(value, other) => {
                Doc::separated(vec![self.doc(value), self.doc(other)], " ?? ")
            }
            Code::Absent | Code::Untouched => Doc::text("undefined"),
            Code::Removed => Doc::text("null"),
            Code::IsPresent(inner) => Doc::Row(vec![self.doc(inner), Doc::text(" !== undefined")]),
            Code::IsChanged(one) => Doc::text(format!("{} !== undefined", changed_member(one))),
            Code::IsKept(one) => Doc::text(format!("{} !== null", changed(one))),
            Code::All(conditions) if conditions.is_empty() => Doc::text("true"),
            Code::All(conditions) => self.conditions(conditions, " && "),
            Code::Any(conditions) => self.conditions(conditions, " || "),
            Code::Not(inner) => Doc::Row(vec![Doc::text("!"), self.wrapped(inner)]),
            Code::Compare { comparator, left, right } => self.compare(*comparator, left, right),
            Code::Reader(row) => Doc::text(self.reader(row)),
        }
    }

    fn arguments(&self, arguments: &[Code]) -> Doc {
        Doc::arguments(arguments.iter().map(|argument| self.doc(argument)).collect())
    }

    /// A template literal, or a text if nothing is put in.
    fn join(&self, parts: &[Code]) -> Doc {
        let mut row = vec![Doc::text("`")];
        for part in parts {
            match part {
                Code::Literal(Value::String(text)) => row.push(Doc::text(template_text(text))),
                other => {
                    row.extend([Doc::text("${"), self.doc(other), Doc::text("}")]);
                }
            }
        }
        row.push(Doc::text("`"));
        Doc::Row(row)
    }

    fn map(&self, members: &[(String, Code)]) -> Doc {
        let members = members.iter().map(|(name, code)| {
            Doc::Row(vec![Doc::text(format!("{}: ", property(name))), self.doc(code)])
        });
        Doc::Members { open: "{", members: members.collect(), close: "}", padded: true }
    }

    fn list(&self, members: &[Code]) -> Doc {
        let members = members.iter().map(|member| match member {
            list if is_list(list) => Doc::Row(vec![Doc::text("..."), self.wrapped(list)]),
            one => self.doc(one),
        });
        Doc::Members { open: "[", members: members.collect(), close: "]", padded: false }
    }

    fn for_each(&self, of: Loop, over: &Code, body: &Code) -> Doc {
        let over = match of {
            Loop::Table => Doc::Row(vec![Doc::text("("), self.doc(over), Doc::text(" as const)")]),
            Loop::Element | Loop::Shard | Loop::Period | Loop::Copy => self.doc(over),
        };
        let (call, body) = match body {
            Code::List(members) => match members.as_slice() {
                [one @ Code::Map(_)] => {
                    ("map", Doc::Row(vec![Doc::text("("), self.doc(one), Doc::text(")")]))
                }
                [one] if !is_list(one) => ("map", self.doc(one)),
                _ => ("flatMap", self.doc(body)),
            },
            other => ("flatMap", self.doc(other)),
        };
        let arrow = format!(".{call}(({}) => ", variable(of));
        Doc::Row(vec![over, Doc::text(arrow), body, Doc::text(")")])
    }

    fn conditions(&self, conditions: &[Code], operator: &str) -> Doc {
        match conditions {
            [one] => self.doc(one),
            several => {
                Doc::separated(several.iter().map(|one| self.wrapped(one)).collect(), operator)
            }
        }
    }

    /// An expression that can stand beside others.
    fn wrapped(&self, code: &Code) -> Doc {
        match code {
            Code::All(several) | Code::Any(several) if several.len() != 1 => self.bracketed(code),
            Code::If { .. } | Code::Not(_) | Code::Default(..) | Code::Compare { .. } => {
                self.bracketed(code)
            }
            _ => self.doc(code),
        }
    }

    fn bracketed(&self, code: &Code) -> Doc {
        Doc::Wrapped { open: "(", inner: Box::new(self.doc(code)), close: ")" }
    }

    fn compare(&self, comparator: Comparator, left: &Code, right: &Code) -> Doc {
        let call = |name: &str, left: &Code, right: &Code| {
            Doc::Row(vec![Doc::text(name), Doc::arguments(vec![self.doc(left), self.doc(right)])])
        };
        let or_equal =
            |before: Doc| Doc::Row(vec![before, Doc::text(" || "), call("isEqual", left, right)]);
        match comparator {
            Comparator::Equal => call("isEqual", left, right),
            Comparator::NotEqual => Doc::Row(vec![Doc::text("!"), call("isEqual", left, right)]),
            Comparator::Less => call("isBefore", left, right),
            Comparator::LessOrEqual => or_equal(call("isBefore", left, right)),
            Comparator::Greater => call("isBefore", right, left),
            Comparator::GreaterOrEqual => or_equal(call("isBefore", right, left)),
        }
    }

    fn reader(&self, row: &Row) -> String {
        match row {
            Row::Entity { entity, checked: false } => {
                format!("{}Entity.read", self.names.entity(entity))
            }
            Row::Entity { entity, checked: true } => {
                let operations = format!("{}Entity", self.names.entity(entity));
                format!(
                    "(stored) => ({operations}.matches(stored) ? {operations}.read(stored) : \
                     undefined)"
                )
            }
            Row::Part(entity) => {
                let part = row_type(row, self.names);
                format!("(stored): {part} => {}Entity.read(stored)", self.names.entity(entity))
            }
            Row::Union(name) => format!("read{name}"),
            Row::Stored => "(stored) => stored".to_owned(),
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

fn variable(of: Loop) -> &'static str {
    match of {
        Loop::Element => "element",
        Loop::Shard => "number",
        Loop::Period => "time",
        Loop::Table => "table",
        Loop::Copy => "copy",
    }
}

/// A regular expression between slashes.
fn pattern_text(pattern: &str) -> String {
    let escaped = pattern.replace("\\/", "/").replace('/', "\\/").replace('\n', "\\n");
    format!("/{escaped}/s")
}

fn changed(one: &ChangedMember) -> String {
    match &one.group {
        Some(group) => member(&member("change", group), &one.name),
        None => member("change", &one.name),
    }
}

fn assigned(one: &ChangedMember) -> String {
    match &one.group {
        Some(group) => {
            let of = member("change", group);
            match member("", &one.name) {
                own if own.starts_with("own(") => member(&of, &one.name),
                plain if plain.starts_with('[') => format!("{of}?.{plain}"),
                plain => format!("{of}?{plain}"),
            }
        }
        None => member("change", &one.name),
    }
}

/// What is there if the value changes.
fn changed_member(one: &ChangedMember) -> String {
    member("change", one.group.as_ref().unwrap_or(&one.name))
}

fn value_text(value: &Value) -> String {
    let list = |texts: Vec<String>| format!("[{}]", texts.join(", "));
    match value {
        Value::String(text) => literal(text),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::Binary(bytes) => {
            format!("Uint8Array.from({})", list(bytes.iter().map(ToString::to_string).collect()))
        }
        Value::List(elements) => list(elements.iter().map(value_text).collect()),
        Value::Map(members) => {
            let members = members
                .iter()
                .map(|(name, one)| format!("{}: {}", property(name), value_text(one)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::StringSet(texts) => {
            format!("new Set({})", list(texts.iter().map(|text| literal(text)).collect()))
        }
        Value::NumberSet(numbers) => {
            format!("new Set({})", list(numbers.iter().map(ToString::to_string).collect()))
        }
        Value::BinarySet(several) => {
            let one = |bytes: &Vec<u8>| value_text(&Value::Binary(bytes.clone()));
            format!("new Set({})", list(several.iter().map(one).collect()))
        }
    }
}
