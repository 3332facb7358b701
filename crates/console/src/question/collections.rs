//! `collections`: which entities lie under partition keys.

use monotable_item::Value;
use monotable_model::document::{Entity, Tree};

use super::member::{self, object, strings};
use super::{Complaint, model_of};

/// How many keys a question may be about.
const KEYS_MAX: usize = 500;

/// For each text of `keys` the entities whose items may have it as the partition key of the table,
/// or of its `index`.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let table = member::table(&model, member::text(question, "table")?)?;
    let index = question.member("index").and_then(Tree::text);
    let entities: Vec<&Entity> = model.entities_in(table).collect();
    let found = member::list(question, "keys", KEYS_MAX)?.iter().map(|key| {
        let fitting = entities.iter().filter(|entity| fits(entity, index, key));
        strings(fitting.map(|entity| entity.name.as_str()))
    });
    Ok(object([("entities", Tree::List(found.collect()))]))
}

/// Whether items of the entity may have the partition key. One of several attributes is a text that
/// nobody can take apart again, so it is of no entity.
fn fits(entity: &Entity, index: Option<&str>, key: &Tree) -> bool {
    let keys = match index {
        None => entity.key.as_ref(),
        Some(name) => entity.indexes.iter().find(|one| one.index == name).map(|one| &one.keys),
    };
    let Some([template]) = keys.map(|keys| keys.partition.as_slice()) else {
        return false;
    };
    key.text().is_some_and(|text| template.read(&Value::from(text)).is_ok())
}
