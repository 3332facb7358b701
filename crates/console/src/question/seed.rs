//! `seed`: sample items, the model's own or generated ones.

use monotable_model::document::Tree;
use monotable_model::item_json::tree_of_item;
use monotable_seed::{SeedItem, SeedSettings, generate, sample_items};

use super::member::{object, string};
use super::{Complaint, model_of};

/// How many items of an entity may be asked for.
const COUNT_MAX: f64 = 10_000.0;

/// The samples of the model, or items by a seed.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let is_samples = question.member("samples").is_some_and(Tree::is_true);
    let seed = question.member("seed").and_then(Tree::number).unwrap_or(0.0);
    let counts = question.member("counts").map(Tree::members).unwrap_or_default();
    let counts = counts.iter().filter_map(|(entity, count)| {
        Some((entity.clone(), count.number()?.clamp(0.0, COUNT_MAX) as u64))
    });
    let settings = SeedSettings { seed: seed as u64, counts: counts.collect() };
    let items = if is_samples { sample_items(&model) } else { generate(&model, &settings) };
    let items = items.map_err(|error| Complaint::Unfit { reasons: error.to_string() })?;
    Ok(object([("items", Tree::List(items.iter().map(item).collect()))]))
}

fn item(item: &SeedItem) -> Tree {
    object([
        ("entity", string(&item.entity)),
        ("table", string(&item.table)),
        ("item", tree_of_item(&item.item)),
    ])
}
