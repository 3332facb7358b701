//! `cost`: what the model costs with other rates and sizes.

use monotable_model::document::{Model, Tree};
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Settings, prices_of, render_json};

use super::member::object;
use super::{Complaint, model_of};

/// What a factor may be at most.
const FACTOR_MAX: f64 = 1e6;

/// The estimate, with every rate times `rate` and every size times `size`.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let mut model = model_of(question)?;
    let (rate, size) = (factor(question, "rate"), factor(question, "size"));
    if size != 1.0 {
        scale_sizes(&mut model, size)?;
    }
    scale_rates(&mut model, rate);
    Ok(object([("estimate", render_json(&estimate(&model)?))]))
}

/// The estimate of a model, priced in its region.
pub(super) fn estimate(model: &Model) -> Result<Estimate, Complaint> {
    let region = model.workload.region.as_deref().unwrap_or(DEFAULT_REGION);
    let prices = prices_of(region).or_else(|| prices_of(DEFAULT_REGION));
    let unknown = || Complaint::Unknown { what: "region", name: region.to_owned() };
    Ok(Estimate::of(model, &Settings::new(prices.ok_or_else(unknown)?)))
}

fn factor(question: &Tree, name: &str) -> f64 {
    let factor = question.member(name).and_then(Tree::number).unwrap_or(1.0);
    if factor.is_finite() { factor.clamp(0.0, FACTOR_MAX) } else { 1.0 }
}

fn scale_rates(model: &mut Model, factor: f64) {
    let workload = &mut model.workload;
    let of_patterns = model.patterns.iter_mut().map(|pattern| &mut pattern.rate);
    let rates =
        of_patterns.chain([&mut workload.reads_per_second, &mut workload.writes_per_second]);
    for rate in rates.flatten() {
        *rate *= factor;
    }
}

/// Gives every entity the size that it has now times the factor. Samples have sizes of their own,
/// which cannot be scaled, so they are left out.
fn scale_sizes(model: &mut Model, factor: f64) -> Result<(), Complaint> {
    let sizes = estimate(model)?.entities;
    model.samples.clear();
    for entity in &mut model.entities {
        let size = sizes.iter().find(|size| size.name == entity.name);
        if let Some(size) = size {
            entity.average_bytes = Some((size.size.item_bytes as f64 * factor).round() as u64);
        }
    }
    Ok(())
}
