//! What a value may be.

use serde_json::Value;

/// The member of a typed value that holds a number as text.
const NUMBER_TYPE: &str = "N";
/// The member of a typed value that holds a set of numbers as texts.
const NUMBER_SET_TYPE: &str = "NS";

/// One entry of a pattern's list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// The value is this text, number, truth value or null.
    Equals(Value),
    /// The value is this text, in capitals or not.
    EqualsIgnoreCase(String),
    Prefix(String),
    Suffix(String),
    /// The value is there and none of these hold.
    AnythingBut(Vec<Condition>),
    /// All comparisons hold.
    Numeric(Vec<(Comparator, f64)>),
    Exists(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Condition {
    /// Reads an entry, or says what is wrong with it.
    pub(super) fn parse(value: &Value) -> Result<Condition, &'static str> {
        match value {
            Value::Object(members) => match members.iter().next() {
                Some((operator, operand)) if members.len() == 1 => {
                    Condition::parse_operator(operator, operand)
                }
                Some(_) | None => Err("it takes one operator"),
            },
            Value::Array(_) => Err("lists do not stand in lists"),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Ok(Condition::Equals(value.clone()))
            }
        }
    }

    fn parse_operator(operator: &str, operand: &Value) -> Result<Condition, &'static str> {
        let text = || operand.as_str().map(str::to_owned).ok_or("the operator takes a text");
        match operator {
            "prefix" => text().map(Condition::Prefix),
            "suffix" => text().map(Condition::Suffix),
            "equals-ignore-case" => {
                text().map(|text| Condition::EqualsIgnoreCase(text.to_lowercase()))
            }
            "anything-but" => parse_exceptions(operand).map(Condition::AnythingBut),
            "numeric" => parse_comparisons(operand).map(Condition::Numeric),
            "exists" => {
                operand.as_bool().map(Condition::Exists).ok_or("exists takes true or false")
            }
            _ => Err("there is no such operator; there are prefix, suffix, equals-ignore-case, \
                 anything-but, numeric and exists"),
        }
    }

    /// Whether the value of a member fulfils the condition.
    pub(super) fn matches(&self, name: &str, value: Option<&Value>) -> bool {
        match (self, value) {
            (Condition::Exists(wanted), value) => {
                *wanted == value.is_some_and(|value| !value.is_object())
            }
            (_, None) => false,
            (_, Some(Value::Array(elements))) => {
                elements.iter().any(|element| self.matches_value(name, element))
            }
            (_, Some(value)) => self.matches_value(name, value),
        }
    }

    fn matches_value(&self, name: &str, value: &Value) -> bool {
        match self {
            Condition::Equals(wanted) => equal(wanted, value),
            Condition::EqualsIgnoreCase(wanted) => {
                value.as_str().is_some_and(|text| text.to_lowercase() == *wanted)
            }
            Condition::Prefix(prefix) => {
                value.as_str().is_some_and(|text| text.starts_with(prefix.as_str()))
            }
            Condition::Suffix(suffix) => {
                value.as_str().is_some_and(|text| text.ends_with(suffix.as_str()))
            }
            Condition::AnythingBut(exceptions) => {
                !value.is_object()
                    && !exceptions.iter().any(|exception| exception.matches_value(name, value))
            }
            Condition::Numeric(comparisons) => number(name, value).is_some_and(|number| {
                comparisons.iter().all(|(comparison, bound)| comparison.holds(number, *bound))
            }),
            Condition::Exists(wanted) => *wanted,
        }
    }
}

impl Comparator {
    fn parse(text: &str) -> Option<Comparator> {
        match text {
            "=" => Some(Comparator::Equal),
            "<" => Some(Comparator::Less),
            "<=" => Some(Comparator::LessOrEqual),
            ">" => Some(Comparator::Greater),
            ">=" => Some(Comparator::GreaterOrEqual),
            _ => None,
        }
    }

    fn holds(self, number: f64, bound: f64) -> bool {
        match self {
            Comparator::Equal => number == bound,
            Comparator::Less => number < bound,
            Comparator::LessOrEqual => number <= bound,
            Comparator::Greater => number > bound,
            Comparator::GreaterOrEqual => number >= bound,
        }
    }
}

fn parse_exceptions(operand: &Value) -> Result<Vec<Condition>, &'static str> {
    let values = match operand {
        Value::Array(values) => values.as_slice(),
        other => std::slice::from_ref(other),
    };
    if values.is_empty() {
        return Err("anything-but needs something to exclude");
    }
    values.iter().map(Condition::parse).collect()
}

fn parse_comparisons(operand: &Value) -> Result<Vec<(Comparator, f64)>, &'static str> {
    const SAID: &str = "numeric takes an operator and a number, once or twice";
    let parts = operand.as_array().map(Vec::as_slice).unwrap_or_default();
    if !matches!(parts.len(), 2 | 4) {
        return Err(SAID);
    }
    let parse = |pair: &[Value]| match pair {
        [operator, bound] => {
            let comparison = operator.as_str().and_then(Comparator::parse);
            Some((comparison?, bound.as_f64()?))
        }
        _ => None,
    };
    parts.chunks(2).map(|pair| parse(pair).ok_or(SAID)).collect()
}

/// Numbers are equal by value, whatever their digits.
fn equal(wanted: &Value, value: &Value) -> bool {
    match (wanted.as_f64(), value.as_f64()) {
        (Some(wanted), Some(value)) => wanted == value,
        (_, _) => wanted == value,
    }
}

fn number(name: &str, value: &Value) -> Option<f64> {
    match value {
        Value::String(text) if matches!(name, NUMBER_TYPE | NUMBER_SET_TYPE) => text.parse().ok(),
        other => other.as_f64(),
    }
}
