//! Hidden attributes that repeat another one for a key: what the export writes where ElectroDB
//! cannot compose a key otherwise, and the import takes back.
//!
//! ```text
//! emailFold: {
//!   type: "string", hidden: true, watch: ["email"], set: (_, item) => item.email?.toLowerCase()
//! }
//! ```

use monotable_model::document::Tree;
use monotable_model::template::TextStep;

use super::source::{access, literal, property};
use crate::source_node::code;

/// An attribute that repeats another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Derived {
    /// Its name.
    pub(super) name: String,
    /// The attribute that it repeats.
    pub(super) source: String,
    /// What is done to the text.
    pub(super) step: Option<TextStep>,
}

impl Derived {
    /// The attribute that repeats another, by a name that nothing else has.
    pub(super) fn of(source: &str, step: Option<TextStep>) -> Derived {
        let end = match step {
            Some(TextStep::Upper) => "Upper",
            Some(_) => "Fold",
            None => "Copy",
        };
        Derived { name: format!("{source}{end}"), source: source.to_owned(), step }
    }

    /// The same once more, for the other side of a key.
    pub(super) fn again(self) -> Derived {
        Derived { name: format!("{}Copy", self.name), ..self }
    }

    /// The line that declares it.
    pub(super) fn declaration(&self, type_text: &str) -> String {
        format!(
            "{}: {{ type: {type_text}, hidden: true, watch: [{}], set: {} }},",
            property(&self.name),
            literal(&self.source),
            self.setter()
        )
    }

    fn setter(&self) -> String {
        let value = access("item", &self.source);
        match self.step {
            Some(TextStep::Upper) => format!("(_, item) => {value}?.toUpperCase()"),
            Some(_) => format!("(_, item) => {value}?.toLowerCase()"),
            None => format!("(_, item) => {value}"),
        }
    }

    /// The attribute that a declaration repeats, if it is one that the export writes.
    pub(super) fn read(name: &str, declaration: &Tree) -> Option<Derived> {
        let [watched] = declaration.member("watch")?.elements() else { return None };
        let source = watched.text()?;
        let setter = code(declaration.member("set")?)?;
        let is_hidden = declaration.member("hidden").is_some_and(Tree::is_true);
        let steps = [Some(TextStep::Fold), Some(TextStep::Upper), None];
        let mut all = steps.into_iter().map(|step| Derived {
            name: name.to_owned(),
            source: source.to_owned(),
            step,
        });
        all.find(|one| is_hidden && one.setter() == setter)
    }
}
