//! Documents that were tampered with.

use crate::generator::Random;

/// Pieces that stand in documents, or nearly do.
const PIECES: &[&str] = &[
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "*",
    "?",
    "${",
    "}",
    "${aws:username}",
    "null",
    "true",
    "-1",
    "1e999",
    "\\u0000",
    "\"Statement\":",
    "\"NotAction\":\"*\",",
    "\"Principal\":\"*\",",
    "\"Condition\":{},",
    "\"Sid\":\"a\",",
    "ForAllValues:",
    "IfExists",
    "arn:aws:",
    "é",
    "\"StringLike\":{\"a:b\":[]},",
    "2008-10-17",
    "\n",
    "\u{feff}",
];

/// Changes a document in a few places.
pub(crate) fn mutate(document: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = document.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let to = (at + random.below(12)).min(text.len());
        match random.below(5) {
            0 => drop(text.drain(at..to)),
            1 => drop(text.splice(at..at, random.pick(PIECES).chars())),
            2 => drop(text.splice(at..to, random.pick(PIECES).chars())),
            3 => {
                let copy: Vec<char> = text[at..to].to_vec();
                let place = random.below(text.len() + 1);
                text.splice(place..place, copy);
            }
            _ => text.truncate(if random.one_in(4) { at } else { text.len() }),
        }
    }
    text.into_iter().collect()
}
