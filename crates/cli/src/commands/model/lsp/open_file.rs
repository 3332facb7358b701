//! A file as the editor has it.

use monotable_lint::{Evidence, Judgement, lint};
use monotable_model::diagnostic::{Diagnostic, Severity, Span};
use monotable_model::document::{Document, Format, Model};
use monotable_plan::diagnose;

use super::shift::Shift;

/// A file that an editor has open.
pub(super) struct OpenFile {
    pub(super) text: String,
    pub(super) format: Format,
    /// What is wrong with the text, if it is no sound document.
    mistakes: Vec<Diagnostic>,
    /// The last text whose syntax was right, with as much of its document as could be read.
    readable: Option<Readable>,
    /// The last sound document.
    sound: Option<Sound>,
    /// Whether all of this is about the text as it stands.
    is_read: bool,
}

struct Readable {
    text: String,
    document: Document,
}

struct Sound {
    text: String,
    model: Model,
    /// What the planner and the linter say of it.
    findings: Vec<Diagnostic>,
}

/// A document and how it stands to the text of the editor.
pub(super) struct View<'f> {
    /// The text of the document.
    pub(super) text: &'f str,
    pub(super) document: &'f Document,
    shift: Shift,
}

impl OpenFile {
    /// A file that was just opened.
    pub(super) fn new(name: &str, text: String) -> OpenFile {
        let format = Format::detect(name, &text);
        let (mistakes, readable, sound) = (Vec::new(), None, None);
        OpenFile { text, format, mistakes, readable, sound, is_read: false }
    }

    /// The same file with another text.
    pub(super) fn change(&mut self, text: String) {
        self.text = text;
        self.is_read = false;
    }

    /// Reads the text and judges it, unless that was done.
    pub(super) fn read(&mut self) {
        if self.is_read {
            return;
        }
        self.is_read = true;
        let (document, mut mistakes) = monotable_lint::read_partly(&self.text, self.format);
        if mistakes.iter().all(|mistake| mistake.severity != Severity::Error) {
            mistakes.clear();
        }
        self.mistakes = mistakes;
        let Some(document) = document else { return };
        if self.mistakes.is_empty() {
            self.sound = Some(Sound {
                text: self.text.clone(),
                findings: findings(&document),
                model: document.model.clone(),
            });
        }
        self.readable = Some(Readable { text: self.text.clone(), document });
    }

    /// Whether the file looks like a model at all. Editors send every file of a type.
    pub(super) fn is_model(&self) -> bool {
        let names = |word: &str| self.text.contains(word);
        self.sound.is_some() || names("format") && names("tables")
    }

    /// The document, if the text is a sound one as it stands.
    pub(super) fn current(&self) -> Option<&Document> {
        let readable = self.readable.as_ref()?;
        (self.mistakes.is_empty() && readable.text == self.text).then_some(&readable.document)
    }

    /// The document of the text, or of the last one whose syntax was right.
    pub(super) fn view(&self) -> Option<View<'_>> {
        let Readable { text, document } = self.readable.as_ref()?;
        Some(View { text, document, shift: Shift::between(text, &self.text) })
    }

    /// The models that may know what is asked for: that of the view and, for what its mistakes
    /// hide, the last sound one.
    pub(super) fn models(&self) -> impl Iterator<Item = &Model> {
        let readable = self.readable.as_ref().map(|readable| &readable.document.model);
        readable.into_iter().chain(self.sound.as_ref().map(|sound| &sound.model))
    }

    /// What is wrong with the text. Beside mistakes stand the findings of the last sound document,
    /// where nothing was changed since.
    pub(super) fn problems(&self) -> Vec<Diagnostic> {
        let mut problems = self.mistakes.clone();
        let Some(sound) = &self.sound else { return problems };
        let shift = Shift::between(&sound.text, &self.text);
        let is_same = sound.text == self.text;
        let findings = sound.findings.iter().filter_map(|finding| {
            let Some(span) = finding.span else { return is_same.then(|| finding.clone()) };
            let mut moved = finding.clone();
            moved.span = Some(shift.to_present(span)?);
            for note in &mut moved.notes {
                note.span = note.span.and_then(|span| shift.to_present(span));
            }
            Some(moved)
        });
        problems.extend(findings);
        problems
    }
}

/// What the planner and the linter say of a document.
fn findings(document: &Document) -> Vec<Diagnostic> {
    let mut found = diagnose(&document.model);
    let evidence = Evidence { items: None, requests: &[], recording: None, before: None };
    let report = lint(&document.model, evidence, &Judgement::of(&document.model));
    found.extend(report.findings);
    document.places.locate(&mut found);
    found
}

impl View<'_> {
    /// Where a byte of the editor's text stands in that of the document.
    pub(super) fn offset(&self, offset: usize) -> Option<usize> {
        self.shift.to_earlier(offset)
    }

    /// Where bytes of the document stand in the editor's text.
    pub(super) fn span(&self, span: Span) -> Option<Span> {
        self.shift.to_present(span)
    }
}
