//! Access patterns: what the application asks of the tables.

use monotable_item::{Type, Value};

use super::{Expression, StreamView};

/// An access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// The name, a phrase as a rule.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// A heading to list it under.
    pub group: Option<String>,
    /// What is done.
    pub operation: Operation,
    /// Who waits for it.
    pub purpose: Purpose,
    /// The entities that are wanted or written: `entity`, or all of `returns`. Empty for a pattern
    /// that consists of actions or steps.
    pub entities: Vec<String>,
    /// The attributes that the caller knows exactly.
    pub by: Vec<Known>,
    /// The attribute that the caller knows a range of.
    pub range: Option<Range>,
    /// The index to use, where the planner is not to choose.
    pub index: Option<IndexChoice>,
    /// The table to use, where the entities are in several.
    pub table: Option<String>,
    /// What is read and thrown away again.
    pub filter: Option<Expression>,
    /// The attributes to return; all, if there are none.
    pub project: Option<Expression>,
    /// What must hold for a write.
    pub condition: Option<Expression>,
    /// The change of an update.
    pub change: Option<Expression>,
    /// What a put writes where it is not a parameter with the name of the attribute.
    pub values: Vec<Known>,
    /// The members of a batch or transaction.
    pub actions: Vec<Action>,
    /// The patterns that follow one after the other; of a consumer, for each record.
    pub steps: Vec<Step>,
    /// In which order of the sort key.
    pub order: Option<Order>,
    /// How many items are read at most.
    pub limit: Option<u64>,
    /// Whether the read must see every earlier write.
    pub consistent: bool,
    /// How many rows come back on average.
    pub rows: Option<f64>,
    /// How often it is asked, per second.
    pub rate: Option<f64>,
    /// How large an item is that it reads or writes, where that differs from the entity's.
    pub item_bytes: Option<u64>,
    /// Types of parameters that are no attributes.
    pub parameters: Vec<Parameter>,
    /// What a write gives back.
    pub returns_values: Option<ReturnsValues>,
    /// What a consumer of a stream needs of each record.
    pub view: Option<StreamView>,
    /// The attribute or id by which a consumer knows a record that it has seen before.
    pub idempotent_by: Option<String>,
    /// By how many hours a consumer may be late at worst.
    pub lag_hours: Option<f64>,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// One item by its whole key.
    Get,
    /// The items of a range of one partition.
    Query,
    /// All items of a table or index.
    Scan,
    /// A whole item is written.
    Put,
    /// Attributes of an item are changed.
    Update,
    /// An item is deleted.
    Delete,
    /// Up to 100 items by their keys.
    BatchGet,
    /// Up to 25 puts and deletes, without conditions.
    BatchWrite,
    /// Items of one moment.
    TransactGet,
    /// All writes or none.
    TransactWrite,
    /// Several patterns, one after the other.
    Steps,
    /// Items that the table deletes when their time has come.
    Expire,
    /// The table's stream is followed.
    Consume,
    /// Tables are created, changed or deleted.
    Administer,
}

/// Who waits for a pattern: what is right for a job that reads everything is wrong for a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// Somebody waits for the answer.
    #[default]
    User,
    /// A job that copies data to somewhere else.
    Export,
    /// A job that brings stored items up to date.
    Migration,
}

/// An attribute and where its value comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The attribute.
    pub attribute: String,
    /// Its value.
    pub source: Source,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The caller, as the parameter of this name.
    Parameter(String),
    /// The model itself.
    Literal(Value),
}

/// A range of one attribute: `order_id > :since`.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// The text as written.
    pub text: String,
    /// The attribute.
    pub attribute: String,
    /// Which of its values.
    pub comparison: RangeComparison,
}

/// Which values of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum RangeComparison {
    /// `<`
    Less(Source),
    /// `<=`
    LessOrEqual(Source),
    /// `>`
    Greater(Source),
    /// `>=`
    GreaterOrEqual(Source),
    /// `BETWEEN lower AND upper`, both included.
    Between(Source, Source),
    /// `begins_with`
    BeginsWith(Source),
}

/// The index that a pattern insists on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexChoice {
    /// `index = "table"`: the table itself.
    Table,
    /// The index of this name.
    Named(String),
}

/// A member of a batch or transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// What is done.
    pub kind: ActionKind,
    /// The entity.
    pub entity: String,
    /// The attributes that make up its key; for a put, all of them are known.
    pub by: Vec<Known>,
    /// What must hold.
    pub condition: Option<Expression>,
    /// The change of an update.
    pub change: Option<Expression>,
    /// What a put writes where it is not a parameter with the name of the attribute.
    pub values: Vec<Known>,
    /// The list parameter of which each element has an action of its own.
    pub each: Option<String>,
}

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// Reads an item.
    Get,
    /// Writes a whole item.
    Put,
    /// Changes attributes.
    Update,
    /// Deletes an item.
    Delete,
    /// Only checks a condition.
    Check,
}

/// One of the patterns that a pattern consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The pattern.
    pub pattern: String,
    /// How often it runs: once, for each row of the step before, or for each element of a
    /// parameter.
    pub each: Option<Each>,
}

/// What a step runs for each of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Each {
    /// `result`: the rows of the step before it.
    Result,
    /// The elements of a list parameter.
    Parameter(String),
}

/// An order of sort keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

/// A parameter that is not an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name, without a colon.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Whether it may be left out, and with it the range that it stands in, or the test in a
    /// filter, with those that `OR` joins to it. The rest of the filter stays.
    pub optional: bool,
    /// What it means.
    pub description: Option<String>,
}

/// What a write gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnsValues {
    /// The item before.
    AllOld,
    /// The item after.
    AllNew,
    /// What was changed, as it was.
    UpdatedOld,
    /// What was changed, as it is.
    UpdatedNew,
}

impl Operation {
    /// Whether it writes items.
    pub fn writes(self) -> bool {
        match self {
            Operation::Put
            | Operation::Update
            | Operation::Delete
            | Operation::BatchWrite
            | Operation::TransactWrite => true,
            Operation::Get
            | Operation::Query
            | Operation::Scan
            | Operation::BatchGet
            | Operation::TransactGet
            | Operation::Steps
            | Operation::Expire
            | Operation::Consume
            | Operation::Administer => false,
        }
    }

    /// Whether it reads items of several entities, so that the document says `returns` and not
    /// `entity`.
    pub fn reads_several(self) -> bool {
        match self {
            Operation::Query | Operation::Scan | Operation::BatchGet | Operation::TransactGet => {
                true
            }
            Operation::Get
            | Operation::Put
            | Operation::Update
            | Operation::Delete
            | Operation::BatchWrite
            | Operation::TransactWrite
            | Operation::Steps
            | Operation::Expire
            | Operation::Consume
            | Operation::Administer => false,
        }
    }
}

impl Pattern {
    /// A pattern of this name and operation with nothing else said.
    pub fn new(name: impl Into<String>, operation: Operation) -> Pattern {
        Pattern {
            name: name.into(),
            description: None,
            group: None,
            operation,
            purpose: Purpose::User,
            entities: Vec::new(),
            by: Vec::new(),
            range: None,
            index: None,
            table: None,
            filter: None,
            project: None,
            condition: None,
            change: None,
            values: Vec::new(),
            actions: Vec::new(),
            steps: Vec::new(),
            order: None,
            limit: None,
            consistent: false,
            rows: None,
            rate: None,
            item_bytes: None,
            parameters: Vec::new(),
            returns_values: None,
            view: None,
            idempotent_by: None,
            lag_hours: None,
        }
    }

    /// Every entity that the pattern or one of its actions names.
    pub fn all_entities(&self) -> impl Iterator<Item = &str> {
        let of_actions = self.actions.iter().map(|action| action.entity.as_str());
        self.entities.iter().map(String::as_str).chain(of_actions)
    }
}
