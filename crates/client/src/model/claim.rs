//! The items that hold unique values, as entities of the model document.

use std::collections::BTreeSet;

use monotable_item::Type;
use monotable_model::document::{Attribute, Entity, Keys, Unique};
use monotable_model::template::Template;

use crate::db::UNIQUE;
use crate::schema::{EntitySchema, UniqueDefinition};

/// The document of an entity with its unique attributes, and the entities of the items that hold
/// their values, under names that nothing else has.
pub(super) fn with_claims(
    schema: &EntitySchema,
    names: &mut BTreeSet<String>,
) -> (Entity, Vec<Entity>) {
    let mut entity = schema.document.clone();
    let mut claims = Vec::new();
    for constraint in schema.definition.unique {
        let mut name = format!("{}{}", entity.name, pascal(constraint.attribute));
        while !names.insert(name.clone()) {
            name.push_str("Claim");
        }
        entity.unique.push(Unique { attribute: constraint.attribute.to_owned(), by: name.clone() });
        claims.push(claim(schema, constraint, &name));
    }
    (entity, claims)
}

fn claim(schema: &EntitySchema, constraint: &UniqueDefinition, name: &str) -> Entity {
    let table = &schema.table.document;
    let mut claim = Entity::named(name);
    claim.description =
        Some(format!("Holds a {} of {}", constraint.attribute, schema.document.name));
    claim.tables = schema.document.tables.clone();
    claim.stored_type = table.type_attribute.is_some().then(|| UNIQUE.to_owned());
    let parse = |text: &str| Template::parse(text).expect("the derive has parsed the template");
    claim.key = Some(Keys {
        partition: vec![parse(constraint.template)],
        sort: table.sort_key.iter().map(|_| parse(UNIQUE)).collect(),
    });
    let mut owner = Attribute::new("owner", Type::Map);
    owner.required = true;
    let value = schema.document.attribute(constraint.attribute).cloned();
    let value =
        value.map(|value| Attribute { required: true, stored: false, stored_name: None, ..value });
    claim.attributes = value.into_iter().chain([owner]).collect();
    claim
}

fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(characters).collect::<String>()
    };
    name.split('_').map(word).collect()
}
