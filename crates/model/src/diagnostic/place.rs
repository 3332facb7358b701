//! Places: paths of members in a model document.

use std::fmt;

/// The path of a member, such as `entities.Order.key.sort` or `patterns."ship an order".by[0]`.
///
/// Names of letters, digits, `_` and `-` stand plainly, all others in quotes, as in TOML.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place(String);

impl Place {
    /// The whole document.
    pub fn root() -> Place {
        Place::default()
    }

    /// A path that is already written out.
    pub fn from_text(text: impl Into<String>) -> Place {
        Place(text.into())
    }

    /// The place of a table.
    pub fn table(name: &str) -> Place {
        Place::root().member("tables").member(name)
    }

    /// The place of an entity.
    pub fn entity(name: &str) -> Place {
        Place::root().member("entities").member(name)
    }

    /// The place of an access pattern.
    pub fn pattern(name: &str) -> Place {
        Place::root().member("patterns").member(name)
    }

    /// The place of a member of this one.
    pub fn member(&self, name: &str) -> Place {
        let separator = if self.0.is_empty() { "" } else { "." };
        if is_plain(name) {
            return Place(format!("{}{separator}{name}", self.0));
        }
        let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
        Place(format!("{}{separator}\"{escaped}\"", self.0))
    }

    /// The place of an element of this one.
    pub fn index(&self, index: usize) -> Place {
        Place(format!("{}[{index}]", self.0))
    }

    /// The path as text; empty for the whole document.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this place is another or lies inside it.
    pub fn is_within(&self, outer: &Place) -> bool {
        let Some(rest) = self.0.strip_prefix(&outer.0) else { return false };
        outer.0.is_empty() || rest.is_empty() || rest.starts_with(['.', '['])
    }

    /// The place that this one lies in, if it is not the whole document.
    pub fn parent(&self) -> Option<Place> {
        if self.0.is_empty() {
            return None;
        }
        let mut quoted = false;
        let mut escaped = false;
        let mut last = 0;
        for (position, character) in self.0.char_indices() {
            match character {
                '\\' if quoted && !escaped => {
                    escaped = true;
                    continue;
                }
                '"' if !escaped => quoted = !quoted,
                '.' | '[' if !quoted => last = position,
                _ => {}
            }
            escaped = false;
        }
        Some(Place(self.0.get(..last).unwrap_or_default().to_owned()))
    }
}

impl Place {
    /// The names and numbers that the path is made of; a number is written in digits.
    pub fn steps(&self) -> Vec<String> {
        let mut steps = Vec::new();
        let mut rest = self.0.as_str();
        while let Some(first) = rest.chars().next() {
            rest = match first {
                '.' => rest.get(1..).unwrap_or_default(),
                '[' => {
                    let (index, after) =
                        rest.get(1..).and_then(|text| text.split_once(']')).unwrap_or((rest, ""));
                    steps.push(index.to_owned());
                    after
                }
                '"' => {
                    let (name, after) = unquoted(rest.get(1..).unwrap_or_default());
                    steps.push(name);
                    after
                }
                _ => {
                    let (name, after) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                    steps.push(name.to_owned());
                    after
                }
            };
        }
        steps
    }
}

/// A name up to its closing quote, and what follows that.
fn unquoted(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut escaped = false;
    for (position, character) in text.char_indices() {
        match character {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return (name, text.get(position + 1..).unwrap_or_default()),
            _ => {
                name.push(character);
                escaped = false;
            }
        }
    }
    (name, "")
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !name.is_empty() && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_plain_stand_in_quotes() {
        let place = Place::pattern("ship an order").member("by").index(0);
        assert_eq!(place.as_str(), "patterns.\"ship an order\".by[0]");
        assert_eq!(Place::entity("a\"b\\").as_str(), r#"entities."a\"b\\""#);
    }

    #[test]
    fn the_parent_of_a_place_ignores_dots_in_quotes() {
        let place = Place::pattern("v1.0 [old] \"x\"");
        assert_eq!(place.parent(), Some(Place::from_text("patterns")));
        assert_eq!(place.index(3).parent(), Some(place.clone()));
        assert_eq!(place.member("by").parent(), Some(place));
        assert_eq!(Place::root().member("name").parent(), Some(Place::root()));
        assert_eq!(Place::root().parent(), None);
    }

    #[test]
    fn the_steps_of_a_place_are_its_names_and_numbers() {
        let place = Place::pattern("a \"b\" [c].d\\").member("by").index(3).member("x-1");
        assert_eq!(place.steps(), ["patterns", "a \"b\" [c].d\\", "by", "3", "x-1"]);
        assert_eq!(Place::root().steps(), Vec::<String>::new());
    }

    #[test]
    fn a_place_is_within_itself_and_what_encloses_it() {
        let order = Place::entity("Order");
        assert!(order.is_within(&order));
        assert!(order.member("key").is_within(&order));
        assert!(order.is_within(&Place::root()));
        assert!(!Place::entity("OrderItem").is_within(&order));
    }
}
