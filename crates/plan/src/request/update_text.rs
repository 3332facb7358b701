//! Adding to an update expression.
//!
//! Each section of an update stands only once, so what is added to `SET` goes into the section that
//! is there.

/// The update with more clauses in a section, `SET` or `REMOVE`.
pub fn with_clauses(update: &str, section: &str, clauses: &[String]) -> String {
    if clauses.is_empty() {
        return update.to_owned();
    }
    let clauses = clauses.join(", ");
    match section_end(update, section) {
        Some(end) => {
            let (before, after) = update.split_at(end);
            format!("{before} {clauses},{after}")
        }
        None => format!("{update} {section} {clauses}"),
    }
}

/// Where the keyword of a section ends. Names that are keywords are placeholders in the service's
/// own form, so a bare word is the keyword.
fn section_end(update: &str, section: &str) -> Option<usize> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_#:.".contains(character);
    let mut start = 0;
    for word in update.split(|character| !is_word(character)) {
        if word.eq_ignore_ascii_case(section) {
            return Some(start + word.len());
        }
        // Only single characters of ASCII or others separate words; their length is what was
        // skipped.
        let separator = update.get(start + word.len()..).and_then(|rest| rest.chars().next());
        start += word.len() + separator.map_or(0, char::len_utf8);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(update: &str, section: &str, expected: &str) {
        assert_eq!(with_clauses(update, section, &["k = :k1".to_owned()]), expected);
    }

    #[test]
    fn clauses_go_into_the_section_that_is_there() {
        check("SET a = :a", "SET", "SET k = :k1, a = :a");
        check("REMOVE b set a = :a", "SET", "REMOVE b set k = :k1, a = :a");
        check("ADD n :one", "SET", "ADD n :one SET k = :k1");
    }

    #[test]
    fn a_placeholder_that_is_called_like_a_section_is_none() {
        check("REMOVE #set, m.set", "SET", "REMOVE #set, m.set SET k = :k1");
    }
}
