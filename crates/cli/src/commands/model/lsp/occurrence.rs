//! Where the attributes of entities are named in a document.

use std::ops::Range;

use monotable_model::diagnostic::Span;
use monotable_model::document::{Document, MemberSpans, Model, TokenKind, tokenize};

/// A place where an attribute is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Occurrence {
    /// The entities that it can be an attribute of.
    pub(super) entities: Vec<String>,
    pub(super) attribute: String,
    /// The bytes of the name in the file.
    pub(super) span: Span,
}

/// How a text names attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextKind {
    /// It is a key template.
    Template,
    /// It is an expression.
    Expression,
    /// It is the name of an attribute.
    Name,
    /// It is `Entity.attribute`.
    Qualified,
}

/// All places where attributes are named.
pub(super) fn occurrences(text: &str, document: &Document) -> Vec<Occurrence> {
    let members = document.places.members();
    members.flat_map(|member| in_member(text, &document.model, &member)).collect()
}

/// The attribute that is named at a byte.
pub(super) fn occurrence_at(text: &str, document: &Document, at: usize) -> Option<Occurrence> {
    let holds = |one: &Occurrence| one.span.start <= at && at <= one.span.end;
    occurrences(text, document).into_iter().find(holds)
}

fn in_member(text: &str, model: &Model, member: &MemberSpans<'_>) -> Vec<Occurrence> {
    let steps = member.place.steps();
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    if let (Some(entities), Some(key), Some(name)) =
        (named_by_key(model, &steps), member.key, steps.last())
    {
        let span = inner(text, key);
        found.push(Occurrence { entities, attribute: (*name).to_owned(), span });
    }
    if let (Some((kind, entities)), true) = (named_by_text(model, &steps), member.is_text) {
        found.extend(in_text(text, inner(text, member.value), kind, &entities));
    }
    found
}

/// The entities whose attribute the name of a member is.
fn named_by_key(model: &Model, steps: &[&str]) -> Option<Vec<String>> {
    match steps {
        ["entities", entity, "attributes", _]
        | ["samples", entity, _, _]
        | ["tests", _, "samples", entity, _, _]
        | ["tests", _, "steps", _, "expect", _, entity, _] => Some(vec![(*entity).to_owned()]),
        // A parameter that has the name of an attribute is renamed with it.
        ["tests", test, "steps", number, "with", _] => entities_of_step(model, test, number),
        ["patterns", pattern, "by" | "values", name] if !is_number(name) => {
            entities_of(model, pattern)
        }
        ["patterns", pattern, "actions", number, "by" | "values", name] if !is_number(name) => {
            entity_of_action(model, pattern, number)
        }
        _ => None,
    }
}

/// How a text names attributes, and of which entities.
fn named_by_text(model: &Model, steps: &[&str]) -> Option<(TextKind, Vec<String>)> {
    let of = |kind: TextKind, entity: &str| Some((kind, vec![entity.to_owned()]));
    match steps {
        ["entities", entity, "key", "partition" | "sort", ..]
        | ["entities", entity, "indexes", _, "partition" | "sort", ..] => {
            of(TextKind::Template, entity)
        }
        ["entities", entity, "indexes", _, "when"] => of(TextKind::Expression, entity),
        ["entities", entity, "lock" | "ttl" | "created" | "touched"]
        | ["entities", entity, "unique", _, "attribute"]
        | ["entities", entity, "copies", "attribute"] => of(TextKind::Name, entity),
        ["entities", _, "attributes", _, "copy_of"] | ["entities", _, "embedded_in", ..] => {
            Some((TextKind::Qualified, Vec::new()))
        }
        ["patterns", pattern, "by" | "values", number] if is_number(number) => {
            Some((TextKind::Name, entities_of(model, pattern)?))
        }
        ["patterns", pattern, "range" | "filter" | "condition" | "change" | "project"] => {
            Some((TextKind::Expression, entities_of(model, pattern)?))
        }
        ["patterns", pattern, "actions", action, "by" | "values", number] if is_number(number) => {
            Some((TextKind::Name, entity_of_action(model, pattern, action)?))
        }
        ["patterns", pattern, "actions", action, "condition" | "change"] => {
            Some((TextKind::Expression, entity_of_action(model, pattern, action)?))
        }
        _ => None,
    }
}

fn is_number(step: &str) -> bool {
    !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit())
}

fn entities_of(model: &Model, pattern: &str) -> Option<Vec<String>> {
    model.pattern(pattern).map(|pattern| pattern.entities.clone())
}

fn entities_of_step(model: &Model, test: &str, number: &str) -> Option<Vec<String>> {
    let pattern = model.pattern(step_pattern(model, test, number)?)?;
    Some(pattern.all_entities().map(str::to_owned).collect())
}

/// The pattern that a step of a test runs.
pub(super) fn step_pattern<'m>(model: &'m Model, test: &str, number: &str) -> Option<&'m str> {
    let test = model.tests.iter().find(|other| other.name == test)?;
    let step = test.steps.get(number.parse::<usize>().ok()?)?;
    Some(&step.pattern)
}

fn entity_of_action(model: &Model, pattern: &str, number: &str) -> Option<Vec<String>> {
    let action = model.pattern(pattern)?.actions.get(number.parse::<usize>().ok()?)?;
    Some(vec![action.entity.clone()])
}

/// The bytes of a name or a text without its quotes.
fn inner(text: &str, span: Span) -> Span {
    let written = text.get(span.start..span.end).unwrap_or_default();
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes.into_iter().find(|quote| {
        written.len() >= 2 * quote.len() && written.starts_with(quote) && written.ends_with(quote)
    });
    let width = quote.map_or(0, str::len);
    Span::new(span.start + width, span.end - width)
}

fn in_text(text: &str, span: Span, kind: TextKind, entities: &[String]) -> Vec<Occurrence> {
    let written = text.get(span.start..span.end).unwrap_or_default();
    let at = |range: Range<usize>| Span::new(span.start + range.start, span.start + range.end);
    let of = |(range, name): (Range<usize>, &str)| Occurrence {
        entities: entities.to_vec(),
        attribute: name.to_owned(),
        span: at(range),
    };
    match kind {
        TextKind::Name => vec![of((0..written.len(), written))],
        TextKind::Template => template_names(written).into_iter().map(of).collect(),
        TextKind::Expression => expression_names(written).into_iter().map(of).collect(),
        TextKind::Qualified => {
            let Some((entity, name)) = written.split_once('.') else { return Vec::new() };
            let start = entity.len() + 1;
            let span = at(start..written.len());
            let entities = vec![entity.to_owned()];
            vec![Occurrence { entities, attribute: name.to_owned(), span }]
        }
    }
}

/// The attributes in a template: what stands in braces before the colon, and the inputs of shards.
fn template_names(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut names = Vec::new();
    // For each brace that is open, whether what follows names nothing: after a colon, and in the
    // literals of a template in quotes.
    let mut open: Vec<bool> = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), '}')]) {
        let is_name = is_name_character(character) && open.last() == Some(&false);
        match (is_name, start) {
            (true, None) => start = Some(at),
            (true, Some(_)) => {}
            (false, Some(from)) => {
                let name = text.get(from..at).unwrap_or_default();
                if character != '(' && !is_number(name) {
                    names.push((from..at, name));
                }
                start = None;
                // What follows a dot or a bracket lies inside the attribute.
                if matches!(character, '.' | '[') {
                    open.last_mut().into_iter().for_each(|seen| *seen = true);
                }
            }
            (false, None) => {}
        }
        match character {
            '{' => open.push(false),
            '}' => {
                open.pop();
            }
            ':' => open.last_mut().into_iter().for_each(|seen| *seen = true),
            '"' => open.last_mut().into_iter().for_each(|seen| *seen = !*seen),
            _ => {}
        }
    }
    names
}

fn is_name_character(character: char) -> bool {
    !"{}:.[](),\"\\!= ".contains(character)
}

/// The attributes in an expression: words and `#names` that are no functions and no members.
fn expression_names(text: &str) -> Vec<(Range<usize>, &str)> {
    let Ok(tokens) = tokenize(text) else { return Vec::new() };
    let mut names = Vec::new();
    let mut before = "";
    for (place, token) in tokens.iter().enumerate() {
        let is_call = tokens.get(place + 1).is_some_and(|next| next.text == "(");
        let name = match token.kind {
            TokenKind::Word if !is_call => Some((token.range(), token.text)),
            TokenKind::Name => {
                let start = token.range().start + 1;
                Some((start..start + token.inner().len(), token.inner()))
            }
            // A parameter that has the name of an attribute is renamed with it.
            TokenKind::Parameter => {
                Some((token.range().start + 1..token.range().end, token.inner()))
            }
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Number
            | TokenKind::Hole
            | TokenKind::Symbol => None,
        };
        names.extend(name.filter(|_| before != "."));
        before = token.text;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<'t>(names: &[(Range<usize>, &'t str)]) -> Vec<&'t str> {
        names.iter().map(|(_, name)| *name).collect()
    }

    #[test]
    fn templates_name_attributes_before_the_colon_and_in_shards() {
        let text = "A#{id:06}#{address.city:fold}#{s:enum(id,x)}#{shard(name, 16)}{lines[0].sku}";
        let names = template_names(text);
        assert_eq!(named(&names), ["id", "address", "s", "name", "lines"]);
        assert!(names.iter().all(|(range, name)| &text[range.clone()] == *name));
        let nested = template_names(r#"{shard_sum(\"A#{b:slug}#\", 20):plain}"#);
        assert_eq!(named(&nested), ["b"]);
    }

    #[test]
    fn expressions_name_attributes_but_no_functions_members_or_texts() {
        let text = "attribute_exists(a) AND b.c = 'a' AND size(#d) > :e";
        assert_eq!(named(&expression_names(text)), ["a", "AND", "b", "AND", "d", "e"]);
        let text = "`follower#` = :x AND #set = 1";
        let names = expression_names(text);
        assert_eq!(named(&names), ["follower#", "x", "AND", "set"]);
        assert!(names.iter().all(|(range, name)| &text[range.clone()] == *name));
    }
}
