//! Whatever stands in a model, it is text in a chart and never markup.

use monotable_chart::{
    Chart, Selection, TextStyle, lay_out, render_collections_svg, render_html, render_json,
    render_markdown, render_mermaid, render_svg, render_text,
};
use monotable_item::{Item, Type, Value};
use monotable_model::diagnostic::{Colour, Diagnostic, Place};
use monotable_model::document::{
    Attribute, Entity, IndexKeys, Keys, Known, Model, Operation, Pattern, Relationship,
    RelationshipKind, Sample, Source, write_tree,
};
use monotable_model::template::Template;
use proptest::prelude::*;

/// A small model, whose names and values are then replaced.
const MODEL: &str = r#"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
global_indexes.GSI1 = { partition_key = "GSI1PK", sort_key = "GSI1SK" }

[entities.Customer]
key = { partition = "C#{id}", sort = "C#{id}" }
attributes.id = "S"
"#;

/// Pieces that mean something to HTML, scripts, Markdown, Mermaid or terminals, and others.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "</td>",
        "\" onload=\"x",
        "' x='",
        "<!--",
        "-->",
        "]]>",
        "&",
        "&lt;",
        "</style>",
        "</svg>",
        "|",
        "\\",
        "`",
        "```",
        "**",
        "[a](b)",
        "{",
        "}",
        "\"",
        "%%",
        "#",
        ";",
        "\n",
        "\r",
        "\t",
        "\u{1b}[31m",
        "\u{0}",
        "\u{202e}",
        "注",
        "e\u{301}",
        "a",
        "B7",
        " ",
        "─",
        "│",
        "::",
        "||--o{",
        "<br>",
    ]);
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn template(text: &str) -> Template {
    Template::parse(text).unwrap()
}

fn entity(number: usize, words: &[String]) -> Entity {
    let name = format!("{number}{}", words[0]);
    let mut id = Attribute::new("id", Type::String);
    id.required = true;
    let mut entity = Entity::named(name);
    entity.description = Some(words[1].clone());
    entity.tables = vec!["Shop".to_owned()];
    let key = Keys { partition: vec![template("P#{id}")], sort: vec![template("S#{id}")] };
    entity.key = Some(key.clone());
    if number.is_multiple_of(2) {
        entity.indexes = vec![IndexKeys { index: words[5].clone(), keys: key, when: None }];
    }
    entity.attributes = vec![id, Attribute::new(words[2].clone(), Type::String)];
    entity
}

fn sample(entity: &Entity, words: &[String]) -> Sample {
    let attributes = Item::from([
        ("id".to_owned(), Value::from(words[3].as_str())),
        (entity.attributes[1].name.clone(), Value::from(words[4].as_str())),
    ]);
    Sample {
        entity: entity.name.clone(),
        table: None,
        without: Vec::new(),
        shard: None,
        attributes,
    }
}

/// A model of hostile names and values.
fn model(words: &[String]) -> Model {
    let mut model = crate::example::parse(MODEL);
    model.title = Some(words[0].clone());
    model.description = Some(words[1].clone());
    model.tables[0].indexes[0].name = words[5].clone();
    model.tables[0].indexes[0].description = Some(words[2].clone());
    let numbered = words.windows(6).enumerate();
    model.entities = numbered.map(|(number, words)| entity(number, words)).collect();
    for entity in &mut model.entities {
        for keys in &mut entity.indexes {
            keys.index = words[5].clone();
        }
    }
    let names: Vec<String> = model.entities.iter().map(|entity| entity.name.clone()).collect();
    let entity = |number: usize| names[number % names.len()].clone();
    for (number, word) in words.iter().enumerate() {
        let mut pattern = Pattern::new(format!("{number}{word}"), Operation::Get);
        pattern.description = Some(word.clone());
        pattern.entities = vec![entity(number)];
        let source = Source::Parameter(word.clone());
        pattern.by = vec![Known { attribute: "id".to_owned(), source }];
        model.patterns.push(pattern);
        model.relationships.push(Relationship {
            from: entity(number),
            to: entity(number * 2 + 1),
            kind: RelationshipKind::OneToMany,
            through: None,
            average: Some(2.0),
            max: None,
            description: Some(word.clone()),
        });
    }
    let of = |(entity, words): (&Entity, &[String])| sample(entity, words);
    model.samples = model.entities.iter().zip(words.windows(6)).map(of).collect();
    model
}

fn chart(words: &[String]) -> Chart {
    let finding = Diagnostic::warning("a-finding", Place::entity(&words[0]), words[1].as_str())
        .with_note(words[2].as_str())
        .with_suggestion(words[3].as_str());
    crate::example::chart(&model(words)).with_findings(vec![finding])
}

/// What may stand on a page.
const TAGS: &[&str] = &[
    "html", "head", "meta", "title", "style", "script", "body", "a", "header", "p", "h1", "h2",
    "h3", "dl", "div", "dd", "dt", "nav", "ol", "ul", "li", "button", "main", "section", "article",
    "table", "thead", "tbody", "tr", "th", "td", "code", "small", "span", "strong", "wbr",
    "details", "summary", "footer", "svg", "g", "rect", "path", "text", "circle",
];

#[track_caller]
fn check_markup(source: &str, words: &[String]) {
    let page = crate::markup::read(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let scripts = page.elements.iter().filter(|element| element.name == "script").count();
    assert!(scripts <= 1, "{source}");
    for element in &page.elements {
        assert!(TAGS.contains(&element.name.as_str()), "{element:?}");
        for (name, _) in &element.attributes {
            assert!(!name.starts_with("on") && name != "x='", "{element:?}");
        }
    }
    if source.starts_with("<!doctype") {
        for (number, word) in words.iter().enumerate() {
            let name = visible(&format!("{number}{word}"));
            assert!(page.text.contains(&name), "{name:?} is not on the page");
        }
    }
}

/// Text with what cannot be shown replaced, as a page shows it.
fn visible(text: &str) -> String {
    let hidden = |one: char| one == '\u{202e}' || one.is_control() && one != '\n' && one != '\t';
    text.chars().map(|one| if hidden(one) { '\u{fffd}' } else { one }).collect()
}

/// The cells of a row of a Markdown table: pipes that are escaped part nothing.
fn cells(line: &str) -> usize {
    line.replace("\\\\", "").replace("\\|", "").matches('|').count() - 1
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_a_model_becomes_markup(words in prop::collection::vec(hostile(), 9..14)) {
        let chart = chart(&words);
        check_markup(&render_html(&chart, &Selection::all()), &words);
        check_markup(&render_svg(&chart.diagram), &words);
        check_markup(&render_collections_svg(&chart, &Selection::all()), &words);
    }

    #[test]
    fn nothing_of_a_model_breaks_a_line_or_controls_a_terminal(
        words in prop::collection::vec(hostile(), 9..14)
    ) {
        let chart = chart(&words);
        let style = TextStyle { width: 100, colour: Colour::Never };
        let text = render_text(&chart, &Selection::all(), style);
        prop_assert!(!text.contains(|one: char| one.is_control() && one != '\n'));
        let markdown = render_markdown(&chart, &Selection::all());
        let mut columns = None;
        for line in markdown.lines() {
            if line.starts_with("| ") {
                let count = cells(line);
                prop_assert_eq!(count, *columns.get_or_insert(count), "{}", line);
            } else {
                columns = None;
            }
        }
        let mermaid = render_mermaid(&chart.diagram);
        for line in mermaid.lines() {
            prop_assert!(line.matches('"').count() % 2 == 0, "{}", line);
        }
        prop_assert!(!mermaid.contains("```") && !mermaid.contains('<'));
        let json = write_tree(&render_json(&chart, &Selection::all()));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }

    #[test]
    fn boxes_never_overlap(links in prop::collection::vec((0usize..12, 0usize..12), 0..30)) {
        let mut model = model(&(0..17).map(|number| "word".repeat(number % 5 + 1))
            .collect::<Vec<_>>());
        let name = |number: usize| model.entities[number].name.clone();
        let relationship = |&(from, to): &(usize, usize)| Relationship {
            from: name(from),
            to: name(to),
            kind: RelationshipKind::ManyToMany,
            through: None,
            average: None,
            max: Some(7),
            description: None,
        };
        model.relationships = links.iter().map(relationship).collect();
        let layout = lay_out(&crate::example::chart(&model).diagram);
        for (number, one) in layout.boxes.iter().enumerate() {
            for other in layout.boxes.iter().skip(number + 1) {
                prop_assert!(!one.overlaps(other), "{:?} {:?}", one, other);
            }
        }
        prop_assert!(layout.paths.iter().all(|path| path.len() >= 2));
    }
}
