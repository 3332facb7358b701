//! Planned requests: what goes to the server, up to the values of parameters.

use monotable_model::document::{
    Each, Expression, IndexKeys, Order, Pattern, RangeComparison, ReturnsValues, Source,
};
use monotable_model::template::AttributePart;

use super::action_shape::ActionShape;
use super::collection::Collection;
use super::key_text::KeyText;
use super::route::Target;
use super::sort_condition::SortCondition;

/// A request that a pattern makes.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    /// The access pattern that it belongs to: one of its steps, where a pattern has them.
    pub pattern: String,
    /// What it runs for each of, if not once.
    pub each: Option<Each>,
    /// The table or index that it is sent to.
    pub target: Target,
    /// What the service calls the table, where there is one for each period.
    pub table_name: Option<KeyText>,
    /// The entities that it is about.
    pub entities: Vec<String>,
    /// What is done.
    pub action: PlannedAction,
    /// Why it is more than one request.
    pub fan_out: Vec<FanOut>,
    /// Attributes that are wanted and that the index does not hold, by their names in items.
    pub missing: Vec<String>,
    /// The request to make if the parameters of the range are left out, where they may be.
    pub without_range: Option<Box<PlannedRequest>>,
}

/// What a request does.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannedAction {
    /// `GetItem`
    Get(GetPlan),
    /// `Query`
    Query(QueryPlan),
    /// `Scan`
    Scan(ScanPlan),
    /// `PutItem`
    Put(PutPlan),
    /// `UpdateItem`
    Update(UpdatePlan),
    /// `DeleteItem`
    Delete(DeletePlan),
    /// A member of a transaction that only checks a condition.
    Check(DeletePlan),
    /// `BatchGetItem` of the rows of the request before it, for attributes that its index lacks.
    Fetch,
    /// `BatchGetItem`
    BatchGet(Vec<PlannedRequest>),
    /// `BatchWriteItem`
    BatchWrite(Vec<PlannedRequest>),
    /// `TransactGetItems`
    TransactGet(Vec<PlannedRequest>),
    /// `TransactWriteItems`
    TransactWrite(Vec<PlannedRequest>),
}

/// One attribute of a key.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyPart {
    /// The attribute of the key.
    pub attribute: String,
    /// Its text.
    pub text: KeyText,
}

/// Reads one item.
#[derive(Debug, Clone, PartialEq)]
pub struct GetPlan {
    /// The whole key.
    pub key: Vec<KeyPart>,
    /// The attributes to return.
    pub project: Option<Expression>,
    /// Whether the read must see every earlier write.
    pub consistent: bool,
}

/// Reads a range of a partition.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryPlan {
    /// The partition key.
    pub partition: Vec<KeyPart>,
    /// The attributes of the sort key that are known wholly, before the one with a condition.
    pub leading: Vec<KeyPart>,
    /// The attribute of the sort key with a condition, and the condition.
    pub sort: Option<(String, SortCondition)>,
    /// What is thrown away again.
    pub filter: FilterPlan,
    /// The attributes to return.
    pub project: Option<Expression>,
    /// In which order.
    pub order: Order,
    /// How many items are read at most.
    pub limit: Option<u64>,
    /// Whether the read must see every earlier write.
    pub consistent: bool,
    /// What lies in the partition, and what of it comes back.
    pub collection: Collection,
}

/// Reads a table or index.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanPlan {
    /// What is thrown away again.
    pub filter: FilterPlan,
    /// The attributes to return.
    pub project: Option<Expression>,
    /// How many items are read at most.
    pub limit: Option<u64>,
    /// Whether the read must see every earlier write.
    pub consistent: bool,
    /// The entities that are returned and not wanted.
    pub leaks: Vec<String>,
}

/// What is read and thrown away again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FilterPlan {
    /// What the pattern says.
    pub declared: Option<Expression>,
    /// What it says, in parts that must all hold: one part, unless some may be left out.
    pub parts: Vec<FilterPart>,
    /// What the caller knows and the key condition does not say.
    pub added: Vec<AddedFilter>,
}

/// A part of what a pattern says to filter by.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterPart {
    /// The part.
    pub expression: Expression,
    /// The parameters without which it is left out.
    pub optional: Vec<String>,
}

/// A comparison that the key condition should have had.
#[derive(Debug, Clone, PartialEq)]
pub struct AddedFilter {
    /// The attribute, by its name in items.
    pub attribute: String,
    /// What it is compared with.
    pub comparison: FilterComparison,
    /// Whether items without the attribute are wanted as well.
    pub passes_without: bool,
}

/// What an attribute is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterComparison {
    /// It has this value.
    Equal(Source),
    /// It lies in this range.
    Range(RangeComparison),
}

/// Writes a whole item.
#[derive(Debug, Clone, PartialEq)]
pub struct PutPlan {
    /// The key of the table, as it will be built.
    pub key: Vec<KeyPart>,
    /// The attributes that are known from elsewhere than a parameter of the same name.
    pub values: Vec<(String, Source)>,
    /// What must hold.
    pub condition: Option<Expression>,
    /// What is given back.
    pub returns_values: Option<ReturnsValues>,
}

/// Changes attributes.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdatePlan {
    /// The whole key.
    pub key: Vec<KeyPart>,
    /// The change that the pattern says.
    pub change: Expression,
    /// The keys of indexes that change with it.
    pub derived: Vec<DerivedKey>,
    /// The attributes that the update sets and that are keys of indexes by their own names.
    pub own_keys: Vec<OwnKey>,
    /// Attributes whose current value the caller must pass, for the keys of indexes and for the
    /// lock.
    pub needs: Vec<String>,
    /// The number that optimistic locking compares and raises, unless the pattern does so itself.
    pub lock: Option<Lock>,
    /// What must hold.
    pub condition: Option<Expression>,
    /// What is given back.
    pub returns_values: Option<ReturnsValues>,
}

/// An attribute that is the key of an index by its own name. What is stored must be what the
/// template writes, or the index sorts it elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnKey {
    /// The attribute of the key, and what its template writes.
    pub part: KeyPart,
    /// Where the value comes from that the update sets.
    pub given: Source,
}

/// The number that optimistic locking compares and raises.
#[derive(Debug, Clone, PartialEq)]
pub struct Lock {
    /// The attribute, by its name in items.
    pub attribute: String,
    /// Where the value comes from that the caller has read.
    pub read: Source,
}

/// The key of an index that changes with an update.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedKey {
    /// The index.
    pub index: String,
    /// The attributes of its key that are written, and their texts after the update.
    pub parts: Vec<KeyPart>,
    /// What becomes of them.
    pub effect: DerivedEffect,
    /// The attributes after the update that the condition of the index reads.
    pub known: Vec<(String, Source)>,
    /// The templates and the condition of the index.
    pub keys: IndexKeys,
}

/// What becomes of the key of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DerivedEffect {
    /// It is set.
    Set,
    /// It is removed: the item leaves the index.
    Remove,
    /// It is set if the condition of the index holds after the update, and removed if not.
    SetOrRemove,
}

/// Deletes an item, or checks one.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletePlan {
    /// The whole key.
    pub key: Vec<KeyPart>,
    /// What must hold.
    pub condition: Option<Expression>,
    /// What is given back.
    pub returns_values: Option<ReturnsValues>,
}

/// Why one request becomes several.
#[derive(Debug, Clone, PartialEq)]
pub enum FanOut {
    /// One for each shard; the answers are merged.
    Shards {
        /// The number of the first.
        first: u32,
        /// How many there are.
        count: u32,
    },
    /// One for each period of a range.
    Periods {
        /// The attribute, written as a period.
        part: AttributePart,
        /// The start of the range.
        from: Source,
        /// The end of the range.
        to: Source,
    },
    /// One for each table.
    Tables(Vec<String>),
    /// One for the table of each period of a range.
    PeriodTables {
        /// The attribute, written as the period in the names of the tables.
        part: AttributePart,
        /// The start of the range.
        from: Source,
        /// The end of the range.
        to: Source,
    },
    /// One for each of the identical copies of the item.
    Copies {
        /// The attribute with the number of the copy.
        attribute: String,
        /// The first number.
        first: u64,
        /// How many there are.
        count: u64,
    },
}

impl FanOut {
    /// How many requests it makes of one, if that does not depend on values.
    pub fn count(&self) -> Option<u64> {
        match self {
            FanOut::Shards { count, .. } => Some(u64::from(*count)),
            FanOut::Periods { .. } | FanOut::PeriodTables { .. } => None,
            FanOut::Tables(tables) => u64::try_from(tables.len()).ok(),
            FanOut::Copies { count, .. } => Some(*count),
        }
    }

    /// The tables that are asked, if that is why there are several requests.
    pub fn tables(&self) -> Option<&[String]> {
        match self {
            FanOut::Tables(tables) => Some(tables),
            FanOut::Shards { .. }
            | FanOut::Periods { .. }
            | FanOut::PeriodTables { .. }
            | FanOut::Copies { .. } => None,
        }
    }
}

impl FilterPlan {
    /// What a pattern says to filter by.
    pub(super) fn declared(pattern: &Pattern) -> FilterPlan {
        let parts = pattern.filter.iter().flat_map(|filter| filter_parts(pattern, filter));
        FilterPlan { declared: pattern.filter.clone(), parts: parts.collect(), added: Vec::new() }
    }

    /// Returns whether nothing is filtered.
    pub fn is_empty(&self) -> bool {
        self.declared.is_none() && self.added.is_empty()
    }
}

/// The parts of a filter: all of it, where nothing may be left out.
pub(super) fn filter_parts(pattern: &Pattern, filter: &Expression) -> Vec<FilterPart> {
    let part = |expression: Expression| {
        let names = expression.parameters();
        let optional = pattern.parameters.iter().filter(|one| one.optional);
        let optional = optional.filter(|one| names.contains(&one.name.as_str()));
        let optional = optional.map(|one| one.name.clone()).collect();
        FilterPart { expression, optional }
    };
    let whole = part(filter.clone());
    if whole.optional.is_empty() {
        return vec![whole];
    }
    filter.conjuncts().into_iter().map(part).collect()
}

impl PlannedRequest {
    /// The parameters that its key and the name of its table need, each once.
    pub fn key_parameters(&self) -> Vec<&str> {
        let parts: Vec<&KeyPart> = match self.action.shape() {
            ActionShape::Item(key) => key.iter().collect(),
            ActionShape::Query(query) => query.partition.iter().chain(&query.leading).collect(),
            ActionShape::Scan(_) | ActionShape::Fetch | ActionShape::Group(_) => Vec::new(),
        };
        let texts = parts.into_iter().map(|part| &part.text).chain(&self.table_name);
        let mut names: Vec<&str> = Vec::new();
        for name in texts.flat_map(KeyText::parameters) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// How many requests it is for one run, if that does not depend on values.
    pub fn requests(&self) -> Option<u64> {
        if self.each.is_some() {
            return None;
        }
        self.fan_out.iter().try_fold(1u64, |total, fan_out| total.checked_mul(fan_out.count()?))
    }
}
