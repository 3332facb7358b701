//! From OneTable's schema to a model.

use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Type};
use monotable_model::document::{
    Attribute, AttributeFormat, Entity, Index, IndexKeys, IndexKind, IndexProjection, KeyAttribute,
    Keys, Sample, Table, Tree,
};
use monotable_model::template::Template;

use super::value_template;
use crate::extension::Kept;
use crate::foreign::{At, Object, Read, note};
use crate::outcome::Draft;
use crate::typed_json;

/// The name of the table, which a schema does not have.
const TABLE: &str = "Table";

/// What a schema says of all its models.
struct Settings {
    type_field: String,
    iso_dates: bool,
    timestamps: bool,
    created: String,
    updated: String,
}

/// Imports a whole schema.
pub(crate) fn import(root: &At<'_>) -> Read<Draft> {
    let schema = root.open()?;
    check_format(&schema)?;
    let mut draft = Draft::default();
    draft.model.description = schema.text("description")?;
    let settings = settings(&schema)?;
    let mut table = table(&schema.required("indexes")?, &settings)?;
    let mut kept_models = Kept::default();
    for (name, at) in schema.required("models")?.named()? {
        let mut kept = Kept::default();
        let entity = entity(name, &at, &mut table, &settings, &mut kept, &mut draft)?;
        kept_models.under(name, kept);
        draft.model.entities.push(entity);
    }
    draft.kept.under("models", kept_models);
    draft.notes.push(note(
        &schema.place,
        format!("a schema does not name its table; it is called {TABLE}"),
    ));
    read_items(&schema, &settings, &table, &mut draft)?;
    draft.model.tables.push(table);
    draft.kept.members(schema.leftover());
    Ok(draft)
}

fn check_format(schema: &Object<'_>) -> Read<()> {
    let Some(format) = schema.peek("format") else { return Ok(()) };
    let is_known = format.text()?.starts_with("onetable:1.");
    if is_known { Ok(()) } else { Err(format.error("only onetable:1 is known")) }
}

fn settings(schema: &Object<'_>) -> Read<Settings> {
    let params = schema.peek("params").map(|at| at.open()).transpose()?;
    let params = params.as_ref();
    let text = |name: &str, default: &str| -> Read<String> {
        let found = params.map_or(Ok(None), |params| params.text(name))?;
        Ok(found.unwrap_or_else(|| default.to_owned()))
    };
    let flag = |name: &str| -> Read<bool> {
        let at = params.and_then(|params| params.take(name));
        // `timestamps` may also say which of the two are kept.
        Ok(at.is_some_and(|at| at.flag().unwrap_or(true)))
    };
    Ok(Settings {
        type_field: text("typeField", "_type")?,
        iso_dates: flag("isoDates")?,
        timestamps: flag("timestamps")?,
        created: text("createdField", "created")?,
        updated: text("updatedField", "updated")?,
    })
}

fn table(indexes: &At<'_>, settings: &Settings) -> Read<Table> {
    let string = |name: &str| KeyAttribute { name: name.to_owned(), kind: KeyType::String };
    let object = indexes.open()?;
    let primary = object.required("primary")?.open()?;
    let partition_key = string(primary.required("hash")?.text()?);
    let mut table = Table::new(TABLE, partition_key);
    table.sort_key = primary.text("sort")?.map(|name| string(&name));
    table.type_attribute = Some(settings.type_field.clone());
    for (name, at) in indexes.named()?.into_iter().filter(|(name, _)| *name != "primary") {
        let index = at.open()?;
        let hash = index.text("hash")?;
        let is_local = index.text("type")?.as_deref() == Some("local")
            || hash.as_ref().is_none_or(|hash| *hash == table.partition_key.name);
        let partition = hash.unwrap_or_else(|| table.partition_key.name.clone());
        table.indexes.push(Index {
            name: name.to_owned(),
            description: None,
            kind: if is_local { IndexKind::Local } else { IndexKind::Global },
            partition_key: vec![string(&partition)],
            sort_key: index.text("sort")?.iter().map(|name| string(name)).collect(),
            projection: projection(&index)?,
            billing: None,
        });
    }
    table.indexes.sort_by_key(|index| index.kind == IndexKind::Global);
    Ok(table)
}

fn projection(index: &Object<'_>) -> Read<IndexProjection> {
    let Some(at) = index.take("project") else { return Ok(IndexProjection::All) };
    match at.tree {
        Tree::List(_) => at.texts().map(IndexProjection::Include),
        _ => at
            .word(&[("all", true), ("keys", false)])
            .map(|all| if all { IndexProjection::All } else { IndexProjection::KeysOnly }),
    }
}

fn entity(
    name: &str,
    at: &At<'_>,
    table: &mut Table,
    settings: &Settings,
    kept: &mut Kept,
    draft: &mut Draft,
) -> Read<Entity> {
    let mut entity = Entity::named(name);
    entity.tables = vec![table.name.clone()];
    let mut values: Vec<(String, At<'_>)> = Vec::new();
    for (field, at) in at.named()? {
        let object = at.open()?;
        let value = object.take("value");
        let is_key = is_key(table, field);
        if let Some(value) = value.clone().filter(|_| is_key) {
            object.take("type");
            values.push((field.to_owned(), value));
        } else {
            if let Some(value) = value {
                draft
                    .notes
                    .push(value.note("the value of an attribute that is no key is not built"));
            }
            let attribute = attribute(field, &object, settings)?;
            if let Some(ttl) = object.peek("ttl") {
                let name = attribute.item_name();
                if table.ttl.get_or_insert_with(|| name.to_owned()) == name {
                    entity.ttl = Some(attribute.name.clone());
                } else {
                    let text = "left out: a table expires items by one attribute, and by another";
                    draft.notes.push(ttl.note(text));
                }
            }
            entity.attributes.push(attribute);
        }
        remark(&object, &mut draft.notes);
        let mut own = Kept::default();
        own.members(object.leftover());
        kept.under(field, own);
    }
    add_timestamps(&mut entity, settings);
    set_keys(&mut entity, at, table, &values)?;
    Ok(entity)
}

fn is_key(table: &Table, field: &str) -> bool {
    let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
    table.key_attributes().chain(of_indexes).any(|key| key.name == field)
}

/// What a field has that a model cannot say. All of it is kept.
fn remark(object: &Object<'_>, notes: &mut Vec<monotable_model::diagnostic::Diagnostic>) {
    let unsaid = [
        ("unique", "OneTable writes an item of its own for it, which is no entity here"),
        ("crypt", "the stored value is encrypted"),
        ("default", "a model has no default values"),
        ("scope", "a model has no scopes of unique attributes"),
    ];
    for (member, message) in unsaid {
        if let Some(at) = object.peek(member) {
            notes.push(at.note(message));
        }
    }
}

fn attribute(name: &str, object: &Object<'_>, settings: &Settings) -> Read<Attribute> {
    let kind = object.take("type");
    let word = kind.as_ref().map_or(Ok("string"), |at| at.text())?;
    let (kind, format) = match word.to_ascii_lowercase().as_str() {
        "string" => (Type::String, None),
        "number" => (Type::Number, None),
        "boolean" => (Type::Bool, None),
        "binary" | "buffer" | "arraybuffer" => (Type::Binary, None),
        "array" => (Type::List, None),
        "object" => (Type::Map, None),
        "set" => (Type::StringSet, None),
        "date" if object.peek("ttl").is_some() => {
            (Type::Number, Some(AttributeFormat::EpochSeconds))
        }
        "date" if settings.iso_dates => (Type::String, Some(AttributeFormat::Rfc3339)),
        "date" => (Type::Number, Some(AttributeFormat::EpochMillis)),
        _ => {
            let at = object.required("type")?;
            return Err(at.error(format!("{word} is no type of OneTable")));
        }
    };
    let mut attribute = Attribute::new(name, kind);
    attribute.format = format.or_else(|| generated_format(object));
    attribute.required = object.peek("required").is_some_and(|at| at.flag() == Ok(true));
    attribute.stored_name = object.text("map")?;
    if let Some(at) = object.take("enum") {
        attribute.values = at.list()?.iter().map(typed_json::plain).collect::<Read<_>>()?;
    }
    if let Some(at) = object.take("schema").filter(|_| kind == Type::Map) {
        for (member, at) in at.named()? {
            attribute.members.push(self::attribute(member, &at.open()?, settings)?);
        }
    }
    if let Some(at) = object.take("items").filter(|_| kind == Type::List) {
        attribute.items = Some(Box::new(self::attribute("", &at.open()?, settings)?));
    }
    Ok(attribute)
}

fn generated_format(object: &Object<'_>) -> Option<AttributeFormat> {
    let at = object.peek("generate").or_else(|| object.peek("uuid"))?;
    match at.text().ok()? {
        "ulid" => Some(AttributeFormat::Ulid),
        "uuid" => Some(AttributeFormat::Uuid),
        _ => None,
    }
}

fn add_timestamps(entity: &mut Entity, settings: &Settings) {
    if !settings.timestamps {
        return;
    }
    for name in [&settings.created, &settings.updated] {
        if entity.attribute(name).is_none() {
            let (kind, format) = if settings.iso_dates {
                (Type::String, AttributeFormat::Rfc3339)
            } else {
                (Type::Number, AttributeFormat::EpochMillis)
            };
            let mut attribute = Attribute::new(name, kind);
            attribute.format = Some(format);
            entity.attributes.push(attribute);
        }
    }
    entity.created = Some(settings.created.clone());
    entity.touched = Some(settings.updated.clone());
}

fn set_keys(
    entity: &mut Entity,
    at: &At<'_>,
    table: &Table,
    values: &[(String, At<'_>)],
) -> Read<()> {
    let own: Vec<&KeyAttribute> = table.key_attributes().collect();
    let templates = templates(entity, &own, values)?;
    let mut templates = templates.ok_or_else(|| {
        let names: Vec<&str> = own.iter().map(|key| key.name.as_str()).collect();
        at.error(format!("the model does not define the key {}", names.join(", ")))
    })?;
    let sort = templates.split_off(1);
    entity.key = Some(Keys { partition: templates, sort });
    for index in &table.indexes {
        let keys: Vec<&KeyAttribute> = index.key_attributes().collect();
        let Some(mut templates) = self::templates(entity, &keys, values)? else { continue };
        let sort = templates.split_off(index.partition_key.len());
        let keys = Keys { partition: templates, sort };
        entity.indexes.push(IndexKeys { index: index.name.clone(), keys, when: None });
    }
    Ok(())
}

/// The templates of a key; nothing if the model lacks one of its fields.
fn templates(
    entity: &Entity,
    keys: &[&KeyAttribute],
    values: &[(String, At<'_>)],
) -> Read<Option<Vec<Template>>> {
    let mut templates = Vec::new();
    for key in keys {
        let value = values.iter().find(|(field, _)| *field == key.name);
        let template = match value {
            Some((_, at)) => Some(
                value_template::read(at.text()?, &entity.attributes)
                    .map_err(|why| at.error(why))?,
            ),
            None => entity
                .attribute(&key.name)
                .and_then(|attribute| Template::parse(&format!("{{{}:raw}}", attribute.name)).ok()),
        };
        let Some(template) = template else { return Ok(None) };
        templates.push(template);
    }
    Ok(Some(templates))
}

/// Sample data, of which only what the models build again is taken.
fn read_items(
    schema: &Object<'_>,
    settings: &Settings,
    table: &Table,
    draft: &mut Draft,
) -> Read<()> {
    let Some(list) = schema.peek("items") else { return Ok(()) };
    let mut model = draft.model.clone();
    model.tables = vec![table.clone()];
    for at in list.list()? {
        let item = typed_json::item(&at)?;
        let kind = item.get(&settings.type_field).and_then(|kind| match kind {
            monotable_item::Value::String(text) => Some(text.as_str()),
            _ => None,
        });
        let entity = kind.and_then(|name| model.entity(name));
        let sample = entity.map(|entity| sample(entity, &item));
        match sample.filter(|sample| model.item_of_sample(sample).is_ok()) {
            Some(sample) => draft.model.samples.push(sample),
            None => {
                draft.notes.push(at.note("the item is of no model that builds it; it is no sample"))
            }
        }
    }
    Ok(())
}

fn sample(entity: &Entity, item: &Item) -> Sample {
    let declared = entity.attributes.iter().filter_map(|attribute| {
        let value = item.get(attribute.item_name())?;
        (value.kind() == attribute.kind).then(|| (attribute.name.clone(), value.clone()))
    });
    Sample {
        entity: entity.name.clone(),
        table: None,
        without: Vec::new(),
        shard: None,
        attributes: declared.collect(),
    }
}
