//! Parts of stored items.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use bytes::Bytes;
use monotable_expr::Projection;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_item::{Item, Path};

/// The projected parts of a stored item, as a stored item.
pub fn project(item: &Bytes, projection: &Projection) -> Result<Bytes, CorruptItem> {
    let roots = projection.roots();
    if projection.paths().iter().all(Path::is_attribute) {
        let selected = stored::select(ItemView::new(item)?, among(&roots))?;
        return Ok(selected.into());
    }
    let seen = decode_roots(item, &roots)?;
    Ok(stored::encode(&projection.project(&seen)).into())
}

/// Decodes only the attributes that an expression reads.
pub(crate) fn decode_roots(item: &Bytes, roots: &BTreeSet<&str>) -> Result<Item, CorruptItem> {
    stored::decode_attributes(item, among(roots))
}

/// Returns whether an attribute is one of these, asked for the attributes of a stored item in their
/// order. The roots have the same order, so both are walked through once.
pub(crate) fn among<'r>(roots: &'r BTreeSet<&str>) -> impl FnMut(&[u8]) -> bool + use<'r> {
    let mut rest = roots.iter();
    let mut root = rest.next();
    move |name| {
        while let Some(next) = root {
            match next.as_bytes().cmp(name) {
                Ordering::Less => root = rest.next(),
                Ordering::Equal => return true,
                Ordering::Greater => return false,
            }
        }
        false
    }
}
