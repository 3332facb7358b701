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
