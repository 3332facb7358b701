//! What holds for the charts of all models under `examples/models`.

use std::collections::BTreeMap;

use monotable_chart::{
    Chart, CollectionTable, Selection, TextStyle, lay_out, render_collections_svg, render_html,
    render_json, render_markdown, render_mermaid, render_svg, render_text,
};
use monotable_item::{Item, key_encoding};
use monotable_model::diagnostic::Colour;
use monotable_model::document::{Model, write_tree};

use crate::example::{chart, models};
use crate::markup::{self, Markup};

fn charts() -> Vec<(Model, Chart)> {
    models().into_iter().map(|model| (model.clone(), chart(&model))).collect()
}

#[track_caller]
fn parsed(name: &str, source: &str) -> Markup {
    markup::read(source).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn pages_and_pictures_are_well_formed() {
    for (model, chart) in charts() {
        for source in [
            render_html(&chart, &Selection::all()),
            render_svg(&chart.diagram),
            render_collections_svg(&chart, &Selection::all()),
        ] {
            parsed(&model.name, &source);
        }
    }
}

#[test]
fn pages_ask_no_server() {
    for (model, chart) in charts() {
        let page = parsed(&model.name, &render_html(&chart, &Selection::all()));
        for element in page.elements {
            assert!(!["link", "img", "iframe", "object"].contains(&element.name.as_str()));
            for (name, value) in element.attributes {
                let leads_away =
                    ["href", "src"].contains(&name.as_str()) && !value.starts_with('#');
                assert!(!leads_away, "{}: {name}={value}", model.name);
            }
        }
    }
}

#[test]
fn ids_of_a_page_are_unique_and_links_lead_to_them() {
    for (model, chart) in charts() {
        let page = parsed(&model.name, &render_html(&chart, &Selection::all()));
        let attribute = |wanted: &str| {
            let all = page.elements.iter().flat_map(|element| &element.attributes);
            all.filter(|(name, _)| name == wanted)
                .map(|(_, value)| value.clone())
                .collect::<Vec<_>>()
        };
        let mut ids = attribute("id");
        ids.sort();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{}: {ids:?}", model.name);
        for link in attribute("href") {
            assert!(ids.contains(&link[1..].to_owned()), "{}: {link}", model.name);
        }
        for panel in attribute("aria-controls") {
            assert!(ids.contains(&panel), "{}: {panel}", model.name);
        }
    }
}

#[test]
fn boxes_do_not_overlap_and_links_meet_them() {
    for (model, chart) in charts() {
        let layout = lay_out(&chart.diagram);
        for (number, one) in layout.boxes.iter().enumerate() {
            assert!(one.left >= 0.0 && one.left + one.width <= layout.width, "{}", model.name);
            assert!(one.top >= 0.0 && one.top + one.height <= layout.height, "{}", model.name);
            for other in layout.boxes.iter().skip(number + 1) {
                assert!(!one.overlaps(other), "{}: {one:?} {other:?}", model.name);
            }
        }
        for (link, path) in chart.diagram.links.iter().zip(&layout.paths) {
            for (place, (x, y)) in [(link.from, path[0]), (link.to, path[path.len() - 1])] {
                let target = layout.boxes[place];
                let on_edge = x == target.left || x == target.left + target.width;
                let beside = target.top <= y && y <= target.top + target.height;
                assert!(on_edge && beside, "{}: {link:?} {path:?}", model.name);
            }
        }
    }
}

#[test]
fn every_entity_pattern_and_sample_is_on_the_page_and_in_the_other_forms() {
    for (model, chart) in charts() {
        let page = parsed(&model.name, &render_html(&chart, &Selection::all())).text;
        let style = TextStyle { width: 10_000, colour: Colour::Never };
        let terminal = render_text(&chart, &Selection::all(), style);
        let markdown = render_markdown(&chart, &Selection::all()).replace('\\', "");
        let json = write_tree(&render_json(&chart, &Selection::all()));
        let mermaid = render_mermaid(&chart.diagram);
        let entities = model.entities.iter().map(|entity| entity.name.clone());
        let patterns = model.patterns.iter().map(|pattern| pattern.name.clone());
        for name in entities.clone().chain(patterns) {
            for (form, text) in
                [("html", &page), ("text", &terminal), ("markdown", &markdown), ("json", &json)]
            {
                assert!(text.contains(&name), "{}: {name} is not in {form}", model.name);
            }
        }
        for name in entities {
            let is_there = mermaid.contains(&format!("    {name} {{\n"))
                || mermaid.contains(&format!("[\"{name}\"] {{\n"));
            assert!(is_there, "{}: {name}", model.name);
        }
        for sample in &model.samples {
            let item = model.item_of_sample(sample).unwrap();
            for value in item.values() {
                let monotable_item::Value::String(value) = value else { continue };
                assert!(page.contains(value.as_str()), "{}: {value}", model.name);
                assert!(terminal.contains(value.as_str()), "{}: {value}", model.name);
            }
        }
    }
}

/// The items that the samples of a table build.
fn items(model: &Model, table: &str) -> Vec<Item> {
    let is_here = |sample: &&monotable_model::document::Sample| {
        let entity = model.entity(&sample.entity).unwrap();
        sample.table.as_ref().or(entity.tables.first()).is_some_and(|name| name == table)
    };
    let samples = model.samples.iter().filter(is_here);
    samples.map(|sample| model.item_of_sample(sample).unwrap()).collect()
}

fn bytes(item: &Item, names: &[String]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for name in names {
        assert!(key_encoding::encode(item.get(name)?, &mut bytes));
    }
    Some(bytes)
}

/// The sort keys of each partition as the engine would hold them, worked out from the items alone.
fn expected(items: &[Item], table: &CollectionTable) -> BTreeMap<Vec<u8>, Vec<Vec<u8>>> {
    let mut partitions: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
    for item in items {
        let keys = (bytes(item, &table.view.partition_key), bytes(item, &table.view.sort_key));
        if let (Some(partition), Some(sort)) = keys {
            partitions.entry(partition).or_default().push(sort);
        }
    }
    partitions.values_mut().for_each(|sorts| sorts.sort());
    partitions
}

#[test]
fn collections_hold_the_items_with_the_key_in_byte_order_and_no_others() {
    let (mut shown, mut absent) = (0, 0);
    for (model, chart) in charts() {
        for table in &chart.collections {
            let items = items(&model, &table.view.target.table);
            let expected = expected(&items, table);
            let counts: Vec<usize> = table.partitions.iter().map(|one| one.items.len()).collect();
            let expected_counts: Vec<usize> = expected.values().map(Vec::len).collect();
            assert_eq!(counts, expected_counts, "{} {}", model.name, table.view.heading());
            assert_eq!(table.item_count() + table.absent.len(), items.len(), "{}", model.name);
            for (partition, sorts) in table.partitions.iter().zip(expected.values()) {
                for (item, sort) in partition.items.iter().zip(sorts) {
                    assert_eq!(shown_bytes(&items, &item.sort), *sort, "{}", model.name);
                }
            }
            shown += table.item_count();
            absent += table.absent.len();
        }
    }
    assert!(shown >= 300 && absent >= 60, "only {shown} were shown and {absent} absent");
}

/// The bytes of a sort key that is shown, found among the items by its text.
fn shown_bytes(items: &[Item], cells: &[monotable_chart::Cell]) -> Vec<u8> {
    let names: Vec<String> = cells.iter().map(|cell| cell.name.clone()).collect();
    let is_shown = |item: &&Item| {
        cells.iter().all(|cell| match item.get(&cell.name) {
            Some(monotable_item::Value::String(text)) => *text == cell.value,
            Some(monotable_item::Value::Number(number)) => number.to_string() == cell.value,
            _ => false,
        })
    };
    items.iter().find(is_shown).and_then(|item| bytes(item, &names)).unwrap()
}

#[test]
fn sparse_items_are_absent_and_said_to_be() {
    let (_, chart) =
        charts().into_iter().find(|(model, _)| model.name == "sparse-shipped-orders").unwrap();
    let index = chart.collections.iter().find(|table| table.view.target.index.is_some()).unwrap();
    assert!(!index.absent.is_empty());
    let held: Vec<&str> = index
        .partitions
        .iter()
        .flat_map(|partition| &partition.items)
        .flat_map(|item| &item.attributes)
        .map(|cell| cell.value.as_str())
        .collect();
    for item in &index.absent {
        assert!(!held.contains(&item.key[0].value.as_str()), "{item:?}");
    }
}

#[test]
fn mermaid_text_has_only_statements_of_its_grammar() {
    for (model, chart) in charts() {
        let text = render_mermaid(&chart.diagram);
        check_grammar(&model.name, &text);
    }
}

/// Every line is the heading, an entity, an attribute, an end, or a link.
fn check_grammar(name: &str, text: &str) {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("erDiagram"));
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_right = match words.as_slice() {
            ["}"] => true,
            [entity, "{"] | [entity] => {
                let (word, alias) = entity.split_once('[').unwrap_or((entity, "\"\"]"));
                is_word(word) && alias.starts_with('"') && alias.ends_with("\"]")
            }
            [from, ends, to, ":", ..] => {
                let quotes = line.matches('"').count();
                let ends = ends.replace("..", "--");
                let (left, right) = ends.split_once("--").unwrap_or_default();
                is_word(from)
                    && is_word(to)
                    && quotes == 2
                    && ["||", "|o", "}o"].contains(&left)
                    && ["||", "o|", "o{"].contains(&right)
            }
            [kind, attribute, rest @ ..] => {
                let remark = rest.join(" ");
                let remark = remark.strip_prefix("PK").unwrap_or(&remark).trim();
                let is_quoted = remark.starts_with('"') && remark.ends_with('"');
                is_word(kind) && is_word(attribute) && (remark.is_empty() || is_quoted)
            }
            [] => false,
        };
        assert!(is_right, "{name}: {line}");
    }
}

#[test]
fn the_terminal_s_width_is_kept() {
    for (model, chart) in charts() {
        for width in [80, 100, 120, 200] {
            let style = TextStyle { width, colour: Colour::Never };
            for line in render_text(&chart, &Selection::all(), style).lines() {
                if line.starts_with(['│', '┌', '├', '└']) {
                    assert!(line.chars().count() <= width, "{}: {width}: {line}", model.name);
                }
            }
        }
    }
}
