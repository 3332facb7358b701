//! What a call is about: an item, or a part of a table or index.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use monotable_database::capacity::{Consistency, read_units, write_units};
use monotable_database::schema::{IndexKind, IndexSchema};
use monotable_database::{ItemKey, KeySource, KeyValue, PageRequest, Span, Table, Write};
use monotable_expr::Projection;
use monotable_faults::CalledItem;
use monotable_item::Value;
use monotable_item::stored::ItemView;

use crate::throughput::{Flow, MeteredPart};

/// What a call is about. A batch or a transaction is about several of them.
pub(crate) struct Member<'a> {
    pub(super) table: &'a Table,
    pub(super) access: Access<'a>,
}

/// What is done with it.
pub(super) enum Access<'a> {
    Get {
        key: &'a ItemKey,
        attributes: &'a Bytes,
        consistency: Consistency,
        projection: Option<&'a Projection>,
    },
    Write {
        write: &'a Write,
        attributes: &'a Bytes,
    },
    Page(&'a PageRequest),
}

impl<'a> Member<'a> {
    /// An item that is read; `attributes` are those of its key.
    pub(crate) fn get(
        table: &'a Table,
        key: &'a ItemKey,
        attributes: &'a Bytes,
        consistency: Consistency,
    ) -> Member<'a> {
        let projection = None;
        Member { table, access: Access::Get { key, attributes, consistency, projection } }
    }

    /// The same, of which only a part is returned.
    pub(crate) fn returning(mut self, returned: Option<&'a Projection>) -> Member<'a> {
        if let Access::Get { projection, .. } = &mut self.access {
            *projection = returned;
        }
        self
    }

    /// An item that is written; `attributes` are those of its key, or of the item that is put.
    pub(crate) fn write(table: &'a Table, write: &'a Write, attributes: &'a Bytes) -> Member<'a> {
        Member { table, access: Access::Write { write, attributes } }
    }

    /// A part of a table or index that is read.
    pub(crate) fn page(table: &'a Table, request: &'a PageRequest) -> Member<'a> {
        Member { table, access: Access::Page(request) }
    }

    pub(super) fn key(&self) -> Option<&'a ItemKey> {
        match &self.access {
            Access::Get { key, .. } => Some(key),
            Access::Write { write, .. } => Some(write.key()),
            Access::Page(_) => None,
        }
    }

    pub(super) fn flow(&self) -> Flow {
        match &self.access {
            Access::Get { .. } | Access::Page(_) => Flow::Read,
            Access::Write { .. } => Flow::Write,
        }
    }

    /// Whether it may be read as it was a short time ago.
    pub(super) fn may_be_stale(&self) -> bool {
        let consistency = match &self.access {
            Access::Get { consistency, .. } => *consistency,
            Access::Page(request) => request.consistency,
            Access::Write { .. } => Consistency::Strong,
        };
        consistency == Consistency::Eventual
    }

    pub(super) fn index(&self) -> Option<&'a IndexSchema> {
        match &self.access {
            Access::Page(request) => {
                request.index.and_then(|index| self.table.schema().index_by_id(index))
            }
            Access::Get { .. } | Access::Write { .. } => None,
        }
    }

    /// Where its throughput is counted. A local index has that of its table.
    pub(super) fn place(&self) -> MeteredPart {
        let index = self.index().filter(|index| index.kind == IndexKind::Global);
        let hash = match &self.access {
            Access::Get { key, .. } => key.partition_hash(),
            Access::Write { write, .. } => write.key().partition_hash(),
            // A page of a scan counts where it begins. It is a megabyte, which few partitions
            // share.
            Access::Page(request) => {
                let (schema, start) = (self.table.schema(), request.start.as_ref());
                request.span.first_hash(schema, self.index(), start)
            }
        };
        MeteredPart {
            schema: self.table.schema().clone(),
            index: index.map(|index| index.id),
            flow: self.flow(),
            hash: Some(hash),
        }
    }

    /// What it consumes at least.
    pub(super) fn least_units(&self) -> f64 {
        match &self.access {
            Access::Get { consistency, .. } => read_units(0, *consistency).units(),
            Access::Page(request) => read_units(0, request.consistency).units(),
            Access::Write { attributes, .. } => {
                let size_bytes = ItemView::new(attributes).map_or(0, |item| item.size_bytes());
                write_units(size_bytes).units()
            }
        }
    }

    /// The same as faults see it.
    pub(super) fn called_item(&self) -> CalledItem<'a> {
        let schema = self.table.schema();
        let index = self.index();
        CalledItem {
            table: schema.name.as_str().into(),
            index: index.map(|index| index.name.as_str().into()),
            is_of_global_index: index.is_some_and(|index| index.kind == IndexKind::Global),
            key: self.key_text(),
            may_be_stale: self.may_be_stale(),
        }
    }

    /// The value of the partition key as a text; of several attributes, the first.
    fn key_text(&self) -> Option<String> {
        match &self.access {
            Access::Get { attributes, .. } | Access::Write { attributes, .. } => {
                let item = ItemView::new(attributes).ok()?;
                let attribute = self.table.schema().key.partition.first()?;
                item.key_value(&attribute.name).and_then(text_of_key)
            }
            Access::Page(request) => match &request.span {
                Span::Partition(selection) => selection.partition.first().and_then(text_of_value),
                Span::Everything | Span::Segment { .. } => None,
            },
        }
    }
}

fn text_of_key(value: KeyValue<'_>) -> Option<String> {
    match value {
        KeyValue::String(text) => Some(String::from_utf8_lossy(text).into_owned()),
        KeyValue::Number(number) => Some(number.to_string()),
        KeyValue::Binary(bytes) => Some(BASE64.encode(bytes)),
        KeyValue::Other(_) => None,
    }
}

fn text_of_value(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Binary(bytes) => Some(BASE64.encode(bytes)),
        Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => None,
    }
}
