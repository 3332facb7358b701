//! What is known of an entity's attributes before there are values.

use std::collections::BTreeMap;

use monotable_item::Path;
use monotable_model::document::{Entity, Known, Source};

/// Attributes of one entity, by their names in the model, and where their values come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Bindings {
    sources: BTreeMap<String, Source>,
}

impl Bindings {
    /// What the caller knows of an entity's attributes. An attribute with only one value is known
    /// to everybody.
    pub(super) fn of_entity(entity: &Entity, known: &[Known]) -> Bindings {
        let mut bindings = Bindings::default();
        for attribute in &entity.attributes {
            if let [value] = attribute.values.as_slice() {
                bindings.bind(&attribute.name, Source::Literal(value.clone()));
            }
        }
        for Known { attribute, source } in known {
            if entity.attribute(attribute).is_some() {
                bindings.bind(attribute, source.clone());
            }
        }
        bindings
    }

    /// Binds an attribute, in place of what was bound before.
    pub(super) fn bind(&mut self, attribute: &str, source: Source) {
        self.sources.insert(attribute.to_owned(), source);
    }

    /// Adds what is bound elsewhere, unless it is bound here.
    pub(super) fn extend(&mut self, more: Bindings) {
        for (name, source) in more.sources {
            self.sources.entry(name).or_insert(source);
        }
    }

    /// Where the value of an attribute comes from.
    pub(super) fn attribute(&self, name: &str) -> Option<&Source> {
        self.sources.get(name)
    }

    /// Where the attribute that a path begins with comes from.
    pub(super) fn source(&self, path: &Path) -> Option<&Source> {
        self.sources.get(&path.root)
    }

    /// Only those attributes for which a rule holds.
    pub(super) fn only(&self, keep: impl Fn(&str) -> bool) -> Bindings {
        let kept = self.sources.iter().filter(|(name, _)| keep(name));
        Bindings { sources: kept.map(|(name, source)| (name.clone(), source.clone())).collect() }
    }
}
