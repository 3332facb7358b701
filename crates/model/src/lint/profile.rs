//! How a design is meant.

/// How a design is meant: some mistakes are none in another style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Many entities in one table, with overloaded keys.
    #[default]
    SingleTable,
    /// A table for each entity.
    MultiTable,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 2] = [Profile::SingleTable, Profile::MultiTable];

    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::SingleTable => "single-table",
            Profile::MultiTable => "multi-table",
        }
    }

    /// The profile of this name.
    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }
}
