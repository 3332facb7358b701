//! Conditions of sparse indexes: one attribute compared with one value, on both sides.

use monotable_item::Value;
use monotable_model::document::{
    Entity, Expression, ExpressionKind, NameSource, Scope, Source, quoted_name,
};

use super::source::{access, literal};

/// Comparators in JavaScript and here; longer ones first.
const COMPARATORS: [(&str, &str); 8] = [
    ("===", "="),
    ("!==", "<>"),
    ("==", "="),
    ("!=", "<>"),
    ("<=", "<="),
    (">=", ">="),
    ("<", "<"),
    (">", ">"),
];

/// The condition of `(item) => item.status === "open"`.
pub(super) fn read(code: &str, entity: &Entity) -> Option<Expression> {
    let (parameter, body) = code.split_once("=>")?;
    let parameter = parameter.trim().trim_start_matches('(').trim_end_matches(')');
    let parameter = parameter.split(':').next()?.trim();
    let rest = body.trim().strip_prefix(parameter)?;
    let position = rest.find(['=', '!', '<', '>'])?;
    let (name, rest) = rest.split_at(position);
    let (sign, ours) = COMPARATORS.iter().find(|(sign, _)| rest.starts_with(sign))?;
    let name = member_name(name.trim())?;
    let attribute = entity.attribute(&name)?;
    let value = value(rest.strip_prefix(sign)?.trim())?;
    let text = format!("{} {ours} {value}", quoted_name(&attribute.name));
    let mut scope = Scope::new();
    for attribute in &entity.attributes {
        scope.add(&attribute.name, attribute.item_name());
    }
    Expression::parse(ExpressionKind::When, &text, &scope).ok()
}

/// The name in `.name`, `?.name` or `["name"]`.
fn member_name(access: &str) -> Option<String> {
    let plain = access.strip_prefix("?.").or_else(|| access.strip_prefix('.'));
    if let Some(name) = plain {
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        return (is_plain && !name.is_empty()).then(|| name.to_owned());
    }
    let inside = access.strip_prefix('[')?.strip_suffix(']')?;
    text(inside.trim())
}

fn text(quoted: &str) -> Option<String> {
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inside = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.contains([quote, '\\', '$'])).then(|| inside.to_owned())
}

/// A value as expressions write it.
fn value(code: &str) -> Option<String> {
    if let Some(text) = text(code) {
        return Some(format!("'{}'", text.replace('\'', "''")));
    }
    let is_number = code.parse::<f64>().is_ok() && !code.contains(|c: char| c.is_alphabetic());
    (is_number || code == "true" || code == "false").then(|| code.to_owned())
}

/// A condition in TypeScript, if it is a comparison of one attribute with one value.
pub(super) fn write(when: &Expression, entity: &Entity) -> Option<String> {
    let mut words = when.rewritten.split_whitespace();
    let (name, sign, value) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let sign = match sign {
        "=" => "===",
        "<>" => "!==",
        "<" | "<=" | ">" | ">=" => sign,
        _ => return None,
    };
    let stored = match when.names.get(name.trim_start_matches('#')).or_else(|| when.names.get(name))
    {
        Some(NameSource::Name(stored)) => stored.clone(),
        Some(NameSource::Parameter(_)) => return None,
        None => name.to_owned(),
    };
    let attribute = entity.attributes.iter().find(|one| one.item_name() == stored)?;
    let source =
        when.values.get(value.trim_start_matches(':')).or_else(|| when.values.get(value))?;
    let value = match source {
        Source::Literal(Value::String(text)) => literal(text),
        Source::Literal(Value::Number(number)) => number.to_string(),
        Source::Literal(Value::Bool(flag)) => flag.to_string(),
        Source::Literal(_) | Source::Parameter(_) => return None,
    };
    Some(format!("{} {sign} {value}", access("item", &attribute.name)))
}

#[cfg(test)]
mod tests {
    use monotable_item::Type;
    use monotable_model::document::Attribute;

    use super::*;

    #[test]
    fn simple_comparisons_are_read_and_written() {
        let mut entity = Entity::named("Task");
        entity.attributes = vec![
            Attribute::new("state", Type::String),
            Attribute::new("size", Type::Number),
            Attribute::new("is-open", Type::Bool),
        ];
        for (code, written) in [
            ("(item) => item.state === \"it's\"", Some("item.state === \"it's\"")),
            ("attr => attr?.state !== 'a'", Some("item.state !== \"a\"")),
            ("(a: any) => a.size >= 5", Some("item.size >= 5")),
            ("(item) => item[\"is-open\"] == true", Some("item[\"is-open\"] === true")),
            ("(item) => item.state === other", None),
            ("(item) => item.state === 'a' && item.size > 1", None),
            ("(item) => !!item.state", None),
            ("({ state }) => state === 'a'", None),
        ] {
            let read = read(code, &entity);
            let again = read.as_ref().and_then(|when| write(when, &entity));
            assert_eq!(again.as_deref(), written, "{code}: {read:?}");
        }
    }
}
