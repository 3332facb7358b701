//! Charts of some models, each in a file that a person can read.

use monotable_chart::{
    Chart, Selection, TextStyle, render_json, render_markdown, render_mermaid, render_text,
};
use monotable_model::diagnostic::Colour;
use monotable_model::document::write_tree;

use crate::example::{chart, models};
use expect_test::expect_file;

fn of(name: &str) -> Chart {
    let models = models();
    chart(models.iter().find(|model| model.name == name).unwrap())
}

fn text(name: &str, width: usize) -> String {
    render_text(&of(name), &Selection::all(), TextStyle { width, colour: Colour::Never })
}

#[test]
fn in_the_terminal() {
    expect_file!["expected/e-commerce.txt"].assert_eq(&text("e-commerce", 120));
    expect_file!["expected/session-store.80.txt"].assert_eq(&text("session-store", 80));
    expect_file!["expected/sparse-shipped-orders.txt"]
        .assert_eq(&text("sparse-shipped-orders", 100));
}

#[test]
fn as_markdown() {
    let markdown = |name| render_markdown(&of(name), &Selection::all());
    expect_file!["expected/e-commerce.md"].assert_eq(&markdown("e-commerce"));
    expect_file!["expected/award-sparse-index.md"].assert_eq(&markdown("award-sparse-index"));
}

#[test]
fn as_mermaid() {
    let mermaid = |name| render_mermaid(&of(name).diagram);
    expect_file!["expected/e-commerce.mmd"].assert_eq(&mermaid("e-commerce"));
    expect_file!["expected/github-backend.mmd"].assert_eq(&mermaid("github-backend"));
}

#[test]
fn as_json() {
    let json = write_tree(&render_json(&of("session-store"), &Selection::all()));
    expect_file!["expected/session-store.json"].assert_eq(&json);
}
