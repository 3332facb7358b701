//! Enumerated values and the tokens that stand for them in keys.

use monotable_item::{Type, Value};

use super::error::PartError;

/// The values that an attribute may have, each with its token, in the order of the declaration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Enumeration {
    tokens: Vec<(String, String)>,
}

impl Enumeration {
    /// Pairs of value and token. There must be one, none may be empty, and neither values nor
    /// tokens may repeat.
    pub fn new(tokens: Vec<(String, String)>) -> Option<Enumeration> {
        let distinct = |of: fn(&(String, String)) -> &String| {
            let mut texts: Vec<&String> = tokens.iter().map(of).collect();
            texts.sort_unstable();
            texts.windows(2).all(|pair| pair.first() != pair.last())
        };
        let full = tokens.iter().all(|(value, token)| !value.is_empty() && !token.is_empty());
        let valid =
            !tokens.is_empty() && full && distinct(|pair| &pair.0) && distinct(|pair| &pair.1);
        valid.then_some(Enumeration { tokens })
    }

    /// The pairs of value and token.
    pub fn tokens(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tokens.iter().map(|(value, token)| (value.as_str(), token.as_str()))
    }

    pub(crate) fn encode(&self, value: &Value) -> Result<String, PartError> {
        let Value::String(text) = value else {
            return Err(PartError::wrong_type(&[Type::String], value));
        };
        let token = self.tokens().find_map(|(value, token)| (value == text).then_some(token));
        token.map(str::to_owned).ok_or_else(|| PartError::NotEnumerated {
            value: text.clone(),
            values: self.tokens().map(|(value, _)| value.to_owned()).collect(),
        })
    }

    pub(crate) fn decode(&self, text: &str) -> Option<Value> {
        self.tokens().find_map(|(value, token)| (token == text).then(|| Value::from(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enumeration(pairs: &[(&str, &str)]) -> Option<Enumeration> {
        Enumeration::new(pairs.iter().map(|(v, t)| ((*v).to_owned(), (*t).to_owned())).collect())
    }

    #[test]
    fn tokens_stand_for_values_and_nothing_else() {
        let states = enumeration(&[("new", "1"), ("paid", "2")]).unwrap();
        assert_eq!(states.encode(&Value::from("paid")).unwrap(), "2");
        assert_eq!(states.decode("1"), Some(Value::from("new")));
        assert_eq!(states.decode("3"), None);
        assert!(states.encode(&Value::from("lost")).is_err());
    }

    #[test]
    fn repeated_or_empty_tokens_are_refused() {
        assert_eq!(enumeration(&[]), None);
        assert_eq!(enumeration(&[("a", "1"), ("b", "1")]), None);
        assert_eq!(enumeration(&[("a", "1"), ("a", "2")]), None);
        assert_eq!(enumeration(&[("a", "")]), None);
    }
}
