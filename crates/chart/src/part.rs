//! The parts of a chart, and which of them to draw.

/// A part of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The diagram of entities and relationships.
    Diagram,
    /// The entity charts.
    Entities,
    /// The access-pattern table.
    Patterns,
    /// The item collections.
    Collections,
    /// What it costs. Only the page has it.
    Cost,
}

/// Which parts to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The parts.
    pub parts: Vec<Part>,
    /// The only table or index that entity charts and collections are drawn of; all, if there is
    /// none.
    pub view: Option<String>,
}

impl Part {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [Part; 5] =
        [Part::Diagram, Part::Entities, Part::Patterns, Part::Collections, Part::Cost];
}

impl Selection {
    /// Everything.
    pub fn all() -> Selection {
        Selection { parts: Part::ALL.to_vec(), view: None }
    }

    /// One part.
    pub fn only(part: Part) -> Selection {
        Selection { parts: vec![part], view: None }
    }

    /// Returns whether a part is to be drawn.
    pub fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}
