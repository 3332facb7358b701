//! Attributes: what a value is, and how large it gets.

use monotable_item::{Number, Type, Value};

/// An attribute of an entity, or a member of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The name in the model, which templates and patterns use.
    pub name: String,
    /// The name in items, where that differs: see [`Attribute::item_name`].
    pub stored_name: Option<String>,
    /// Whether items hold it. One that they do not is read from the keys that it is written into.
    pub stored: bool,
    /// What it is.
    pub description: Option<String>,
    /// The type.
    pub kind: Type,
    /// Whether every item has it: what was written, or whether a key needs it.
    pub required: bool,
    /// What an item means that lacks it: what readers are to take, and what keys are built from.
    pub default: Option<Value>,
    /// The only values, if there are only some.
    pub values: Vec<Value>,
    /// What the text or number means.
    pub format: Option<Format>,
    /// The least number.
    pub min: Option<Number>,
    /// The greatest number.
    pub max: Option<Number>,
    /// How many digits a number has at most.
    pub digits: Option<u64>,
    /// How long the value is at most.
    pub max_bytes: Option<u64>,
    /// How long the value is on average.
    pub average_bytes: Option<u64>,
    /// How many different values there are.
    pub distinct: Option<u64>,
    /// Whether it changes after the item was created; not said as a rule.
    pub mutable: Option<bool>,
    /// The characters that the text is made of, such as `a-z0-9-`.
    pub charset: Option<String>,
    /// The attribute of another entity that this one repeats.
    pub copy_of: Option<AttributeOf>,
    /// The members of a map.
    pub members: Vec<Attribute>,
    /// What the elements of a list are. The name of the element is empty.
    pub items: Option<Box<Attribute>>,
}

/// What a text or number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 27 letters and digits that sort by time.
    Ksuid,
    /// 26 letters and digits that sort by time.
    Ulid,
    /// A UUID of any version.
    Uuid,
    /// A UUID that sorts by time.
    UuidV7,
    /// An address of electronic mail.
    Email,
    /// A time such as `2026-01-03T12:00:00Z`.
    Rfc3339,
    /// Seconds since 1970.
    EpochSeconds,
    /// Milliseconds since 1970.
    EpochMillis,
    /// A day such as `2026-01-03`.
    Date,
}

/// An attribute of an entity: `Student.name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeOf {
    /// The entity.
    pub entity: String,
    /// Its attribute.
    pub attribute: String,
}

impl Attribute {
    /// An attribute of this name and type about which nothing else is known.
    pub fn new(name: impl Into<String>, kind: Type) -> Attribute {
        Attribute {
            name: name.into(),
            stored_name: None,
            stored: true,
            description: None,
            kind,
            required: false,
            default: None,
            values: Vec::new(),
            format: None,
            min: None,
            max: None,
            digits: None,
            max_bytes: None,
            average_bytes: None,
            distinct: None,
            mutable: None,
            charset: None,
            copy_of: None,
            members: Vec::new(),
            items: None,
        }
    }

    /// The name in items.
    pub fn item_name(&self) -> &str {
        self.stored_name.as_deref().unwrap_or(&self.name)
    }

    /// The member of this name, if the attribute is a map that has it.
    pub fn member(&self, name: &str) -> Option<&Attribute> {
        self.members.iter().find(|member| member.name == name)
    }
}
