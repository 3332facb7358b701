//! What planned actions have in common: those on one item, those that read many, and those with
//! members.

use super::request_plan::{
    FilterPlan, KeyPart, PlannedAction, PlannedRequest, QueryPlan, ScanPlan, UpdatePlan,
};

/// What an action is about.
#[derive(Debug, Clone, Copy)]
pub enum ActionShape<'a> {
    /// One item, by its key.
    Item(&'a [KeyPart]),
    /// The items of a partition.
    Query(&'a QueryPlan),
    /// All items.
    Scan(&'a ScanPlan),
    /// The items of the rows before it.
    Fetch,
    /// The members of a batch or transaction.
    Group(&'a [PlannedRequest]),
}

impl PlannedAction {
    /// What the action is about.
    pub fn shape(&self) -> ActionShape<'_> {
        match self {
            PlannedAction::Get(get) => ActionShape::Item(&get.key),
            PlannedAction::Put(put) => ActionShape::Item(&put.key),
            PlannedAction::Update(update) => ActionShape::Item(&update.key),
            PlannedAction::Delete(delete) | PlannedAction::Check(delete) => {
                ActionShape::Item(&delete.key)
            }
            PlannedAction::Query(query) => ActionShape::Query(query),
            PlannedAction::Scan(scan) => ActionShape::Scan(scan),
            PlannedAction::Fetch => ActionShape::Fetch,
            PlannedAction::BatchGet(members)
            | PlannedAction::BatchWrite(members)
            | PlannedAction::TransactGet(members)
            | PlannedAction::TransactWrite(members) => ActionShape::Group(members),
        }
    }

    /// The members of a batch or transaction; none of any other action.
    pub fn members(&self) -> &[PlannedRequest] {
        match self.shape() {
            ActionShape::Group(members) => members,
            ActionShape::Item(_)
            | ActionShape::Query(_)
            | ActionShape::Scan(_)
            | ActionShape::Fetch => &[],
        }
    }

    /// The key of the one item that it is about.
    pub fn item_key(&self) -> Option<&[KeyPart]> {
        match self.shape() {
            ActionShape::Item(key) => Some(key),
            ActionShape::Query(_)
            | ActionShape::Scan(_)
            | ActionShape::Fetch
            | ActionShape::Group(_) => None,
        }
    }

    /// The query, if it is one.
    pub fn query(&self) -> Option<&QueryPlan> {
        if let PlannedAction::Query(query) = self { Some(query) } else { None }
    }

    /// The update, if it is one.
    pub fn update(&self) -> Option<&UpdatePlan> {
        if let PlannedAction::Update(update) = self { Some(update) } else { None }
    }

    /// The filter and the limit of an action that reads many items.
    pub fn filter_and_limit(&self) -> Option<(&FilterPlan, Option<u64>)> {
        match self.shape() {
            ActionShape::Query(query) => Some((&query.filter, query.limit)),
            ActionShape::Scan(scan) => Some((&scan.filter, scan.limit)),
            ActionShape::Item(_) | ActionShape::Fetch | ActionShape::Group(_) => None,
        }
    }

    /// The entities that it reads besides those that are wanted.
    pub fn leaks(&self) -> Vec<String> {
        match self.shape() {
            ActionShape::Query(query) => query.collection.leaks().map(str::to_owned).collect(),
            ActionShape::Scan(scan) => scan.leaks.clone(),
            ActionShape::Item(_) | ActionShape::Fetch | ActionShape::Group(_) => Vec::new(),
        }
    }
}
