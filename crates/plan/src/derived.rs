//! Keys of indexes that change with an update.
//!
//! A key that is derived from attributes goes stale if an update changes the attributes and not the
//! key. The plan of an update therefore has the change of every key that needs one, unless the
//! pattern already changes it.

use monotable_expr::{Section, parse_update};
use monotable_item::Item;
use monotable_model::document::{Entity, Expression, IndexKeys, NameSource, Source, Table};
use monotable_model::template::Template;

use super::bindings::Bindings;
use super::item_key::key_text;
use super::reason::Reason;
use super::request_plan::{DerivedEffect, DerivedKey, KeyPart, OwnKey};

/// What an update does to whole attributes, by their names in items.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// All attributes that it changes.
    pub targets: Vec<String>,
    /// Those that get a value of the request.
    pub assigned: Vec<(String, Source)>,
    /// Those that it removes.
    pub removed: Vec<String>,
    /// Those that it removes, or removes something of.
    pub cut: Vec<String>,
    /// Those that it adds something to.
    pub raised: Vec<String>,
    /// All attributes that it changes, with the sections that say how.
    pub sections: Vec<(String, Section)>,
}

impl Change {
    /// What an expression does.
    pub fn of(expression: &Expression) -> Change {
        let mut text = expression.rewritten.clone();
        for index in &expression.indexes {
            text = text.replace(&format!("{{{index}}}"), "0");
        }
        let Ok(parsed) = parse_update(&text) else { return Change::default() };
        let name = |written: &str| match expression.names.get(written) {
            Some(NameSource::Name(name)) => name.clone(),
            Some(NameSource::Parameter(_)) | None => written.to_owned(),
        };
        let assigned = parsed.assignments().filter_map(|(target, value)| {
            Some((name(target), expression.values.get(value)?.clone()))
        });
        Change {
            targets: parsed.target_names().map(name).collect(),
            assigned: assigned.collect(),
            removed: parsed.removals().map(name).collect(),
            cut: parsed.cut_names().map(name).collect(),
            raised: parsed.raised_names().map(name).collect(),
            sections: parsed.sections().map(|(target, how)| (name(target), how)).collect(),
        }
    }

    /// Returns whether it changes an attribute, by its name in items.
    pub fn changes(&self, stored_name: &str) -> bool {
        self.targets.iter().any(|target| target == stored_name)
    }

    /// Why the update cannot be: it changes what the item's own key, or the name of its
    /// table, is made of.
    pub(super) fn key_reasons(&self, table: &Table, entity: &Entity) -> Vec<Reason> {
        let templates = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
        let templates = templates.chain(table.period_name.as_ref().map(|name| name.template()));
        let mut reasons = Vec::new();
        for path in templates.flat_map(|template| template.paths()) {
            let reason = Reason::KeyChanges { attribute: path.root.clone() };
            if self.changes(stored_name(entity, &path.root)) && !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }

    /// Where an attribute's value after the update comes from; nothing if it is removed.
    fn source_after(&self, entity: &Entity, name: &str, known: &Bindings) -> After {
        let stored = stored_name(entity, name);
        if self.removed.iter().any(|removed| removed == stored) {
            return After::Removed;
        }
        if let Some((_, source)) = self.assigned.iter().find(|(target, _)| target == stored) {
            return After::Known(source.clone());
        }
        match known.attribute(name) {
            Some(source) if !self.changes(stored) => After::Known(source.clone()),
            Some(_) | None => After::Unknown,
        }
    }
}

/// Where an attribute's value comes from after an update.
enum After {
    Known(Source),
    Removed,
    Unknown,
}

fn stored_name<'a>(entity: &'a Entity, name: &'a str) -> &'a str {
    entity.attribute(name).map_or(name, |attribute| attribute.item_name())
}

/// The keys that change with an update, and the attributes whose current value that takes.
pub(super) fn derived_keys(
    table: &Table,
    entity: &Entity,
    known: &Bindings,
    change: &Change,
) -> (Vec<DerivedKey>, Vec<String>) {
    let mut derived = Vec::new();
    let mut needs = Vec::new();
    for keys in &entity.indexes {
        let deriver = Deriver { table, entity, known, change, keys };
        if deriver.is_affected() {
            derived.extend(deriver.derive(&mut needs));
        }
    }
    needs.sort_unstable();
    needs.dedup();
    (derived, needs)
}

/// The attributes that an update sets and that are keys of indexes by their own names.
pub(super) fn own_keys(table: &Table, entity: &Entity, change: &Change) -> Vec<OwnKey> {
    let mut own: Vec<OwnKey> = Vec::new();
    for keys in &entity.indexes {
        let Some(index) = table.index(&keys.index) else { continue };
        let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        for (key, template) in index.key_attributes().zip(templates) {
            let found = own_key(entity, &key.name, template, change);
            own.extend(found.filter(|found| !own.contains(found)));
        }
    }
    own
}

fn own_key(entity: &Entity, key: &str, template: &Template, change: &Change) -> Option<OwnKey> {
    let attribute = entity.attributes.iter().find(|one| one.item_name() == key)?;
    let (_, given) = change.assigned.iter().find(|(target, _)| target == key)?;
    let mut bindings = Bindings::default();
    bindings.bind(&attribute.name, given.clone());
    let text = key_text(template, &bindings).ok()?;
    Some(OwnKey { part: KeyPart { attribute: key.to_owned(), text }, given: given.clone() })
}

struct Deriver<'a> {
    table: &'a Table,
    entity: &'a Entity,
    known: &'a Bindings,
    change: &'a Change,
    keys: &'a IndexKeys,
}

impl Deriver<'_> {
    /// Attributes of the index's key, with their templates, that are written because of their
    /// template alone: neither the table's own key, nor an attribute that the entity has anyway.
    fn written(&self) -> Vec<(&str, &Template)> {
        let Some(index) = self.table.index(&self.keys.index) else { return Vec::new() };
        let templates = self.keys.keys.partition.iter().chain(&self.keys.keys.sort);
        let pairs = index.key_attributes().map(|key| key.name.as_str()).zip(templates);
        let is_own = |name: &str| {
            self.table.key_attributes().any(|key| key.name == name)
                || self.entity.attributes.iter().any(|attribute| attribute.item_name() == name)
        };
        pairs.filter(|(name, _)| !is_own(name) && !self.change.changes(name)).collect()
    }

    /// Returns whether the update changes what the key or its condition is made of.
    fn is_affected(&self) -> bool {
        let of_templates = self.written().into_iter().flat_map(|(_, template)| template.paths());
        let mut roots: Vec<&str> = of_templates.map(|path| path.root.as_str()).collect();
        let when = self.keys.when.iter().flat_map(|when| when.attributes.iter());
        roots.extend(when.map(String::as_str));
        roots.into_iter().any(|name| self.change.changes(stored_name(self.entity, name)))
    }

    fn derive(&self, needs: &mut Vec<String>) -> Option<DerivedKey> {
        let written: Vec<(&str, Template)> = self
            .written()
            .into_iter()
            .map(|(attribute, template)| (attribute, self.after_removal(template)))
            .collect();
        let mut bindings = Bindings::default();
        let mut effect = self.effect(needs);
        let paths = written.iter().flat_map(|(_, template)| template.paths());
        for path in paths {
            match self.change.source_after(self.entity, &path.root, self.known) {
                After::Known(source) => bindings.bind(&path.root, source),
                After::Removed => effect = DerivedEffect::Remove,
                After::Unknown if effect == DerivedEffect::Remove => {}
                After::Unknown => {
                    bindings.bind(&path.root, Source::Parameter(path.root.clone()));
                    needs.push(path.root.clone());
                }
            }
        }
        let part = |(attribute, template): &(&str, Template)| KeyPart {
            attribute: (*attribute).to_owned(),
            text: key_text(template, &bindings)
                .unwrap_or_else(|_| super::KeyText::empty(template.delimiter())),
        };
        let parts: Vec<KeyPart> = written.iter().map(part).collect();
        let known = self.after_when();
        (!parts.is_empty()).then(|| DerivedKey {
            index: self.keys.index.clone(),
            parts,
            effect,
            known,
            keys: self.keys.clone(),
        })
    }

    /// A template without its optional part, if the update removes what stands there.
    fn after_removal(&self, template: &Template) -> Template {
        let removed = template.optional_part().is_some_and(|part| {
            let after = self.change.source_after(self.entity, &part.path.root, self.known);
            matches!(after, After::Removed)
        });
        if removed { template.without_optional() } else { template.clone() }
    }

    /// The attributes that the condition of the index reads, after the update.
    fn after_when(&self) -> Vec<(String, Source)> {
        let names = self.keys.when.iter().flat_map(|when| when.attributes.iter());
        let known = names.filter_map(|name| {
            match self.change.source_after(self.entity, name, self.known) {
                After::Known(source) => Some((name.clone(), source)),
                After::Unknown => Some((name.clone(), Source::Parameter(name.clone()))),
                After::Removed => None,
            }
        });
        known.collect()
    }

    /// What the condition of the index says after the update.
    fn effect(&self, needs: &mut Vec<String>) -> DerivedEffect {
        let Some(when) = &self.keys.when else { return DerivedEffect::Set };
        let mut item = Item::new();
        let mut is_decided = true;
        for name in &when.attributes {
            match self.change.source_after(self.entity, name, self.known) {
                After::Known(Source::Literal(value)) => {
                    item.insert(stored_name(self.entity, name).to_owned(), value);
                }
                After::Known(Source::Parameter(_)) => is_decided = false,
                After::Removed => {}
                After::Unknown => {
                    is_decided = false;
                    needs.push(name.clone());
                }
            }
        }
        match when.condition(|_| None) {
            Ok(condition) if is_decided && condition.matches(&item) => DerivedEffect::Set,
            Ok(_) if is_decided => DerivedEffect::Remove,
            Ok(_) | Err(_) => DerivedEffect::SetOrRemove,
        }
    }
}
