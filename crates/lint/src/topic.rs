//! What rules are about.

/// What rules are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// Requests, declared as access patterns or recorded.
    Requests,
    /// Keys and their templates.
    Keys,
    /// Item collections, indexes and throughput.
    Collections,
    /// Time to live, streams and migrations.
    Evolution,
    /// Stored items.
    Data,
    /// What the model says about its own linting.
    Allowances,
}

impl Topic {
    /// In the order in which they are listed.
    pub const ALL: [Topic; 6] = [
        Topic::Keys,
        Topic::Requests,
        Topic::Collections,
        Topic::Evolution,
        Topic::Data,
        Topic::Allowances,
    ];

    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Requests => "requests",
            Topic::Keys => "keys",
            Topic::Collections => "collections and indexes",
            Topic::Evolution => "time to live, streams and migrations",
            Topic::Data => "data",
            Topic::Allowances => "allowances",
        }
    }
}
