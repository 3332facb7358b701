//! From `schema.json` to a model.

use monotable_item::Type;
use monotable_item::key_encoding::KeyType;
use monotable_model::document::{
    Attribute, AttributeFormat, Entity, Index, IndexKeys, IndexKind, IndexProjection, KeyAttribute,
    Keys, Table,
};
use monotable_model::template::{Form, Template};

use super::access_pattern;
use super::python_template;
use crate::extension::Kept;
use crate::foreign::{At, Object, Read};
use crate::outcome::Draft;

/// Types of fields, and what they are here.
const FIELD_TYPES: [(&str, Type); 9] = [
    ("string", Type::String),
    ("integer", Type::Number),
    ("decimal", Type::Number),
    ("float", Type::Number),
    ("boolean", Type::Bool),
    ("array", Type::List),
    ("object", Type::Map),
    ("uuid", Type::String),
    ("binary", Type::Binary),
];

/// Imports a whole schema.
pub(crate) fn import(root: &At<'_>) -> Read<Draft> {
    let schema = root.open()?;
    let mut draft = Draft::default();
    let mut kept_tables = Kept::default();
    for at in schema.required("tables")?.list()? {
        let object = at.open()?;
        let mut kept = Kept::default();
        let name = read_table(&object, &mut draft, &mut kept)?;
        kept.members(object.leftover());
        kept_tables.under(&name, kept);
    }
    draft.kept.under("tables", kept_tables);
    if let Some(at) = schema.peek("cross_table_access_patterns") {
        let message = "patterns over several tables are kept, and are no patterns of the model";
        draft.notes.push(at.note(message));
    }
    draft.kept.members(schema.leftover());
    access_pattern::keep_consistent(&mut draft);
    Ok(draft)
}

fn read_table(object: &Object<'_>, draft: &mut Draft, kept: &mut Kept) -> Read<String> {
    let config = object.required("table_config")?.open()?;
    let name = config.required("table_name")?.text()?.to_owned();
    let string = |name: &str| KeyAttribute { name: name.to_owned(), kind: KeyType::String };
    let partition_key = string(config.required("partition_key")?.text()?);
    let mut table = Table::new(&name, partition_key);
    table.sort_key = config.text("sort_key")?.map(|name| string(&name));
    // Older files have the list inside the configuration.
    let indexes = match object.take("gsi_list") {
        Some(at) => at.list()?,
        None => config.list("gsi_list")?,
    };
    for at in indexes {
        table.indexes.push(index(&at)?);
    }
    let mut own = Kept::default();
    own.members(config.leftover());
    kept.under("table_config", own);
    let mut kept_entities = Kept::default();
    let mut entities = Vec::new();
    for (name, at) in object.required("entities")?.named()? {
        let mut kept = Kept::default();
        entities.push(read_entity(name, &at, &mut table, draft, &mut kept)?);
        kept_entities.under(name, kept);
    }
    kept.under("entities", kept_entities);
    draft.model.tables.push(table);
    draft.model.entities.append(&mut entities);
    Ok(name)
}

fn index(at: &At<'_>) -> Read<Index> {
    let object = at.open()?;
    let keys = |at: Option<At<'_>>| -> Read<Vec<KeyAttribute>> {
        let names = at.map(|at| at.one_or_more()).unwrap_or_default();
        let key =
            |at: &At<'_>| Ok(KeyAttribute { name: at.text()?.to_owned(), kind: KeyType::String });
        names.iter().map(key).collect()
    };
    let projection = match object.text("projection")?.as_deref() {
        Some("KEYS_ONLY") => IndexProjection::KeysOnly,
        Some("INCLUDE") => {
            IndexProjection::Include(object.required("included_attributes")?.texts()?)
        }
        Some(_) | None => IndexProjection::All,
    };
    Ok(Index {
        name: object.required("name")?.text()?.to_owned(),
        description: None,
        kind: IndexKind::Global,
        partition_key: keys(Some(object.required("partition_key")?))?,
        sort_key: keys(object.take("sort_key"))?,
        projection,
        billing: None,
    })
}

fn read_entity(
    name: &str,
    at: &At<'_>,
    table: &mut Table,
    draft: &mut Draft,
    kept: &mut Kept,
) -> Read<Entity> {
    let object = at.open()?;
    let mut entity = Entity::named(name);
    entity.tables = vec![table.name.clone()];
    let mut kept_fields = Kept::default();
    for at in object.required("fields")?.list()? {
        let attribute = field(&at, &mut kept_fields)?;
        entity.attributes.push(attribute);
    }
    kept.under("fields", kept_fields);
    let partition = side(&entity, object.take("pk_template"))?;
    if partition.is_empty() {
        object.required("pk_template")?;
    }
    let sort = side(&entity, object.take("sk_template"))?;
    let mut own = vec![&mut table.partition_key];
    own.extend(table.sort_key.as_mut());
    settle_types(&entity, own, partition.iter().chain(&sort));
    entity.key = Some(Keys {
        partition: natural(&entity, partition, std::slice::from_ref(&table.partition_key)),
        sort: natural(&entity, sort, table.sort_key.as_slice()),
    });
    for at in object.list("gsi_mappings")? {
        let mapping = at.open()?;
        let name = mapping.required("name")?;
        let index_name = name.text()?;
        let index = table.indexes.iter_mut().find(|index| index.name == index_name);
        let index = index.ok_or_else(|| name.error("gsi_list has no index of this name"))?;
        let partition = side(&entity, mapping.take("pk_template"))?;
        let sort = side(&entity, mapping.take("sk_template"))?;
        let keys = index.partition_key.iter_mut().chain(index.sort_key.iter_mut());
        settle_types(&entity, keys.collect(), partition.iter().chain(&sort));
        let keys = Keys {
            partition: natural(&entity, partition, &index.partition_key),
            sort: natural(&entity, sort, &index.sort_key),
        };
        entity.indexes.push(IndexKeys { index: index_name.to_owned(), keys, when: None });
    }
    access_pattern::read(&object, &entity, draft, kept)?;
    kept.members(object.leftover());
    Ok(entity)
}

fn field(at: &At<'_>, kept: &mut Kept) -> Read<Attribute> {
    let object = at.open()?;
    let name = object.required("name")?.text()?.to_owned();
    let word = object.required("type")?;
    let mut attribute = Attribute::new(name.clone(), word.word(&FIELD_TYPES)?);
    attribute.required = object.flag("required")?.unwrap_or_default();
    if word.text() == Ok("uuid") {
        attribute.format = Some(AttributeFormat::Uuid);
    }
    if let Some(at) = object.take("item_type") {
        let items = Attribute::new("", at.word(&FIELD_TYPES)?);
        attribute.items = Some(Box::new(items)).filter(|_| attribute.kind == Type::List);
    }
    let mut own = Kept::default();
    // Whole and other numbers are one type here, so the word is kept.
    if matches!(word.text(), Ok("integer" | "float")) {
        own.members(vec![("type".to_owned(), word.tree.clone())]);
    }
    own.members(object.leftover());
    kept.under(&name, own);
    Ok(attribute)
}

fn side(entity: &Entity, at: Option<At<'_>>) -> Read<Vec<Template>> {
    let parts = at.map(|at| at.one_or_more()).unwrap_or_default();
    let template = |at: &At<'_>| {
        python_template::read(at.text()?, &entity.attributes).map_err(|why| at.error(why))
    };
    parts.iter().map(template).collect()
}

/// A key that is a number field alone is a number.
fn settle_types<'t>(
    entity: &Entity,
    keys: Vec<&mut KeyAttribute>,
    templates: impl Iterator<Item = &'t Template>,
) {
    for (key, template) in keys.into_iter().zip(templates) {
        if lone_number(entity, template, key) {
            key.kind = KeyType::Number;
        }
    }
}

fn lone_number(entity: &Entity, template: &Template, key: &KeyAttribute) -> bool {
    let [segment] = template.segments() else { return false };
    let part = segment.attribute();
    part.is_some_and(|part| {
        let is_raw = matches!(part.encoding.form(), Form::Text(_));
        let attribute = entity.attribute(&part.path.root);
        let is_number = attribute.is_some_and(|attribute| attribute.kind == Type::Number);
        is_raw && is_number && part.path.root == key.name
    })
}

/// Number keys are written as such.
fn natural(entity: &Entity, templates: Vec<Template>, keys: &[KeyAttribute]) -> Vec<Template> {
    let settled = |(template, key): (Template, &KeyAttribute)| match key.kind {
        KeyType::Number if lone_number(entity, &template, key) => {
            Template::parse(&format!("{{{}:number}}", key.name)).unwrap_or(template)
        }
        KeyType::String | KeyType::Number | KeyType::Binary => template,
    };
    templates.into_iter().zip(keys).map(settled).collect()
}
