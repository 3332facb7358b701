//! Constants in the place of their names.

use super::value::SPREAD;
use crate::source_node::{Content, Member, Node};

/// How many values may be put in the place of names: constants that hold each other grow fast.
const VALUES_MAX: usize = 100_000;

/// How often a constant may lead to another.
const STEPS_MAX: usize = 8;

/// The constants of a file, and how many values may still be made of them.
pub(super) struct Constants {
    named: Vec<(String, Node)>,
    left: usize,
}

impl Constants {
    /// The constants of these names. Of two with one name, none is known.
    pub(super) fn new(named: Vec<(String, Node)>) -> Constants {
        let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
        let count = |name: &String| names.iter().filter(|other| *other == name).count();
        let once = named.into_iter().filter(|(name, _)| count(name) == 1);
        Constants { named: once.collect(), left: VALUES_MAX }
    }

    /// A value in which every name that is known is what it stands for.
    pub(super) fn resolve(&mut self, node: &Node) -> Node {
        self.resolved(node, STEPS_MAX)
    }

    fn resolved(&mut self, node: &Node, steps: usize) -> Node {
        self.left = self.left.saturating_sub(1);
        let content = match &node.content {
            Content::Code(text) => {
                let known = self.constant(text).filter(|_| steps > 0 && self.left > 0);
                return match known {
                    Some(known) => Node { span: node.span, ..self.resolved(&known, steps - 1) },
                    None => node.clone(),
                };
            }
            Content::List(nodes) => {
                Content::List(nodes.iter().map(|node| self.resolved(node, steps)).collect())
            }
            Content::Map(members) => Content::Map(self.members(members, steps)),
            Content::Null | Content::Bool(_) | Content::Number(_) | Content::String(_) => {
                node.content.clone()
            }
        };
        Node { content, span: node.span }
    }

    /// What `name` or `name.member` stands for.
    fn constant(&self, text: &str) -> Option<Node> {
        let mut names = text.split('.');
        let first = names.next()?;
        let (_, node) = self.named.iter().find(|(name, _)| name == first)?;
        names.try_fold(node, |node, name| node.member(name)).cloned()
    }

    /// Members with those of spread objects among them; a later one replaces an earlier.
    fn members(&mut self, members: &[Member], steps: usize) -> Vec<Member> {
        let mut all: Vec<Member> = Vec::new();
        for member in members {
            let value = self.resolved(&member.value, steps);
            let spread = match value.content {
                Content::Map(inner) if member.name == SPREAD => inner,
                content => {
                    let value = Node { content, span: value.span };
                    vec![Member { value, ..member.clone() }]
                }
            };
            for own in spread {
                match all.iter_mut().find(|other| other.name == own.name && own.name != SPREAD) {
                    Some(other) => *other = own,
                    None => all.push(own),
                }
            }
        }
        all
    }
}
