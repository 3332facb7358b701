//! One request of an access pattern, in the columns of the pattern table.

use monotable_model::document::{Expression, Order};
use monotable_plan::{AddedFilter, FilterPlan, KeyPart, PlannedAction, PlannedRequest};

/// A request, or a member of a batch or transaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestRow {
    /// The pattern whose request it is, where that is a step of another.
    pub step: Option<String>,
    /// What is called: `Query`, `PutItem`.
    pub operation: &'static str,
    /// Whether it is a member of the batch or transaction before it.
    pub is_member: bool,
    /// The table or index; nothing for a batch, whose members say it.
    pub target: Option<String>,
    /// The key, or the key condition.
    pub key: Option<String>,
    /// What is read and thrown away again.
    pub filter: Option<String>,
    /// In which order rows come.
    pub order: Option<&'static str>,
    /// How many items are read at most.
    pub limit: Option<u64>,
    /// What an update changes.
    pub change: Option<String>,
    /// What must hold for a write.
    pub condition: Option<String>,
    /// What else there is to know: `consistent`, `for each of items`, `discards Order`.
    pub remarks: Vec<String>,
}

impl RequestRow {
    /// The rows of a planned request: one, and one for each member.
    pub(super) fn all(request: &PlannedRequest, pattern: &str) -> Vec<RequestRow> {
        let mut row = of_request(request);
        row.step = (request.pattern != pattern).then(|| request.pattern.clone());
        let mut rows = vec![row];
        for member in request.action.members() {
            let row = of_request(member);
            rows.push(RequestRow { is_member: true, ..row });
        }
        rows
    }

    /// The order and the limit on one line: `descending, limit 10`.
    pub fn order_words(&self) -> String {
        let limit = self.limit.map(|limit| format!("limit {limit}"));
        let parts: Vec<String> = self.order.map(str::to_owned).into_iter().chain(limit).collect();
        parts.join(", ")
    }
}

fn of_request(request: &PlannedRequest) -> RequestRow {
    let mut row = of_action(&request.action);
    if request.action.members().is_empty() {
        row.target = Some(request.target_words());
    }
    if !request.missing.is_empty() {
        row.remarks.push(format!("for {}", request.missing.join(", ")));
    }
    row.remarks.extend(request.repeat_words());
    row
}

fn of_action(action: &PlannedAction) -> RequestRow {
    let empty = RequestRow::default();
    match action {
        PlannedAction::Get(get) => RequestRow {
            operation: "GetItem",
            key: Some(key_words(&get.key)),
            remarks: consistent(get.consistent),
            ..empty
        },
        PlannedAction::Query(query) => RequestRow {
            operation: "Query",
            key: Some(query.condition_words()),
            filter: filter_words(&query.filter),
            order: Some(order_word(query.order)),
            limit: query.limit,
            remarks: remarks(query.consistent, query.collection.leaks()),
            ..empty
        },
        PlannedAction::Scan(scan) => RequestRow {
            operation: "Scan",
            filter: filter_words(&scan.filter),
            limit: scan.limit,
            remarks: remarks(scan.consistent, scan.leaks.iter().map(String::as_str)),
            ..empty
        },
        PlannedAction::Put(put) => {
            RequestRow { operation: "PutItem", ..write(&put.key, put.condition.as_ref()) }
        }
        PlannedAction::Update(update) => RequestRow {
            operation: "UpdateItem",
            change: Some(update.change.text.clone()),
            ..write(&update.key, update.condition.as_ref())
        },
        PlannedAction::Delete(delete) => {
            RequestRow { operation: "DeleteItem", ..write(&delete.key, delete.condition.as_ref()) }
        }
        PlannedAction::Check(check) => RequestRow {
            operation: "ConditionCheck",
            ..write(&check.key, check.condition.as_ref())
        },
        PlannedAction::Fetch => RequestRow { operation: "BatchGetItem", ..empty },
        PlannedAction::BatchGet(_) => RequestRow { operation: "BatchGetItem", ..empty },
        PlannedAction::BatchWrite(_) => RequestRow { operation: "BatchWriteItem", ..empty },
        PlannedAction::TransactGet(_) => RequestRow { operation: "TransactGetItems", ..empty },
        PlannedAction::TransactWrite(_) => RequestRow { operation: "TransactWriteItems", ..empty },
    }
}

fn write(key: &[KeyPart], condition: Option<&Expression>) -> RequestRow {
    RequestRow {
        key: Some(key_words(key)),
        condition: condition.map(|condition| condition.text.clone()),
        ..RequestRow::default()
    }
}

fn key_words(key: &[KeyPart]) -> String {
    let parts = key.iter().map(|part| format!("{} = {}", part.attribute, part.text));
    parts.collect::<Vec<_>>().join(" AND ")
}

fn filter_words(filter: &FilterPlan) -> Option<String> {
    let declared = filter.declared.iter().map(|declared| declared.text.clone());
    let all: Vec<String> = declared.chain(filter.added.iter().map(AddedFilter::words)).collect();
    (!all.is_empty()).then(|| all.join(" AND "))
}

fn order_word(order: Order) -> &'static str {
    match order {
        Order::Ascending => "ascending",
        Order::Descending => "descending",
    }
}

fn consistent(is_consistent: bool) -> Vec<String> {
    is_consistent.then(|| "consistent".to_owned()).into_iter().collect()
}

fn remarks<'l>(is_consistent: bool, leaks: impl Iterator<Item = &'l str>) -> Vec<String> {
    let leaks: Vec<&str> = leaks.collect();
    let mut remarks = consistent(is_consistent);
    if !leaks.is_empty() {
        remarks.push(format!("discards {}", leaks.join(", ")));
    }
    remarks
}
