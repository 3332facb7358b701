//! What a model says of one table, as single facts that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::key_encoding::KeyType;
use monotable_model::document::{
    self, Attribute, Entity, Index, IndexKind, IndexProjection, KeyAttribute, Keys, Model, Table,
};

/// Facts by the places in the document that state them.
#[derive(Debug, Default)]
pub(super) struct Facts(BTreeMap<String, String>);

impl Facts {
    /// The facts of a table and of the entities whose items it holds.
    pub(super) fn of(model: &Model, table: &str) -> Facts {
        let mut facts = Facts::default();
        if let Some(table) = model.table(table) {
            facts.add_table(table);
        }
        let of_table = |entity: &&Entity| entity.tables.iter().any(|name| name == table);
        // The items that hold unique values are stated with these, whatever they are called.
        let is_claim = |entity: &&Entity| {
            let mut uniques = model.entities.iter().flat_map(|other| &other.unique);
            uniques.any(|unique| unique.by == entity.name)
        };
        for entity in model.entities.iter().filter(of_table).filter(|it| !is_claim(it)) {
            facts.add_entity(model, entity);
        }
        facts
    }

    /// One line for each fact that only one side states, or that they state differently. Of a
    /// table, entity, index or attribute that one side lacks, there is one line.
    pub(super) fn differences_from(&self, file: &Facts) -> Vec<String> {
        let places: BTreeSet<&String> = self.0.keys().chain(file.0.keys()).collect();
        let mut lines: Vec<String> = Vec::new();
        let mut lacking: Option<String> = None;
        for place in places {
            if lacking.as_ref().is_some_and(|whole| place.starts_with(whole)) {
                continue;
            }
            let (code, file) = (self.0.get(place), file.0.get(place));
            lacking = None;
            match (code, file) {
                (Some(code), Some(file)) if code == file => {}
                (Some(code), Some(file)) => {
                    lines.push(format!("{place}: the code says {code}, the file says {file}"));
                }
                (Some(code), None) => {
                    lines.push(format!("{place}: the code says {code}, the file has nothing"));
                    lacking = Some(format!("{place}."));
                }
                (None, Some(file)) => {
                    lines.push(format!("{place}: the code has nothing, the file says {file}"));
                    lacking = Some(format!("{place}."));
                }
                (None, None) => {}
            }
        }
        lines
    }

    fn add(&mut self, place: &str, fact: impl Into<String>) {
        self.0.insert(place.to_owned(), fact.into());
    }

    fn add_optional(&mut self, place: &str, fact: Option<impl Into<String>>) {
        if let Some(fact) = fact {
            self.add(place, fact);
        }
    }

    fn add_table(&mut self, table: &Table) {
        let place = format!("tables.{}", table.name);
        self.add(&place, "a table");
        self.add(&format!("{place}.partition_key"), key_attribute(&table.partition_key));
        let sort = table.sort_key.as_ref().map(key_attribute);
        self.add_optional(&format!("{place}.sort_key"), sort);
        self.add_optional(&format!("{place}.type_attribute"), table.type_attribute.clone());
        self.add_optional(&format!("{place}.ttl"), table.ttl.clone());
        for index in &table.indexes {
            self.add_index(&format!("{place}.indexes.{}", index.name), index);
        }
    }

    fn add_index(&mut self, place: &str, index: &Index) {
        self.add(
            place,
            match index.kind {
                IndexKind::Global => "a global index",
                IndexKind::Local => "a local index",
            },
        );
        let list =
            |keys: &[KeyAttribute]| keys.iter().map(key_attribute).collect::<Vec<_>>().join(", ");
        self.add(&format!("{place}.partition_key"), list(&index.partition_key));
        self.add(&format!("{place}.sort_key"), list(&index.sort_key));
        self.add(
            &format!("{place}.projection"),
            match &index.projection {
                IndexProjection::All => "all".to_owned(),
                IndexProjection::KeysOnly => "keys".to_owned(),
                // In no order that matters.
                IndexProjection::Include(names) => {
                    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
                    names.into_iter().collect::<Vec<_>>().join(", ")
                }
            },
        );
    }

    fn add_entity(&mut self, model: &Model, entity: &Entity) {
        let place = format!("entities.{}", entity.name);
        self.add(&place, "an entity");
        self.add(&format!("{place}.type_value"), entity.type_value());
        self.add_optional(&format!("{place}.version"), entity.version.map(|it| it.to_string()));
        for (name, attribute) in [
            ("lock", &entity.lock),
            ("ttl", &entity.ttl),
            ("created", &entity.created),
            ("touched", &entity.touched),
        ] {
            self.add_optional(&format!("{place}.{name}"), attribute.clone());
        }
        if let Some(keys) = &entity.key {
            self.add_keys(&format!("{place}.key"), keys);
        }
        for keys in &entity.indexes {
            let place = format!("{place}.indexes.{}", keys.index);
            self.add(&place, "a key in the index");
            self.add_keys(&place, &keys.keys);
            let when = keys.when.as_ref().map(|when| when.text.clone());
            self.add_optional(&format!("{place}.when"), when);
        }
        for unique in &entity.unique {
            let place = format!("{place}.unique.{}", unique.attribute);
            self.add(&place, "a unique attribute");
            let claim = model.entities.iter().find(|claim| claim.name == unique.by);
            if let Some(keys) = claim.and_then(|claim| claim.key.as_ref()) {
                self.add_keys(&place, keys);
            }
        }
        for attribute in &entity.attributes {
            self.add_attribute(&format!("{place}.attributes.{}", attribute.name), attribute);
        }
    }

    fn add_attribute(&mut self, place: &str, attribute: &Attribute) {
        self.add(place, stored_as(attribute));
        if attribute.required {
            self.add(&format!("{place}.required"), "true");
        }
        if attribute.mutable == Some(false) {
            self.add(&format!("{place}.mutable"), "false");
        }
        let bytes = attribute.max_bytes.map(|bytes| bytes.to_string());
        self.add_optional(&format!("{place}.max_bytes"), bytes);
        // In no order that matters.
        let values: BTreeSet<String> =
            attribute.values.iter().filter_map(document::plain_text).collect();
        let values =
            (!values.is_empty()).then(|| values.into_iter().collect::<Vec<_>>().join(", "));
        self.add_optional(&format!("{place}.enum"), values);
    }

    fn add_keys(&mut self, place: &str, keys: &Keys) {
        for (side, templates) in [("partition", &keys.partition), ("sort", &keys.sort)] {
            let texts: Vec<String> = templates.iter().map(|it| format!("\"{it}\"")).collect();
            let texts = (!texts.is_empty()).then(|| texts.join(", "));
            self.add_optional(&format!("{place}.{side}"), texts);
        }
    }
}

fn key_attribute(key: &KeyAttribute) -> String {
    let kind = match key.kind {
        KeyType::String => "S",
        KeyType::Number => "N",
        KeyType::Binary => "B",
    };
    format!("{} ({kind})", key.name)
}

fn stored_as(attribute: &Attribute) -> String {
    let kind = attribute.kind.code();
    if !attribute.stored {
        return format!("{kind}, in the key alone");
    }
    match &attribute.stored_name {
        Some(name) => format!("{kind}, stored as {name}"),
        None => kind.to_owned(),
    }
}
