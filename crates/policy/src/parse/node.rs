//! JSON as it stands in a document: unlike `serde_json::Value`, with members that occur twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::path::Path;
use crate::error::{PolicyError, Problem};
use crate::similarity;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    /// As it would be written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The value as a list: its members if it is one, or else itself.
    pub(super) fn one_or_many(&self) -> &[Node] {
        match self {
            Node::List(members) => members,
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Text(_) | Node::Object(_) => {
                std::slice::from_ref(self)
            }
        }
    }

    /// The text, if the value is one.
    pub(super) fn text(&self, path: &Path<'_>) -> Result<&str, PolicyError> {
        match self {
            Node::Text(text) => Ok(text),
            other => Err(path.error(other.is_not("a string"))),
        }
    }

    /// The texts of a string or of a list of strings, with their places.
    pub(super) fn each_text<T>(
        &self,
        path: &Path<'_>,
        mut read: impl FnMut(&str, &Path<'_>) -> Result<T, PolicyError>,
    ) -> Result<Vec<T>, PolicyError> {
        match self {
            Node::Text(text) => Ok(vec![read(text, path)?]),
            Node::List(members) => {
                let numbered = members.iter().enumerate();
                let mut read_member = |(index, member): (usize, &Node)| {
                    let path = path.index(index);
                    read(member.text(&path)?, &path)
                };
                numbered.map(&mut read_member).collect()
            }
            other => Err(path.error(other.is_not("a string or a list of strings"))),
        }
    }

    /// Says that the value is not what belongs there.
    pub(super) fn is_not(&self, wanted: &'static str) -> Problem {
        let found = match self {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Number(_) => "a number",
            Node::Text(_) => "a string",
            Node::List(_) => "a list",
            Node::Object(_) => "an object",
        };
        Problem::WrongType { wanted, found }
    }
}

/// An object whose members occur once each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object<'a> {
    members: &'a [(String, Node)],
}

impl<'a> Object<'a> {
    /// Takes an object that has none but known members.
    pub(super) fn of(
        node: &'a Node,
        path: &Path<'_>,
        known: &'static [&'static str],
    ) -> Result<Object<'a>, PolicyError> {
        let object = Object::of_any(node, path)?;
        match object.members.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            None => Ok(object),
            Some((name, _)) => {
                let suggestion = similarity::closest(name, known.iter().copied());
                Err(path.error(Problem::UnknownMember { name: name.clone(), suggestion }))
            }
        }
    }

    /// Takes an object with members of any names.
    pub(super) fn of_any(node: &'a Node, path: &Path<'_>) -> Result<Object<'a>, PolicyError> {
        let Node::Object(members) = node else { return Err(path.error(node.is_not("an object"))) };
        let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        let twice = names.windows(2).find_map(|pair| match pair {
            [first, second] if first == second => Some(*first),
            _ => None,
        });
        match twice {
            None => Ok(Object { members }),
            Some(name) => Err(path.error(Problem::Duplicate { name: name.to_owned() })),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a Node> {
        self.members.iter().find(|(member, _)| member == name).map(|(_, node)| node)
    }

    pub(super) fn required(
        &self,
        name: &'static str,
        path: &Path<'_>,
    ) -> Result<&'a Node, PolicyError> {
        self.get(name).ok_or_else(|| path.error(Problem::Missing { name }))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Node)> + use<'a> {
        self.members.iter().map(|(name, node)| (name.as_str(), node))
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_element()? {
            members.push(member);
        }
        Ok(Node::List(members))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Node::Object(members))
    }
}
