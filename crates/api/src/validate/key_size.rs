//! How long key values may be.

use monotable_database::KeyRole;
use monotable_item::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use monotable_item::{Value, value_size_bytes};

use crate::error::ApiError;
use crate::wording::key;

/// The size of the values of one role of a key, which is limited for all of them together: the key
/// of an index may have several attributes of one role.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeySize {
    role: KeyRole,
    size_bytes: usize,
}

impl KeySize {
    /// The size before the first value.
    pub(crate) fn new(role: KeyRole) -> KeySize {
        KeySize { role, size_bytes: 0 }
    }

    /// The size with one more value, unless that is too much.
    pub(crate) fn with(self, value: &Value) -> Result<KeySize, ApiError> {
        let size_bytes = self.size_bytes + value_size_bytes(value);
        let size_bytes_max = match self.role {
            KeyRole::Partition => PARTITION_KEY_BYTES_MAX,
            KeyRole::Sort => SORT_KEY_BYTES_MAX,
        };
        if size_bytes > size_bytes_max {
            return Err(ApiError::parameter(key::too_long(self.role)));
        }
        Ok(KeySize { size_bytes, ..self })
    }
}
