//! Plans in plain words, one line for each request.

use monotable_model::document::{Each, Expression, Order, RangeComparison, Source};

use super::answer::{Plan, Unserved};
use super::request_plan::{
    AddedFilter, DerivedEffect, DerivedKey, FanOut, FilterComparison, FilterPlan, KeyPart, Lock,
    PlannedAction, PlannedRequest, QueryPlan, ScanPlan,
};

impl Plan {
    /// The plan in words: a line for each request, or for each reason why there is none.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.steps.iter().flat_map(PlannedRequest::lines).collect();
        lines.extend(self.unserved.iter().flat_map(Unserved::lines));
        lines
    }
}

impl Unserved {
    /// A line for each candidate, and one for the nearest.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for rejection in &self.rejections {
            let reasons: Vec<String> = rejection.reasons.iter().map(ToString::to_string).collect();
            lines.push(format!("not {}: {}", rejection.target, reasons.join("; ")));
        }
        lines.extend(self.suggestion.clone());
        lines
    }
}

impl PlannedRequest {
    /// The request in words, with a line for each member of a batch or transaction.
    pub fn lines(&self) -> Vec<String> {
        let repeats = self.repeats();
        let mut lines = vec![format!("{}{repeats}", self.sentence())];
        for member in self.action.members() {
            lines.extend(member.lines().into_iter().map(|line| format!("  {line}")));
        }
        lines
    }

    fn sentence(&self) -> String {
        let target = self.target_words();
        match &self.action {
            PlannedAction::Get(get) => {
                let consistent = if get.consistent { ", consistent" } else { "" };
                format!("GetItem {target} where {}{consistent}", key_words(&get.key))
            }
            PlannedAction::Query(query) => format!("Query {target} where {}", query.words()),
            PlannedAction::Scan(scan) => format!("Scan {target}{}", scan.words()),
            PlannedAction::Put(put) => {
                let condition = condition_words(put.condition.as_ref());
                format!("PutItem {target} with {}{condition}", key_words(&put.key))
            }
            PlannedAction::Update(update) => {
                let mut words = format!("UpdateItem {target} where {}", key_words(&update.key));
                words += &format!(": {}", update.change);
                for derived in &update.derived {
                    words += &format!(", {}", derived.words());
                }
                words + &lock_words(update.lock.as_ref(), update.condition.as_ref())
            }
            PlannedAction::Delete(delete) => {
                let condition = condition_words(delete.condition.as_ref());
                format!("DeleteItem {target} where {}{condition}", key_words(&delete.key))
            }
            PlannedAction::Check(check) => {
                let condition = condition_words(check.condition.as_ref());
                format!("ConditionCheck {target} where {}{condition}", key_words(&check.key))
            }
            PlannedAction::Fetch => {
                format!("BatchGetItem {target} for {}", self.missing.join(", "))
            }
            PlannedAction::BatchGet(_) => "BatchGetItem".to_owned(),
            PlannedAction::BatchWrite(_) => "BatchWriteItem".to_owned(),
            PlannedAction::TransactGet(_) => "TransactGetItems".to_owned(),
            PlannedAction::TransactWrite(_) => "TransactWriteItems".to_owned(),
        }
    }

    /// The table or index that it is sent to; with what names the table, where there is one for
    /// each period.
    pub fn target_words(&self) -> String {
        match (&self.table_name, &self.target.index) {
            (None, _) => self.target.to_string(),
            (Some(name), None) => name.to_string(),
            (Some(name), Some(index)) => format!("{index} of {name}"),
        }
    }

    fn repeats(&self) -> String {
        self.repeat_words().into_iter().map(|words| format!(", {words}")).collect()
    }

    /// How often it runs, in words: `for each of 3 shards`. Nothing for once.
    pub fn repeat_words(&self) -> Vec<String> {
        let of_fan_out = self.fan_out.iter().map(|fan_out| match fan_out {
            FanOut::Shards { count, .. } => format!("for each of {count} shards"),
            FanOut::Periods { part, .. } => format!("for each {part}"),
            FanOut::Tables(tables) => format!("in each of {}", tables.join(", ")),
            FanOut::PeriodTables { part, .. } => format!("in the table of each {part}"),
            FanOut::Copies { count, .. } => format!("for each of {count} copies"),
        });
        let of_step = self.each.iter().map(|each| match each {
            Each::Result => "for each row".to_owned(),
            Each::Parameter(name) => format!("for each of {name}"),
        });
        of_fan_out.chain(of_step).collect()
    }
}

impl QueryPlan {
    /// The key condition in words.
    pub fn condition_words(&self) -> String {
        let equal = |part: &KeyPart| format!("{} = {}", part.attribute, part.text);
        let mut conditions: Vec<String> = self.partition.iter().map(equal).collect();
        conditions.extend(self.leading.iter().map(equal));
        conditions.extend(self.sort.iter().map(|(name, condition)| condition.describe(name)));
        conditions.join(" AND ")
    }

    fn words(&self) -> String {
        let mut words = self.condition_words();
        words += match self.order {
            Order::Ascending => ", ascending",
            Order::Descending => ", descending",
        };
        words += &limit_words(self.limit);
        if self.consistent {
            words += ", consistent";
        }
        words += &self.filter.words();
        let leaks: Vec<&str> = self.collection.leaks().collect();
        words + &leak_words(&leaks)
    }
}

impl ScanPlan {
    fn words(&self) -> String {
        let leaks: Vec<&str> = self.leaks.iter().map(String::as_str).collect();
        let consistent = if self.consistent { ", consistent" } else { "" };
        let limit = limit_words(self.limit);
        format!("{limit}{consistent}{}{}", self.filter.words(), leak_words(&leaks))
    }
}

impl FilterPlan {
    fn words(&self) -> String {
        let declared = self.declared.iter().map(ToString::to_string);
        let added = self.added.iter().map(AddedFilter::words);
        let all: Vec<String> = declared.chain(added).collect();
        if all.is_empty() { String::new() } else { format!(", filter {}", all.join(" AND ")) }
    }
}

impl AddedFilter {
    /// The comparison in words.
    pub fn words(&self) -> String {
        let name = &self.attribute;
        let comparison = match &self.comparison {
            FilterComparison::Equal(source) => format!("{name} = {}", source_words(source)),
            FilterComparison::Range(range) => range_words(name, range),
        };
        if self.passes_without {
            format!("(attribute_not_exists({name}) OR {comparison})")
        } else {
            comparison
        }
    }
}

impl DerivedKey {
    fn words(&self) -> String {
        let set = || {
            let sets = self.parts.iter().map(|part| format!("{} = {}", part.attribute, part.text));
            sets.collect::<Vec<_>>().join(", ")
        };
        let names =
            || self.parts.iter().map(|part| part.attribute.as_str()).collect::<Vec<_>>().join(", ");
        match self.effect {
            DerivedEffect::Set => format!("SET {}", set()),
            DerivedEffect::Remove => format!("REMOVE {}", names()),
            DerivedEffect::SetOrRemove => {
                let when = self.keys.when.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("SET {} if {when}, else REMOVE {}", set(), names())
            }
        }
    }
}

fn range_words(name: &str, range: &RangeComparison) -> String {
    match range {
        RangeComparison::Less(source) => format!("{name} < {}", source_words(source)),
        RangeComparison::LessOrEqual(source) => format!("{name} <= {}", source_words(source)),
        RangeComparison::Greater(source) => format!("{name} > {}", source_words(source)),
        RangeComparison::GreaterOrEqual(source) => format!("{name} >= {}", source_words(source)),
        RangeComparison::Between(from, to) => {
            format!("{name} BETWEEN {} AND {}", source_words(from), source_words(to))
        }
        RangeComparison::BeginsWith(source) => {
            format!("begins_with({name}, {})", source_words(source))
        }
    }
}

fn source_words(source: &Source) -> String {
    match source {
        Source::Parameter(name) => format!(":{name}"),
        Source::Literal(monotable_item::Value::String(text)) => format!("'{text}'"),
        Source::Literal(monotable_item::Value::Number(number)) => number.to_string(),
        Source::Literal(value) => format!("{value:?}"),
    }
}

fn key_words(key: &[KeyPart]) -> String {
    let parts = key.iter().map(|part| format!("{} = {}", part.attribute, part.text));
    parts.collect::<Vec<_>>().join(" AND ")
}

fn condition_words(condition: Option<&Expression>) -> String {
    condition.map(|condition| format!(", if {condition}")).unwrap_or_default()
}

/// The condition of an update, and what a lock adds to it.
fn lock_words(lock: Option<&Lock>, condition: Option<&Expression>) -> String {
    let Some(Lock { attribute, read }) = lock else { return condition_words(condition) };
    let condition = condition.map(|condition| format!("({condition}) AND ")).unwrap_or_default();
    let compared = format!("{attribute} = {}", source_words(read));
    format!(", SET {attribute} = {attribute} + 1, if {condition}{compared}")
}

fn limit_words(limit: Option<u64>) -> String {
    limit.map(|limit| format!(", limit {limit}")).unwrap_or_default()
}

fn leak_words(leaks: &[&str]) -> String {
    if leaks.is_empty() { String::new() } else { format!(", discarding {}", leaks.join(", ")) }
}
