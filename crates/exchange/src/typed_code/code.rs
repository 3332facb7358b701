//! Expressions that every language can write.

use monotable_expr::Comparator;
use monotable_item::Value;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Code {
    /// A value of the model.
    Literal(Value),
    /// A whole number.
    Count(u64),
    /// A regular expression.
    Pattern(String),
    /// The database that a function is called with.
    Database,
    /// The page that a function is called with.
    PageOptions,
    /// A parameter of a function.
    Parameter(String),
    /// A member of the element of a list, or the element itself.
    Element(Option<Member>),
    /// The variable of a loop.
    Variable(Loop),
    /// An attribute of the entity that an operation is called with.
    Attribute(Member),
    /// A part of the key that an operation is called with.
    KeyMember(String),
    /// The new value of an attribute that a patch changes for certain.
    Changed(ChangedMember),
    /// The new value of an attribute that a patch may change.
    Assigned(ChangedMember),
    /// An attribute of a stored item.
    Stored(String),
    /// A call of a helper function.
    Call(&'static str, Vec<Code>),
    /// A call of an operation of an entity.
    Operation { entity: String, operation: &'static str, arguments: Vec<Code> },
    /// Texts after each other.
    Join(Vec<Code>),
    /// Values by name. Absent ones are left out where they are stored.
    Map(Vec<(String, Code)>),
    /// An entity, by the attributes that a caller gives.
    Entity { entity: String, attributes: Vec<(String, Code)> },
    /// A list; members that are loops are spread into it.
    List(Vec<Code>),
    /// A list of what a list becomes for each element of another.
    ForEach { variable: Loop, over: Box<Code>, body: Box<Code> },
    /// One of two values.
    If { condition: Box<Code>, then: Box<Code>, otherwise: Box<Code> },
    /// A value, or another one if it is absent.
    Default(Box<Code>, Box<Code>),
    /// Nothing: the attribute is not stored.
    Absent,
    /// What a patch leaves alone.
    Untouched,
    /// What a patch removes.
    Removed,
    /// Whether a value is there.
    IsPresent(Box<Code>),
    /// Whether a patch has a new value for an attribute, or for a group of them.
    IsChanged(ChangedMember),
    /// Whether a new value is one, and not the removal of the old.
    IsKept(ChangedMember),
    /// All of them hold.
    All(Vec<Code>),
    /// One of them holds.
    Any(Vec<Code>),
    /// It does not hold.
    Not(Box<Code>),
    /// A comparison of values that may be absent.
    Compare { comparator: Comparator, left: Box<Code>, right: Box<Code> },
    /// How a row is read.
    Reader(super::Row),
}

/// A member of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name in the model.
    pub(crate) name: String,
    /// Whether it may be absent.
    pub(crate) optional: bool,
}

/// A member of a patch: an attribute of its own, or one of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedMember {
    /// The group that the attribute is changed with.
    pub(crate) group: Option<String>,
    /// The attribute.
    pub(crate) name: String,
}

/// What a loop runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loop {
    /// The elements of a list.
    Element,
    /// Numbers of shards.
    Shard,
    /// Periods of time.
    Period,
    /// Tables.
    Table,
    /// Numbers of copies.
    Copy,
}

impl Code {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Code {
        Code::Literal(Value::String(text.into()))
    }

    /// A condition with both its values.
    pub(crate) fn choose(condition: Code, then: Code, otherwise: Code) -> Code {
        match condition {
            Code::All(conditions) if conditions.is_empty() => then,
            condition => Code::If {
                condition: Box::new(condition),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            },
        }
    }

    /// All parameters in it, without repetition.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.visit(&mut |code| {
            if let Code::Parameter(name) = code
                && !found.contains(name)
            {
                found.push(name.clone());
            }
        });
        found
    }

    fn visit(&self, look: &mut impl FnMut(&Code)) {
        look(self);
        match self {
            Code::Call(_, inner)
            | Code::Operation { arguments: inner, .. }
            | Code::Join(inner)
            | Code::List(inner)
            | Code::All(inner)
            | Code::Any(inner) => inner.iter().for_each(|code| code.visit(look)),
            Code::Map(members) | Code::Entity { attributes: members, .. } => {
                members.iter().for_each(|(_, code)| code.visit(look));
            }
            Code::ForEach { over, body, .. } => {
                over.visit(look);
                body.visit(look);
            }
            Code::If { condition, then, otherwise } => {
                condition.visit(look);
                then.visit(look);
                otherwise.visit(look);
            }
            Code::Default(left, right) | Code::Compare { left, right, .. } => {
                left.visit(look);
                right.visit(look);
            }
            Code::IsPresent(inner) | Code::Not(inner) => inner.visit(look),
            Code::Literal(_)
            | Code::Count(_)
            | Code::Pattern(_)
            | Code::Database
            | Code::PageOptions
            | Code::Parameter(_)
            | Code::Element(_)
            | Code::Variable(_)
            | Code::Attribute(_)
            | Code::KeyMember(_)
            | Code::Changed(_)
            | Code::Assigned(_)
            | Code::Stored(_)
            | Code::Absent
            | Code::Untouched
            | Code::Removed
            | Code::IsChanged(_)
            | Code::IsKept(_)
            | Code::Reader(_) => {}
        }
    }
}
