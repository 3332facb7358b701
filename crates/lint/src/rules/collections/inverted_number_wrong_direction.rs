//! A key that is turned round already, read backwards.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Order, Pattern};
use monotable_model::template::AttributePart;

use crate::Subject;
use crate::cardinality::keys_in;
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "inverted-number-wrong-direction",
    Error,
    Collections,
    Model,
    "a key whose order is turned round is read so that the order is turned back",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    queries(subject).into_iter().filter_map(|query| judge(subject, query)).collect()
}

fn judge(subject: &Subject<'_>, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    let wanted = wanted_order(query.pattern)?;
    let part = inverted_part(subject, query)?;
    if query.query.order == wanted.key_order() {
        return None;
    }
    let (word, fix) = match wanted {
        Wanted::Newest => ("newest", "ascending"),
        Wanted::Oldest => ("oldest", "descending"),
    };
    let message = format!(
        "the key holds {} turned round, so that this order does not begin with the {word}",
        part.path
    );
    let place = Place::pattern(&query.pattern.name).member("order");
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(format!("order = \"{fix}\"")))
}

#[derive(Debug, Clone, Copy)]
enum Wanted {
    Newest,
    Oldest,
}

impl Wanted {
    /// The order of keys that are turned round.
    fn key_order(self) -> Order {
        match self {
            Wanted::Newest => Order::Ascending,
            Wanted::Oldest => Order::Descending,
        }
    }
}

/// What the name of the pattern says.
fn wanted_order(pattern: &Pattern) -> Option<Wanted> {
    let name = pattern.name.to_lowercase();
    let has = |words: &[&str]| {
        name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
    };
    match (has(&["newest", "latest", "recent", "highest"]), has(&["oldest", "earliest", "lowest"]))
    {
        (true, false) => Some(Wanted::Newest),
        (false, true) => Some(Wanted::Oldest),
        (true, true) | (false, false) => None,
    }
}

/// The attribute that the wanted items are ordered by, if it is turned round in all their keys.
fn inverted_part<'s>(
    subject: &'s Subject<'_>,
    query: PlannedQuery<'_>,
) -> Option<&'s AttributePart> {
    let table = subject.model.table(&query.request.target.table)?;
    let index = query.request.target.index.as_deref().and_then(|name| table.index(name));
    let known: Vec<&str> = query.pattern.by.iter().map(|known| known.attribute.as_str()).collect();
    let entities = query.pattern.entities.iter().filter_map(|name| subject.model.entity(name));
    let ordered_by = entities.filter_map(|entity| {
        let templates = keys_in(entity, index)?.sort.iter();
        templates.flat_map(|template| template.attributes()).find(|part| {
            let is_few = entity.attribute(&part.path.root).is_some_and(|one| one.values.len() == 1);
            !known.contains(&part.path.root.as_str()) && !is_few
        })
    });
    let parts: Vec<&AttributePart> = ordered_by.collect();
    let turned = parts.iter().find(|part| part.encoding.sorts_descending()).copied()?;
    let same = |part: &&AttributePart| part.path == turned.path && part.encoding.sorts_descending();
    parts.iter().filter(|part| part.path == turned.path).all(same).then_some(turned)
}
