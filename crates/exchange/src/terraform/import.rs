//! From Terraform's files to tables.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Tree, inline_tree};

use super::TABLE;
use super::reference::{References, one_or_more};
use super::repetition::instances;
use super::resource::table;
use crate::case::snake;
use crate::extension::Kept;
use crate::foreign::{At, Read, note};
use crate::outcome::Draft;

/// A resource: its label, and what is said of it.
struct Resource {
    label: String,
    place: Place,
    body: Tree,
    origin: Origin,
}

/// Whether a file says what is wanted, or what there is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Configuration,
    State,
}

impl Resource {
    fn configured(label: String, place: Place, body: Tree) -> Resource {
        Resource { label, place, body, origin: Origin::Configuration }
    }
}

/// What there is to say about a resource that makes none or several tables.
fn repeated(at: &At<'_>, count: usize) -> Option<Diagnostic> {
    let argument = if at.tree.member("count").is_some() { "count" } else { "for_each" };
    let message = match count {
        0 => "no table is made".to_owned(),
        1 => return None,
        _ => format!("{count} tables are made; each is a resource of its own from here on"),
    };
    Some(note(&at.place.member(argument), message))
}

/// Imports the tables of a configuration, of a state, or of what `terraform show -json` prints.
pub(crate) fn import(root: &At<'_>) -> Read<Draft> {
    let mut draft = Draft::default();
    let resources = resources(root, &mut draft.notes)?;
    if resources.is_empty() {
        return Err(no_table(root));
    }
    for resource in resources {
        let at = At { tree: &resource.body, place: resource.place };
        let (mut table, leftover) = table(&at, &resource.label, &mut draft.notes)?;
        // Resources of several modules may have one label; their tables have names of their own.
        let is_taken = |name: &str| draft.model.tables.iter().any(|other| other.name == name);
        if snake(&table.name) != resource.label && !is_taken(&resource.label) {
            let name = std::mem::replace(&mut table.name, resource.label.clone());
            table.stored_name = Some(name).filter(|name| *name != table.name);
        }
        if resource.origin == Origin::Configuration {
            let mut kept = Kept::default();
            kept.members(leftover);
            draft.kept.under(&snake(&table.name), kept);
        }
        draft.model.tables.push(table);
    }
    Ok(draft)
}

fn no_table(root: &At<'_>) -> Diagnostic {
    root.error(format!("the file has no resource {TABLE}"))
        .with_suggestion("terraform show -json prints the tables that modules make as well")
}

fn resources(root: &At<'_>, notes: &mut Vec<Diagnostic>) -> Read<Vec<Resource>> {
    let object = root.open()?;
    let shown = object.take("values").or_else(|| object.take("planned_values"));
    let mut found = Vec::new();
    if let Some(values) = shown {
        let module = values.open()?.required("root_module")?;
        of_module(&module, &mut found)?;
        return Ok(found);
    }
    if let Some(resources) = object.take("resources") {
        of_state(&resources, &mut found)?;
        return Ok(found);
    }
    of_configuration(root, &mut found, notes)?;
    Ok(found)
}

/// The resources of a module and of those that it calls, as `terraform show -json` prints them.
fn of_module(module: &At<'_>, found: &mut Vec<Resource>) -> Read<()> {
    let module = module.open()?;
    for at in module.list("resources")? {
        let resource = at.open()?;
        let is_managed = resource.text("mode")?.is_none_or(|mode| mode == "managed");
        if is_managed && resource.required("type")?.text()? == TABLE {
            let values = resource.required("values")?;
            found.push(Resource {
                label: resource.required("name")?.text()?.to_owned(),
                place: values.place,
                body: values.tree.clone(),
                origin: Origin::State,
            });
        }
    }
    module.list("child_modules")?.iter().try_for_each(|child| of_module(child, found))
}

/// The resources of `terraform.tfstate`.
fn of_state(resources: &At<'_>, found: &mut Vec<Resource>) -> Read<()> {
    for at in resources.list()? {
        let resource = at.open()?;
        let is_managed = resource.text("mode")?.is_none_or(|mode| mode == "managed");
        if !is_managed || resource.required("type")?.text()? != TABLE {
            continue;
        }
        let label = resource.required("name")?.text()?.to_owned();
        for instance in resource.list("instances")? {
            let attributes = instance.open()?.required("attributes")?;
            found.push(Resource {
                label: label.clone(),
                place: attributes.place,
                body: attributes.tree.clone(),
                origin: Origin::State,
            });
        }
    }
    Ok(())
}

/// The resources of a configuration, with what its locals and defaults say.
fn of_configuration(
    root: &At<'_>,
    found: &mut Vec<Resource>,
    notes: &mut Vec<Diagnostic>,
) -> Read<()> {
    let object = root.open()?;
    let references = References::of(root.tree);
    let mut others = 0_usize;
    let resources = object.take("resource");
    for (kind, at) in resources.iter().map(At::named).collect::<Read<Vec<_>>>()?.concat() {
        if kind != TABLE {
            others += at.named()?.len();
            continue;
        }
        for (label, at) in at.named()? {
            for at in at.one_or_more() {
                let body = references.resolve(at.tree);
                let Some((body, instances)) = instances(&body) else {
                    found.push(Resource::configured(label.to_owned(), at.place, body));
                    continue;
                };
                notes.extend(repeated(&at, instances.len()));
                for instance in instances {
                    let suffix = instance.suffix.iter().map(|suffix| format!("_{}", snake(suffix)));
                    let label = label.to_owned() + &suffix.collect::<String>();
                    let body = references.resolve_in(&body, &instance);
                    found.push(Resource::configured(label, at.place.clone(), body));
                }
            }
        }
    }
    for (name, value) in references.used() {
        let place = root.place.member("variable").member(&name);
        let value = inline_tree(value);
        notes.push(note(&place, format!("the default {value} is taken for var.{name}")));
    }
    remark_on_rest(root, others, notes);
    Ok(())
}

fn remark_on_rest(root: &At<'_>, others: usize, notes: &mut Vec<Diagnostic>) {
    if others > 0 {
        let message = format!("resources that are no {TABLE} stay in the configuration: {others}");
        notes.push(note(&root.place.member("resource"), message));
    }
    let modules = root.tree.member("module").into_iter().flat_map(one_or_more);
    for (name, _) in modules.flat_map(Tree::members) {
        let place = root.place.member("module").member(name);
        notes.push(note(&place, "a module is not read; terraform show -json has its tables"));
    }
}
