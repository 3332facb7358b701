//! Mends what has one right answer, in the text of the file, so that everything else stays.

use monotable_model::diagnostic::{Diagnostic, Severity, Span};
use monotable_model::document::Format;

use super::read_partly;

/// A text that was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// What was mended, in the order of the text.
    pub mended: Vec<Diagnostic>,
}

/// Mends the findings that say how. What cannot be found exactly once where the finding is stays,
/// as does the second of two that overlap, and what would leave more mistakes in the document than
/// it has: what a rule writes in one place may not fit what stands in another, such as a sample.
pub fn fixed(text: &str, format: Format, findings: &[Diagnostic]) -> Fixed {
    let before = mistakes(text, format);
    let all = replaced(text, findings);
    if mistakes(&all.text, format) <= before {
        return all;
    }
    let mut kept: Vec<Diagnostic> = Vec::new();
    for finding in all.mended {
        kept.push(finding);
        if mistakes(&replaced(text, &kept).text, format) > before {
            kept.pop();
        }
    }
    replaced(text, &kept)
}

/// Returns whether a finding can be mended alone.
pub fn is_fixable(text: &str, format: Format, finding: &Diagnostic) -> bool {
    !fixed(text, format, std::slice::from_ref(finding)).mended.is_empty()
}

/// How many mistakes a document has. One whose syntax is wrong has more than any other.
fn mistakes(text: &str, format: Format) -> usize {
    let (document, mistakes) = read_partly(text, format);
    let errors = mistakes.iter().filter(|mistake| mistake.severity == Severity::Error);
    document.map_or(usize::MAX, |_| errors.count())
}

fn replaced(text: &str, findings: &[Diagnostic]) -> Fixed {
    let edit = |finding: &Diagnostic| Some((fix_span(text, finding)?, finding.clone()));
    let mut edits: Vec<(Span, Diagnostic)> = findings.iter().filter_map(edit).collect();
    edits.sort_by_key(|(span, _)| *span);
    let mut fixed = Fixed { text: String::with_capacity(text.len()), mended: Vec::new() };
    let mut after = 0;
    for (span, finding) in edits {
        let Some(fix) = finding.fix.as_ref().filter(|_| span.start >= after) else { continue };
        fixed.text.push_str(text.get(after..span.start).unwrap_or_default());
        fixed.text.push_str(&fix.replace);
        after = span.end;
        fixed.mended.push(finding);
    }
    fixed.text.push_str(text.get(after..).unwrap_or_default());
    fixed
}

/// Where the text that the fix of a finding replaces stands, if it does once.
pub fn fix_span(text: &str, finding: &Diagnostic) -> Option<Span> {
    let (span, fix) = (finding.span?, finding.fix.as_ref()?);
    let written = text.get(span.start..span.end)?;
    let mut found = written.match_indices(&fix.find);
    let (start, _) = found.next()?;
    let is_only = found.next().is_none();
    let start = span.start + start;
    is_only.then(|| Span::new(start, start + fix.find.len()))
}

#[cfg(test)]
mod tests {
    use monotable_model::diagnostic::Place;

    use super::*;

    fn finding(start: usize, end: usize, find: &str, replace: &str) -> Diagnostic {
        Diagnostic::warning("x", Place::root(), "wrong")
            .with_span(Span::new(start, end))
            .with_fix(find, replace)
    }

    #[test]
    fn what_is_found_once_is_replaced_and_the_rest_stays() {
        let text = "a = \"one\" # one\nb = \"two two\"\n";
        let findings = [
            finding(4, 9, "one", "three"),
            finding(20, 29, "two", "four"),
            finding(4, 9, "one", "again"),
            Diagnostic::warning("x", Place::root(), "no fix").with_span(Span::new(0, 1)),
        ];
        let fixed = replaced(text, &findings);
        assert_eq!(fixed.text, "a = \"three\" # one\nb = \"two two\"\n");
        assert_eq!(fixed.mended.len(), 1);
    }

    #[test]
    fn what_makes_a_document_worse_stays_and_the_rest_is_mended() {
        let text = "format = 1\nname = \"a\"\n[tables.Tab]\npartition_key = \"PK\"\n\
                    [entities.E]\nkey.partition = \"E#{id}\"\nattributes = { id = \"S\" }\n\
                    [patterns.all]\noperation = \"query\"\nreturns = [\"E\"]\nby = [\"id\"]\n";
        let finding_of = |find: &str, replace: &str| {
            let start = text.find(find).unwrap();
            finding(start, start + find.len(), find, replace)
        };
        let bad = finding_of("E#{id}", "E#{ident}");
        let good = finding_of("patterns.all", "patterns.some");
        let mended = fixed(text, Format::Toml, &[bad.clone(), good]);
        assert_eq!(mended.text, text.replace("patterns.all", "patterns.some"));
        assert_eq!(mended.mended.len(), 1);
        assert!(!is_fixable(text, Format::Toml, &bad));
    }
}
