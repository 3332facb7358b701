//! From ElectroDB's schemas to a model.

use monotable_item::Type;
use monotable_item::key_encoding::KeyType;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{
    Attribute, Entity, Index, IndexKeys, IndexKind, IndexProjection, KeyAttribute, Keys, Table,
    Tree,
};
use monotable_model::template::Template;

use super::attribute::{self, holds_code};
use super::composition::{Composed, IndexDefinition, Layout, Owner, definition};
use super::derived::Derived;
use super::{ENTITY_STAMP, condition};
use crate::extension::Kept;
use crate::foreign::{At, Object, Read};
use crate::outcome::Draft;
use crate::source_node::code;

/// The name of a table that the file does not name.
const TABLE: &str = "Table";

/// The name of what is spread into an object and cannot be evaluated.
const SPREAD: &str = "...";

/// A schema as it was read.
struct Schema<'t> {
    owner: Owner,
    attributes: Vec<Attribute>,
    kept: Kept,
    indexes: Vec<ReadIndex<'t>>,
    table: String,
}

struct ReadIndex<'t> {
    at: At<'t>,
    object: Object<'t>,
    definition: IndexDefinition,
}

/// Imports a schema, a list of schemas, or schemas by name.
pub(crate) fn import(root: &At<'_>) -> Read<Draft> {
    let mut draft = Draft::default();
    let mut services: Vec<String> = Vec::new();
    for at in schemas(root)? {
        let schema = read(&at, &mut draft.notes)?;
        services.push(schema.owner.service.clone());
        add(&at, schema, &mut draft)?;
    }
    services.dedup();
    if let Ok([service]) = <[String; 1]>::try_from(services) {
        draft.model.name = service;
    }
    for table in &mut draft.model.tables {
        table.indexes.sort_by_key(|index| index.kind == IndexKind::Global);
    }
    Ok(draft)
}

fn schemas<'t>(root: &At<'t>) -> Read<Vec<At<'t>>> {
    if matches!(root.tree, Tree::List(_)) {
        return root.list();
    }
    if root.tree.member("model").is_some() {
        return Ok(vec![root.clone()]);
    }
    Ok(root.named()?.into_iter().map(|(_, at)| at).collect())
}

fn read<'t>(at: &At<'t>, notes: &mut Vec<Diagnostic>) -> Read<Schema<'t>> {
    let object = at.open()?;
    let model = object.required("model")?.open()?;
    let text = |name: &str| model.required(name)?.text().map(str::to_owned);
    let version = model.required("version")?;
    let version = match version.tree {
        Tree::Number(number) => number.clone(),
        _ => version.text()?.to_owned(),
    };
    let mut schema = Schema {
        owner: Owner { service: text("service")?, entity: text("entity")?, version, parts: vec![] },
        attributes: Vec::new(),
        kept: Kept::default(),
        indexes: Vec::new(),
        table: table_name(&object, notes)?,
    };
    let indexes = object.required("indexes")?.named()?;
    read_attributes(&object.required("attributes")?, &indexes, &mut schema, notes)?;
    let mut kept = Kept::default();
    for (name, at) in indexes {
        if name == SPREAD {
            notes.push(spread_note(&at));
            continue;
        }
        let definition = definition(&at)?;
        let mut own = at.open()?.leftover();
        own.retain(|(member, value)| {
            member != "projection" && member != "condition" && !holds_code(value)
        });
        // As the export writes it, so that what comes back is the same.
        own.sort_by_key(|(member, _)| member != "index");
        let mut of_index = Kept::default();
        of_index.members(own);
        kept.under(name, of_index);
        schema.indexes.push(ReadIndex { object: at.open()?, at, definition });
    }
    schema.kept.under("indexes", kept);
    Ok(schema)
}

/// The table that a schema says or was constructed with.
fn table_name(object: &Object<'_>, notes: &mut Vec<Diagnostic>) -> Read<String> {
    match object.take("table") {
        Some(at) => match code(at.tree) {
            Some(text) => {
                let message = format!("{text} cannot be evaluated; the table is called {TABLE}");
                notes.push(at.note(message));
                Ok(TABLE.to_owned())
            }
            None => at.text().map(str::to_owned),
        },
        None => {
            let message = format!("no table is named; it is called {TABLE}");
            notes.push(crate::foreign::note(&object.place, message));
            Ok(TABLE.to_owned())
        }
    }
}

fn spread_note(at: &At<'_>) -> Diagnostic {
    let text = code(at.tree).unwrap_or("it");
    at.note(format!("{text} cannot be evaluated here; what it spreads is left out"))
}

fn read_attributes(
    at: &At<'_>,
    indexes: &[(&str, At<'_>)],
    schema: &mut Schema<'_>,
    notes: &mut Vec<Diagnostic>,
) -> Read<()> {
    let mut kept: Vec<(String, Vec<(String, Tree)>)> = Vec::new();
    let attributes = at.named()?;
    for (name, at) in &attributes {
        if *name == SPREAD {
            notes.push(spread_note(at));
            continue;
        }
        let derived = Derived::read(name, at.tree).filter(|_| is_in_key(name, indexes));
        let mut own_notes = Vec::new();
        let read = attribute::read(name, at, &mut own_notes)?;
        schema.owner.parts.extend(read.part.map(|mut part| {
            part.source = derived.as_ref().map(|one| (one.source.clone(), one.step));
            part
        }));
        if derived.is_none() {
            notes.extend(own_notes);
            notes.extend(padded_text(at, &schema.owner).filter(|_| is_in_key(name, indexes)));
            schema.attributes.extend(read.attribute);
            kept.push(((*name).to_owned(), read.kept));
        }
    }
    kept.sort_by(|one, other| one.0.cmp(&other.0));
    let mut all = Kept::default();
    for (name, members) in kept {
        let mut own = Kept::default();
        own.members(members);
        all.under(&name, own);
    }
    schema.kept.under("attributes", all);
    Ok(())
}

/// A remark on a text that keys pad.
fn padded_text(at: &At<'_>, owner: &Owner) -> Option<Diagnostic> {
    let part = owner.parts.last().filter(|part| part.kind == Type::String)?;
    part.padding.as_ref().filter(|(_, zero)| zero == "0")?;
    let message =
        "there a text is padded as a whole, here each run of digits: equal for digits alone";
    Some(at.open().ok()?.peek("padding")?.note(message))
}

/// Whether a key is composed of an attribute.
fn is_in_key(name: &str, indexes: &[(&str, At<'_>)]) -> bool {
    let sides = indexes.iter().flat_map(|(_, at)| ["pk", "sk"].map(|side| at.tree.member(side)));
    sides.flatten().any(|side| {
        let composite = side.member("composite").map(Tree::elements).unwrap_or_default();
        let template = side.member("template").and_then(Tree::text).unwrap_or_default();
        composite.iter().any(|own| own.text() == Some(name))
            || template.contains(&format!("${{{name}}}"))
    })
}

/// Adds the entity of a schema to its table, unless its key has no templates.
fn add(at: &At<'_>, schema: Schema<'_>, draft: &mut Draft) -> Read<()> {
    let Schema { owner, attributes, mut kept, indexes, table } = schema;
    let mut known: Vec<(String, Template)> = Vec::new();
    let mut composed: Vec<(ReadIndex<'_>, Composed)> = Vec::new();
    for index in indexes {
        match index.definition.compose(&owner, &mut known) {
            Ok(keys) => composed.push((index, keys)),
            Err(why) if index.definition.index.is_none() => {
                draft.notes.push(index.at.note(format!("the entity is left out: {why}")));
                return Ok(());
            }
            Err(why) => draft.notes.push(index.at.note(format!("the index is left out: {why}"))),
        }
    }
    let primary = composed.iter().position(|(index, _)| index.definition.index.is_none());
    let primary = primary.ok_or_else(|| {
        at.error("one of the indexes is the table's own, and has no member index")
    })?;
    let (primary, keys) = composed.remove(primary);
    let mut entity = Entity::named(entity_name(&owner, draft));
    entity.stored_type = Some(owner.entity.clone()).filter(|stored| *stored != entity.name);
    entity.tables = vec![table.clone()];
    entity.attributes = attributes;
    entity.version = owner.version.parse().ok().filter(|v: &u64| v.to_string() == owner.version);
    let table = table_of(&primary.at, &table, &keys, draft)?;
    entity.key = Some(templates(keys));
    for (index, keys) in composed {
        add_index(&index, keys, &mut entity, table, draft)?;
    }
    let mut said = vec![("service".to_owned(), Tree::String(owner.service.clone()))];
    if entity.version.is_none() {
        said.push(("version".to_owned(), Tree::String(owner.version.clone())));
    }
    kept.members(said);
    draft.kept.under(&entity.name, kept);
    draft.model.entities.push(entity);
    Ok(())
}

/// The name of an entity; another version of one that is there has its version in it.
fn entity_name(owner: &Owner, draft: &Draft) -> String {
    let is_free = |name: &str| draft.model.entity(name).is_none();
    let names = [
        owner.entity.clone(),
        format!("{}_v{}", owner.entity, owner.version),
        format!("{}_{}_v{}", owner.service, owner.entity, owner.version),
    ];
    names.iter().find(|name| is_free(name)).unwrap_or(&owner.entity).clone()
}

fn key_attributes(keys: &[(String, Template)]) -> Vec<KeyAttribute> {
    let one = |(field, template): &(String, Template)| {
        let is_number = template.key_type() == Type::Number;
        let kind = if is_number { KeyType::Number } else { KeyType::String };
        KeyAttribute { name: field.clone(), kind }
    };
    keys.iter().map(one).collect()
}

fn templates(keys: Composed) -> Keys {
    let templates = |keys: Vec<(String, Template)>| keys.into_iter().map(|(_, one)| one).collect();
    Keys { partition: templates(keys.partition), sort: templates(keys.sort) }
}

/// The place of the table with this key, which is made if there is none of its name.
fn table_of(at: &At<'_>, name: &str, keys: &Composed, draft: &mut Draft) -> Read<usize> {
    let partition = key_attributes(&keys.partition).into_iter().next();
    let partition = partition.ok_or_else(|| at.error("the table's key has no partition key"))?;
    let sort = key_attributes(&keys.sort).into_iter().next();
    let found = draft.model.tables.iter().position(|table| table.name == name);
    if let Some(table) = found.and_then(|place| draft.model.tables.get(place)) {
        if table.partition_key != partition || table.sort_key != sort {
            let names: Vec<&str> = table.key_attributes().map(|key| key.name.as_str()).collect();
            let message = format!("another entity of {name} has the key {}", names.join(", "));
            return Err(at.error(message));
        }
    } else {
        let mut table = Table::new(name, partition);
        table.sort_key = sort;
        table.type_attribute = Some(ENTITY_STAMP.to_owned());
        draft.model.tables.push(table);
    }
    Ok(found.unwrap_or(draft.model.tables.len() - 1))
}

fn add_index(
    index: &ReadIndex<'_>,
    keys: Composed,
    entity: &mut Entity,
    table: usize,
    draft: &mut Draft,
) -> Read<()> {
    let Some(name) = index.definition.index.clone() else {
        return Err(index.at.error("another index is the table's own as well"));
    };
    let when = condition_of(index, entity, &mut draft.notes);
    let own = Index {
        name: name.clone(),
        description: None,
        kind: IndexKind::Global,
        partition_key: key_attributes(&keys.partition),
        sort_key: key_attributes(&keys.sort),
        projection: projection(&index.object, entity)?,
        billing: None,
    };
    let Some(table) = draft.model.tables.get_mut(table) else { return Ok(()) };
    let is_local = index.definition.layout != Layout::Composite
        && own.partition_key == [table.partition_key.clone()]
        && !own.sort_key.is_empty();
    let kind = if is_local { IndexKind::Local } else { IndexKind::Global };
    let own = Index { kind, ..own };
    match table.index(&name) {
        None => table.indexes.push(own),
        Some(other)
            if other.partition_key != own.partition_key || other.sort_key != own.sort_key =>
        {
            let names: Vec<&str> = other.key_attributes().map(|key| key.name.as_str()).collect();
            let message = format!("another entity has the key {} in {name}", names.join(", "));
            return Err(index.at.error(message));
        }
        Some(other) if other.projection != own.projection => {
            let message = "another entity says another projection, which is taken";
            draft.notes.push(index.at.note(message));
        }
        Some(_) => {}
    }
    entity.indexes.push(IndexKeys { index: name, keys: templates(keys), when });
    Ok(())
}

fn condition_of(
    index: &ReadIndex<'_>,
    entity: &Entity,
    notes: &mut Vec<Diagnostic>,
) -> Option<monotable_model::document::Expression> {
    let at = index.object.take("condition")?;
    let when = code(at.tree).and_then(|code| condition::read(code, entity));
    if when.is_none() {
        notes.push(at.note("the condition is code; in the model the index has all items"));
    }
    when
}

/// Which attributes an index holds, by what items call them.
fn projection(object: &Object<'_>, entity: &Entity) -> Read<IndexProjection> {
    let Some(at) = object.take("projection") else { return Ok(IndexProjection::All) };
    if !matches!(at.tree, Tree::List(_)) {
        let is_all = at.word(&[("all", true), ("keys_only", false)])?;
        return Ok(if is_all { IndexProjection::All } else { IndexProjection::KeysOnly });
    }
    let stored = |name: String| match entity.attribute(&name) {
        Some(attribute) => attribute.item_name().to_owned(),
        None => name,
    };
    Ok(IndexProjection::Include(at.names()?.into_iter().map(stored).collect()))
}
