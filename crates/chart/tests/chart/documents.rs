//! The charts under `docs/models` are those of the models under `examples/models`.
//!
//! When a model changes, `UPDATE_EXPECT=1 cargo test -p monotable-chart` draws them again.

use std::collections::BTreeSet;

use expect_test::{ExpectFile, expect_file};
use monotable_chart::{
    Chart, Part, Selection, render_collections_svg, render_markdown, render_svg,
};
use monotable_model_fixture::root;

use crate::example::{chart, models};

/// Compares with a file under `docs/models`, or writes it.
fn expect(name: &str) -> ExpectFile {
    let mut file = expect_file!["../../../../docs/models/README.md"];
    file.path.set_file_name(name);
    file
}

fn page(chart: &Chart) -> String {
    let parts = vec![Part::Diagram, Part::Entities, Part::Patterns];
    let drawn = render_markdown(chart, &Selection { parts, view: None });
    let (title, body) = drawn.split_once('\n').unwrap();
    let name = &chart.name;
    format!(
        "{title}\n\nDrawn from [{name}.toml](../../examples/models/{name}.toml) by `monotable \
         model chart`; [all models](README.md).\n\n![{}]({name}.svg)\n{body}",
        if has_items(chart) {
            "The sample items, in the order of their sort keys"
        } else {
            "The entities"
        },
    )
}

/// The sample items of all tables and indexes, or the diagram of a model without samples.
fn picture(chart: &Chart) -> String {
    if has_items(chart) {
        render_collections_svg(chart, &Selection::all())
    } else {
        render_svg(&chart.diagram)
    }
}

fn has_items(chart: &Chart) -> bool {
    chart.collections.iter().any(|table| table.item_count() > 0)
}

fn index(charts: &[Chart]) -> String {
    let mut text = "# Models\n\nThe 39 designs of \
                    [examples/models](../../examples/models/README.md), drawn: sample items as the \
                    table and its indexes hold them, entities and relationships, entity charts, \
                    and the access patterns with the requests that serve them.\n\n| Model | What \
                    it is | Entities | Indexes | Access patterns |\n|---|---|---|---|---|\n"
        .to_owned();
    for chart in charts {
        let tables = chart.estimate.tables.len();
        text += &format!(
            "| [{name}]({name}.md) | {} | {} | {} | {} |\n",
            chart.title.as_deref().unwrap_or(""),
            chart.legend.len(),
            chart.views().count() - tables,
            chart.patterns.len(),
            name = chart.name,
        );
    }
    text + "\nThe pages are checked against the models by a test, and drawn again by\n\n\
            ```sh\nUPDATE_EXPECT=1 cargo test -p monotable-chart\n```\n"
}

#[test]
fn the_pages_of_the_models_are_up_to_date() {
    let charts: Vec<Chart> = models().iter().map(chart).collect();
    for chart in &charts {
        expect(&format!("{}.md", chart.name)).assert_eq(&page(chart));
        expect(&format!("{}.svg", chart.name)).assert_eq(&picture(chart));
    }
    expect("README.md").assert_eq(&index(&charts));
}

#[test]
fn there_is_no_page_without_a_model() {
    let mut expected: BTreeSet<String> = BTreeSet::from(["README.md".to_owned()]);
    for model in models() {
        expected.extend(["md", "svg"].map(|ending| format!("{}.{ending}", model.name)));
    }
    let folder = std::fs::read_dir(root().join("docs/models")).unwrap();
    for entry in folder {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(expected.contains(&name), "docs/models/{name} belongs to no model; delete it");
    }
}
