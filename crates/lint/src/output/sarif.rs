//! The report as SARIF 2.1.0, the form in which code scanning takes findings.
//!
//! Services that show SARIF want of each result a rule, a level, a message and a region of a file;
//! of each rule its texts. What a model accepts is a result with a suppression, so that it is
//! counted and not shown.

use monotable_model::diagnostic::{Diagnostic, Note, Severity, SourceFile, Span};
use monotable_model::document::Tree;

use super::{number, object, text};
use crate::rules::rules;
use crate::{Accepted, Report, RequestOrigin, RequestOrigins, Rule};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A report as a SARIF log with one run.
pub fn render_sarif(report: &Report, file: &SourceFile) -> Tree {
    let locations = Locations { file, origins: &report.origins };
    let found = report.findings.iter().map(|finding| result(finding, locations, None));
    let accepted = report
        .accepted
        .iter()
        .map(|Accepted { finding, reason }| result(finding, locations, Some(reason)));
    let run = object([
        ("tool", object([("driver", driver())])),
        ("columnKind", text("unicodeCodePoints")),
        ("results", Tree::List(found.chain(accepted).collect())),
    ]);
    object([("$schema", text(SCHEMA)), ("version", text("2.1.0")), ("runs", Tree::List(vec![run]))])
}

fn driver() -> Tree {
    object([
        ("name", text("monotable")),
        ("semanticVersion", text(env!("CARGO_PKG_VERSION"))),
        ("rules", Tree::List(rules().map(descriptor).collect())),
    ])
}

fn descriptor(rule: &Rule) -> Tree {
    object([
        ("id", text(rule.code)),
        ("shortDescription", message(rule.summary)),
        ("fullDescription", message(rule.summary)),
        ("help", object([("text", text(rule.page)), ("markdown", text(rule.page))])),
        ("defaultConfiguration", object([("level", text(level(rule.severity)))])),
        ("properties", object([("tags", Tree::List(vec![text(rule.topic.name())]))])),
    ])
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Where findings can be: in the model's file, or in the recording of requests.
#[derive(Clone, Copy)]
struct Locations<'r> {
    file: &'r SourceFile,
    origins: &'r RequestOrigins,
}

fn result(finding: &Diagnostic, locations: Locations<'_>, accepted: Option<&str>) -> Tree {
    let file = locations.file;
    let position = rules().position(|rule| rule.code == finding.code);
    let suppression = |reason: &str| {
        Tree::List(vec![object([("kind", text("inSource")), ("justification", text(reason))])])
    };
    let related = finding.notes.iter().filter_map(|note| related(note, file)).collect();
    let fingerprint = format!("{}:{}", finding.code, finding.place);
    let mut members = vec![
        ("ruleId", Some(text(finding.code))),
        ("ruleIndex", position.map(number)),
        ("level", Some(text(level(finding.severity)))),
        ("message", Some(message(&words(finding)))),
        ("locations", Some(Tree::List(vec![location(finding, locations)]))),
        ("relatedLocations", Some(Tree::List(related))),
        ("partialFingerprints", Some(object([("place/v1", text(fingerprint))]))),
    ];
    members.push(("suppressions", accepted.map(suppression)));
    members.push(("properties", locations.origins.of(finding).map(request_properties)));
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Tree::Map(present.collect())
}

/// The message with what else there is to say, as sentences.
fn words(finding: &Diagnostic) -> String {
    let notes = finding.notes.iter().filter(|note| note.span.is_none());
    let sentences = std::iter::once(&finding.message)
        .chain(notes.map(|note| &note.message))
        .chain(&finding.suggestion);
    sentences.map(|sentence| format!("{sentence}.")).collect::<Vec<_>>().join(" ")
}

fn message(words: &str) -> Tree {
    object([("text", text(words))])
}

/// The request that a finding is about, for those who read properties.
fn request_properties(origin: &RequestOrigin) -> Tree {
    let optional = |value: &Option<String>| value.as_ref().map_or(Tree::Null, text);
    object([
        ("operation", text(&origin.operation)),
        ("table", optional(&origin.table)),
        ("at", optional(&origin.at)),
        ("occurrences", number(1 + origin.repeated_at.len())),
    ])
}

fn location(finding: &Diagnostic, locations: Locations<'_>) -> Tree {
    let place = object([("fullyQualifiedName", text(finding.place.as_str()))]);
    let recorded = locations.origins.of(finding).zip(locations.origins.recording.as_deref());
    let physical = match recorded {
        Some((origin, recording)) => {
            let artifact = object([("uri", text(uri(recording)))]);
            let region = object([("startLine", number(origin.line))]);
            object([("artifactLocation", artifact), ("region", region)])
        }
        None => physical(finding.span, locations.file),
    };
    object([("physicalLocation", physical), ("logicalLocations", Tree::List(vec![place]))])
}

fn related(note: &Note, file: &SourceFile) -> Option<Tree> {
    note.span?;
    Some(object([
        ("physicalLocation", physical(note.span, file)),
        ("message", message(&note.message)),
    ]))
}

/// The bytes of the file; its first line, if they are not known, since services want a region.
fn physical(span: Option<Span>, file: &SourceFile) -> Tree {
    let region = match span {
        Some(span) => {
            let (start, end) = (file.position(span.start), file.position(span.end));
            object([
                ("startLine", number(start.line)),
                ("startColumn", number(start.column)),
                ("endLine", number(end.line)),
                ("endColumn", number(end.column)),
            ])
        }
        None => object([("startLine", number(1))]),
    };
    let artifact = object([("uri", text(uri(file.name())))]);
    object([("artifactLocation", artifact), ("region", region)])
}

/// A path as a URI reference: forward slashes, and escapes for what a URI cannot have.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri_reference() {
        assert_eq!(uri("./models/my shop.toml"), "models/my%20shop.toml");
        assert_eq!(uri("models\\é.toml"), "models/%C3%A9.toml");
    }
}
