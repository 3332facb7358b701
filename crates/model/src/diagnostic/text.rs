//! Diagnostics for people: the source with what is meant underlined.

use super::{Diagnostic, Severity, SourceFile, Span};

/// Whether to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// With the escape sequences of terminals.
    Always,
    /// Plain text.
    Never,
}

/// Lines of the source that are shown of one span at most.
const LINES_MAX: usize = 1;
/// Characters of a line that are shown at most. A document may be one line of megabytes, with
/// mistakes all over it.
const LINE_CHARS_MAX: usize = 200;
/// How many of them stand before what is meant.
const CHARS_BEFORE_MAX: usize = 60;

/// A diagnostic with its source, as several lines that end in a line break.
///
/// ```text
/// error[unknown-member]: a table has no member partition_kye
///  --> shop.toml:4:1
///   |
/// 4 | partition_kye = "PK"
///   | ^^^^^^^^^^^^^
///   = note: docs/guide/model-language.md#tables
///   = help: did you mean partition_key?
/// ```
pub fn render_text(diagnostic: &Diagnostic, file: &SourceFile, colour: Colour) -> String {
    let paint = Paint { colour };
    let mut out = String::new();
    let label = format!("{}[{}]", diagnostic.severity.name(), diagnostic.code);
    let style = severity_style(diagnostic.severity);
    out.push_str(&format!(
        "{}: {}\n",
        paint.styled(style, &label),
        paint.bold(&diagnostic.message)
    ));
    match diagnostic.span {
        Some(span) => excerpt(&mut out, paint, file, span, style),
        None => out.push_str(&format!("  {} {}\n", paint.frame("-->"), file.name())),
    }
    for note in &diagnostic.notes {
        out.push_str(&format!("  {} note: {}\n", paint.frame("="), note.message));
        if let Some(span) = note.span {
            excerpt(&mut out, paint, file, span, NOTE);
        }
    }
    if let Some(reference) = diagnostic.reference() {
        out.push_str(&format!("  {} note: {reference}\n", paint.frame("=")));
    }
    if let Some(suggestion) = &diagnostic.suggestion {
        out.push_str(&format!("  {} help: {suggestion}\n", paint.frame("=")));
    }
    out
}

const NOTE: &str = "\x1b[1;36m";
const FRAME: &str = "\x1b[1;34m";
const BOLD: &str = "\x1b[1m";
const END: &str = "\x1b[0m";

fn severity_style(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
        Severity::Info => NOTE,
    }
}

#[derive(Clone, Copy)]
struct Paint {
    colour: Colour,
}

impl Paint {
    fn styled(self, style: &str, text: &str) -> String {
        match self.colour {
            Colour::Always => format!("{style}{text}{END}"),
            Colour::Never => text.to_owned(),
        }
    }

    fn bold(self, text: &str) -> String {
        self.styled(BOLD, text)
    }

    fn frame(self, text: &str) -> String {
        self.styled(FRAME, text)
    }
}

/// The place of a span and its first line, underlined.
fn excerpt(out: &mut String, paint: Paint, file: &SourceFile, span: Span, style: &str) {
    let start = file.position(span.start);
    let end = file.position(span.end);
    let number = start.line.to_string();
    let margin = " ".repeat(number.len());
    let arrow = paint.frame("-->");
    out.push_str(&format!("{margin}{arrow} {}:{}:{}\n", file.name(), start.line, start.column));
    let bar = paint.frame("|");
    let line = file.line(start.line);
    let characters = line.chars().count();
    let last = if end.line - start.line < LINES_MAX { end.column - 1 } else { characters };
    let meant = start.column - 1;
    let shown = Shown::of(line, characters, meant);
    let width = last.saturating_sub(meant).clamp(1, LINE_CHARS_MAX - CHARS_BEFORE_MAX);
    let underline = paint.styled(style, &"^".repeat(width));
    out.push_str(&format!("{margin} {bar}\n"));
    out.push_str(&format!("{} {bar} {}\n", paint.frame(&number), shown.text));
    out.push_str(&format!("{margin} {bar} {}{underline}\n", " ".repeat(shown.indent)));
}

/// What is shown of a line.
struct Shown {
    text: String,
    /// How many characters stand before what is meant.
    indent: usize,
}

impl Shown {
    /// The part of a line around the character that is meant.
    fn of(line: &str, characters: usize, meant: usize) -> Shown {
        if characters <= LINE_CHARS_MAX {
            return Shown { text: line.replace('\t', " "), indent: meant };
        }
        let skipped = meant.saturating_sub(CHARS_BEFORE_MAX);
        let mut text = String::from(if skipped > 0 { "…" } else { "" });
        let part = line.chars().skip(skipped).take(LINE_CHARS_MAX);
        text.extend(part.map(|character| if character == '\t' { ' ' } else { character }));
        if skipped + LINE_CHARS_MAX < characters {
            text.push('…');
        }
        Shown { text, indent: meant - skipped + usize::from(skipped > 0) }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::Place;
    use super::*;

    fn file() -> SourceFile {
        SourceFile::new("shop.toml", "name = \"shop\"\n\n[tables.Shop]\npartition_kye = \"PK\"\n")
    }

    fn diagnostic() -> Diagnostic {
        let place = Place::table("Shop").member("partition_kye");
        Diagnostic::error("unknown-member", place, "a table has no member partition_kye")
            .with_span(Span::new(29, 42))
            .with_suggestion("did you mean partition_key?")
    }

    #[test]
    fn the_source_is_underlined() {
        expect![[r#"
            error[unknown-member]: a table has no member partition_kye
             --> shop.toml:4:1
              |
            4 | partition_kye = "PK"
              | ^^^^^^^^^^^^^
              = note: docs/guide/model-language.md#tables
              = help: did you mean partition_key?
        "#]]
        .assert_eq(&render_text(&diagnostic(), &file(), Colour::Never));
    }

    #[test]
    fn a_span_of_several_lines_is_underlined_on_its_first() {
        let span = Span::new(15, 42);
        let text = render_text(&diagnostic().with_span(span), &file(), Colour::Never);
        assert!(text.contains("3 | [tables.Shop]\n  | ^^^^^^^^^^^^^\n"), "{text}");
    }

    #[test]
    fn of_a_long_line_only_the_part_is_shown_that_is_meant() {
        let line = format!("{}MEANT{}", "é\t".repeat(50_000), "x".repeat(100_000));
        let file = SourceFile::new("shop.json", &*line);
        let start = line.find("MEANT").unwrap();
        let span = Span::new(start, start + 5);
        let text = render_text(&diagnostic().with_span(span), &file, Colour::Never);
        let lines: Vec<&str> = text.lines().collect();
        assert!(text.chars().count() < 600, "{} characters", text.chars().count());
        let place = |line: &str, mark: &str| line.split(mark).next().unwrap().chars().count();
        assert_eq!(place(lines[3], "MEANT"), place(lines[4], "^"));
        assert!(lines[3].starts_with("1 | …é ") && lines[3].ends_with("xx…"), "{}", lines[3]);
        let whole = render_text(&diagnostic().with_span(Span::new(0, start)), &file, Colour::Never);
        assert!(whole.chars().count() < 600 && whole.contains("1 | é "), "{whole}");
    }

    #[test]
    fn colours_only_add_to_the_text() {
        let mut coloured = render_text(&diagnostic(), &file(), Colour::Always);
        for style in [severity_style(Severity::Error), FRAME, BOLD, END] {
            coloured = coloured.replace(style, "");
        }
        assert_eq!(coloured, render_text(&diagnostic(), &file(), Colour::Never));
    }

    #[test]
    fn without_a_span_the_file_is_named() {
        let diagnostic = Diagnostic::info("note", Place::root(), "all is well").with_note("really");
        expect![[r#"
            info[note]: all is well
              --> shop.toml
              = note: really
        "#]]
        .assert_eq(&render_text(&diagnostic, &file(), Colour::Never));
    }
}
