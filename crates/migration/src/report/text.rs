//! A difference as a table of lines, and the plan below it.

use crate::{Change, Class, Diff, Readers};

/// The difference in plain text: a line for each change, and the steps in order.
pub fn render_text(diff: &Diff) -> String {
    if diff.is_empty() {
        return "no change of tables, entities or access patterns\n".to_owned();
    }
    let kind_width = width(diff, |change| change.kind.word().len());
    let place_width = width(diff, |change| change.place.as_str().chars().count());
    let mut text = String::new();
    for change in &diff.changes {
        text += &heading(change, kind_width, place_width);
        text += &details(change);
    }
    text += &format!("\n{}\n", summary(diff));
    if !diff.steps.is_empty() {
        text += "\nPlan:\n";
    }
    for (number, step) in diff.steps.iter().enumerate() {
        text += &format!("{:>3}. {}\n", number + 1, step.text);
    }
    text
}

fn width(diff: &Diff, of: impl Fn(&Change) -> usize) -> usize {
    diff.changes.iter().map(of).max().unwrap_or(0)
}

fn heading(change: &Change, kind_width: usize, place_width: usize) -> String {
    let (sign, kind, place) = (change.mark.sign(), change.kind.word(), change.place.as_str());
    let readers = match change.readers {
        Readers::Break => "  old readers break",
        Readers::WritersBreak => "  old writers break",
        Readers::Unaffected => "",
    };
    format!("{sign} {kind:<kind_width$}  {place:<place_width$}  {}{readers}\n", change.class)
}

fn details(change: &Change) -> String {
    let values = match (&change.before, &change.after) {
        (None, None) => None,
        (Some(before), None) => Some(format!("was {before}")),
        (None, Some(after)) => Some(after.clone()),
        (Some(before), Some(after)) => Some(format!("{before}\n      → {after}")),
    };
    let lines = values.iter().chain(&change.notes);
    lines.map(|line| format!("      {line}\n")).collect()
}

/// How many changes of each class there are, and what that comes to.
fn summary(diff: &Diff) -> String {
    let classes = [
        Class::Additive,
        Class::TableChange,
        Class::Decorate,
        Class::Rewrite,
        Class::Convert,
        Class::NewTable,
    ];
    let count = |class: Class| diff.changes.iter().filter(|one| one.class == class).count();
    let counted = classes.into_iter().map(|class| (class, count(class)));
    let parts: Vec<String> = counted
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    format!("{}: {}", parts.join(", "), verdict(diff.class()))
}

fn verdict(class: Class) -> &'static str {
    match class {
        Class::Additive => "nothing is to be done about stored items",
        Class::TableChange => "the table changes, and stored items stay as they are",
        Class::Decorate => "stored items get or lose attributes, in place",
        Class::Rewrite => "stored items get another primary key",
        Class::Convert => "stored values must be converted by a program that knows how",
        Class::NewTable => "it cannot be done in place: items must be copied to a new table",
    }
}
