//! What most programs use: the derives, the traits and the changes of patches.

pub use crate::backend::Backend;
pub use crate::{
    Attribute, Collection, Condition, Cursor, Db, Entity, Error, Gather, Key, KeyPart, Select,
    Table, Timestamp, UnixSeconds, View, WriteError, add, clear, insert, patch, remove, sub,
};
