//! Whose tables these are: the beginning of every key that a name leads to.
//!
//! `tag account 00 region 00`: a store can hold the tables of many accounts and regions. There is one
//! account and one region so far.

const ACCOUNT: &[u8] = b"000000000000";
const REGION: &[u8] = b"us-east-1";
/// Neither names nor regions nor accounts have this byte.
const END: u8 = 0;

/// The start of the keys of one family that belong to the account and region.
pub(crate) fn prefix(tag: u8) -> Vec<u8> {
    let mut key = Vec::with_capacity(96);
    key.push(tag);
    for part in [ACCOUNT, REGION] {
        key.extend_from_slice(part);
        key.push(END);
    }
    key
}

/// The start of the keys that belong to one name and have more behind it.
pub(crate) fn name_prefix(tag: u8, name: &str) -> Vec<u8> {
    let mut key = prefix(tag);
    key.extend_from_slice(name.as_bytes());
    key.push(END);
    key
}
