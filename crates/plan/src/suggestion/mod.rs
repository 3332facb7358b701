//! Suggestions: the fewest index keys that would serve the patterns that nothing serves.
//!
//! Each pattern proposes keys for its entities. Proposals go into index attributes that the
//! entities do not use yet, so that one index serves many patterns (overloading); a new index is
//! added only where there is none.

mod assignment;
mod proposal;

use monotable_item::key_encoding::KeyType;
use monotable_model::document::{
    Index, IndexKeys, IndexKind, IndexProjection, KeyAttribute, Keys, Model, Operation, Pattern,
};
use monotable_model::template::Template;

use self::assignment::{Assignment, assign};
use self::proposal::{Proposal, propose};
use super::planning::plan;
use super::reason::Reason;

/// Index keys that would serve patterns that nothing serves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suggestion {
    /// The indexes, existing ones first.
    pub indexes: Vec<SuggestedIndex>,
    /// The patterns that they serve.
    pub serves: Vec<String>,
    /// The patterns that an index serves as soon as they name it: it holds only some items, and
    /// the pattern does not say that these are meant.
    pub to_name: Vec<IndexToName>,
    /// The patterns that no index key serves: consistent reads, or entities without the known
    /// attributes.
    pub unsolved: Vec<String>,
    /// Whether it is proven that fewer indexes do not do. With many patterns it is only likely.
    pub is_minimal: bool,
}

/// An index that a pattern has to name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexToName {
    /// The pattern.
    pub pattern: String,
    /// The index.
    pub index: String,
    /// Which items it holds.
    pub when: String,
}

/// An index that gets keys.
#[derive(Debug, Clone, PartialEq)]
pub struct SuggestedIndex {
    /// The table.
    pub table: String,
    /// The index.
    pub name: String,
    /// Whether it does not exist yet.
    pub is_new: bool,
    /// The attribute of its partition key.
    pub partition_key: String,
    /// The attribute of its sort key.
    pub sort_key: String,
    /// The keys of entities.
    pub keys: Vec<SuggestedKeys>,
}

/// The keys of an entity in an index.
#[derive(Debug, Clone, PartialEq)]
pub struct SuggestedKeys {
    /// The entity.
    pub entity: String,
    /// The partition key.
    pub partition: Template,
    /// The sort key.
    pub sort: Template,
}

/// Suggests keys for all queries of a model that nothing serves.
pub fn suggest(model: &Model) -> Suggestion {
    let mut suggestion = Suggestion { is_minimal: true, ..Suggestion::default() };
    let mut proposals = Vec::new();
    for pattern in model.patterns.iter().filter(|pattern| is_open(model, pattern)) {
        if let Some(index) = index_to_name(model, pattern) {
            suggestion.to_name.push(index);
            continue;
        }
        match propose(model, pattern) {
            Some(proposal) => proposals.push(proposal),
            None => suggestion.unsolved.push(pattern.name.clone()),
        }
    }
    let kept = without_implied(model, &proposals);
    let Assignment { indexes, is_minimal } = assign(model, &kept);
    suggestion.indexes = indexes;
    suggestion.is_minimal = is_minimal;
    let applied = suggestion.apply(model);
    for proposal in &proposals {
        let name = proposal.pattern.name.clone();
        if plan(&applied, proposal.pattern).is_served() {
            suggestion.serves.push(name)
        } else {
            suggestion.unsolved.push(name)
        }
    }
    suggestion
}

/// Returns whether a pattern is a read that leaves its index open and that nothing serves.
fn is_open(model: &Model, pattern: &Pattern) -> bool {
    pattern.operation == Operation::Query
        && pattern.index.is_none()
        && !plan(model, pattern).is_served()
}

/// The index that would serve a pattern if it were named: nothing else is in the way than that it
/// holds some items only.
fn index_to_name(model: &Model, pattern: &Pattern) -> Option<IndexToName> {
    let unserved = plan(model, pattern).unserved;
    let mut rejections = unserved.iter().flat_map(|unserved| &unserved.rejections);
    rejections.find_map(|rejection| {
        let whens = rejection.reasons.iter().map(|reason| {
            let Reason::Sparse { when, .. } = reason else { return None };
            Some(when.as_str())
        });
        Some(IndexToName {
            pattern: pattern.name.clone(),
            index: rejection.target.index.clone()?,
            when: whens.collect::<Option<Vec<_>>>()?.join(" and "),
        })
    })
}

/// The proposals without those that another one serves as well, such as a query without a range
/// beside the same with one.
fn without_implied<'p>(model: &Model, proposals: &'p [Proposal<'p>]) -> Vec<&'p Proposal<'p>> {
    let mut kept: Vec<&Proposal<'_>> = Vec::new();
    let (ranged, plain): (Vec<_>, Vec<_>) =
        proposals.iter().partition(|proposal| proposal.pattern.range.is_some());
    for proposal in ranged.into_iter().chain(plain) {
        let serves = |other: &&Proposal<'_>| {
            let alone =
                Suggestion { indexes: assign(model, &[*other]).indexes, ..Suggestion::default() };
            let planned = plan(&alone.apply(model), proposal.pattern);
            planned.is_served() && planned.shortfalls.is_empty()
        };
        if !kept.iter().any(serves) {
            kept.push(proposal);
        }
    }
    kept
}

impl Suggestion {
    /// The model with the suggested keys.
    pub fn apply(&self, model: &Model) -> Model {
        let mut model = model.clone();
        for suggested in &self.indexes {
            suggested.apply(&mut model);
        }
        model
    }
}

impl SuggestedIndex {
    fn apply(&self, model: &mut Model) {
        let table = model.tables.iter_mut().find(|table| table.name == self.table);
        if let Some(table) = table.filter(|_| self.is_new) {
            table.indexes.push(self.definition());
        }
        for keys in &self.keys {
            let entity = model.entities.iter_mut().find(|entity| entity.name == keys.entity);
            if let Some(entity) = entity.filter(|entity| entity.index_key(&self.name).is_none()) {
                entity.indexes.push(IndexKeys {
                    index: self.name.clone(),
                    keys: Keys {
                        partition: vec![keys.partition.clone()],
                        sort: vec![keys.sort.clone()],
                    },
                    when: None,
                });
            }
        }
    }

    fn definition(&self) -> Index {
        let key = |name: &String| KeyAttribute { name: name.clone(), kind: KeyType::String };
        Index {
            name: self.name.clone(),
            description: None,
            kind: IndexKind::Global,
            partition_key: vec![key(&self.partition_key)],
            sort_key: vec![key(&self.sort_key)],
            projection: IndexProjection::All,
            billing: None,
        }
    }
}
