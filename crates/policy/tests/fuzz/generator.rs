//! Random policies with requests that they are about.

use monotable_policy::{FactTable, PrincipalName};
use serde_json::{Map, Value, json};

/// Numbers that follow from a seed (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % bound.max(1)
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    fn some<T: Clone>(&mut self, choices: &[T], max: usize) -> Vec<T> {
        (0..=self.below(max)).map(|_| self.pick(choices)).collect()
    }
}

const ACTIONS: &[&str] =
    &["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:DeleteTable"];
const ACTION_PATTERNS: &[&str] = &[
    "*",
    "dynamodb:*",
    "dynamodb:Get*",
    "DYNAMODB:getitem",
    "dynamodb:Quer?",
    "dynamodb:*Item",
    "s3:*",
    "dynamodb:PutItem",
    "dynamodb:*e*e*",
];
const RESOURCES: &[&str] = &[
    "arn:aws:dynamodb:r:111111111111:table/a",
    "arn:aws:dynamodb:r:111111111111:table/a/index/i",
    "arn:aws:dynamodb:r:222222222222:table/a",
    "arn:aws:dynamodb:r:111111111111:table/alice",
    "*",
    "arn:aws:dynamodb:r:111111111111:table/a/stream/2026-01-01T00:00:00.000",
];
const RESOURCE_PATTERNS: &[&str] = &[
    "*",
    "arn:aws:dynamodb:*:*:table/a",
    "arn:aws:dynamodb:*:*:table/a*",
    "arn:aws:dynamodb:r:111111111111:table/?",
    "arn:aws:dynamodb:*:*:table/${aws:username}",
    "arn:aws:dynamodb:*:*:table/${x:tag}",
    "arn:aws:dynamodb:*/index/*",
    "arn:aws:dynamodb:*:*:table/${x:tag, 'a'}",
    "arn:aws:*",
];
const PRINCIPALS: &[&str] = &[
    "*",
    "111111111111",
    "222222222222",
    "arn:aws:iam::111111111111:root",
    "arn:aws:iam::111111111111:user/alice",
    "arn:aws:iam::222222222222:user/alice",
    "arn:aws:iam::111111111111:user/bob",
];
const OPERATORS: &[&str] = &[
    "StringEquals",
    "StringNotEquals",
    "StringLike",
    "StringNotLike",
    "StringEqualsIgnoreCase",
    "NumericEquals",
    "NumericNotEquals",
    "NumericLessThan",
    "NumericGreaterThanEquals",
    "Bool",
    "Null",
];
const KEYS: &[&str] = &["x:text", "x:many", "x:tag", "x:number", "aws:username", "X:Text"];
const TEXTS: &[&str] = &[
    "a",
    "A",
    "b",
    "ab",
    "",
    "a*",
    "*",
    "?",
    "alice",
    "${aws:username}",
    "${x:tag}",
    "${x:tag, 'b'}",
    "${*}",
    "1",
];
const NUMBERS: &[&str] = &["0", "1", "1.0", "-1", "10", "2.5"];
const BOOLS: &[&str] = &["true", "false", "TRUE"];
const VALUES: &[&str] = &["a", "A", "b", "ab", "", "*", "alice", "1", "10", "2.5", "true", "false"];

#[derive(Debug, Clone)]
pub(crate) struct ConditionPart {
    pub(crate) quantifier: Option<&'static str>,
    pub(crate) operator: &'static str,
    pub(crate) if_exists: bool,
    pub(crate) key: &'static str,
    pub(crate) values: Vec<&'static str>,
}

#[derive(Debug, Clone)]
pub(crate) struct StatementPart {
    pub(crate) allows: bool,
    pub(crate) actions: Vec<&'static str>,
    pub(crate) is_not_action: bool,
    pub(crate) resources: Vec<&'static str>,
    pub(crate) is_not_resource: bool,
    pub(crate) principals: Vec<&'static str>,
    pub(crate) is_not_principal: bool,
    pub(crate) conditions: Vec<ConditionPart>,
}

/// Policies, and a request.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) identity: Vec<Vec<StatementPart>>,
    pub(crate) resource_policy: Option<Vec<StatementPart>>,
    pub(crate) principal: PrincipalName,
    pub(crate) action: String,
    pub(crate) resource: String,
    pub(crate) values: Vec<(&'static str, &'static str)>,
}

impl Scene {
    pub(crate) fn random(random: &mut Random) -> Scene {
        let identity = (0..random.below(3)).map(|_| statements(random)).collect();
        let resource_policy = random.one_in(2).then(|| statements(random));
        let keys = ["x:text", "x:many", "x:many", "x:tag", "x:number"];
        let mut values = Vec::new();
        for key in keys {
            if !random.one_in(3) {
                values.push((key, random.pick(VALUES)));
            }
        }
        Scene {
            identity,
            resource_policy,
            principal: PrincipalName::user(
                random.pick(&["111111111111", "222222222222"]),
                random.pick(&["alice", "bob", "*"]),
            ),
            action: random.pick(ACTIONS).to_owned(),
            resource: random.pick(RESOURCES).to_owned(),
            values,
        }
    }

    pub(crate) fn facts(&self) -> FactTable {
        let mut facts = FactTable::new();
        self.values.iter().for_each(|(key, value)| facts.add(key, value));
        facts
    }

    pub(crate) fn identity_documents(&self) -> Vec<String> {
        self.identity.iter().map(|statements| document(statements, false)).collect()
    }

    pub(crate) fn resource_document(&self) -> Option<String> {
        self.resource_policy.as_ref().map(|statements| document(statements, true))
    }
}

fn statements(random: &mut Random) -> Vec<StatementPart> {
    (0..=random.below(3)).map(|_| statement(random)).collect()
}

fn statement(random: &mut Random) -> StatementPart {
    let mut conditions: Vec<ConditionPart> = Vec::new();
    for _ in 0..random.below(3) {
        let next = condition(random);
        let is_same = |other: &ConditionPart| {
            (other.quantifier, other.operator, other.if_exists, other.key)
                == (next.quantifier, next.operator, next.if_exists, next.key)
        };
        if !conditions.iter().any(is_same) {
            conditions.push(next);
        }
    }
    let allows = !random.one_in(3);
    StatementPart {
        allows,
        actions: random.some(ACTION_PATTERNS, 2),
        is_not_action: random.one_in(6),
        resources: random.some(RESOURCE_PATTERNS, 2),
        is_not_resource: random.one_in(6),
        principals: random.some(PRINCIPALS, 2),
        is_not_principal: !allows && random.one_in(3),
        conditions,
    }
}

fn condition(random: &mut Random) -> ConditionPart {
    let operator = random.pick(OPERATORS);
    let is_null = operator == "Null";
    let values = match operator {
        "Bool" | "Null" => BOOLS,
        _ if operator.starts_with("Numeric") => NUMBERS,
        _ => TEXTS,
    };
    ConditionPart {
        quantifier: if is_null {
            None
        } else {
            random.pick(&[None, None, Some("ForAllValues"), Some("ForAnyValue")])
        },
        operator,
        if_exists: !is_null && random.one_in(3),
        key: random.pick(KEYS),
        values: random.some(values, 3),
    }
}

fn document(statements: &[StatementPart], names_principals: bool) -> String {
    let statements: Vec<Value> =
        statements.iter().map(|statement| object(statement, names_principals)).collect();
    json!({ "Version": "2012-10-17", "Statement": statements }).to_string()
}

fn object(statement: &StatementPart, names_principals: bool) -> Value {
    let mut object = Map::new();
    let name = |name: &str, negated: bool| format!("{}{name}", if negated { "Not" } else { "" });
    object.insert("Effect".into(), json!(if statement.allows { "Allow" } else { "Deny" }));
    object.insert(name("Action", statement.is_not_action), json!(statement.actions));
    object.insert(name("Resource", statement.is_not_resource), json!(statement.resources));
    if names_principals {
        let principals = json!({ "AWS": statement.principals });
        object.insert(name("Principal", statement.is_not_principal), principals);
    }
    let mut conditions = Map::new();
    for part in &statement.conditions {
        let prefix = part.quantifier.map(|word| format!("{word}:")).unwrap_or_default();
        let suffix = if part.if_exists { "IfExists" } else { "" };
        let operator = format!("{prefix}{}{suffix}", part.operator);
        let keys = conditions.entry(operator).or_insert_with(|| json!({}));
        keys[part.key] = json!(part.values);
    }
    object.insert("Condition".into(), Value::Object(conditions));
    Value::Object(object)
}
