//! Choosing records by patterns, in the syntax of AWS Lambda's filter criteria.
//!
//! A pattern is a JSON object of the same shape as the record. Its leaves are lists of what a value
//! may be:
//!
//! ```json
//! { "eventName": ["INSERT"], "dynamodb": { "NewImage": { "price": { "N": [{ "numeric": [">", 10] }] } } } }
//! ```
//!
//! All members must match (and), any entry of a list may (or), and `$or` holds a list of patterns
//! of which any may. `condition` has what can stand in a list.
//!
//! DynamoDB's numbers are texts in JSON, and `numeric` reads them as the numbers they are.

mod condition;

use serde_json::{Map, Value};

use condition::Condition;

/// The member that holds alternatives instead of a field.
const OR: &str = "$or";
/// How deep a pattern may go: as deep as a document with the members around it.
const DEPTH_MAX: usize = 40;

/// Says which records are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    root: Fields,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is not JSON.
    #[error("the pattern is not JSON: {reason}")]
    NotJson {
        /// What the JSON reader says.
        reason: String,
    },
    /// Something other than an object stands where fields must.
    #[error("{path} must be an object of fields or a list of conditions")]
    NotFields {
        /// Where.
        path: String,
    },
    /// There is nothing to match.
    #[error("{path} is empty")]
    Empty {
        /// Where.
        path: String,
    },
    /// The pattern goes too deep.
    #[error("the pattern is more than {DEPTH_MAX} levels deep")]
    TooDeep,
    /// A condition makes no sense.
    #[error("{path}: {condition} is not a condition: {reason}")]
    NotCondition {
        /// Where.
        path: String,
        /// The text of the condition.
        condition: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// All of these must match.
#[derive(Debug, Clone, PartialEq)]
struct Fields {
    fields: Vec<(String, Node)>,
    /// Of each list, one must match as well.
    alternatives: Vec<Vec<Fields>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Fields(Fields),
    /// Any of these must match.
    Conditions(Vec<Condition>),
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| PatternError::NotJson { reason: error.to_string() })?;
        match value {
            Value::Object(members) => {
                Ok(Pattern { root: parse_fields(&members, "the pattern", 0)? })
            }
            _ => Err(PatternError::NotFields { path: "the pattern".to_owned() }),
        }
    }

    /// Whether a record is wanted.
    pub fn matches(&self, event: &Value) -> bool {
        self.root.matches(Some(event))
    }
}

impl Fields {
    fn matches(&self, value: Option<&Value>) -> bool {
        // A list of objects matches if one of them does.
        if let Some(Value::Array(elements)) = value {
            return elements.iter().any(|element| self.matches(Some(element)));
        }
        let field = |name: &str| value.and_then(|value| value.get(name));
        self.fields.iter().all(|(name, node)| node.matches(name, field(name)))
            && self.alternatives.iter().all(|any| any.iter().any(|fields| fields.matches(value)))
    }
}

impl Node {
    fn matches(&self, name: &str, value: Option<&Value>) -> bool {
        match self {
            Node::Fields(fields) => fields.matches(value),
            Node::Conditions(conditions) => {
                conditions.iter().any(|condition| condition.matches(name, value))
            }
        }
    }
}

fn parse_fields(
    members: &Map<String, Value>,
    path: &str,
    depth: usize,
) -> Result<Fields, PatternError> {
    if depth > DEPTH_MAX {
        return Err(PatternError::TooDeep);
    }
    if members.is_empty() {
        return Err(PatternError::Empty { path: path.to_owned() });
    }
    let mut parsed = Fields { fields: Vec::new(), alternatives: Vec::new() };
    for (name, value) in members {
        let path = if depth == 0 { name.clone() } else { format!("{path}.{name}") };
        match value {
            Value::Array(patterns) if name == OR && patterns.iter().all(Value::is_object) => {
                parsed.alternatives.push(parse_alternatives(patterns, &path, depth)?);
            }
            _ => parsed.fields.push((name.clone(), parse_node(value, &path, depth)?)),
        }
    }
    Ok(parsed)
}

fn parse_alternatives(
    patterns: &[Value],
    path: &str,
    depth: usize,
) -> Result<Vec<Fields>, PatternError> {
    if patterns.is_empty() {
        return Err(PatternError::Empty { path: path.to_owned() });
    }
    let fields = patterns.iter().filter_map(Value::as_object);
    fields.map(|members| parse_fields(members, path, depth + 1)).collect()
}

fn parse_node(value: &Value, path: &str, depth: usize) -> Result<Node, PatternError> {
    match value {
        Value::Object(members) => parse_fields(members, path, depth + 1).map(Node::Fields),
        Value::Array(conditions) if conditions.is_empty() => {
            Err(PatternError::Empty { path: path.to_owned() })
        }
        Value::Array(conditions) => {
            let parse = |value: &Value| {
                Condition::parse(value).map_err(|reason| PatternError::NotCondition {
                    path: path.to_owned(),
                    condition: value.to_string(),
                    reason,
                })
            };
            conditions.iter().map(parse).collect::<Result<_, _>>().map(Node::Conditions)
        }
        _ => Err(PatternError::NotFields { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event() -> Value {
        json!({
            "eventName": "MODIFY",
            "dynamodb": { "NewImage": {
                "id": { "S": "ORDER#12" }, "price": { "N": "12.50" }, "paid": { "BOOL": true },
                "note": { "S": "" }, "nothing": { "NULL": true },
                "tags": { "SS": ["new", "hot"] },
                "lines": { "L": [{ "M": { "sku": { "S": "a" } } },
                    { "M": { "sku": { "S": "b" } } }] }
            }, "SizeBytes": 26, "Gone": null }
        })
    }

    #[track_caller]
    fn check(pattern: &Value, expected: bool) {
        let parsed = Pattern::parse(&pattern.to_string()).unwrap();
        assert_eq!(parsed.matches(&event()), expected, "{pattern}");
    }

    /// A condition on a member of the item's new image.
    fn on(attribute: &str, kind: &str, conditions: &Value) -> Value {
        json!({ "dynamodb": { "NewImage": { attribute: { kind: conditions } } } })
    }

    #[test]
    fn conditions_on_one_value() {
        for (attribute, kind, conditions, expected) in [
            ("id", "S", json!(["ORDER#12"]), true),
            ("id", "S", json!(["order#12"]), false),
            ("id", "S", json!(["x", "ORDER#12"]), true),
            ("note", "S", json!([""]), true),
            ("id", "S", json!([{ "prefix": "ORDER#" }]), true),
            ("id", "S", json!([{ "prefix": "USER#" }]), false),
            ("id", "S", json!([{ "suffix": "#12" }]), true),
            ("id", "S", json!([{ "suffix": "#13" }]), false),
            ("id", "S", json!([{ "equals-ignore-case": "order#12" }]), true),
            ("id", "S", json!([{ "equals-ignore-case": "order#13" }]), false),
            ("id", "S", json!([{ "anything-but": ["ORDER#12"] }]), false),
            ("id", "S", json!([{ "anything-but": ["a", "b"] }]), true),
            ("id", "S", json!([{ "anything-but": "a" }]), true),
            ("id", "S", json!([{ "anything-but": { "prefix": "ORDER#" } }]), false),
            ("id", "S", json!([{ "anything-but": { "suffix": "#13" } }]), true),
            ("missing", "S", json!([{ "anything-but": ["a"] }]), false),
            ("id", "S", json!([{ "exists": true }]), true),
            ("id", "S", json!([{ "exists": false }]), false),
            ("missing", "S", json!([{ "exists": true }]), false),
            ("missing", "S", json!([{ "exists": false }]), true),
            ("price", "N", json!(["12.50"]), true),
            ("price", "N", json!(["12.5"]), false),
            ("price", "N", json!([{ "numeric": ["=", 12.5] }]), true),
            ("price", "N", json!([{ "numeric": [">", 10] }]), true),
            ("price", "N", json!([{ "numeric": [">", 12.5] }]), false),
            ("price", "N", json!([{ "numeric": [">=", 12.5] }]), true),
            ("price", "N", json!([{ "numeric": [">", 10, "<=", 12] }]), false),
            ("price", "N", json!([{ "numeric": [">", 10, "<", 13] }]), true),
            ("id", "S", json!([{ "numeric": [">", 0] }]), false),
            ("paid", "BOOL", json!([true]), true),
            ("paid", "BOOL", json!([false]), false),
            ("tags", "SS", json!(["hot"]), true),
            ("tags", "SS", json!(["cold"]), false),
        ] {
            check(&on(attribute, kind, &conditions), expected);
        }
    }

    #[test]
    fn members_are_joined_by_and_alternatives_by_or() {
        let insert = json!({ "eventName": ["INSERT"] });
        let paid = on("paid", "BOOL", &json!([true]));
        check(&json!({ "eventName": ["MODIFY", "REMOVE"], "dynamodb": paid["dynamodb"] }), true);
        check(&json!({ "eventName": ["INSERT"], "dynamodb": paid["dynamodb"] }), false);
        check(&json!({ "$or": [insert, paid] }), true);
        check(&json!({ "$or": [insert, { "eventName": ["REMOVE"] }] }), false);
        check(&json!({ "eventName": ["INSERT"], "$or": [paid] }), false);
        let either =
            json!({ "$or": [{ "price": { "N": ["1"] } }, { "paid": { "BOOL": [true] } }] });
        check(&json!({ "dynamodb": { "NewImage": either } }), true);
    }

    #[test]
    fn plain_numbers_and_null_match_too() {
        check(&json!({ "dynamodb": { "SizeBytes": [26] } }), true);
        check(&json!({ "dynamodb": { "SizeBytes": [{ "numeric": ["<", 26] }] } }), false);
        check(&json!({ "dynamodb": { "Gone": [null] } }), true);
        check(&json!({ "dynamodb": { "SizeBytes": [null] } }), false);
    }

    #[test]
    fn a_list_matches_by_any_of_its_elements() {
        let sku = |value: &str| json!({ "L": { "M": { "sku": { "S": [value] } } } });
        check(&json!({ "dynamodb": { "NewImage": { "lines": sku("b") } } }), true);
        check(&json!({ "dynamodb": { "NewImage": { "lines": sku("c") } } }), false);
    }

    /// As AWS says of its own: a condition on what holds further members never finds it.
    #[test]
    fn exists_looks_at_values_only() {
        check(&json!({ "dynamodb": { "NewImage": { "id": [{ "exists": true }] } } }), false);
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_the_place() {
        for (text, said) in [
            ("", "not JSON"),
            ("[]", "the pattern must be an object"),
            ("{}", "the pattern is empty"),
            (r#"{"eventName":"INSERT"}"#, "eventName must be an object of fields or a list"),
            (r#"{"eventName":[]}"#, "eventName is empty"),
            (r#"{"a":{"b":{}}}"#, "a.b is empty"),
            (r#"{"a":{"b":[{"like":"x"}]}}"#, r#"a.b: {"like":"x"} is not a condition"#),
            (r#"{"a":[{"numeric":[">","1"]}]}"#, "an operator and a number"),
            (r#"{"a":[{"prefix":1}]}"#, "takes a text"),
            (r#"{"a":[{"exists":"yes"}]}"#, "takes true or false"),
            (r#"{"a":[[1]]}"#, "not a condition"),
        ] {
            let error = Pattern::parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        let deep = format!("{}[1]{}", r#"{"a":"#.repeat(60), "}".repeat(60));
        assert_eq!(Pattern::parse(&deep), Err(PatternError::TooDeep));
    }
}
