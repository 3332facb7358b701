//! A file as the editor has it.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Document, Format};

/// A file that an editor has open.
pub(super) struct OpenFile {
    pub(super) text: String,
    pub(super) format: Format,
    /// What is wrong with the text, if it is no document.
    pub(super) mistakes: Vec<Diagnostic>,
    /// The last text that was a document, and the document.
    pub(super) good: Option<(String, Document)>,
}

impl OpenFile {
    /// A file that was just opened.
    pub(super) fn new(name: &str, text: String) -> OpenFile {
        let format = Format::detect(name, &text);
        let mut file = OpenFile { text, format, mistakes: Vec::new(), good: None };
        file.read();
        file
    }

    /// The same file with another text.
    pub(super) fn change(&mut self, text: String) {
        self.text = text;
        self.read();
    }

    fn read(&mut self) {
        match monotable_lint::read(&self.text, self.format) {
            Ok(document) => {
                self.mistakes.clear();
                self.good = Some((self.text.clone(), document));
            }
            Err(mistakes) => self.mistakes = mistakes,
        }
    }

    /// Whether the file looks like a model at all. Editors send every file of a type.
    pub(super) fn is_model(&self) -> bool {
        let names = |word: &str| self.text.contains(word);
        self.good.is_some() || names("format") && names("tables")
    }

    /// The document, if the text is one as it stands.
    pub(super) fn current(&self) -> Option<&Document> {
        let (text, document) = self.good.as_ref()?;
        (*text == self.text).then_some(document)
    }

    /// The last document that could be read.
    pub(super) fn last_good(&self) -> Option<&Document> {
        self.good.as_ref().map(|(_, document)| document)
    }
}
