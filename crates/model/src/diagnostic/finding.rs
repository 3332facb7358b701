//! The diagnostic itself.

use std::ops::Range;

use super::{Place, Span, nearest};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably a mistake.
    Warning,
    /// The model means nothing, or cannot work.
    Error,
}

/// Something that is said about a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it is called: lower case with dashes, the same for ever.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The member that it is about.
    pub place: Place,
    /// The bytes of the text at the place that it is about, if it is not about all of it.
    pub part: Option<Range<usize>>,
    /// The bytes of the file that it is about, where they are known.
    pub span: Option<Span>,
    /// What else there is to see.
    pub notes: Vec<Note>,
    /// What to do instead.
    pub suggestion: Option<String>,
    /// The change that does it, if there is one right answer.
    pub fix: Option<Fix>,
}

/// A change of the text that a diagnostic is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What stands there.
    pub find: String,
    /// What is to stand there.
    pub replace: String,
}

/// A remark beside a diagnostic, with a place of its own or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub message: String,
    /// The member that it is about.
    pub place: Option<Place>,
    /// The bytes of the file that it is about, where they are known.
    pub span: Option<Span>,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, place, message)
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, place, message)
    }

    /// A remark at a place.
    pub fn info(code: &'static str, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Info, code, place, message)
    }

    fn new(
        severity: Severity,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> Diagnostic {
        let message = message.into();
        Diagnostic {
            severity,
            code,
            message,
            place,
            part: None,
            span: None,
            notes: Vec::new(),
            suggestion: None,
            fix: None,
        }
    }

    /// The same, about these bytes of the file.
    pub fn with_span(mut self, span: Span) -> Diagnostic {
        self.span = Some(span);
        self
    }

    /// The same, about a part of the text at its place, such as a segment of a template.
    pub fn with_part(mut self, part: Range<usize>) -> Diagnostic {
        self.part = Some(part);
        self
    }

    /// The same, with what to do instead.
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Diagnostic {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The same, with the name that was probably meant, if one of these is near.
    pub fn with_nearest<'n>(
        mut self,
        name: &str,
        candidates: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let meant = nearest(name, candidates);
        self.suggestion = meant.map(|meant| format!("did you mean {meant}?"));
        self.fix = meant.map(|meant| Fix { find: name.to_owned(), replace: meant.to_owned() });
        self
    }

    /// The same, with the change that mends it.
    pub fn with_fix(mut self, find: impl Into<String>, replace: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { find: find.into(), replace: replace.into() });
        self
    }

    /// The same, without a change that mends it: what is wrong is the name of the member, and the
    /// text at the place is its value.
    pub fn without_fix(mut self) -> Diagnostic {
        self.fix = None;
        self
    }

    /// The same, with a remark.
    pub fn with_note(mut self, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { message: message.into(), place: None, span: None });
        self
    }

    /// The same, with a remark about another place.
    pub fn with_note_at(mut self, place: Place, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { message: message.into(), place: Some(place), span: None });
        self
    }
}
