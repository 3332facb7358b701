//! `recognise`: which entities items are, and what the parts of their keys say.

use monotable_item::{Item, Value};
use monotable_model::document::{Entity, Table, Tree, plain_text};
use monotable_model::recognition::{Recognition, Recognizer};
use monotable_model::template::{Meaning, Reading, Segment, Template};

use super::member::{self, object, string, strings};
use super::{Complaint, model_of};

/// How many items a question may be about.
const ITEMS_MAX: usize = 2_000;

/// For each item of a table its entity, and its keys in parts.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let table = member::table(&model, member::text(question, "table")?)?;
    let recognizer = Recognizer::new(&model, table);
    let recognised = member::list(question, "items", ITEMS_MAX)?
        .iter()
        .map(|tree| Ok(item(&recognizer, table, &member::item(tree)?)))
        .collect::<Result<Vec<Tree>, Complaint>>()?;
    Ok(object([("items", Tree::List(recognised))]))
}

fn item(recognizer: &Recognizer<'_>, table: &Table, item: &Item) -> Tree {
    let recognition = recognizer.recognise(item);
    let others = match &recognition {
        Recognition::Undecided(entities) => entities.as_slice(),
        Recognition::Known(_) | Recognition::Unknown => &[],
    };
    let Some(entity) = recognition.likeliest() else {
        return object([("entity", Tree::Null)]);
    };
    object([
        ("entity", string(&entity.name)),
        ("undecided", strings(others.iter().map(|entity| entity.name.as_str()))),
        ("keys", keys(table, entity, item)),
    ])
}

/// The keys of an item in the table and its indexes, by attribute.
fn keys(table: &Table, entity: &Entity, item: &Item) -> Tree {
    let parts = templates(table, entity).into_iter().filter_map(|(name, template)| {
        let value = item.get(name)?;
        let reading = template.read(value).ok()?;
        Some((name.to_owned(), Tree::List(parts(template, &reading, value))))
    });
    Tree::Map(parts.collect())
}

/// The attributes of keys with the templates that build them.
pub(super) fn templates<'m>(table: &'m Table, entity: &'m Entity) -> Vec<(&'m str, &'m Template)> {
    let of_table = entity
        .key
        .iter()
        .flat_map(|keys| table.key_attributes().zip(keys.partition.iter().chain(&keys.sort)));
    let of_indexes = entity.indexes.iter().filter_map(|of_index| {
        let index = table.index(&of_index.index)?;
        let templates = of_index.keys.partition.iter().chain(&of_index.keys.sort);
        Some(index.key_attributes().zip(templates))
    });
    let all = of_table.chain(of_indexes.flatten());
    all.map(|(key, template)| (key.name.as_str(), template)).collect()
}

fn parts(template: &Template, reading: &Reading, value: &Value) -> Vec<Tree> {
    let mut read = reading.parts().iter();
    let part = |segment: &Segment| match segment {
        Segment::Literal(text) => object([("text", string(text.to_string()))]),
        Segment::Attribute(_) | Segment::Shard(_) => match read.next() {
            Some(part) => {
                // A key that is not text is its attribute as a whole.
                let whole = || plain_text(value).unwrap_or_default();
                let text = if part.text.is_empty() { whole() } else { part.text.clone() };
                object([("text", string(text)), ("attribute", string(meaning(&part.meaning)))])
            }
            None => Tree::Null,
        },
    };
    template.segments().iter().map(part).collect()
}

fn meaning(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Attribute { path, .. } | Meaning::Hash { path } => path.to_string(),
        Meaning::Shard(_) => "shard".to_owned(),
    }
}
