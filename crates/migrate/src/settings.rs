//! How a migration is run.

/// How a migration is run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// In how many segments the table is scanned, each by a task of its own.
    pub segments: u32,
    /// How many write units are consumed in a second at most, by writes and by what they do to
    /// indexes.
    pub write_units_per_second: f64,
    /// How many writes of one segment are under way at once.
    pub writes_in_flight: usize,
    /// How many items are read at once, and lie between two checkpoints of a segment.
    pub page_items: u32,
    /// A table other than the migrated one that holds the checkpoints.
    pub checkpoint_table: Option<String>,
    /// Whether what an earlier run has done is forgotten.
    pub restart: bool,
    /// Whether anything is written.
    pub mode: Mode,
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Items are changed.
    Write,
    /// It is only counted what would be changed.
    DryRun,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            segments: 8,
            write_units_per_second: 500.0,
            writes_in_flight: 16,
            page_items: 1_000,
            checkpoint_table: None,
            restart: false,
            mode: Mode::Write,
        }
    }
}
