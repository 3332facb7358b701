//! Relationships: how many of one entity belong to one of another.

/// A relationship between two entities.
#[derive(Debug, Clone, PartialEq)]
pub struct Relationship {
    /// The one side.
    pub from: String,
    /// The other side, the many in `1:n`.
    pub to: String,
    /// How many belong to how many.
    pub kind: RelationshipKind,
    /// The entity whose items join the two.
    pub through: Option<String>,
    /// How many `to` one `from` has on average.
    pub average: Option<f64>,
    /// How many `to` one `from` has at most.
    pub max: Option<u64>,
    /// What it means.
    pub description: Option<String>,
}

/// How many belong to how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationshipKind {
    /// `1:1`
    OneToOne,
    /// `1:n`
    OneToMany,
    /// `n:m`
    ManyToMany,
}

impl Relationship {
    /// The entity whose items `average` and `max` count: the one that joins the two sides, or else
    /// `to`.
    pub fn counted(&self) -> &str {
        self.through.as_deref().unwrap_or(&self.to)
    }

    /// How many counted items one `from` has on average. Of `1:1` it is one, without being said.
    pub fn average_count(&self) -> Option<f64> {
        match self.kind {
            RelationshipKind::OneToOne => Some(self.average.unwrap_or(1.0)),
            RelationshipKind::OneToMany | RelationshipKind::ManyToMany => self.average,
        }
    }

    /// Whether each counted item belongs to one `from`, so that the number of `from` tells how many
    /// there are. What is many on both sides belongs to several, unless items of its own join them.
    pub fn tells_count(&self) -> bool {
        self.kind != RelationshipKind::ManyToMany || self.through.is_some()
    }
}
