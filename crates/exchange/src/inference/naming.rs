//! Names for entities: what they are called already, or what the literals of their keys say.

use monotable_model::document::Table;
use monotable_model::template::{Segment, Template};

use super::grouping::{Group, KeyPart};
use super::key_text::DELIMITERS;
use crate::case::pascal;

/// A name for each group, no two the same.
pub(super) fn names(table: &Table, groups: &[Group]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for group in groups {
        let candidates = candidates(table, group);
        let free = |name: &&String| !name.is_empty() && !names.contains(name);
        let first = candidates.iter().find(|name| !name.is_empty()).cloned();
        let base = first.unwrap_or_else(|| "Item".to_owned());
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let name = candidates.iter().find(free).cloned();
        let name = name.or_else(|| {
            std::iter::once(base.clone()).chain(numbered).find(|name| !names.contains(name))
        });
        names.push(name.unwrap_or(base));
    }
    names
}

/// Names from the best to the worst.
fn candidates(table: &Table, group: &Group) -> Vec<String> {
    let known = group.name.clone();
    let of_type = group.type_value.as_ref().map(|value| pascal(value));
    let word = |part: usize| {
        let place = KeyPart { index: None, part };
        group.templates.get(&place).and_then(first_word).map(|word| pascal(&word))
    };
    let (partition, sort) = (word(0), word(1));
    let joined = partition.clone().zip(sort.clone()).map(|(partition, sort)| partition + &sort);
    let of_index = group
        .variant_of
        .and_then(|_| group.templates.iter().rev().find_map(|(_, template)| first_word(template)))
        .map(|word| pascal(&word));
    let of_table = pascal(&table.name);
    let list = [known, of_type, of_index, sort, joined, partition, Some(singular(&of_table))];
    list.into_iter().flatten().collect()
}

/// The first word of a template that is always the same.
fn first_word(template: &Template) -> Option<String> {
    template.segments().iter().find_map(|segment| match segment {
        Segment::Literal(text) => {
            let mut words = text.split(DELIMITERS);
            words.find(|word| word.chars().any(char::is_alphabetic)).map(str::to_owned)
        }
        Segment::Attribute(_) | Segment::Shard(_) => None,
    })
}

fn singular(name: &str) -> String {
    match name.strip_suffix('s') {
        Some(one) if !one.ends_with('s') && one.len() > 2 => one.to_owned(),
        Some(_) | None => name.to_owned(),
    }
}
