//! Merging what shards hold into one order.

use std::cmp::Ordering;
use std::collections::VecDeque;

use monotable_item::Item;

use crate::cursor::Position;
use crate::schema::sort_bytes;

/// What was read of one shard.
pub(in crate::db) struct Source {
    pub(in crate::db) items: VecDeque<Item>,
    /// Whether the shard holds more than was read.
    pub(in crate::db) has_more: bool,
    /// Where reading began.
    pub(in crate::db) position: Position,
}

/// The first items of all shards.
pub(in crate::db) struct Merged {
    pub(in crate::db) items: Vec<Item>,
    /// Where reading goes on in each shard.
    pub(super) positions: Vec<Position>,
}

/// Takes the first `wanted` items in the order of the sort key. Each source holds `wanted` items or
/// all it has, so no item that was not read could come before.
pub(in crate::db) fn merge(
    mut sources: Vec<Source>,
    wanted: usize,
    sort_names: &[String],
    descending: bool,
    position_of: impl Fn(&Item) -> Item,
) -> Merged {
    let key = |item: &Item| sort_bytes(sort_names.iter().filter_map(|name| item.get(name)));
    let mut heads: Vec<Option<Vec<u8>>> =
        sources.iter().map(|source| source.items.front().map(key)).collect();
    let mut items = Vec::new();
    while items.len() < wanted {
        let first = first_of(heads.iter().map(Option::as_deref), descending);
        let Some(at) = first else { break };
        let (Some(source), Some(head)) = (sources.get_mut(at), heads.get_mut(at)) else { break };
        let Some(item) = source.items.pop_front() else { break };
        source.position = Position::After(position_of(&item));
        *head = source.items.front().map(key);
        items.push(item);
    }
    let positions = sources.into_iter().map(|source| {
        let is_over = source.items.is_empty() && !source.has_more;
        if is_over { Position::End } else { source.position }
    });
    Merged { items, positions: positions.collect() }
}

/// Which of these sort keys comes first in the order of reading. Where several do, it is the first
/// of them.
pub(super) fn first_of<'a>(
    heads: impl Iterator<Item = Option<&'a [u8]>>,
    descending: bool,
) -> Option<usize> {
    let heads = heads.enumerate().filter_map(|(at, head)| Some((at, head?)));
    let first =
        heads.min_by(|left, right| order(left.1, right.1, descending).then(left.0.cmp(&right.0)));
    first.map(|(at, _)| at)
}

fn order(left: &[u8], right: &[u8], descending: bool) -> Ordering {
    if descending { right.cmp(left) } else { left.cmp(right) }
}

#[cfg(test)]
mod tests {
    use monotable_item::Value;

    use super::*;

    fn item(sort: &str) -> Item {
        Item::from([("sk".to_owned(), Value::from(sort))])
    }

    fn source(sorts: &[&str], has_more: bool) -> Source {
        let items = sorts.iter().map(|sort| item(sort)).collect();
        Source { items, has_more, position: Position::Start }
    }

    #[test]
    fn shards_merge_by_sort_key_and_keep_their_positions() {
        let sources = vec![source(&["a", "d"], false), source(&["b", "c"], true)];
        let merged = merge(sources, 3, &["sk".to_owned()], false, Item::clone);
        assert_eq!(merged.items, [item("a"), item("b"), item("c")]);
        let positions = [Position::After(item("a")), Position::After(item("c"))];
        assert_eq!(merged.positions, positions);
    }

    #[test]
    fn a_shard_that_is_read_to_its_end_is_not_read_again() {
        let sources = vec![source(&["b"], false), source(&[], false)];
        let merged = merge(sources, 3, &["sk".to_owned()], true, Item::clone);
        assert_eq!(merged.items, [item("b")]);
        assert_eq!(merged.positions, [Position::End, Position::End]);
    }
}
