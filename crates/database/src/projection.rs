//! Parts of stored items.

use std::collections::BTreeSet;

use bytes::Bytes;
use monotable_expr::Projection;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_item::{Item, Path};

/// The projected parts of a stored item, as a stored item.
pub fn project(item: &Bytes, projection: &Projection) -> Result<Bytes, CorruptItem> {
    let roots = projection.roots();
    if projection.paths().iter().all(Path::is_attribute) {
        let selected = stored::select(ItemView::new(item)?, |name| is_among(&roots, name))?;
        return Ok(selected.into());
    }
    let seen = decode_roots(item, &roots)?;
    Ok(stored::encode(&projection.project(&seen)).into())
}

/// Decodes only the attributes that an expression reads.
pub(crate) fn decode_roots(item: &Bytes, roots: &BTreeSet<&str>) -> Result<Item, CorruptItem> {
    stored::decode_attributes(item, |name| is_among(roots, name))
}

fn is_among(roots: &BTreeSet<&str>, name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| roots.contains(name))
}
