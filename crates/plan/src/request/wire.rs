//! Requests as the service takes them: the name of the operation, and the members of its body.

use std::collections::BTreeMap;

use monotable_model::document::{Order, ReturnsValues, Tree};
use monotable_model::item_json::tree_of_item;

use super::{
    CheckRequest, DeleteRequest, GetRequest, Placeholders, PutRequest, QueryRequest, Request,
    ScanRequest, UpdateRequest, WriteRequest,
};

impl Request {
    /// What the service calls it.
    pub fn operation(&self) -> &'static str {
        match self {
            Request::Get(_) => "GetItem",
            Request::Query(_) => "Query",
            Request::Scan(_) => "Scan",
            Request::Write(write) => write.operation(),
            Request::BatchGet(_) => "BatchGetItem",
            Request::BatchWrite(_) => "BatchWriteItem",
            Request::TransactGet(_) => "TransactGetItems",
            Request::TransactWrite(_) => "TransactWriteItems",
        }
    }

    /// The body of the request.
    pub fn body(&self) -> Tree {
        match self {
            Request::Get(get) => get.body().into_tree(),
            Request::Query(query) => query.body().into_tree(),
            Request::Scan(scan) => scan.body().into_tree(),
            Request::Write(write) => write.body().into_tree(),
            Request::BatchGet(gets) => batch_get(gets),
            Request::BatchWrite(writes) => batch_write(writes),
            Request::TransactGet(gets) => {
                transact(gets.iter().map(|get| ("Get", get.body())).collect())
            }
            Request::TransactWrite(writes) => {
                transact(writes.iter().map(|write| (write.member(), write.body())).collect())
            }
        }
    }
}

impl WriteRequest {
    fn operation(&self) -> &'static str {
        match self {
            WriteRequest::Put(_) => "PutItem",
            WriteRequest::Update(_) => "UpdateItem",
            WriteRequest::Delete(_) => "DeleteItem",
            WriteRequest::Check(_) => "ConditionCheck",
        }
    }

    /// What a transaction calls it.
    fn member(&self) -> &'static str {
        match self {
            WriteRequest::Put(_) => "Put",
            WriteRequest::Update(_) => "Update",
            WriteRequest::Delete(_) => "Delete",
            WriteRequest::Check(_) => "ConditionCheck",
        }
    }

    fn body(&self) -> Body {
        match self {
            WriteRequest::Put(put) => put.body(),
            WriteRequest::Update(update) => update.body(),
            WriteRequest::Delete(delete) => delete.body(),
            WriteRequest::Check(check) => check.body(),
        }
    }
}

impl GetRequest {
    fn body(&self) -> Body {
        Body::of(&self.table)
            .with("Key", tree_of_item(&self.key))
            .text("ProjectionExpression", self.projection.as_deref())
            .placeholders(&self.placeholders)
            .flag("ConsistentRead", self.consistent)
    }
}

impl QueryRequest {
    fn body(&self) -> Body {
        let body = Body::of(&self.table)
            .text("IndexName", self.index.as_deref())
            .text("KeyConditionExpression", Some(&self.key_condition))
            .text("FilterExpression", self.filter.as_deref())
            .text("ProjectionExpression", self.projection.as_deref())
            .placeholders(&self.placeholders)
            .number("Limit", self.limit)
            .flag("ConsistentRead", self.consistent);
        match self.order {
            Order::Ascending => body,
            Order::Descending => body.with("ScanIndexForward", Tree::Bool(false)),
        }
    }
}

impl ScanRequest {
    fn body(&self) -> Body {
        Body::of(&self.table)
            .text("IndexName", self.index.as_deref())
            .text("FilterExpression", self.filter.as_deref())
            .text("ProjectionExpression", self.projection.as_deref())
            .placeholders(&self.placeholders)
            .number("Limit", self.limit)
            .flag("ConsistentRead", self.consistent)
    }
}

impl PutRequest {
    fn body(&self) -> Body {
        Body::of(&self.table)
            .with("Item", tree_of_item(&self.item))
            .text("ConditionExpression", self.condition.as_deref())
            .placeholders(&self.placeholders)
            .returns(self.returns_values)
    }
}

impl UpdateRequest {
    fn body(&self) -> Body {
        Body::of(&self.table)
            .with("Key", tree_of_item(&self.key))
            .text("UpdateExpression", Some(&self.update))
            .text("ConditionExpression", self.condition.as_deref())
            .placeholders(&self.placeholders)
            .returns(self.returns_values)
    }
}

impl DeleteRequest {
    fn body(&self) -> Body {
        Body::of(&self.table)
            .with("Key", tree_of_item(&self.key))
            .text("ConditionExpression", self.condition.as_deref())
            .placeholders(&self.placeholders)
            .returns(self.returns_values)
    }
}

impl CheckRequest {
    fn body(&self) -> Body {
        Body::of(&self.table)
            .with("Key", tree_of_item(&self.key))
            .text("ConditionExpression", Some(&self.condition))
            .placeholders(&self.placeholders)
    }
}

/// The members of a body, in their order.
struct Body(Vec<(String, Tree)>);

impl Body {
    fn of(table: &str) -> Body {
        Body(Vec::new()).text("TableName", Some(table))
    }

    fn into_tree(self) -> Tree {
        Tree::Map(self.0)
    }

    fn with(mut self, name: &str, value: Tree) -> Body {
        self.0.push((name.to_owned(), value));
        self
    }

    fn text(self, name: &str, text: Option<&str>) -> Body {
        match text {
            Some(text) => self.with(name, Tree::String(text.to_owned())),
            None => self,
        }
    }

    fn number(self, name: &str, number: Option<u64>) -> Body {
        match number {
            Some(number) => self.with(name, Tree::Number(number.to_string())),
            None => self,
        }
    }

    /// A flag that is false by default.
    fn flag(self, name: &str, flag: bool) -> Body {
        if flag { self.with(name, Tree::Bool(true)) } else { self }
    }

    /// The service refuses maps of placeholders without a member.
    fn placeholders(mut self, placeholders: &Placeholders) -> Body {
        let Placeholders { names, values } = placeholders;
        if !names.is_empty() {
            let texts = names.iter().map(|(name, to)| (name.clone(), Tree::String(to.clone())));
            self = self.with("ExpressionAttributeNames", Tree::Map(texts.collect()));
        }
        if !values.is_empty() {
            self = self.with("ExpressionAttributeValues", tree_of_item(values));
        }
        self
    }

    fn returns(self, returns: Option<ReturnsValues>) -> Body {
        let word = returns.map(|returns| match returns {
            ReturnsValues::AllOld => "ALL_OLD",
            ReturnsValues::AllNew => "ALL_NEW",
            ReturnsValues::UpdatedOld => "UPDATED_OLD",
            ReturnsValues::UpdatedNew => "UPDATED_NEW",
        });
        self.text("ReturnValues", word)
    }
}

/// A batch asks each table once. Its members share a projection there, or have none.
fn batch_get(gets: &[GetRequest]) -> Tree {
    let mut tables: BTreeMap<&str, Vec<&GetRequest>> = BTreeMap::new();
    for get in gets {
        tables.entry(&get.table).or_default().push(get);
    }
    let wanted = |gets: &[&GetRequest]| {
        let keys = gets.iter().map(|get| tree_of_item(&get.key)).collect();
        let body = Body(Vec::new()).with("Keys", Tree::List(keys));
        let Some(first) = gets.first() else { return body.into_tree() };
        let is_shared = gets.iter().all(|get| get.projection == first.projection);
        let body = body.flag("ConsistentRead", gets.iter().any(|get| get.consistent));
        if !is_shared {
            return body.into_tree();
        }
        let body = body.text("ProjectionExpression", first.projection.as_deref());
        body.placeholders(&first.placeholders).into_tree()
    };
    let members = tables.iter().map(|(table, gets)| ((*table).to_owned(), wanted(gets)));
    Body(Vec::new()).with("RequestItems", Tree::Map(members.collect())).into_tree()
}

fn batch_write(writes: &[WriteRequest]) -> Tree {
    let mut tables: BTreeMap<&str, Vec<Tree>> = BTreeMap::new();
    for write in writes {
        let (table, kind, member, item) = match write {
            WriteRequest::Put(put) => (&put.table, "PutRequest", "Item", &put.item),
            WriteRequest::Delete(delete) => (&delete.table, "DeleteRequest", "Key", &delete.key),
            // Plans put neither into a batch, which the service could not take.
            WriteRequest::Update(_) | WriteRequest::Check(_) => continue,
        };
        let content = Body(Vec::new()).with(member, tree_of_item(item)).into_tree();
        let member = Body(Vec::new()).with(kind, content).into_tree();
        tables.entry(table).or_default().push(member);
    }
    let members = tables.into_iter().map(|(table, writes)| (table.to_owned(), Tree::List(writes)));
    Body(Vec::new()).with("RequestItems", Tree::Map(members.collect())).into_tree()
}

fn transact(members: Vec<(&str, Body)>) -> Tree {
    let member =
        |(kind, body): (&str, Body)| Body(Vec::new()).with(kind, body.into_tree()).into_tree();
    let members = members.into_iter().map(member).collect();
    Body(Vec::new()).with("TransactItems", Tree::List(members)).into_tree()
}
