//! The entities that a source file constructs.

use monotable_model::diagnostic::{Diagnostic, Place, Span};

use crate::javascript::{Construction, constructions};
use crate::source_node::{Content, Member, Node, syntax};

/// The schemas of a source file by the names of their constants, each with its table.
pub(crate) fn read(text: &str) -> Result<Node, Diagnostic> {
    let found = constructions(text, &["Entity", "Service"])?;
    let (entities, services): (Vec<Construction>, Vec<Construction>) =
        found.into_iter().partition(|one| one.class == "Entity");
    let mut members = Vec::new();
    for entity in entities {
        let table = table(&entity, &services);
        members.push(schema(entity, table)?);
    }
    if members.is_empty() {
        let message = "the file has no new Entity({ model, attributes, indexes })";
        return Err(Diagnostic::error("bad-import", Place::root(), message).with_suggestion(
            "import the file that constructs entities, or JSON.stringify(entity.schema)",
        ));
    }
    Ok(Node { content: Content::Map(members), span: Span::new(0, text.len()) })
}

fn schema(entity: Construction, table: Option<Node>) -> Result<Member, Diagnostic> {
    let Some(mut schema) = entity.arguments.into_iter().next() else {
        let message = "new Entity() has no schema";
        return Err(Diagnostic::error("bad-import", Place::root(), message));
    };
    let span = schema.span;
    let said = match &schema.member("model").and_then(|model| model.member("entity")) {
        Some(Node { content: Content::String(text), .. }) => Some(text.clone()),
        Some(_) | None => None,
    };
    match &mut schema.content {
        Content::Map(members) => {
            let name_span = span;
            members.extend(table.map(|value| Member {
                name: "table".to_owned(),
                name_span,
                value,
            }));
        }
        Content::Code(code) => {
            let message = format!("the schema {code} is not declared in this file");
            return Err(syntax(span, message)
                .with_suggestion("put the schema and its entity into one file"));
        }
        _ => return Err(syntax(span, "the schema of an entity is an object")),
    }
    let name = entity.name.or(said).unwrap_or_else(|| "entity".to_owned());
    Ok(Member { name, name_span: span, value: schema })
}

/// The table of an entity: its own, or that of a service that has it.
fn table(entity: &Construction, services: &[Construction]) -> Option<Node> {
    let of = |construction: &Construction| {
        construction.arguments.get(1).and_then(|settings| settings.member("table")).cloned()
    };
    let has_it = |service: &&Construction| {
        let members = service.arguments.first().map(|members| &members.content);
        let Some(Content::Map(members)) = members else { return false };
        members.iter().any(|member| match &member.value.content {
            Content::Code(code) => Some(code) == entity.name.as_ref(),
            _ => false,
        })
    };
    of(entity).or_else(|| services.iter().filter(has_it).find_map(of))
}
