//! What was found, for people.

use std::io;

use monotable_database::check::{
    Change, CheckReport, CheckTotals, Fault, FaultLocation, LocationKey,
};
use monotable_item::Value;
use monotable_storage_local::Fault as FileFault;

use super::{Findings, sentence};
use crate::byte_size::shown_bytes;
use crate::output::{self, Style, styled};

/// How many characters of a key value, or bytes of a key, are shown.
const VALUE_CHARS_MAX: usize = 60;
const KEY_BYTES_MAX: usize = 40;

/// Prints what was found.
pub(super) fn print(findings: &Findings) -> io::Result<()> {
    lines(findings).iter().try_for_each(|line| output::line(line))
}

/// Prints a change that is about to be made.
pub(super) fn print_change(change: &Change) -> io::Result<()> {
    output::line(&change_line(change, output::terminal_width()))
}

fn change_line(change: &Change, width: Option<usize>) -> String {
    let text = format!("{}: {}", place(&change.place), sentence::change(change));
    fit("repair: ", Style::Changed, &text, width)
}

fn lines(findings: &Findings) -> Vec<String> {
    let width = output::terminal_width();
    let mut lines: Vec<String> =
        findings.file_faults().iter().map(|fault| file_fault(fault, width)).collect();
    if let Some(contents) = &findings.contents {
        lines.extend(contents.faults.iter().map(|fault| content_fault(fault, width)));
        if contents.more_faults > 0 {
            lines.push(format!(
                "… and {}",
                counted(contents.more_faults, "more fault", "more faults")
            ));
        }
    }
    if let Some(files) = &findings.files {
        let count = counted(files.files, "file", "files");
        lines.push(format!("files: {count}, {}", shown_bytes(files.bytes)));
    }
    if let Some(contents) = &findings.contents {
        lines.push(format!("contents: {}", totals(&contents.totals)));
    }
    if let Some(changes) = findings.changes {
        lines.push(format!("repair: {}", counted(changes, "change", "changes")));
    }
    lines.push(verdict(findings));
    lines
}

fn file_fault(fault: &FileFault, width: Option<usize>) -> String {
    let text = format!("{}: {}", fault.path.display(), fault.what);
    fit("fault: ", Style::Failure, &text, width)
}

fn content_fault(fault: &Fault, width: Option<usize>) -> String {
    let text = format!("{}: {}", place(&fault.place), sentence::problem(&fault.problem));
    fit("fault: ", Style::Failure, &text, width)
}

/// The last line: is the store sound, and what to do if not?
fn verdict(findings: &Findings) -> String {
    let store = styled(Style::Strong, &findings.store);
    let Some(contents) = &findings.contents else {
        let faults = counted(findings.file_faults().len() as u64, "file is", "files are");
        let advice = "restore from a copy; the store was not opened, and nothing was changed";
        return format!("{store}: {faults} damaged; {advice}");
    };
    if contents.is_sound() {
        return format!("{store}: sound");
    }
    let faults = counted(contents.fault_count(), "fault", "faults");
    format!("{store}: {faults}{}", advice(contents, findings.changes))
}

fn advice(contents: &CheckReport, changes: Option<u64>) -> &'static str {
    let mendable = contents.faults.iter().filter(|fault| fault.is_repairable).count();
    match (changes, mendable) {
        (Some(_), _) => " that no repair mends",
        (None, 0) => "; no repair mends them",
        (None, mendable) if mendable == contents.faults.len() => "; --repair mends them",
        (None, _) => "; --repair mends some of them",
    }
}

fn totals(totals: &CheckTotals) -> String {
    let parts = [
        (totals.tables, "table", "tables"),
        (totals.items, "item", "items"),
        (totals.index_entries, "index entry", "index entries"),
        (totals.expiry_entries, "expiry entry", "expiry entries"),
        (totals.streams, "stream", "streams"),
        (totals.stream_records, "stream record", "stream records"),
    ];
    let rarely = [
        (totals.noted_garbage, "deleted part to be removed", "deleted parts to be removed"),
        (
            totals.leftover_records,
            "record of a shard that is gone",
            "records of shards that are gone",
        ),
    ];
    let rarely = rarely.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.into_iter().chain(rarely);
    let parts = parts.map(|(count, singular, plural)| counted(count, singular, plural));
    parts.collect::<Vec<_>>().join(", ")
}

/// A number with its noun.
pub(super) fn counted(count: u64, singular: &str, plural: &str) -> String {
    format!("{count} {}", if count == 1 { singular } else { plural })
}

/// Where something is.
fn place(place: &FaultLocation) -> String {
    let mut parts = Vec::new();
    parts.extend(place.table.as_ref().map(|table| format!("table {table}")));
    parts.extend(place.index.as_ref().map(|index| format!("index {index}")));
    parts.extend(place.key.as_ref().map(|key| match key {
        LocationKey::Attributes(named) => attributes(named),
        LocationKey::Bytes(bytes) => format!("key {}", shortened_hex(bytes)),
    }));
    if parts.is_empty() { "the store".to_owned() } else { parts.join(", ") }
}

/// Key attributes with their values.
pub(super) fn attributes(named: &[(String, Value)]) -> String {
    let shown = named.iter().map(|(name, value)| format!("{name}={}", shown_value(value)));
    shown.collect::<Vec<_>>().join(" ")
}

fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) => shorten(&format!("{text:?}")),
        Value::Number(number) => number.to_string(),
        Value::Binary(bytes) => format!("0x{}", shortened_hex(bytes)),
        other => shorten(&format!("{other:?}")),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

fn shortened_hex(bytes: &[u8]) -> String {
    match bytes.get(..KEY_BYTES_MAX) {
        Some(shown) if bytes.len() > KEY_BYTES_MAX => format!("{}…", hex(shown)),
        _ => hex(bytes),
    }
}

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line with a label, broken between words where the terminal ends.
fn fit(label: &str, style: Style, text: &str, width: Option<usize>) -> String {
    let mut out = styled(style, label.trim_end());
    let mut column = label.len() - 1;
    for word in text.split(' ') {
        let cells = word.chars().count() + 1;
        if width.is_some_and(|width| column + cells > width) && column > INDENT.len() {
            out.push('\n');
            out.push_str(INDENT);
            column = INDENT.len();
        }
        out.push(' ');
        out.push_str(word);
        column += cells;
    }
    out
}

const INDENT: &str = "   ";
