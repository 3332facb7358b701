//! Whose tables these are: the beginning of every key that a name leads to.
//!
//! `tag account 00 region 00`, so that the keys of one [`Home`] lie together.

use crate::home::Home;

/// Neither names nor regions nor accounts have this byte.
const END: u8 = 0;

/// The start of the keys of one family that belong to a home.
pub(crate) fn prefix(tag: u8, home: &Home) -> Vec<u8> {
    let mut key = Vec::with_capacity(96);
    key.push(tag);
    for part in [home.account(), home.region()] {
        key.extend_from_slice(part.as_bytes());
        key.push(END);
    }
    key
}

/// The start of the keys that belong to one name and have more behind it.
pub(crate) fn name_prefix(tag: u8, home: &Home, name: &str) -> Vec<u8> {
    let mut key = prefix(tag, home);
    key.extend_from_slice(name.as_bytes());
    key.push(END);
    key
}

/// The home in a key of a family, and what follows it; none if the key is malformed.
pub(crate) fn split(tag: u8, key: &[u8]) -> Option<(Home, &[u8])> {
    let key = key.strip_prefix(&[tag])?;
    let (account, rest) = split_part(key)?;
    let (region, rest) = split_part(rest)?;
    Some((Home::new(account, region), rest))
}

fn split_part(key: &[u8]) -> Option<(&str, &[u8])> {
    let end = key.iter().position(|byte| *byte == END)?;
    let (part, rest) = (key.get(..end)?, key.get(end + 1..)?);
    Some((std::str::from_utf8(part).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_read_back_from_its_keys() {
        let home = Home::new("111122223333", "eu-west-2");
        let key = [prefix(7, &home), b"name".to_vec()].concat();
        assert_eq!(split(7, &key), Some((home, b"name".as_slice())));
        assert_eq!(split(8, &key), None);
        assert_eq!(split(7, b"\x07111122223333\0eu-west-2"), None);
    }

    #[test]
    fn no_home_holds_the_keys_of_another() {
        let (one, longer) = (Home::new("1", "a"), Home::new("1", "ab"));
        assert!(!prefix(1, &longer).starts_with(&prefix(1, &one)));
        assert!(!name_prefix(1, &one, "ab").starts_with(&name_prefix(1, &one, "a")));
    }
}
