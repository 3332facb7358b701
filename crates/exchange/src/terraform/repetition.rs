//! Resources that make several tables: `count` and `for_each`, where the file says how many.

use monotable_model::document::{Tree, read_json};

/// How many tables one resource makes at most. More are no design but a loop.
const INSTANCES_MAX: usize = 100;

/// What tells one table of a resource from the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Instance {
    /// What is added to the label, if there are several.
    pub(super) suffix: Option<String>,
    /// The expressions that differ, such as `count.index`, with their values.
    values: Vec<(&'static str, Tree)>,
}

/// The tables that a resource makes, and it without the argument that says so. Nothing if there is
/// no such argument, or if the file does not say how many there are.
pub(super) fn instances(body: &Tree) -> Option<(Tree, Vec<Instance>)> {
    let mut instances = match (body.member("count"), body.member("for_each")) {
        (Some(Tree::Number(count)), None) => counted(count)?,
        (None, Some(keys)) => keyed(keys)?,
        (Some(_) | None, Some(_) | None) => return None,
    };
    if let [only] = instances.as_mut_slice() {
        only.suffix = None;
    }
    let members = body.members().iter();
    let kept = members.filter(|(name, _)| name != "count" && name != "for_each").cloned();
    Some((Tree::Map(kept.collect()), instances))
}

fn counted(count: &str) -> Option<Vec<Instance>> {
    let count: usize = count.parse().ok().filter(|count| *count <= INSTANCES_MAX)?;
    let instance = |index: usize| Instance {
        suffix: Some(index.to_string()),
        values: vec![("count.index", Tree::Number(index.to_string()))],
    };
    Some((0..count).map(instance).collect())
}

/// A map, or `toset` of a list of texts.
fn keyed(keys: &Tree) -> Option<Vec<Instance>> {
    let pairs: Vec<(String, Tree)> = match keys {
        Tree::Map(members) => members.clone(),
        Tree::String(code) => {
            let list = code.strip_prefix("${")?.strip_suffix('}')?.trim();
            let list = list.strip_prefix("toset(")?.strip_suffix(')')?;
            let list = read_json(list.trim()).ok()?;
            let mut texts: Vec<String> = list
                .elements()
                .iter()
                .map(|one| one.text().map(str::to_owned))
                .collect::<Option<_>>()?;
            // A set has each of its texts once, in their order.
            texts.sort();
            texts.dedup();
            texts.into_iter().map(|text| (text.clone(), Tree::String(text))).collect()
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) => return None,
    };
    let is_data = |key: &str| !key.contains("${") && !key.starts_with('(');
    if pairs.len() > INSTANCES_MAX || !pairs.iter().all(|(key, _)| is_data(key)) {
        return None;
    }
    let instance = |(key, value): (String, Tree)| Instance {
        suffix: Some(key.clone()),
        values: vec![("each.key", Tree::String(key)), ("each.value", value)],
    };
    Some(pairs.into_iter().map(instance).collect())
}

impl Instance {
    /// The value of an expression that differs, or of a member of it: `each.value.units`.
    pub(super) fn value(&self, code: &str) -> Option<Tree> {
        self.values.iter().find_map(|(name, value)| {
            let rest = code.strip_prefix(name)?;
            let mut names = rest.split('.');
            // What stands before the first dot is the rest of another name, or nothing.
            names.next().filter(|rest| rest.is_empty())?;
            names.try_fold(value, |value, name| value.member(name)).cloned()
        })
    }
}
