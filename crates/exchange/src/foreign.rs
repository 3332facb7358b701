//! Members of a foreign file: what is there, where it stands, and what nobody asked for.

use std::cell::RefCell;

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Tree;

use super::source_node::code;

/// A value of a foreign file and its place.
#[derive(Debug, Clone)]
pub(super) struct At<'t> {
    pub(super) tree: &'t Tree,
    pub(super) place: Place,
}

/// What reading a foreign file gives, or the first thing that is wrong with it.
pub(super) type Read<T> = Result<T, Diagnostic>;

/// A table of a foreign file whose members are taken one by one. What is left at the end is what
/// the importer does not know.
#[derive(Debug)]
pub(super) struct Object<'t> {
    pub(super) place: Place,
    members: &'t [(String, Tree)],
    taken: RefCell<Vec<&'t str>>,
}

impl<'t> At<'t> {
    /// The whole file.
    pub(super) fn root(tree: &'t Tree) -> At<'t> {
        At { tree, place: Place::root() }
    }

    /// The value as text.
    pub(super) fn text(&self) -> Read<&'t str> {
        match self.tree {
            Tree::String(text) => Ok(text),
            _ => Err(self.expected("text")),
        }
    }

    /// The value as true or false.
    pub(super) fn flag(&self) -> Read<bool> {
        match self.tree {
            Tree::Bool(flag) => Ok(*flag),
            Tree::String(text) if text == "true" => Ok(true),
            Tree::String(text) if text == "false" => Ok(false),
            _ => Err(self.expected("true or false")),
        }
    }

    /// The value as a whole number that is not negative. Some tools write numbers in quotes.
    pub(super) fn count(&self) -> Read<u64> {
        let text = match self.tree {
            Tree::Number(text) | Tree::String(text) => text,
            _ => return Err(self.expected("a whole number")),
        };
        text.parse().map_err(|_| self.expected("a whole number"))
    }

    /// The elements of a list.
    pub(super) fn list(&self) -> Read<Vec<At<'t>>> {
        let Tree::List(values) = self.tree else { return Err(self.expected("a list")) };
        let element = |(index, tree)| At { tree, place: self.place.index(index) };
        Ok(values.iter().enumerate().map(element).collect())
    }

    /// The elements of a list, or the one value that stands in its place.
    pub(super) fn one_or_more(&self) -> Vec<At<'t>> {
        self.list().unwrap_or_else(|_| vec![self.clone()])
    }

    /// The texts of a list.
    pub(super) fn texts(&self) -> Read<Vec<String>> {
        self.list()?.iter().map(|element| element.text().map(str::to_owned)).collect()
    }

    /// The texts of a list of names, each once: some tools let a name stand twice.
    pub(super) fn names(&self) -> Read<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        for name in self.texts()? {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// The members of a table whose names are the author's.
    pub(super) fn named(&self) -> Read<Vec<(&'t str, At<'t>)>> {
        let Tree::Map(members) = self.tree else { return Err(self.expected("an object")) };
        let member = |(name, tree): &'t (String, Tree)| {
            (name.as_str(), At { tree, place: self.place.member(name) })
        };
        Ok(members.iter().map(member).collect())
    }

    /// Opens a table whose members have fixed names.
    pub(super) fn open(&self) -> Read<Object<'t>> {
        let Tree::Map(members) = self.tree else { return Err(self.expected("an object")) };
        Ok(Object { place: self.place.clone(), members, taken: RefCell::default() })
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Read<T> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(format!("{text} is not one of {}", known.join(", ")))
        })
    }

    /// Says that the value is of the wrong kind.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        self.error(format!("expected {what}, found {}", kind(self.tree)))
    }

    /// Says what is wrong here.
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("bad-import", self.place.clone(), message)
    }

    /// A remark on what becomes of the value.
    pub(super) fn note(&self, message: impl Into<String>) -> Diagnostic {
        note(&self.place, message)
    }
}

/// A remark on what becomes of something.
pub(super) fn note(place: &Place, message: impl Into<String>) -> Diagnostic {
    Diagnostic::info("not-carried-over", place.clone(), message)
}

impl<'t> Object<'t> {
    /// Takes a member. One that is `null` is not there.
    pub(super) fn take(&self, name: &str) -> Option<At<'t>> {
        let (name, tree) = self.members.iter().find(|(member, _)| member == name)?;
        self.taken.borrow_mut().push(name);
        (*tree != Tree::Null).then(|| At { tree, place: self.place.member(name) })
    }

    /// Looks at a member that is kept all the same.
    pub(super) fn peek(&self, name: &str) -> Option<At<'t>> {
        let (name, tree) = self.members.iter().find(|(member, _)| member == name)?;
        (*tree != Tree::Null).then(|| At { tree, place: self.place.member(name) })
    }

    /// Takes a member that must be there.
    pub(super) fn required(&self, name: &str) -> Read<At<'t>> {
        self.take(name).ok_or_else(|| {
            let message = format!("the member {name} is missing");
            Diagnostic::error("bad-import", self.place.clone(), message)
        })
    }

    /// Takes a text that may be there.
    pub(super) fn text(&self, name: &str) -> Read<Option<String>> {
        self.take(name).map(|at| at.text().map(str::to_owned)).transpose()
    }

    /// Takes a flag that may be there.
    pub(super) fn flag(&self, name: &str) -> Read<Option<bool>> {
        self.take(name).map(|at| at.flag()).transpose()
    }

    /// Takes a list; nothing is an empty one.
    pub(super) fn list(&self, name: &str) -> Read<Vec<At<'t>>> {
        self.take(name).map_or_else(|| Ok(Vec::new()), |at| at.list())
    }

    /// The members that were not taken.
    pub(super) fn leftover(&self) -> Vec<(String, Tree)> {
        let taken = self.taken.borrow();
        let is_left = |member: &&(String, Tree)| !taken.contains(&member.0.as_str());
        self.members.iter().filter(is_left).cloned().collect()
    }
}

fn kind(tree: &Tree) -> &'static str {
    match tree {
        Tree::Null => "nothing",
        Tree::Bool(_) => "true or false",
        Tree::Number(_) => "a number",
        Tree::String(_) => "text",
        Tree::List(_) => "a list",
        Tree::Map(_) if code(tree).is_some() => "code",
        Tree::Map(_) => "an object",
    }
}
