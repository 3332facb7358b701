//! Entities: their types, and the operations on one item that keep the keys of indexes in step.

use monotable_item::Type;
use monotable_model::diagnostic::Place;
use monotable_model::document::{Attribute, Entity, IndexKeys, Model, Table};
use monotable_model::template::{Escaping, Form, Segment, ShardRule, Template};

use super::Module;
use super::code::{ChangedMember, Code, Member};
use super::condition::condition;
use super::group::{Group, PatchField, WrittenKey, key_roots, patch_fields, written_keys};
use super::key::{KeyWriter, Why};
use super::kind::{self, Field, Kind};
use super::own_key::{check_changes, check_item, checked, stored_attribute};
use crate::foreign::note;
use crate::json_schema::key_pattern;

/// An entity in a module.
pub(crate) struct EntityCode<'m> {
    /// The entity.
    pub(crate) entity: &'m Entity,
    /// Its attributes.
    pub(crate) fields: Vec<Field>,
    /// What can be done with its items; nothing for an embedded one.
    pub(crate) operations: Option<Operations>,
}

/// What can be done with the items of an entity.
pub(crate) struct Operations {
    /// The table, by its name in the model.
    pub(crate) table: String,
    /// The attributes that make up the key.
    pub(crate) key_fields: Vec<Field>,
    /// The key, from [`Code::KeyMember`].
    pub(crate) key: Vec<(String, Code)>,
    /// The whole item, from [`Code::Attribute`].
    pub(crate) item: Vec<(String, Code)>,
    /// The entity, from [`Code::Stored`].
    pub(crate) read: Vec<(String, Code)>,
    /// Whether a stored item is one of the entity.
    pub(crate) matches: Code,
    /// The members of a patch.
    pub(crate) patch: Vec<PatchField>,
    /// What a patch changes, from [`Code::Changed`] and [`Code::KeyMember`].
    pub(crate) changes: Vec<(String, Code)>,
    /// The number that optimistic locking compares and raises, by its name in items.
    pub(crate) lock: Option<String>,
}

/// The name under which a writer passes the shard that it has chosen.
pub(crate) const SHARD: &str = "shard";

/// Describes the entities of a model.
pub(crate) fn describe(module: &mut Module<'_>) {
    let model = module.model;
    for entity in &model.entities {
        let mut fields = kind::fields(entity);
        let operations = match model.tables_of(entity).next() {
            None => None,
            Some(table) => {
                fields.extend(chosen_shard(entity));
                let place = Place::entity(&entity.name);
                if entity.tables.len() > 1 {
                    let message = "operations on one item use the first of its tables";
                    module.notes.push(note(&place.member("tables"), message));
                }
                remark_unique(entity, &place, module);
                match operations(model, table, entity, &fields) {
                    Ok(operations) => Some(operations),
                    Err(why) => {
                        let message = format!("a type alone, without operations: {why}");
                        module.notes.push(note(&place, message));
                        None
                    }
                }
            }
        };
        module.entities.push(EntityCode { entity, fields, operations });
    }
}

fn remark_unique(entity: &Entity, place: &Place, module: &mut Module<'_>) {
    for unique in &entity.unique {
        let message = format!(
            "create alone does not claim {}: write the {} in the same transaction",
            unique.attribute, unique.by
        );
        module.notes.push(note(&place.member("unique"), message));
    }
}

/// The shard that a writer chooses is given beside the attributes.
fn chosen_shard(entity: &Entity) -> Option<Field> {
    let is_chosen = |segment: &Segment| match segment {
        Segment::Shard(shard) => *shard.rule() == ShardRule::Chosen,
        Segment::Literal(_) | Segment::Attribute(_) => false,
    };
    let mut templates = kind::all_templates(entity);
    let is_needed = templates.any(|template| template.segments().iter().any(is_chosen))
        && entity.attribute(SHARD).is_none();
    is_needed.then(|| Field {
        name: SHARD.to_owned(),
        kind: Kind::Whole,
        optional: false,
        description: Some("The shard that the writer has chosen.".to_owned()),
    })
}

fn operations(
    model: &Model,
    table: &Table,
    entity: &Entity,
    fields: &[Field],
) -> Result<Operations, Why> {
    let own = key_roots(entity);
    let is_key = |field: &&Field| own.contains(&field.name.as_str()) || field.name == SHARD;
    let mut key_fields: Vec<Field> = fields.iter().filter(is_key).cloned().collect();
    let needed = needed_roots(entity);
    for field in &mut key_fields {
        field.optional = !needed.contains(&field.name.as_str()) && field.name != SHARD;
    }
    let lock = entity.lock.as_ref().and_then(|name| entity.attribute(name));
    let written = written_keys(table, entity);
    let patch = patch_fields(entity, fields, &written);
    let mut changes = assignments(entity, &patch);
    check_changes(table, entity, &patch, &mut changes)?;
    changes.extend(derived_changes(entity, fields, &patch, &written)?);
    Ok(Operations {
        table: table.name.clone(),
        key: key(table, entity, &|name| Code::KeyMember(name.to_owned()))?,
        item: item(table, entity, fields)?,
        read: read(table, entity)?,
        matches: matches(model, table, entity),
        lock: lock.map(|attribute| attribute.item_name().to_owned()),
        key_fields,
        patch,
        changes,
    })
}

/// The attributes without which the table's own key cannot be built.
fn needed_roots(entity: &Entity) -> Vec<&str> {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    templates.flat_map(Template::required_paths).map(|path| path.root.as_str()).collect()
}

fn key(
    table: &Table,
    entity: &Entity,
    value: &dyn Fn(&str) -> Code,
) -> Result<Vec<(String, Code)>, Why> {
    let keys = entity.key.as_ref().ok_or("it has no key")?;
    let templates = keys.partition.iter().chain(&keys.sort);
    let writer = KeyWriter { entity, value };
    let pairs = table.key_attributes().zip(templates);
    pairs.map(|(key, template)| Ok((key.name.clone(), writer.key(template)?))).collect()
}

/// The stored item: its key, its type, its attributes, and the keys of indexes that hold it.
fn item(table: &Table, entity: &Entity, fields: &[Field]) -> Result<Vec<(String, Code)>, Why> {
    let is_optional = |name: &str| {
        fields.iter().find(|field| field.name == name).is_some_and(|field| field.optional)
    };
    let value =
        |name: &str| Code::Attribute(Member { name: name.to_owned(), optional: is_optional(name) });
    // A part of a key is built only where it is there: required, or asked for before.
    let there = |name: &str| Code::Attribute(Member { name: name.to_owned(), optional: false });
    let mut item = key(table, entity, &there)?;
    for (name, code) in &mut item {
        if let Some(own) = stored_attribute(entity, name) {
            *code = checked(name, value(&own.name), code.clone());
        }
    }
    if let Some(name) = &table.type_attribute {
        item.push((name.clone(), Code::text(entity.type_value())));
    }
    let mut add = |name: &str, code: Code| {
        if !item.iter().any(|(known, _)| known == name) {
            item.push((name.to_owned(), code));
        }
    };
    for attribute in entity.attributes.iter().filter(|attribute| attribute.stored) {
        add(attribute.item_name(), value(&attribute.name));
    }
    for written in written_keys(table, entity) {
        let condition = in_index(entity, written.keys, &value, &|name| {
            is_optional(name).then(|| Code::IsPresent(Box::new(value(name))))
        })?;
        let writer = KeyWriter { entity, value: &there };
        for (name, template) in &written.parts {
            let code = Code::choose(condition.clone(), writer.key(template)?, Code::Absent);
            add(name, code);
        }
    }
    check_item(table, entity, &value, &is_optional, &mut item)?;
    Ok(item)
}

/// Whether an item is in an index: all attributes of the key are there, and its condition holds.
pub(super) fn in_index(
    entity: &Entity,
    keys: &IndexKeys,
    value: &dyn Fn(&str) -> Code,
    is_there: &dyn Fn(&str) -> Option<Code>,
) -> Result<Code, Why> {
    let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
    let mut all: Vec<Code> = Vec::new();
    for path in templates.flat_map(Template::required_paths) {
        let there = is_there(&path.root).filter(|there| !all.contains(there));
        all.extend(there);
    }
    if let Some(when) = &keys.when {
        let wrong = |why: Why| format!("the condition of {}: {why}", keys.index);
        all.push(condition(when, entity, value).map_err(wrong)?);
    }
    Ok(Code::All(all))
}

fn assignments(entity: &Entity, patch: &[PatchField]) -> Vec<(String, Code)> {
    let stored =
        |name: &str| entity.attribute(name).filter(|one| one.stored).map(Attribute::item_name);
    let mut found: Vec<(String, Code)> = Vec::new();
    for field in patch {
        let (group, fields): (Option<&Group>, Vec<&Field>) = match field {
            PatchField::Attribute(field) => (None, vec![field]),
            PatchField::Group(group) => (Some(group), group.fields.iter().collect()),
        };
        for field in fields {
            let Some(name) = stored(&field.name) else { continue };
            let changed = ChangedMember {
                group: group.map(|group| group.name.clone()),
                name: field.name.clone(),
            };
            found.push((name.to_owned(), Code::Assigned(changed)));
        }
    }
    found
}

/// The keys of indexes after a patch.
fn derived_changes(
    entity: &Entity,
    fields: &[Field],
    patch: &[PatchField],
    written: &[WrittenKey<'_>],
) -> Result<Vec<(String, Code)>, Why> {
    let mut found = Vec::new();
    for key in written.iter().filter(|key| !key.open.is_empty()) {
        let Some(member) = member_of(patch, key) else { continue };
        let changed =
            |name: &str| ChangedMember { group: member.group.clone(), name: name.to_owned() };
        let value = |name: &str| {
            if key.open.contains(&name) {
                Code::Changed(changed(name))
            } else {
                Code::KeyMember(name.to_owned())
            }
        };
        let is_optional =
            |name: &str| fields.iter().any(|field| field.name == name && field.optional);
        let condition = in_index(entity, key.keys, &value, &|name| {
            (key.open.contains(&name) && is_optional(name)).then(|| Code::IsKept(changed(name)))
        })?;
        let writer = KeyWriter { entity, value: &value };
        for (name, template) in &key.parts {
            let new = Code::choose(condition.clone(), writer.key(template)?, Code::Removed);
            let code = Code::choose(Code::IsChanged(member.clone()), new, Code::Untouched);
            found.push(((*name).to_owned(), code));
        }
    }
    Ok(found)
}

/// The member of a patch with which the key of an index changes.
fn member_of(patch: &[PatchField], key: &WrittenKey<'_>) -> Option<ChangedMember> {
    patch.iter().find_map(|field| match field {
        PatchField::Attribute(field) => key
            .open
            .contains(&field.name.as_str())
            .then(|| ChangedMember { group: None, name: field.name.clone() }),
        PatchField::Group(group) => group
            .indexes
            .contains(&key.keys.index)
            .then(|| ChangedMember { group: Some(group.name.clone()), name: String::new() }),
    })
}

/// From a stored item back to the attributes.
fn read(table: &Table, entity: &Entity) -> Result<Vec<(String, Code)>, Why> {
    let mut found = Vec::new();
    for attribute in &entity.attributes {
        let code = if attribute.stored {
            Code::Stored(attribute.item_name().to_owned())
        } else {
            from_key(table, entity, attribute)?
        };
        let code = match &attribute.default {
            Some(default) => {
                Code::Default(Box::new(code), Box::new(Code::Literal(default.clone())))
            }
            None => code,
        };
        found.push((attribute.name.clone(), code));
    }
    Ok(found)
}

/// An attribute that only a key holds.
fn from_key(table: &Table, entity: &Entity, attribute: &Attribute) -> Result<Code, Why> {
    let keys = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    for (key, template) in table.key_attributes().zip(keys) {
        let place = template.segments().iter().position(|segment| {
            segment.attribute().is_some_and(|part| part.path.root == attribute.name)
        });
        let Some(part) = place.and_then(|place| template.segments().get(place)?.attribute()) else {
            continue;
        };
        if template.key_type() != Type::String {
            return Ok(Code::Stored(key.name.clone()));
        }
        let pattern = place.and_then(|place| key_pattern::capturing(template, place));
        let (Some(pattern), true) = (pattern, part.encoding.is_lossless()) else { continue };
        let stored = Code::Stored(key.name.clone());
        let found = Code::Call("keyPart", vec![stored, Code::Pattern(pattern)]);
        match part.encoding.form() {
            Form::Text(form) if form.steps.is_empty() => {
                let delimiter = template.delimiter();
                return Ok(match form.escaping {
                    Escaping::Delimiter => {
                        let codes = [delimiter.character(), delimiter.escape()];
                        let [own, other] = codes.map(|one| Code::text(one.to_string()));
                        Code::Call("unescaped", vec![found, own, other])
                    }
                    Escaping::Verbatim => found,
                });
            }
            Form::Identifier(_) => return Ok(found),
            Form::Plain => return Ok(Code::Call("numberOf", vec![found])),
            Form::Number(form) if form.total().is_none() && !part.encoding.sorts_descending() => {
                return Ok(Code::Call("numberOf", vec![found]));
            }
            _ => {}
        }
    }
    Err(format!("{} is stored in no form that is read back from a key", attribute.name))
}

/// Whether a stored item is one of the entity: by its type, by the form of its key, and by
/// attributes that tell it from entities with keys of the same form.
fn matches(model: &Model, table: &Table, entity: &Entity) -> Code {
    let mut all = Vec::new();
    if let Some(name) = &table.type_attribute {
        let (left, right) = (Code::Stored(name.clone()), Code::text(entity.type_value()));
        all.push(Code::Call("isEqual", vec![left, right]));
    }
    for (key, pattern) in patterns(table, entity) {
        let pattern = Code::Pattern(pattern);
        all.push(Code::Call("hasForm", vec![Code::Stored(key), pattern]));
    }
    if table.type_attribute.is_none() {
        let own = patterns(table, entity);
        let twins = model
            .entities_in(table)
            .filter(|other| other.name != entity.name && patterns(table, other) == own);
        let twins: Vec<&Entity> = twins.collect();
        let tells = |attribute: &&Attribute| {
            let is_telling = |twin: &&Entity| twin.attribute(&attribute.name).is_none();
            attribute.required && attribute.stored && twins.iter().any(is_telling)
        };
        for attribute in entity.attributes.iter().filter(tells) {
            all.push(Code::Call("exists", vec![Code::Stored(attribute.item_name().to_owned())]));
        }
    }
    Code::All(all)
}

fn patterns(table: &Table, entity: &Entity) -> Vec<(String, String)> {
    let templates = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    let pairs = table.key_attributes().zip(templates);
    pairs
        .filter_map(|(key, template)| Some((key.name.clone(), key_pattern::key_pattern(template)?)))
        .collect()
}
