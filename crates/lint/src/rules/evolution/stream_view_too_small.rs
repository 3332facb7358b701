//! A consumer that needs what its stream does not record.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, Operation, Pattern, StreamView};

use crate::Subject;
use crate::consumer::source_tables;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "stream-view-too-small",
    Error,
    Evolution,
    Model,
    "a consumer needs the item before or after a change, and the stream does not record it",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let consumers =
        subject.model.patterns.iter().filter(|pattern| pattern.operation == Operation::Consume);
    consumers.flat_map(|pattern| judge(subject.model, pattern)).collect()
}

fn judge(model: &Model, pattern: &Pattern) -> Vec<Diagnostic> {
    let tables = source_tables(model, pattern);
    if !tables.is_empty() && tables.iter().all(|table| table.stream.is_none()) {
        let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        let message =
            format!("the pattern follows the stream of {}, which has none", names.join(" and "));
        let suggestion = "stream = \"new-and-old-images\"";
        let place = Place::pattern(&pattern.name);
        return vec![Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)];
    }
    let Some(needed) = pattern.view else { return Vec::new() };
    let small = tables.into_iter().filter_map(|table| Some((table, table.stream?)));
    let small = small.filter(|(_, view)| !holds(*view, needed));
    let found = small.map(|(table, view)| {
        let message = format!(
            "the stream of {} records {}, and the consumer needs {}",
            table.name,
            words(view),
            words(needed)
        );
        let suggestion = format!("stream = \"{}\"", joined(view, needed));
        let place = Place::table(&table.name).member("stream");
        Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
    });
    found.collect()
}

fn holds(view: StreamView, needed: StreamView) -> bool {
    view == needed || view == StreamView::NewAndOldImages || needed == StreamView::KeysOnly
}

fn words(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "keys only",
        StreamView::NewImage => "the item after the change",
        StreamView::OldImage => "the item before the change",
        StreamView::NewAndOldImages => "the item before and after the change",
    }
}

/// The view that has both.
fn joined(view: StreamView, needed: StreamView) -> &'static str {
    match (view, needed) {
        (StreamView::KeysOnly, StreamView::NewImage) => "new-image",
        (StreamView::KeysOnly, StreamView::OldImage) => "old-image",
        (
            StreamView::KeysOnly
            | StreamView::NewImage
            | StreamView::OldImage
            | StreamView::NewAndOldImages,
            _,
        ) => "new-and-old-images",
    }
}
