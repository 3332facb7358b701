//! The members of a request by their names, for checks that a table describes.
//!
//! Most requests are checked member by member, in an order that was measured. Those of which no
//! more is known than the service model says are checked by a table of its constraints, which
//! needs to get from a shape's name to its members. Nothing is copied, and nothing is visited
//! before it is asked for.

use std::collections::BTreeMap;
use std::fmt;

use crate::shapes::Timestamp;
use crate::value::WireValue;

/// A value of a request.
#[derive(Clone, Copy)]
pub enum Inspected<'r> {
    /// Text.
    Text(&'r str),
    /// An integer of either size.
    Integer(i64),
    /// Elements in order.
    List(&'r dyn Elements),
    /// Named members.
    Structure(&'r dyn Members),
    /// What the service model constrains in no way: a flag, a time, a map, an attribute value.
    Unconstrained,
}

/// A type of a request that can be inspected.
pub trait Inspect {
    /// The value.
    fn inspect(&self) -> Inspected<'_>;
}

/// The elements of a list.
pub trait Elements {
    /// How many there are.
    fn count(&self) -> usize;

    /// Visits the elements in their order.
    fn for_each<'r>(&'r self, each: &mut dyn FnMut(Inspected<'r>));
}

/// What is done with each member of a structure, which may be absent.
pub type EachMember<'f, 'r> = dyn FnMut(&'static str, Option<Inspected<'r>>) + 'f;

/// The members of a structure.
pub trait Members {
    /// The name of the structure.
    fn shape(&self) -> &'static str;

    /// Visits the members in the order of the service model, with their names on the wire.
    fn for_each<'r>(&'r self, each: &mut EachMember<'_, 'r>);
}

impl Inspect for String {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Text(self)
    }
}

impl Inspect for i32 {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Integer(i64::from(*self))
    }
}

impl Inspect for i64 {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Integer(*self)
    }
}

impl Inspect for bool {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Unconstrained
    }
}

impl Inspect for f64 {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Unconstrained
    }
}

impl Inspect for Timestamp {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Unconstrained
    }
}

impl Inspect for WireValue {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Unconstrained
    }
}

impl<T> Inspect for BTreeMap<String, T> {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::Unconstrained
    }
}

impl<T: Inspect> Inspect for Box<T> {
    fn inspect(&self) -> Inspected<'_> {
        T::inspect(self)
    }
}

impl<T: Inspect> Inspect for Vec<T> {
    fn inspect(&self) -> Inspected<'_> {
        Inspected::List(self)
    }
}

impl<T: Inspect> Elements for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn for_each<'r>(&'r self, each: &mut dyn FnMut(Inspected<'r>)) {
        self.iter().for_each(|element| each(element.inspect()));
    }
}

/// The form in which the service repeats a value that it refuses.
impl fmt::Display for Inspected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inspected::Text(text) => f.write_str(text),
            Inspected::Integer(integer) => write!(f, "{integer}"),
            Inspected::List(elements) => write!(f, "[{}]", shown_elements(*elements).join(", ")),
            Inspected::Structure(members) => {
                write!(f, "{}({})", members.shape(), shown_members(*members).join(", "))
            }
            Inspected::Unconstrained => f.write_str("..."),
        }
    }
}

fn shown_elements(elements: &dyn Elements) -> Vec<String> {
    let mut shown = Vec::with_capacity(elements.count());
    elements.for_each(&mut |element| shown.push(element.to_string()));
    shown
}

fn shown_members(members: &dyn Members) -> Vec<String> {
    let mut shown = Vec::new();
    members.for_each(&mut |name, value| {
        let value = value.map_or_else(|| "null".to_owned(), |value| value.to_string());
        shown.push(format!("{}={value}", decapitalized(name)));
    });
    shown
}

/// The name of a member as texts have it: `keyType` for `KeyType`, `sSEType` for `SSEType`.
pub fn decapitalized(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::KeySchemaElement;

    #[test]
    fn a_value_is_shown_as_the_service_repeats_it() {
        let element = KeySchemaElement { attribute_name: Some("pk".to_owned()), key_type: None };
        let schema = vec![element];
        assert_eq!(
            schema.inspect().to_string(),
            "[KeySchemaElement(attributeName=pk, keyType=null)]"
        );
        assert_eq!(vec![7_i64, 8].inspect().to_string(), "[7, 8]");
        assert_eq!(decapitalized("SSEType"), "sSEType");
    }
}
