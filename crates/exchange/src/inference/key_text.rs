//! The texts of keys.

/// Characters that part the pieces of keys. The first that a key has is its delimiter.
pub(super) const DELIMITERS: [char; 5] = ['#', '|', ':', '/', '_'];

/// Delimiters that are rarely anything else. The others also stand in times, paths and names.
const PLAIN_DELIMITERS: [char; 2] = ['#', '|'];

/// Prefixes of composed keys, detected by comparing several keys: `user:` and `post_`.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedPrefixes {
    prefixes: Vec<String>,
}

impl SharedPrefixes {
    /// The beginnings that several different keys have.
    pub(super) fn of<'k>(keys: impl Iterator<Item = &'k str>) -> SharedPrefixes {
        let mut distinct: Vec<&str> = keys.collect();
        distinct.sort_unstable();
        distinct.dedup();
        let all: Vec<&str> = distinct.into_iter().filter_map(prefix).collect();
        let is_shared =
            |prefix: &&str| all.iter().filter(|other| *other == prefix).nth(1).is_some();
        let mut prefixes: Vec<String> =
            all.iter().copied().filter(is_shared).map(str::to_owned).collect();
        prefixes.dedup();
        SharedPrefixes { prefixes }
    }

    /// Whether a key was put together from parts.
    pub(super) fn have_structure(&self, key: &str) -> bool {
        let is_shared = || self.prefixes.iter().any(|prefix| key.starts_with(prefix.as_str()));
        key.contains(PLAIN_DELIMITERS) || is_shared()
    }
}

/// The word that a key begins with, and the delimiter behind it, if more follows.
fn prefix(key: &str) -> Option<&str> {
    let end = key.find(DELIMITERS)?;
    let is_word = end > 0 && key.get(..end)?.chars().all(|c| c.is_ascii_alphabetic());
    key.get(..=end).filter(|prefix| is_word && prefix.len() < key.len())
}

/// The delimiter of some keys.
pub(super) fn delimiter_of(keys: &[&str]) -> Option<char> {
    DELIMITERS.into_iter().find(|delimiter| keys.iter().any(|key| key.contains(*delimiter)))
}

/// Whether a text is a word that looks like a name for a kind of thing: capitals alone.
pub(crate) fn is_constant_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Words that say of a key what it is, not of whom: `PROFILE` is often written small.
const USUAL_CONSTANTS: [&str; 19] = [
    "config",
    "configuration",
    "counter",
    "current",
    "data",
    "details",
    "header",
    "info",
    "latest",
    "main",
    "meta",
    "metadata",
    "overview",
    "profile",
    "root",
    "settings",
    "state",
    "stats",
    "summary",
];

/// Whether a text is one of the small words that designs take for constants.
pub(super) fn is_usual_constant(text: &str) -> bool {
    let word = text.trim_start_matches(DELIMITERS);
    word.len() > 1 && USUAL_CONSTANTS.contains(&word.to_lowercase().as_str())
}

/// Whether a text is a word without digits, as constants are.
pub(super) fn is_word(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-')
}

/// Whether the attribute of a key is called after its role, such as `PK`, `gsi1_sk` or `LSI1`, so
/// that it is built from others rather than a property of its own.
pub(super) fn is_named_after_role(name: &str) -> bool {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    let base = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    let roles = ["pk", "sk", "partitionkey", "sortkey", "hashkey", "rangekey"];
    roles.iter().any(|role| base.ends_with(role))
        || ["gsi", "lsi"].iter().any(|index| base.starts_with(index))
}

/// The lengths of the runs of digits in some texts.
pub(super) fn digit_runs(texts: &[&str]) -> Vec<u8> {
    let mut lengths: Vec<u8> = Vec::new();
    for text in texts {
        let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
        for length in runs.filter_map(|run| u8::try_from(run.len()).ok()) {
            if !lengths.contains(&length) {
                lengths.push(length);
            }
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_that_several_keys_share_shows_their_structure() {
        let keys = ["user:ann", "user:bob", "12:30", "13:30", "lone_wolf", "post_5", "post_6"];
        let prefixes = SharedPrefixes::of(keys.into_iter());
        let structured: Vec<&str> =
            keys.into_iter().filter(|key| prefixes.have_structure(key)).collect();
        assert_eq!(structured, ["user:ann", "user:bob", "post_5", "post_6"]);
        assert!(prefixes.have_structure("A#1"));
    }

    #[test]
    fn keys_are_named_after_their_role_or_are_properties() {
        for name in ["PK", "sk", "GSI1PK", "gsi1_sk", "LSI1", "pk1", "data-pk", "HashKey"] {
            assert!(is_named_after_role(name), "{name}");
        }
        for name in ["email", "city", "Username", "status", "createdAt", "id"] {
            assert!(!is_named_after_role(name), "{name}");
        }
    }
}
