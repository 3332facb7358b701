//! The words of the document, each with what it means: one table for reading, writing and the
//! schema.

use monotable_item::Type;
use monotable_item::key_encoding::KeyType;

use super::{
    ActionKind, AttributeFormat, Backup, Level, Operation, Order, Profile, Purpose,
    RelationshipKind, ReturnsValues, StreamView, TableClass,
};
use crate::diagnostic::Severity;

/// Words and their meanings.
pub type Words<T> = &'static [(&'static str, T)];

/// The types of attributes.
pub const TYPES: Words<Type> = &[
    ("S", Type::String),
    ("N", Type::Number),
    ("B", Type::Binary),
    ("BOOL", Type::Bool),
    ("NULL", Type::Null),
    ("L", Type::List),
    ("M", Type::Map),
    ("SS", Type::StringSet),
    ("NS", Type::NumberSet),
    ("BS", Type::BinarySet),
];

/// The types of key attributes.
pub(crate) const KEY_TYPES: Words<KeyType> =
    &[("S", KeyType::String), ("N", KeyType::Number), ("B", KeyType::Binary)];

/// `format` of an attribute.
pub(crate) const FORMATS: Words<AttributeFormat> = &[
    ("ksuid", AttributeFormat::Ksuid),
    ("ulid", AttributeFormat::Ulid),
    ("uuid", AttributeFormat::Uuid),
    ("uuidv7", AttributeFormat::UuidV7),
    ("email", AttributeFormat::Email),
    ("rfc3339", AttributeFormat::Rfc3339),
    ("epoch-seconds", AttributeFormat::EpochSeconds),
    ("epoch-millis", AttributeFormat::EpochMillis),
    ("date", AttributeFormat::Date),
];

/// `stream` of a table.
pub(crate) const STREAM_VIEWS: Words<StreamView> = &[
    ("keys-only", StreamView::KeysOnly),
    ("new-image", StreamView::NewImage),
    ("old-image", StreamView::OldImage),
    ("new-and-old-images", StreamView::NewAndOldImages),
];

/// `class` of a table.
pub(crate) const CLASSES: Words<TableClass> =
    &[("standard", TableClass::Standard), ("infrequent-access", TableClass::InfrequentAccess)];

/// `backup` of a table.
pub(crate) const BACKUPS: Words<Backup> = &[("point-in-time", Backup::PointInTime)];

/// `kind` of a relationship.
pub(crate) const RELATIONSHIP_KINDS: Words<RelationshipKind> = &[
    ("1:1", RelationshipKind::OneToOne),
    ("1:n", RelationshipKind::OneToMany),
    ("n:m", RelationshipKind::ManyToMany),
];

/// `operation` of a pattern.
pub(crate) const OPERATIONS: Words<Operation> = &[
    ("get", Operation::Get),
    ("query", Operation::Query),
    ("scan", Operation::Scan),
    ("put", Operation::Put),
    ("update", Operation::Update),
    ("delete", Operation::Delete),
    ("batch-get", Operation::BatchGet),
    ("batch-write", Operation::BatchWrite),
    ("transact-get", Operation::TransactGet),
    ("transact-write", Operation::TransactWrite),
    ("steps", Operation::Steps),
    ("expire", Operation::Expire),
    ("consume", Operation::Consume),
    ("administer", Operation::Administer),
];

/// `purpose` of a pattern.
pub(crate) const PURPOSES: Words<Purpose> =
    &[("user", Purpose::User), ("export", Purpose::Export), ("migration", Purpose::Migration)];

/// The member of an action that names its entity.
pub(crate) const ACTION_KINDS: Words<ActionKind> = &[
    ("get", ActionKind::Get),
    ("put", ActionKind::Put),
    ("update", ActionKind::Update),
    ("delete", ActionKind::Delete),
    ("check", ActionKind::Check),
];

/// `order` of a pattern.
pub(crate) const ORDERS: Words<Order> =
    &[("ascending", Order::Ascending), ("descending", Order::Descending)];

/// `returns_values` of a pattern.
pub(crate) const RETURNS_VALUES: Words<ReturnsValues> = &[
    ("all-old", ReturnsValues::AllOld),
    ("all-new", ReturnsValues::AllNew),
    ("updated-old", ReturnsValues::UpdatedOld),
    ("updated-new", ReturnsValues::UpdatedNew),
];

/// `profile` of `lint`.
pub(crate) const PROFILES: Words<Profile> = &[
    (Profile::SingleTable.name(), Profile::SingleTable),
    (Profile::MultiTable.name(), Profile::MultiTable),
];

/// What `severity` of `lint` can be.
pub(crate) const LEVELS: Words<Level> = &[
    ("error", Level::Report(Severity::Error)),
    ("warning", Level::Report(Severity::Warning)),
    ("info", Level::Report(Severity::Info)),
    ("off", Level::Off),
];

/// The word for a meaning.
pub(crate) fn word<T: Copy + PartialEq>(words: Words<T>, meaning: T) -> &'static str {
    let found = words.iter().find(|(_, other)| *other == meaning);
    found.map(|(word, _)| *word).expect("every meaning has a word")
}
