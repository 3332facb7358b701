//! Which column a box is in.

/// A link from one box to another, by their numbers. The layout draws from left to right, so that a
/// link of a cycle may have to be turned round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) left: usize,
    pub(super) right: usize,
}

/// Turns links so that they form no cycle; what links a box to itself stays as it is.
pub(super) fn without_cycles(boxes: usize, links: &[(usize, usize)]) -> Vec<Arc> {
    let order = finishing_order(boxes, links);
    let place = |number: usize| order.iter().position(|other| *other == number);
    let turned = |&(from, to): &(usize, usize)| {
        // What is finished first comes last: a link to what was finished later would close a cycle.
        let (left, right) = if place(from) < place(to) { (to, from) } else { (from, to) };
        Arc { left, right }
    };
    links.iter().map(turned).collect()
}

/// The boxes in the order in which a depth-first search leaves them. It begins with those that
/// nothing leads to.
fn finishing_order(boxes: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let has_parent = |number: usize| links.iter().any(|(from, to)| *to == number && from != to);
    let (inner, roots): (Vec<usize>, Vec<usize>) =
        (0..boxes).partition(|number| has_parent(*number));
    let mut search = Search { links, seen: Vec::new(), finished: Vec::new() };
    for number in roots.into_iter().chain(inner) {
        search.visit(number);
    }
    search.finished
}

struct Search<'l> {
    links: &'l [(usize, usize)],
    seen: Vec<usize>,
    finished: Vec<usize>,
}

impl Search<'_> {
    /// Visits a box and what it leads to. A stack of its own: a model may have many entities in a
    /// row.
    fn visit(&mut self, first: usize) {
        let mut stack = vec![(first, 0)];
        while let Some((number, next)) = stack.pop() {
            if next == 0 {
                if self.seen.contains(&number) {
                    continue;
                }
                self.seen.push(number);
            }
            let mut children = self.links.iter().filter(|(from, _)| *from == number);
            match children.nth(next) {
                Some((_, child)) => {
                    stack.push((number, next + 1));
                    stack.push((*child, 0));
                }
                None => self.finished.push(number),
            }
        }
    }
}

/// The column of each box: the one after the last of those that lead to it. A box that nothing
/// leads to stands just before the first that it leads to, so that its links are short.
pub(super) fn columns(boxes: usize, arcs: &[Arc]) -> Vec<usize> {
    let mut columns = vec![0_usize; boxes];
    for _ in 0..boxes {
        for arc in arcs.iter().filter(|arc| arc.left != arc.right) {
            let least = columns.get(arc.left).map_or(0, |column| column + 1);
            if let Some(column) = columns.get_mut(arc.right) {
                *column = least.max(*column);
            }
        }
    }
    let settled = columns.clone();
    for (number, column) in columns.iter_mut().enumerate() {
        let is_led_to = arcs.iter().any(|arc| arc.right == number && arc.left != number);
        let leads_to = arcs.iter().filter(|arc| arc.left == number && arc.right != number);
        let nearest = leads_to.filter_map(|arc| settled.get(arc.right)).min();
        if let (false, Some(nearest)) = (is_led_to, nearest) {
            *column = nearest.saturating_sub(1);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_comes_after_all_that_lead_to_it() {
        let arcs = without_cycles(4, &[(0, 1), (1, 2), (0, 2), (3, 2)]);
        assert_eq!(columns(4, &arcs), [0, 1, 2, 1]);
    }

    #[test]
    fn a_cycle_is_broken_and_a_loop_stays() {
        let arcs = without_cycles(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]);
        let columns = columns(3, &arcs);
        assert!(arcs.iter().take(3).all(|arc| columns[arc.left] < columns[arc.right]), "{arcs:?}");
        assert_eq!(arcs[3], Arc { left: 1, right: 1 });
    }
}
