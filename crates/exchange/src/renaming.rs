//! Templates over other names: those of items, or those that a foreign format wants.

use monotable_item::Path;
use monotable_model::document::Entity;
use monotable_model::template::{AttributePart, Segment, Shard, ShardInput, ShardRule, Template};

/// A template over the names that attributes have in items.
pub(super) fn stored(template: &Template, entity: &Entity) -> Option<Template> {
    rename(template, &|name| {
        entity.attribute(name).map_or(name, |attribute| attribute.item_name()).to_owned()
    })
}

/// A template with other names for attributes; nothing if one of them cannot stand in a template.
pub(super) fn rename(template: &Template, name: &dyn Fn(&str) -> String) -> Option<Template> {
    let segments: Option<Vec<Segment>> =
        template.segments().iter().map(|segment| renamed_segment(segment, name)).collect();
    Template::new(template.delimiter(), segments?).ok()
}

fn renamed_segment(segment: &Segment, name: &dyn Fn(&str) -> String) -> Option<Segment> {
    Some(match segment {
        Segment::Literal(text) => Segment::Literal(text.clone()),
        Segment::Attribute(part) => {
            let path = renamed_path(&part.path, name);
            Segment::Attribute(AttributePart { path, ..part.clone() })
        }
        Segment::Shard(shard) => {
            let rule = match shard.rule() {
                ShardRule::Hash(input) => ShardRule::Hash(renamed_input(input, name)?),
                ShardRule::CodePointSum(input) => {
                    ShardRule::CodePointSum(renamed_input(input, name)?)
                }
                ShardRule::Modulus(input) => ShardRule::Modulus(renamed_input(input, name)?),
                ShardRule::Chosen => ShardRule::Chosen,
            };
            Segment::Shard(Shard::new(rule, shard.count(), shard.first(), shard.padding())?)
        }
    })
}

fn renamed_input(input: &ShardInput, name: &dyn Fn(&str) -> String) -> Option<ShardInput> {
    Some(match input {
        ShardInput::Attribute(path) => ShardInput::Attribute(renamed_path(path, name)),
        ShardInput::Template(template) => ShardInput::Template(Box::new(rename(template, name)?)),
    })
}

fn renamed_path(path: &Path, name: &dyn Fn(&str) -> String) -> Path {
    Path { root: name(&path.root), steps: path.steps.clone() }
}
