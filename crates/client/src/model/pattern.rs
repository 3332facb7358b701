//! The access patterns that the keys of an entity serve, and its creation if it has unique values.

use monotable_model::document::{
    Action, ActionKind, Entity, Expression, ExpressionKind, IndexChoice, Keys, Known, Model,
    Operation, Pattern, Scope, Source,
};
use monotable_model::template::Template;

use crate::schema::{EntitySchema, IndexDefinition};

/// A pattern for each key: the item, where nothing of the sort key is left to choose, or else the
/// items of a partition.
pub(super) fn patterns_of(model: &Model, schema: &EntitySchema) -> Vec<Pattern> {
    let (definition, document) = (schema.definition, &schema.document);
    let own = document.key.iter().map(|keys| {
        let is_whole = keys.sort.iter().flat_map(Template::attributes).next().is_none();
        let operation = if is_whole { Operation::Get } else { Operation::Query };
        let name = format!("{} {}", definition.name, definition.key_name);
        of_keys(schema, name, operation, keys, IndexChoice::Table)
    });
    let of_indexes = definition.indexes.iter().zip(&document.indexes).map(|(index, keys)| {
        let name = format!("{} {}", definition.name, index.name);
        let choice = IndexChoice::Named(keys.index.clone());
        let mut pattern = of_keys(schema, name, Operation::Query, &keys.keys, choice);
        pattern.project = projection(model, schema, &index.index);
        pattern
    });
    own.chain(of_indexes).chain(creation(model, schema)).collect()
}

/// What an index that does not hold whole items holds of one.
fn projection(model: &Model, schema: &EntitySchema, index: &IndexDefinition) -> Option<Expression> {
    if index.holds_all() {
        return None;
    }
    let attributes = schema.document.attributes.iter();
    let held = attributes.filter(|it| it.stored && index.holds(it.item_name()));
    let mut names: Vec<&str> = held.map(|attribute| attribute.name.as_str()).collect();
    if names.is_empty() {
        names.push(schema.table.definition.partition_key.name);
    }
    parse(model, &schema.document, ExpressionKind::Projection, &names.join(", "))
}

/// The transaction that writes an item with those that hold its unique values.
fn creation(model: &Model, schema: &EntitySchema) -> Option<Pattern> {
    let entity = model.entity(&schema.document.name).filter(|it| !it.unique.is_empty())?;
    let absent = format!("attribute_not_exists({})", schema.table.definition.partition_key.name);
    let put = |entity: &Entity| Action {
        kind: ActionKind::Put,
        entity: entity.name.clone(),
        by: Vec::new(),
        condition: parse(model, entity, ExpressionKind::Condition, &absent),
        change: None,
        values: Vec::new(),
        each: None,
    };
    let name = format!("{} create", schema.definition.name);
    let mut pattern = Pattern::new(name, Operation::TransactWrite);
    let claims = entity.unique.iter().filter_map(|unique| model.entity(&unique.by));
    pattern.actions = std::iter::once(entity).chain(claims).map(put).collect();
    Some(pattern)
}

fn parse(model: &Model, entity: &Entity, kind: ExpressionKind, text: &str) -> Option<Expression> {
    let scope = Scope::of_entities(model, std::iter::once(entity));
    Expression::parse(kind, text, &scope).ok()
}

fn of_keys(
    schema: &EntitySchema,
    name: String,
    operation: Operation,
    keys: &Keys,
    index: IndexChoice,
) -> Pattern {
    let mut pattern = Pattern::new(name, operation);
    pattern.entities = vec![schema.document.name.clone()];
    pattern.index = Some(index).filter(|_| operation == Operation::Query);
    for part in keys.partition.iter().flat_map(Template::attributes) {
        let attribute = &part.path.root;
        if !pattern.by.iter().any(|known| known.attribute == *attribute) {
            let source = Source::Parameter(attribute.clone());
            pattern.by.push(Known { attribute: attribute.clone(), source });
        }
    }
    pattern
}
