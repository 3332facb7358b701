//! From NoSQL Workbench's file to a model.

use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Type};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::TYPES;
use monotable_model::document::{
    Attribute, Billing, Entity, Index, IndexKind, IndexProjection, KeyAttribute, Keys, Model,
    Table, Tree,
};
use monotable_model::template::Template;

use crate::case::kebab;
use crate::extension::Kept;
use crate::foreign::{At, Object, Read, note};
use crate::inference::{Facet, Inference, free_name, infer_facets, is_constant_word};
use crate::outcome::Draft;
use crate::table_shape::KEY_TYPES;
use crate::typed_json;

/// Imports a whole file.
pub(crate) fn import(root: &At<'_>) -> Read<Draft> {
    let file = root.open()?;
    let mut draft = Draft::default();
    if let Some(title) = file.text("ModelName")? {
        draft.model.name = kebab(&title);
        draft.model.title = Some(title);
    }
    if let Some(metadata) = file.take("ModelMetadata") {
        let metadata = metadata.open()?;
        draft.model.description = metadata.text("Description")?.filter(|text| !text.is_empty());
        let mut kept = Kept::default();
        kept.members(metadata.leftover());
        draft.kept.under("ModelMetadata", kept);
    }
    let mut by_table = Kept::default();
    for at in file.required("DataModel")?.list()? {
        let object = at.open()?;
        let mut kept = Kept::default();
        let name = object.required("TableName")?.text()?.to_owned();
        read_table(&name, &object, &mut draft, &mut kept)?;
        by_table.under(&name, kept);
    }
    draft.kept.under("DataModel", by_table);
    draft.notes.extend(unknown(&file));
    draft.kept.members(file.leftover());
    Ok(draft)
}

/// Members of a table that are settings of the tool: they say nothing of the design.
const SETTINGS: [&str; 2] = ["DataAccess", "SampleDataFormats"];

/// Says which members are of a form that is not known. They are kept.
fn unknown(object: &Object<'_>) -> Vec<Diagnostic> {
    let left = object.leftover().into_iter();
    let left = left.filter(|(name, _)| !SETTINGS.contains(&name.as_str()));
    let message = "its form is not known: it is kept for the export, and nothing is read from it";
    left.map(|(name, _)| note(&object.place.member(&name), message)).collect()
}

fn read_table(name: &str, object: &Object<'_>, draft: &mut Draft, kept: &mut Kept) -> Read<()> {
    let (partition_key, sort_key) = key(&object.required("KeyAttributes")?)?;
    let mut indexes = Vec::new();
    let mut kept_indexes = Kept::default();
    for at in object.list("GlobalSecondaryIndexes")? {
        indexes.push(index(&at, &mut kept_indexes)?);
    }
    kept.under("GlobalSecondaryIndexes", kept_indexes);
    let billing = billing(object, kept)?;
    let mut table = Table { sort_key, billing, indexes, ..Table::new(name, partition_key) };
    let declared = declared_attributes(object)?;
    let facets = facets(object, kept)?;
    let mut inference = infer_facets(&table, &data(&facets));
    table.type_attribute.clone_from(&inference.type_attribute);
    complete(&table, &facets, &declared, &mut inference);
    keep_unused(&declared, &table, &inference, kept);
    draft.notes.extend(unknown(object));
    kept.members(object.leftover());
    prefix_clashes(&mut inference, &draft.model, name);
    draft.notes.append(&mut inference.notes);
    draft.model.tables.push(table);
    draft.model.entities.append(&mut inference.entities);
    draft.model.relationships.append(&mut inference.relationships);
    draft.model.samples.append(&mut inference.samples);
    Ok(())
}

fn key(at: &At<'_>) -> Read<(KeyAttribute, Option<KeyAttribute>)> {
    let object = at.open()?;
    let partition = key_attribute(&object.required("PartitionKey")?)?;
    let sort = object.take("SortKey").map(|at| key_attribute(&at)).transpose()?;
    Ok((partition, sort))
}

fn key_attribute(at: &At<'_>) -> Read<KeyAttribute> {
    let object = at.open()?;
    let name = object.required("AttributeName")?.text()?.to_owned();
    let kind = object.take("AttributeType").map(|at| at.word(&KEY_TYPES)).transpose()?;
    Ok(KeyAttribute { name, kind: kind.unwrap_or(KeyType::String) })
}

fn index(at: &At<'_>, kept: &mut Kept) -> Read<Index> {
    let object = at.open()?;
    let name = object.required("IndexName")?.text()?.to_owned();
    let (partition, sort) = key(&object.required("KeyAttributes")?)?;
    let projection = match object.take("Projection") {
        Some(at) => projection(&at.open()?)?,
        None => IndexProjection::All,
    };
    let mut own = Kept::default();
    own.members(object.leftover());
    kept.under(&name, own);
    Ok(Index {
        name,
        description: None,
        kind: IndexKind::Global,
        partition_key: vec![partition],
        sort_key: sort.into_iter().collect(),
        projection,
        billing: None,
    })
}

fn projection(object: &Object<'_>) -> Read<IndexProjection> {
    let kind = object.required("ProjectionType")?;
    Ok(match kind.word(&[("ALL", 0), ("KEYS_ONLY", 1), ("INCLUDE", 2)])? {
        0 => IndexProjection::All,
        1 => IndexProjection::KeysOnly,
        _ => IndexProjection::Include(object.required("NonKeyAttributes")?.names()?),
    })
}

/// The billing of a table. Settings of automatic scaling are kept.
fn billing(object: &Object<'_>, kept: &mut Kept) -> Read<Billing> {
    let mode = object.text("BillingMode")?;
    let settings = object.take("ProvisionedCapacitySettings");
    if let Some(mode) = &mode {
        kept.members(vec![("BillingMode".to_owned(), Tree::String(mode.clone()))]);
    }
    let Some(settings) = settings else { return Ok(Billing::OnDemand) };
    let settings_object = settings.open()?;
    let throughput = settings_object.take("ProvisionedThroughput");
    if mode.as_deref() != Some("PROVISIONED") {
        kept.members(vec![("ProvisionedCapacitySettings".to_owned(), settings.tree.clone())]);
        return Ok(Billing::OnDemand);
    }
    let mut own = Kept::default();
    own.members(settings_object.leftover());
    kept.under("ProvisionedCapacitySettings", own);
    let Some(throughput) = throughput else { return Ok(Billing::OnDemand) };
    let throughput = throughput.open()?;
    Ok(Billing::Provisioned {
        read_units: throughput.required("ReadCapacityUnits")?.count()?,
        write_units: throughput.required("WriteCapacityUnits")?.count()?,
    })
}

/// The attributes that a table lists; of a name that stands there twice, the first counts.
fn declared_attributes(object: &Object<'_>) -> Read<Vec<(String, Type)>> {
    let mut attributes: Vec<(String, Type)> = Vec::new();
    for at in object.list("NonKeyAttributes")? {
        let object = at.open()?;
        let name = object.required("AttributeName")?.text()?.to_owned();
        let kind = object.take("AttributeType").map(|at| at.word(TYPES)).transpose()?;
        if attributes.iter().all(|(other, _)| *other != name) {
            attributes.push((name, kind.unwrap_or(Type::String)));
        }
    }
    Ok(attributes)
}

/// A facet as it stands in the file.
struct FileFacet {
    name: Option<String>,
    partition_alias: Option<String>,
    sort_alias: Option<String>,
    attributes: Vec<String>,
    items: Vec<Item>,
}

fn facets(object: &Object<'_>, kept: &mut Kept) -> Read<Vec<FileFacet>> {
    let mut facets = Vec::new();
    let mut by_facet = Kept::default();
    for at in object.list("TableFacets")? {
        let facet = at.open()?;
        let name = facet.required("FacetName")?.text()?.to_owned();
        let mut own = Kept::default();
        let alias = facet.take("KeyAttributeAlias");
        if let Some(at) = &alias {
            own.members(vec![("KeyAttributeAlias".to_owned(), at.tree.clone())]);
        }
        let alias = alias.map(|at| at.open()).transpose()?;
        let alias_of = |name: &str| alias.as_ref().map_or(Ok(None), |alias| alias.text(name));
        facets.push(FileFacet {
            name: Some(name.clone()),
            partition_alias: alias_of("PartitionKeyAlias")?,
            sort_alias: alias_of("SortKeyAlias")?,
            attributes: facet.take("NonKeyAttributes").map_or(Ok(Vec::new()), |at| at.names())?,
            items: items(&facet)?,
        });
        own.members(facet.leftover());
        by_facet.under(&name, own);
    }
    kept.under("TableFacets", by_facet);
    if facets.is_empty() {
        // An empty list says on export that the data belongs to the table.
        kept.members(vec![("TableData".to_owned(), Tree::List(Vec::new()))]);
    }
    let items = items(object)?;
    if !items.is_empty() {
        let (name, attributes) = (None, Vec::new());
        facets.push(FileFacet { name, partition_alias: None, sort_alias: None, attributes, items });
    }
    Ok(facets)
}

fn items(object: &Object<'_>) -> Read<Vec<Item>> {
    object.list("TableData")?.iter().map(typed_json::item).collect()
}

fn data(facets: &[FileFacet]) -> Vec<Facet> {
    let with_data = facets.iter().filter(|facet| !facet.items.is_empty());
    with_data.map(|facet| Facet { name: facet.name.clone(), items: facet.items.clone() }).collect()
}

/// Adds what facets say that their data does not: attributes, templates, and whole entities without
/// data.
fn complete(
    table: &Table,
    facets: &[FileFacet],
    declared: &[(String, Type)],
    inference: &mut Inference,
) {
    let type_attribute = inference.type_attribute.clone();
    for facet in facets {
        let Some(name) = &facet.name else { continue };
        if facet.items.is_empty() {
            inference.entities.push(entity_without_data(table, name, facet, declared));
        }
        let found = inference.entities.iter_mut().find(|entity| entity.name == *name);
        let Some(entity) = found else { continue };
        for (attribute, kind) in declared {
            let is_missing = facet.attributes.contains(attribute)
                && entity.attributes.iter().all(|own| own.item_name() != attribute)
                && type_attribute.as_ref() != Some(attribute)
                && !is_built(table, entity, attribute);
            if is_missing {
                entity.attributes.push(declared_attribute(entity, attribute, *kind));
            }
        }
        if !facet.items.is_empty() {
            use_aliases(entity, facet);
        }
    }
}

/// An attribute that no item has, called as it is stored unless another is called that.
fn declared_attribute(entity: &Entity, stored: &str, kind: Type) -> Attribute {
    if entity.attribute(stored).is_none() {
        return Attribute::new(stored, kind);
    }
    let taken = entity.attributes.iter().map(|own| own.name.clone()).collect();
    let mut attribute = Attribute::new(free_name(stored, &taken), kind);
    attribute.stored_name = Some(stored.to_owned());
    attribute
}

/// Whether an attribute is a key that a template builds.
fn is_built(table: &Table, entity: &Entity, attribute: &str) -> bool {
    let is_in = |index: &&Index| index.key_attributes().any(|key| key.name == attribute);
    let of_table = table.key_attributes().any(|key| key.name == attribute);
    of_table
        || table.indexes.iter().filter(is_in).any(|index| entity.index_key(&index.name).is_some())
}

/// An alias that is a template and builds what the data shows is the template.
fn use_aliases(entity: &mut Entity, facet: &FileFacet) {
    let names: Vec<String> =
        entity.attributes.iter().map(|attribute| attribute.name.clone()).collect();
    let Some(keys) = &mut entity.key else { return };
    let sides = [
        (keys.partition.first_mut(), &facet.partition_alias),
        (keys.sort.first_mut(), &facet.sort_alias),
    ];
    for (template, alias) in sides {
        let (Some(template), Some(alias)) = (template, alias) else { continue };
        if let Some(own) = template_of_alias(alias, &names)
            && facet.items.iter().all(|item| own.build(item) == template.build(item))
        {
            *template = own;
        }
    }
}

fn template_of_alias(alias: &str, attributes: &[String]) -> Option<Template> {
    let template = Template::parse(alias).ok()?;
    let is_template = alias.contains('{') || alias.contains('#') || template.is_singleton();
    let all_known = template.paths().all(|path| attributes.contains(&path.root));
    (is_template && all_known).then_some(template)
}

/// An entity of which there is no item: its aliases are templates, or names for the keys.
fn entity_without_data(
    table: &Table,
    name: &str,
    facet: &FileFacet,
    declared: &[(String, Type)],
) -> Entity {
    let mut entity = Entity::named(name);
    entity.tables = vec![table.name.clone()];
    let own = declared.iter().filter(|(name, _)| facet.attributes.contains(name));
    entity.attributes = own.map(|(name, kind)| Attribute::new(name, *kind)).collect();
    let aliases = [&facet.partition_alias, &facet.sort_alias];
    let mut templates = Vec::new();
    for (key, alias) in table.key_attributes().zip(aliases) {
        let alias = alias.as_deref().filter(|alias| !alias.is_empty()).unwrap_or(&key.name);
        templates.extend(template_without_data(&mut entity, key, alias));
    }
    let mut templates = templates.into_iter();
    let partition = templates.by_ref().take(1).collect();
    entity.key = Some(Keys { partition, sort: templates.collect() });
    entity
}

fn template_without_data(entity: &mut Entity, key: &KeyAttribute, alias: &str) -> Option<Template> {
    let is_literal = alias != key.name && is_constant_word(alias);
    if (is_literal || alias.contains(['{', '#']))
        && let Ok(template) = Template::parse(alias)
    {
        for path in template.paths() {
            if entity.attribute(&path.root).is_none() {
                entity.attributes.push(Attribute::new(&path.root, Type::String));
            }
        }
        return Some(template);
    }
    let name = alias.replace(|c: char| !c.is_alphanumeric(), "_");
    let name = if entity.attribute(&name).is_some() { key.name.clone() } else { name };
    let mut attribute = Attribute::new(name, key.kind.value_type());
    attribute.stored_name = Some(key.name.clone()).filter(|name| *name != attribute.name);
    let encoding = match key.kind {
        KeyType::String => "raw",
        KeyType::Number => "number",
        KeyType::Binary => "binary",
    };
    let template = Template::parse(&format!("{{{}:{encoding}}}", attribute.name)).ok();
    entity.attributes.push(attribute);
    template
}

/// Declared attributes that no entity has would be lost.
fn keep_unused(declared: &[(String, Type)], table: &Table, inference: &Inference, kept: &mut Kept) {
    let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
    let keys: Vec<&str> = of_indexes.map(|key| key.name.as_str()).collect();
    let is_used = |name: &str| {
        let has = |entity: &Entity| entity.attributes.iter().any(|own| own.item_name() == name);
        keys.contains(&name)
            || inference.type_attribute.as_deref() == Some(name)
            || inference.entities.iter().any(has)
    };
    let mut unused = Kept::default();
    for (name, kind) in declared.iter().filter(|(name, _)| !is_used(name)) {
        let text = |text: &str| Tree::String(text.to_owned());
        let members = vec![
            ("AttributeName".to_owned(), text(name)),
            ("AttributeType".to_owned(), text(kind.code())),
        ];
        unused.members(vec![(name.clone(), Tree::Map(members))]);
    }
    kept.under("NonKeyAttributes", unused);
}

/// Two tables may have facets of the same name; entities of a model have names of their own.
fn prefix_clashes(inference: &mut Inference, model: &Model, table: &str) {
    let renamed: Vec<(String, String)> = inference
        .entities
        .iter()
        .filter(|entity| model.entity(&entity.name).is_some())
        .map(|entity| (entity.name.clone(), format!("{table}.{}", entity.name)))
        .collect();
    let rename = |name: &mut String| {
        if let Some((_, new)) = renamed.iter().find(|(old, _)| old == name) {
            name.clone_from(new);
        }
    };
    for entity in &mut inference.entities {
        rename(&mut entity.name);
        if let Some(base) = &mut entity.variant_of {
            rename(base);
        }
    }
    for relationship in &mut inference.relationships {
        rename(&mut relationship.from);
        rename(&mut relationship.to);
    }
    inference.samples.iter_mut().for_each(|sample| rename(&mut sample.entity));
    let message = |new: &str| format!("another table has a facet of this name; it is called {new}");
    for (old, new) in &renamed {
        let place = monotable_model::diagnostic::Place::entity(old);
        inference.notes.push(Diagnostic::info("not-carried-over", place, message(new)));
    }
}
