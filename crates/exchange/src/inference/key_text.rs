//! The texts of keys.

/// Characters that part the pieces of keys. The first that a key has is its delimiter.
pub(super) const DELIMITERS: [char; 5] = ['#', '|', ':', '/', '_'];

/// The delimiter of some keys.
pub(super) fn delimiter_of(keys: &[&str]) -> Option<char> {
    DELIMITERS.into_iter().find(|delimiter| keys.iter().any(|key| key.contains(*delimiter)))
}

/// Whether a text is a word that looks like a name for a kind of thing: capitals alone.
pub(crate) fn is_constant_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
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
