//! Choosing helper functions: a module gets those that it uses, and those that these use.
//!
//! A library is a text of declarations with blank lines between them and none inside. The name of a
//! declaration is what follows its first keyword.

/// The declarations of a library that a text needs, in their order.
pub(crate) fn needed(library: &str, text: &str, always: &[&str]) -> String {
    let blocks: Vec<&str> = library.trim().split("\n\n").collect();
    let names: Vec<String> = blocks.iter().map(|block| declared(block)).collect();
    let mut is_kept: Vec<bool> = names.iter().map(|name| always.contains(&name.as_str())).collect();
    let mut used: Vec<&str> = uses(text).collect();
    let kept_first = blocks.iter().zip(&is_kept).filter(|(_, kept)| **kept);
    used.extend(kept_first.flat_map(|(block, _)| uses(block)).collect::<Vec<_>>());
    while let Some(word) = used.pop() {
        let found = names.iter().position(|name| name == word);
        let Some(place) = found else { continue };
        let (Some(kept), Some(block)) = (is_kept.get_mut(place), blocks.get(place)) else {
            continue;
        };
        if !*kept {
            *kept = true;
            used.extend(uses(block));
        }
    }
    let kept = blocks.iter().zip(is_kept).filter(|(_, kept)| *kept);
    kept.map(|(block, _)| *block).collect::<Vec<_>>().join("\n\n")
}

/// The names that a library declares.
pub(crate) fn names(library: &str) -> Vec<String> {
    library.trim().split("\n\n").map(declared).collect()
}

const KEYWORDS: [&str; 11] = [
    "export",
    "async",
    "function",
    "const",
    "interface",
    "type",
    "class",
    "def",
    "dataclass",
    "frozen",
    "True",
];

fn declared(block: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("/**") || line.starts_with(" *");
    let code = block.lines().find(|line| !is_comment(line) && !line.starts_with('@'));
    let mut words = words(code.unwrap_or_default());
    words.find(|word| !KEYWORDS.contains(word)).unwrap_or_default().to_owned()
}

/// The names that a text uses: calls of functions, and what begins with a capital or a line.
fn uses(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |character: char| !is_word(character);
    let calls = text.split('(').filter_map(move |before| before.rsplit(is_end).next());
    let is_other = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c == '_');
    calls.chain(words(text).filter(is_other))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_word(character)).filter(|word| !word.is_empty())
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "\
/** The first. */
export async function first(): void {
  second();
}

function second(): void {}

@dataclass(frozen=True)
class Third:
    pass

_FOURTH = 4";

    #[test]
    fn what_is_used_comes_with_what_that_uses() {
        assert_eq!(names(LIBRARY), ["first", "second", "Third", "_FOURTH"]);
        assert_eq!(names(&needed(LIBRARY, "first()", &[])), ["first", "second"]);
        assert_eq!(names(&needed(LIBRARY, "x = _FOURTH", &["Third"])), ["Third", "_FOURTH"]);
    }
}
