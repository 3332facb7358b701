//! Attributes that are keys by their own names.
//!
//! An index may have an attribute of the entity as its key: `partition_key = "email"` with the
//! template `{email:fold}`. Queries ask for what the template builds, so an item that is stored
//! with another form of the attribute is never found. The model refuses such an item, and the
//! generated code does as well: it compares what is given with what the template builds.

use monotable_model::document::{Attribute, Entity, IndexKeys, KeyAttribute, Table};
use monotable_model::template::Template;

use super::code::{ChangedMember, Code, Member};
use super::entity::in_index;
use super::group::{PatchField, key_roots};
use super::key::{KeyWriter, Why};

/// A key with the form that its template demands, for the key `name`.
pub(crate) fn checked(name: &str, given: Code, built: Code) -> Code {
    let is_same = match &built {
        Code::Call("raw", arguments) => matches!(arguments.as_slice(), [only] if *only == given),
        plain => *plain == given,
    };
    let is_checked = match &given {
        Code::Call("ownKey", parts) => parts.last() == Some(&built),
        _ => false,
    };
    if is_same || is_checked {
        return given;
    }
    Code::Call("ownKey", vec![Code::text(name), given, built])
}

/// The stored attribute of an entity with this name in items.
pub(crate) fn stored_attribute<'m>(entity: &'m Entity, name: &str) -> Option<&'m Attribute> {
    entity.attributes.iter().find(|own| own.stored && own.item_name() == name)
}

/// The keys of indexes that are attributes of the entity, with their templates.
fn own_keys<'m>(
    table: &'m Table,
    entity: &'m Entity,
) -> impl Iterator<Item = (&'m IndexKeys, &'m Attribute, &'m Template)> {
    entity.indexes.iter().flat_map(move |keys| {
        let names = table.index(&keys.index).into_iter().flat_map(|index| index.key_attributes());
        let templates = keys.keys.partition.iter().chain(&keys.keys.sort);
        let own = move |(key, template): (&'m KeyAttribute, &'m Template)| {
            Some((keys, stored_attribute(entity, &key.name)?, template))
        };
        names.zip(templates).filter_map(own)
    })
}

/// Puts the comparison into the item of an entity, where it is in the index.
pub(crate) fn check_item(
    table: &Table,
    entity: &Entity,
    value: &dyn Fn(&str) -> Code,
    is_optional: &dyn Fn(&str) -> bool,
    item: &mut [(String, Code)],
) -> Result<(), Why> {
    for (keys, attribute, template) in own_keys(table, entity) {
        let stored = item.iter_mut().find(|(name, _)| name == attribute.item_name());
        let Some((name, code)) = stored else { continue };
        let there = |name: &str| Code::Attribute(Member { name: name.to_owned(), optional: false });
        let built = KeyWriter { entity, value: &there }.key(template)?;
        let given = there(&attribute.name);
        let compared = checked(name, code.clone(), built.clone());
        if compared == *code || checked(name, given.clone(), built.clone()) == given {
            continue;
        }
        let condition = in_index(entity, keys, value, &|name| {
            is_optional(name).then(|| Code::IsPresent(Box::new(value(name))))
        })?;
        let is_known = match &*code {
            Code::If { condition: known, then, .. } => {
                **known == condition && checked(name, (**then).clone(), built) == **then
            }
            _ => false,
        };
        if !is_known {
            *code = Code::choose(condition, compared, code.clone());
        }
    }
    Ok(())
}

/// Puts the comparison into what a patch changes. It is made for templates that the attribute and
/// the key of the table fill, as the planner does for updates.
pub(crate) fn check_changes(
    table: &Table,
    entity: &Entity,
    patch: &[PatchField],
    changes: &mut [(String, Code)],
) -> Result<(), Why> {
    let known = key_roots(entity);
    for (name, code) in changes {
        let own = own_keys(table, entity).filter(|(_, attribute, _)| attribute.item_name() == name);
        let own: Vec<(&Attribute, &Template)> =
            own.map(|(_, one, template)| (one, template)).collect();
        let Some((attribute, _)) = own.first() else { continue };
        let attribute = attribute.name.as_str();
        let Some((member, is_optional)) = changed(patch, attribute) else { continue };
        let given = Code::Changed(member.clone());
        let mut compared = given.clone();
        for (_, template) in &own {
            let is_filled = |root: &str| root == attribute || known.contains(&root);
            if !template.paths().all(|path| is_filled(&path.root)) {
                continue;
            }
            let value = |name: &str| {
                if name == attribute { given.clone() } else { Code::KeyMember(name.to_owned()) }
            };
            let built = KeyWriter { entity, value: &value }.key(template)?;
            if checked(name, given.clone(), built.clone()) != given {
                compared = checked(name, compared, built);
            }
        }
        if compared == given {
            continue;
        }
        let is_changed = Code::IsChanged(member.clone());
        let kept = if is_optional {
            Code::choose(Code::IsKept(member), compared, Code::Removed)
        } else {
            compared
        };
        *code = Code::choose(is_changed, kept, Code::Untouched);
    }
    Ok(())
}

/// The member of a patch that changes an attribute, and whether it can remove it.
fn changed(patch: &[PatchField], attribute: &str) -> Option<(ChangedMember, bool)> {
    patch.iter().find_map(|field| {
        let (group, fields) = match field {
            PatchField::Attribute(field) => (None, std::slice::from_ref(field)),
            PatchField::Group(group) => (Some(group.name.clone()), group.fields.as_slice()),
        };
        let field = fields.iter().find(|field| field.name == attribute)?;
        Some((ChangedMember { group, name: field.name.clone() }, field.optional))
    })
}
