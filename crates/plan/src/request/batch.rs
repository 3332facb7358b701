//! Members of batches and transactions.

use monotable_item::limits::{BATCH_GET_KEYS_MAX, BATCH_WRITES_MAX, TRANSACT_ACTIONS_MAX};
use monotable_item::{Item, Value};
use monotable_model::document::{Each, Model};

use super::run::step_requests;
use super::{GetRequest, Request, WriteRequest};
use crate::fill::FillError;
use crate::request_plan::{PlannedAction, PlannedRequest};

/// Batches of reads, as many as it takes.
pub(super) fn batch_get(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<Request>, FillError> {
    let gets = gets(model, members, values)?;
    Ok(gets.chunks(BATCH_GET_KEYS_MAX).map(|chunk| Request::BatchGet(chunk.to_vec())).collect())
}

/// Batches of writes, as many as it takes.
pub(super) fn batch_write(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<Request>, FillError> {
    let writes = writes(model, members, values)?;
    Ok(writes.chunks(BATCH_WRITES_MAX).map(|chunk| Request::BatchWrite(chunk.to_vec())).collect())
}

/// One transaction of reads.
pub(super) fn transact_get(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<Request>, FillError> {
    let gets = gets(model, members, values)?;
    check_count(gets.len())?;
    Ok(vec![Request::TransactGet(gets)])
}

/// One transaction of writes.
pub(super) fn transact_write(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<Request>, FillError> {
    let writes = writes(model, members, values)?;
    check_count(writes.len())?;
    Ok(vec![Request::TransactWrite(writes)])
}

fn check_count(count: usize) -> Result<(), FillError> {
    let max = TRANSACT_ACTIONS_MAX;
    if count > max { Err(FillError::TooManyActions { count, max }) } else { Ok(()) }
}

fn gets(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<GetRequest>, FillError> {
    let requests = member_requests(model, members, values)?;
    Ok(requests
        .into_iter()
        .filter_map(|request| match request {
            Request::Get(get) => Some(get),
            Request::Query(_)
            | Request::Scan(_)
            | Request::Write(_)
            | Request::BatchGet(_)
            | Request::BatchWrite(_)
            | Request::TransactGet(_)
            | Request::TransactWrite(_) => None,
        })
        .collect())
}

fn writes(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<WriteRequest>, FillError> {
    let requests = member_requests(model, members, values)?;
    Ok(requests
        .into_iter()
        .filter_map(|request| match request {
            Request::Write(write) => Some(write),
            Request::Query(_)
            | Request::Scan(_)
            | Request::Get(_)
            | Request::BatchGet(_)
            | Request::BatchWrite(_)
            | Request::TransactGet(_)
            | Request::TransactWrite(_) => None,
        })
        .collect())
}

fn member_requests(
    model: &Model,
    members: &[PlannedRequest],
    values: &Item,
) -> Result<Vec<Request>, FillError> {
    let mut requests = Vec::new();
    for member in members {
        for values in runs(member, values)? {
            requests.extend(step_requests(model, member, &values)?);
        }
    }
    Ok(requests)
}

/// The arguments of each run of a member: one for each element of its list, or of lists that are
/// given for the attributes of a key.
pub(super) fn runs(member: &PlannedRequest, values: &Item) -> Result<Vec<Item>, FillError> {
    match &member.each {
        Some(Each::Parameter(name)) => elements(member, name, values),
        Some(Each::Result) | None => Ok(by_lists(member, values)),
    }
}

/// A list of maps gives each run the members of one; a list of values gives it the first parameter
/// of its key that is not there.
fn elements(member: &PlannedRequest, name: &str, values: &Item) -> Result<Vec<Item>, FillError> {
    let missing = || FillError::Missing { name: name.to_owned() };
    let Value::List(elements) = values.get(name).ok_or_else(missing)? else {
        return Err(FillError::WrongType { name: name.to_owned(), expected: "a list" });
    };
    let key = member.key_parameters();
    let open = key.into_iter().find(|parameter| !values.contains_key(*parameter)).unwrap_or(name);
    let with = |element: &Value| {
        let mut values = values.clone();
        match element {
            Value::Map(members) => values.extend(members.clone()),
            element => {
                values.insert(open.to_owned(), element.clone());
            }
        }
        values
    };
    Ok(elements.iter().map(with).collect())
}

/// Reads of many items get lists in place of values; the first elements belong together, and so on.
fn by_lists(member: &PlannedRequest, values: &Item) -> Vec<Item> {
    let PlannedAction::Get(_) = &member.action else { return vec![values.clone()] };
    let names = member.key_parameters();
    let list = |name: &str| match values.get(name) {
        Some(Value::List(elements)) => Some(elements),
        Some(_) | None => None,
    };
    let lengths = names.iter().filter_map(|name| list(name)).map(Vec::len);
    let Some(length) = lengths.max() else { return vec![values.clone()] };
    let at = |position: usize| {
        let mut values = values.clone();
        for name in &names {
            let element = list(name).and_then(|elements| elements.get(position));
            values.extend(element.map(|element| ((*name).to_owned(), element.clone())));
        }
        values
    };
    (0..length).map(at).collect()
}
