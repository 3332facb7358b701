//! `save-query`: queries of the console that are kept in the model.
//!
//! They stand under `extensions.console.queries`, by name, as addresses of the console. What the
//! model says itself stays as it is.

use monotable_model::document::{Comments, Document, Format, Model, Tree, write_with_comments};

use super::member::{self, object, string};
use super::{Complaint, document_of, inconsistent, text_of};

/// Where the queries stand.
const PATH: [&str; 3] = ["extensions", "console", "queries"];

/// The text of the model with the query `address` under a `name`, or without the one of that name.
pub(super) fn save(question: &Tree) -> Result<Tree, Complaint> {
    let text = text_of(question)?;
    let Document { mut model, places } = document_of(text).map_err(inconsistent)?;
    let name = member::text(question, "name")?;
    let address = question.member("address").and_then(Tree::text);
    let [_, console, queries] = PATH;
    let extensions = model.extensions.get_or_insert(Tree::Map(Vec::new()));
    let kept = child(child(extensions, console)?, queries)?;
    let Tree::Map(members) = kept else { return Err(occupied()) };
    members.retain(|(known, _)| known != name);
    members.extend(address.map(|address| (name.to_owned(), string(address))));
    let format = Format::detect("", text);
    let comments = Comments::of(text, &places);
    Ok(object([("model", string(write_with_comments(&model, format, &comments)))]))
}

/// The queries of a model, by name.
pub(super) fn of(model: &Model) -> Tree {
    let [_, console, queries] = PATH;
    let kept = model.extensions.as_ref().and_then(|all| all.member(console)?.member(queries));
    let query = |(name, address): &(String, Tree)| {
        Some(object([("name", string(name)), ("address", string(address.text()?))]))
    };
    Tree::List(kept.map(Tree::members).unwrap_or_default().iter().filter_map(query).collect())
}

/// The member of a map, which is made if it is not there.
fn child<'t>(tree: &'t mut Tree, name: &str) -> Result<&'t mut Tree, Complaint> {
    let Tree::Map(members) = tree else { return Err(occupied()) };
    let place = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        members.push((name.to_owned(), Tree::Map(Vec::new())));
        members.len() - 1
    });
    members.get_mut(place).map(|(_, child)| child).ok_or_else(occupied)
}

fn occupied() -> Complaint {
    Complaint::Unfit { reasons: format!("{} holds something else", PATH.join(".")) }
}
