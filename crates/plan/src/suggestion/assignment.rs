//! Which proposal goes into which index.
//!
//! Two proposals that want different keys for the same entity cannot share an index: a colouring of
//! a small graph.

use monotable_item::key_encoding::KeyType;
use monotable_model::document::{Index, IndexKind, IndexProjection, Model, Table};

use super::proposal::Proposal;
use super::{SuggestedIndex, SuggestedKeys};

/// Up to this many proposals all ways are tried; with more, each is put into the first index that
/// takes it.
const EXACT_MAX: usize = 8;

/// The indexes that take all proposals.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Assignment {
    pub(super) indexes: Vec<SuggestedIndex>,
    pub(super) is_minimal: bool,
}

/// Puts each proposal into an index.
pub(super) fn assign(model: &Model, proposals: &[&Proposal<'_>]) -> Assignment {
    let existing = existing(model);
    let is_exact = proposals.len() <= EXACT_MAX;
    let mut best = place_greedily(model, existing.clone(), proposals);
    if is_exact {
        // Fewer new indexes than the greedy way took, starting from none.
        for new_count in 0..new_indexes(&best) {
            if let Some(found) = place_all(model, existing.clone(), proposals, new_count) {
                best = found;
                break;
            }
        }
    }
    best.retain(|index| !index.keys.is_empty());
    Assignment { indexes: best, is_minimal: is_exact }
}

fn new_indexes(indexes: &[SuggestedIndex]) -> usize {
    indexes.iter().filter(|index| index.is_new).count()
}

/// The existing indexes whose attributes are there to be overloaded: text, and no attribute of an
/// entity.
fn existing(model: &Model) -> Vec<SuggestedIndex> {
    let of_table = |table| move |index| overloadable(model, table, index);
    let tables = model.tables.iter();
    tables.flat_map(|table| table.indexes.iter().filter_map(of_table(table))).collect()
}

fn overloadable(model: &Model, table: &Table, index: &Index) -> Option<SuggestedIndex> {
    let ([partition], [sort]) = (index.partition_key.as_slice(), index.sort_key.as_slice()) else {
        return None;
    };
    let is_free = |name: &str| {
        let mut attributes = model.entities.iter().flat_map(|entity| &entity.attributes);
        !attributes.any(|attribute| attribute.item_name() == name)
    };
    let fits = index.kind == IndexKind::Global
        && index.projection == IndexProjection::All
        && [partition, sort].iter().all(|key| key.kind == KeyType::String && is_free(&key.name));
    fits.then(|| SuggestedIndex {
        table: table.name.clone(),
        name: index.name.clone(),
        is_new: false,
        partition_key: partition.name.clone(),
        sort_key: sort.name.clone(),
        keys: Vec::new(),
    })
}

/// A new index with a name that nothing has.
fn new_index(model: &Model, table: &str, indexes: &[SuggestedIndex]) -> SuggestedIndex {
    let is_taken = |name: &str| {
        let of_model = model.table(table).is_some_and(|found| found.index(name).is_some());
        of_model || indexes.iter().any(|index| index.table == table && index.name == name)
    };
    let mut number = 1;
    while is_taken(&format!("GSI{number}")) {
        number += 1;
    }
    SuggestedIndex {
        table: table.to_owned(),
        name: format!("GSI{number}"),
        is_new: true,
        partition_key: format!("GSI{number}PK"),
        sort_key: format!("GSI{number}SK"),
        keys: Vec::new(),
    }
}

impl SuggestedIndex {
    /// The keys that the index would have with a proposal, if it takes it.
    fn with(&self, model: &Model, proposal: &Proposal<'_>) -> Option<Vec<SuggestedKeys>> {
        if self.table != proposal.table {
            return None;
        }
        let mut keys = self.keys.clone();
        for wanted in &proposal.keys {
            let entity = model.entity(&wanted.entity)?;
            if !self.is_new && entity.index_key(&self.name).is_some() {
                return None;
            }
            match keys.iter().find(|known| known.entity == wanted.entity) {
                Some(known) if known != wanted => return None,
                Some(_) => {}
                None => keys.push(wanted.clone()),
            }
        }
        Some(keys)
    }
}

fn place_greedily(
    model: &Model,
    mut indexes: Vec<SuggestedIndex>,
    proposals: &[&Proposal<'_>],
) -> Vec<SuggestedIndex> {
    for proposal in proposals {
        let taken =
            indexes.iter_mut().find_map(|index| Some((index.with(model, proposal)?, index)));
        match taken {
            Some((keys, index)) => index.keys = keys,
            None => {
                let new = new_index(model, &proposal.table, &indexes);
                indexes.push(SuggestedIndex { keys: proposal.keys.clone(), ..new });
            }
        }
    }
    indexes
}

/// Tries all ways with this many new indexes.
fn place_all(
    model: &Model,
    indexes: Vec<SuggestedIndex>,
    proposals: &[&Proposal<'_>],
    new_count: usize,
) -> Option<Vec<SuggestedIndex>> {
    let Some((proposal, rest)) = proposals.split_first() else { return Some(indexes) };
    for position in 0..indexes.len() {
        let keys = indexes.get(position).and_then(|index| index.with(model, proposal));
        let Some(keys) = keys else { continue };
        let mut tried = indexes.clone();
        if let Some(index) = tried.get_mut(position) {
            index.keys = keys;
        }
        if let Some(found) = place_all(model, tried, rest, new_count) {
            return Some(found);
        }
    }
    if new_indexes(&indexes) >= new_count {
        return None;
    }
    let new = new_index(model, &proposal.table, &indexes);
    let mut tried = indexes;
    tried.push(SuggestedIndex { keys: proposal.keys.clone(), ..new });
    place_all(model, tried, rest, new_count)
}
