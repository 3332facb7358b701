//! One way of writing names: where the keys of a table remove or replace white space in some names, they do so in all.
//!
//! Names without white space do not show whether `upper` or `snake` wrote them. Who writes `SAN_JOSE` in one key writes `USA` by
//! the same rule.

use monotable_item::Item;

use super::grouping::Group;
use crate::template::{AttributePart, Encoding, Form, Segment, Template, TextForm, TextStep};

/// The step that is only about case, and the one that does the same and more.
const STYLES: [(TextStep, TextStep); 2] =
    [(TextStep::Upper, TextStep::Snake), (TextStep::Fold, TextStep::Slug)];

/// Rewrites templates by the style that the table shows, where they still build the same keys.
pub(super) fn apply(items: &[Item], groups: &mut [Group]) {
    for (plain, full) in STYLES {
        let shows = |template: &Template| template.attributes().any(|part| has(part, full));
        if !groups.iter().flat_map(|group| group.templates.values()).any(shows) {
            continue;
        }
        for group in groups.iter_mut() {
            restyle(items, group, plain, full);
        }
    }
}

fn has(part: &AttributePart, step: TextStep) -> bool {
    matches!(part.encoding.form(), Form::Text(form) if form.steps.contains(&step))
}

fn restyle(items: &[Item], group: &mut Group, plain: TextStep, full: TextStep) {
    let members: Vec<Item> = group
        .members
        .iter()
        .filter_map(|member| {
            let mut item = items.get(*member)?.clone();
            item.extend(group.inventions.of(*member));
            Some(item)
        })
        .collect();
    for template in group.templates.values_mut() {
        let Some(other) = rewritten(template, plain, full) else { continue };
        if members.iter().all(|item| other.build(item).ok() == template.build(item).ok()) {
            *template = other;
        }
    }
}

fn rewritten(template: &Template, plain: TextStep, full: TextStep) -> Option<Template> {
    let segments = template.segments().iter().map(|segment| match segment {
        Segment::Attribute(part) if has(part, plain) => {
            Segment::Attribute(restyled(part, plain, full))
        }
        Segment::Attribute(_) | Segment::Literal(_) | Segment::Shard(_) => segment.clone(),
    });
    Template::new(template.delimiter(), segments.collect()).ok()
}

fn restyled(part: &AttributePart, plain: TextStep, full: TextStep) -> AttributePart {
    let Form::Text(form) = part.encoding.form() else { return part.clone() };
    let step = |step: &TextStep| if *step == plain { full } else { *step };
    let steps = form.steps.iter().map(step).collect();
    let form = TextForm { steps, escaping: form.escaping };
    AttributePart { path: part.path.clone(), encoding: Encoding::ascending(Form::Text(form)) }
}
