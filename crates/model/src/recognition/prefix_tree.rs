//! Values under texts, found by a longer text: all whose text it begins with, in one walk.

/// A tree with a node for each byte.
#[derive(Debug, Clone)]
pub(super) struct PrefixTree<T> {
    /// The first is the root.
    nodes: Vec<Node<T>>,
}

#[derive(Debug, Clone, Default)]
struct Node<T> {
    /// The nodes after it, by their byte: there are few.
    next: Vec<(u8, usize)>,
    value: T,
}

impl<T: Default> Default for PrefixTree<T> {
    fn default() -> PrefixTree<T> {
        PrefixTree { nodes: vec![Node { next: Vec::new(), value: T::default() }] }
    }
}

impl<T: Default> PrefixTree<T> {
    /// The value under a text.
    pub(super) fn entry(&mut self, text: &str) -> &mut T {
        let at = text.bytes().fold(0, |at, byte| self.step_or_grow(at, byte));
        &mut self.nodes.get_mut(at).expect("every step leads to a node").value
    }

    fn step_or_grow(&mut self, at: usize, byte: u8) -> usize {
        if let Some(next) = self.step(at, byte) {
            return next;
        }
        let grown = self.nodes.len();
        self.nodes.push(Node { next: Vec::new(), value: T::default() });
        if let Some(node) = self.nodes.get_mut(at) {
            node.next.push((byte, grown));
        }
        grown
    }
}

impl<T> PrefixTree<T> {
    /// The values under the texts that a text begins with, the shortest first.
    pub(super) fn along<'t>(&'t self, text: &'t str) -> impl Iterator<Item = &'t T> {
        let steps = text.bytes().scan(0, |at, byte| {
            *at = self.step(*at, byte)?;
            Some(*at)
        });
        std::iter::once(0).chain(steps).filter_map(|at| Some(&self.nodes.get(at)?.value))
    }

    fn step(&self, at: usize, byte: u8) -> Option<usize> {
        let found = self.nodes.get(at)?.next.iter().find(|(of, _)| *of == byte);
        found.map(|(_, next)| *next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_finds_what_stands_under_its_beginnings() {
        let mut tree: PrefixTree<Vec<&str>> = PrefixTree::default();
        for text in ["", "ORDER#", "ORDER", "ORDERS#", "é"] {
            tree.entry(text).push(text);
        }
        let found = |text| tree.along(text).flatten().copied().collect::<Vec<_>>();
        assert_eq!(found("ORDER#17"), ["", "ORDER", "ORDER#"]);
        assert_eq!(found("ORDE"), [""]);
        assert_eq!(found("éa"), ["", "é"]);
        assert_eq!(found(""), [""]);
    }
}
