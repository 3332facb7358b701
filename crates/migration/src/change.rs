//! Changes: what differs between two models, and what that means for stored items.

use std::fmt;

use monotable_model::diagnostic::Place;

/// One difference between two models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Whether it came, went or became something else.
    pub mark: Mark,
    /// What it is a part of.
    pub kind: ChangeKind,
    /// Where it stands: in the new model, or in the old one if it went.
    pub place: Place,
    /// What it was, in the words of the document.
    pub before: Option<String>,
    /// What it is.
    pub after: Option<String>,
    /// What stored items and tables need.
    pub class: Class,
    /// Whether programs that know only the old model can go on.
    pub readers: Readers,
    /// What else there is to know, in sentences.
    pub notes: Vec<String>,
}

/// Whether something came, went or became something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// `+`
    Added,
    /// `~`
    Changed,
    /// `-`
    Removed,
}

/// What a change is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A table or one of its settings.
    Table,
    /// An index or its projection.
    Index,
    /// An entity or one of its members.
    Entity,
    /// The key of an entity in its table.
    Key,
    /// The key of an entity in an index.
    IndexKey,
    /// An attribute of an entity.
    Attribute,
    /// A relationship between entities.
    Relationship,
    /// An access pattern.
    Pattern,
    /// The load that was declared.
    Workload,
}

/// What a change asks for. They are in the order of the effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Nothing is to be done about stored items.
    Additive,
    /// Stored items stay as they are; the table gets another setting or index.
    TableChange,
    /// Stored items get or lose attributes that are built, in place.
    Decorate,
    /// Stored items get another primary key: they are rewritten, and the old ones deleted.
    Rewrite,
    /// Stored values must be converted, and the models do not tell how.
    Convert,
    /// The table cannot become that: items must be copied to a new one.
    NewTable,
}

/// Whether programs that know only the old model can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Readers {
    /// They notice nothing.
    Unaffected,
    /// They read, and miss items or find what they do not know.
    Break,
    /// They write, and what they write is not as the new model has it.
    WritersBreak,
}

impl Mark {
    /// The sign at the beginning of a line.
    pub fn sign(self) -> char {
        match self {
            Mark::Added => '+',
            Mark::Changed => '~',
            Mark::Removed => '-',
        }
    }

    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Added => "added",
            Mark::Changed => "changed",
            Mark::Removed => "removed",
        }
    }
}

impl ChangeKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ChangeKind::Table => "table",
            ChangeKind::Index => "index",
            ChangeKind::Entity => "entity",
            ChangeKind::Key => "key",
            ChangeKind::IndexKey => "index key",
            ChangeKind::Attribute => "attribute",
            ChangeKind::Relationship => "relationship",
            ChangeKind::Pattern => "pattern",
            ChangeKind::Workload => "workload",
        }
    }
}

impl Class {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Class::Additive => "additive",
            Class::TableChange => "table change",
            Class::Decorate => "decorate",
            Class::Rewrite => "rewrite",
            Class::Convert => "convert",
            Class::NewTable => "new table",
        }
    }

    /// Whether stored items must be written again.
    pub fn touches_items(self) -> bool {
        match self {
            Class::Additive | Class::TableChange => false,
            Class::Decorate | Class::Rewrite | Class::Convert | Class::NewTable => true,
        }
    }
}

impl Change {
    /// A change that nothing needs to be done about.
    pub(super) fn new(mark: Mark, kind: ChangeKind, place: Place) -> Change {
        Change {
            mark,
            kind,
            place,
            before: None,
            after: None,
            class: Class::Additive,
            readers: Readers::Unaffected,
            notes: Vec::new(),
        }
    }

    /// The change with what it was and what it is.
    pub(super) fn between(mut self, before: Option<String>, after: Option<String>) -> Change {
        (self.before, self.after) = (before, after);
        self
    }

    /// The change in a class.
    pub(super) fn of_class(mut self, class: Class) -> Change {
        self.class = class;
        self
    }

    /// The change, which old readers do not survive.
    pub(super) fn breaking(mut self) -> Change {
        self.readers = Readers::Break;
        self
    }

    /// The change, after which what old writers write is not as it should be.
    pub(super) fn breaking_writers(mut self) -> Change {
        self.readers = Readers::WritersBreak;
        self
    }

    /// The change with a note.
    pub(super) fn noting(mut self, note: impl Into<String>) -> Change {
        self.notes.push(note.into());
        self
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
