//! Which entity is this key?

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Type, Value};

use super::{Entity, Model};
use crate::template::{Reading, Template};

/// One way to understand a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation<'m> {
    /// The entity.
    pub entity: &'m Entity,
    /// The table.
    pub table: &'m str,
    /// The index, if it is not the table's own key.
    pub index: Option<&'m str>,
    /// The attribute that would hold the key.
    pub attribute: &'m str,
    /// Which side of the key that is.
    pub side: KeySide,
    /// The template that builds it.
    pub template: &'m Template,
    /// What the key says, in each way in which it can be read: one, unless the template is
    /// ambiguous.
    pub readings: Vec<Reading>,
}

/// A side of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeySide {
    /// The partition key.
    Partition,
    /// The sort key.
    Sort,
}

impl KeySide {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            KeySide::Partition => "partition",
            KeySide::Sort => "sort",
        }
    }
}

/// The readings of a key that are looked for. More than one means that the template is ambiguous.
const READINGS_MAX: usize = 8;

/// Says which entities can have a key, in the tables and in their indexes.
///
/// A key of a number attribute is given in decimal, one of a binary attribute as base64.
pub fn explain<'m>(model: &'m Model, key: &str) -> Vec<Explanation<'m>> {
    let mut explanations = Vec::new();
    for entity in &model.entities {
        for candidate in candidates(model, entity) {
            let readings = readings(candidate.template, key);
            if !readings.is_empty() {
                explanations.push(Explanation { readings, ..candidate });
            }
        }
    }
    explanations
}

/// Every key attribute of an entity's items with its template, not yet read.
fn candidates<'m>(model: &'m Model, entity: &'m Entity) -> Vec<Explanation<'m>> {
    let mut candidates = Vec::new();
    for table in model.tables_of(entity) {
        let own = entity.key.iter().map(|keys| {
            (None, keys, std::slice::from_ref(&table.partition_key), table.sort_key.as_slice())
        });
        let of_indexes = entity.indexes.iter().filter_map(|keys| {
            let index = table.index(&keys.index)?;
            let (partition, sort) = (index.partition_key.as_slice(), index.sort_key.as_slice());
            Some((Some(index.name.as_str()), &keys.keys, partition, sort))
        });
        for (index, keys, partition, sort) in own.chain(of_indexes) {
            let partitions = partition.iter().zip(&keys.partition);
            let sorts = sort.iter().zip(&keys.sort);
            let sides = partitions
                .map(|pair| (KeySide::Partition, pair))
                .chain(sorts.map(|pair| (KeySide::Sort, pair)));
            candidates.extend(sides.map(|(side, (attribute, template))| Explanation {
                entity,
                table: &table.name,
                index,
                attribute: &attribute.name,
                side,
                template,
                readings: Vec::new(),
            }));
        }
    }
    candidates
}

fn readings(template: &Template, key: &str) -> Vec<Reading> {
    let whole = match template.key_type() {
        Type::Number => key.parse().ok().map(Value::Number),
        Type::Binary => BASE64.decode(key).ok().map(Value::Binary),
        Type::String
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => return template.readings(key, READINGS_MAX),
    };
    whole.and_then(|value| template.read(&value).ok()).into_iter().collect()
}
