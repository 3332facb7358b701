//! What an endpoint says about a table.

use serde_json::Value;

/// A table with its indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TableDescription {
    pub(super) name: String,
    pub(super) status: String,
    /// `on demand`, or the units that are provisioned.
    pub(super) capacity: String,
    pub(super) keys: Keys,
    pub(super) size: Size,
    /// The indexes that statements can read.
    pub(super) indexes: Vec<IndexDescription>,
    /// Those that only SearchVectors reads.
    pub(super) vector_indexes: Vec<VectorIndexDescription>,
    /// What records of the stream hold, if there is one.
    pub(super) stream_view: Option<String>,
    /// The attribute by which items expire, if they do.
    pub(super) expires_by: Option<String>,
}

/// An index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct IndexDescription {
    pub(super) name: String,
    pub(super) is_global: bool,
    pub(super) status: Option<String>,
    pub(super) keys: Keys,
    pub(super) projection: String,
    pub(super) size: Size,
}

/// A vector index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VectorIndexDescription {
    pub(super) name: String,
    pub(super) status: Option<String>,
    /// The attribute with the vectors.
    pub(super) attribute: String,
    /// How many numbers a vector has.
    pub(super) dimensions: u64,
    pub(super) distance: String,
    /// The attribute whose value a search must name, and those that it can ask for besides.
    pub(super) partition: Option<KeyAttribute>,
    pub(super) filters: Vec<KeyAttribute>,
    pub(super) projection: String,
    pub(super) size: Size,
}

/// How much there is, as far as the endpoint knows; AWS counts every six hours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) items: u64,
    pub(super) bytes: u64,
}

/// The attributes of a key. An index may have several of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Keys {
    pub(super) partition: Vec<KeyAttribute>,
    pub(super) sort: Vec<KeyAttribute>,
}

/// An attribute of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyAttribute {
    pub(super) name: String,
    /// `S`, `N` or `B`.
    pub(super) kind: String,
}

impl TableDescription {
    /// Reads the answer to DescribeTable.
    pub(super) fn read(answer: &Value) -> TableDescription {
        let table = answer.get("Table").unwrap_or(&Value::Null);
        let keys = |description: &Value| read_keys(description, table);
        let indexes = |member: &str, is_global: bool| -> Vec<IndexDescription> {
            let listed = list(table, member);
            listed.map(|index| read_index(index, keys(index), is_global)).collect()
        };
        TableDescription {
            name: text(table, "/TableName"),
            status: text(table, "/TableStatus"),
            capacity: read_capacity(table),
            keys: keys(table),
            size: Size {
                items: number(table, "/ItemCount"),
                bytes: number(table, "/TableSizeBytes"),
            },
            indexes: [
                indexes("LocalSecondaryIndexes", false),
                indexes("GlobalSecondaryIndexes", true),
            ]
            .concat(),
            vector_indexes: list(table, "VectorIndexes")
                .map(|index| read_vector_index(index, table))
                .collect(),
            stream_view: optional(table, "/StreamSpecification/StreamViewType"),
            expires_by: None,
        }
    }

    /// The index of a name.
    pub(super) fn index(&self, name: &str) -> Option<&IndexDescription> {
        self.indexes.iter().find(|index| index.name == name)
    }

    /// Whether a vector index has this name.
    pub(super) fn has_vector_index(&self, name: &str) -> bool {
        self.vector_indexes.iter().any(|index| index.name == name)
    }

    /// The attributes of all keys, those of the table first.
    pub(super) fn key_names(&self) -> impl Iterator<Item = &str> {
        self.keys.names().chain(self.indexes.iter().flat_map(|index| index.keys.names()))
    }
}

impl Keys {
    /// Whether there are several attributes of a kind. No statement can read an index with such a
    /// key.
    pub(super) fn is_multi_attribute(&self) -> bool {
        self.partition.len() > 1 || self.sort.len() > 1
    }

    /// The attributes, those of the partition first.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.partition.iter().chain(&self.sort).map(|attribute| attribute.name.as_str())
    }
}

fn read_index(index: &Value, keys: Keys, is_global: bool) -> IndexDescription {
    IndexDescription {
        name: text(index, "/IndexName"),
        is_global,
        status: optional(index, "/IndexStatus"),
        keys,
        projection: text(index, "/Projection/ProjectionType"),
        size: read_index_size(index),
    }
}

fn read_vector_index(index: &Value, table: &Value) -> VectorIndexDescription {
    let of_role = |role: &str| -> Vec<KeyAttribute> {
        let elements = list(index, "SearchSchema");
        let found = elements.filter(|one| text(one, "/SearchSchemaElementType") == role);
        found.map(|element| read_key_attribute(element, table)).collect()
    };
    VectorIndexDescription {
        name: text(index, "/IndexName"),
        status: optional(index, "/IndexStatus"),
        attribute: text(index, "/VectorAttribute/AttributeName"),
        dimensions: number(index, "/Dimensions"),
        distance: text(index, "/DistanceFunction"),
        partition: of_role("HASH").pop(),
        filters: of_role("INLINE_FILTER"),
        projection: text(index, "/Projection/ProjectionType"),
        size: read_index_size(index),
    }
}

fn read_index_size(index: &Value) -> Size {
    Size { items: number(index, "/ItemCount"), bytes: number(index, "/IndexSizeBytes") }
}

fn read_keys(description: &Value, table: &Value) -> Keys {
    let of_role = |role: &str| -> Vec<KeyAttribute> {
        let elements = list(description, "KeySchema");
        let names = elements.filter(|element| text(element, "/KeyType") == role);
        names.map(|element| read_key_attribute(element, table)).collect()
    };
    Keys { partition: of_role("HASH"), sort: of_role("RANGE") }
}

fn read_key_attribute(element: &Value, table: &Value) -> KeyAttribute {
    let name = text(element, "/AttributeName");
    KeyAttribute { kind: kind_of(table, &name), name }
}

fn kind_of(table: &Value, name: &str) -> String {
    let mut definitions = list(table, "AttributeDefinitions");
    let found = definitions.find(|definition| text(definition, "/AttributeName") == name);
    found.map(|definition| text(definition, "/AttributeType")).unwrap_or_default()
}

fn read_capacity(table: &Value) -> String {
    let read = number(table, "/ProvisionedThroughput/ReadCapacityUnits");
    let write = number(table, "/ProvisionedThroughput/WriteCapacityUnits");
    if read == 0 && write == 0 {
        return "on demand".to_owned();
    }
    format!("{read} read and {write} write units a second")
}

fn list<'v>(value: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    value.get(member).and_then(Value::as_array).into_iter().flatten()
}

fn optional(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

fn text(value: &Value, pointer: &str) -> String {
    optional(value, pointer).unwrap_or_default()
}

fn number(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

/// Tables for tests.
#[cfg(test)]
pub(super) mod samples {
    use serde_json::json;

    use super::TableDescription;

    /// Orders by customer and number, with an index by state and date.
    pub(in super::super) fn orders() -> TableDescription {
        let key = |partition: &str, sort: &str| {
            json!([{ "AttributeName": partition, "KeyType": "HASH" },
                   { "AttributeName": sort, "KeyType": "RANGE" }])
        };
        let defined =
            |name: &str, kind: &str| json!({ "AttributeName": name, "AttributeType": kind });
        TableDescription::read(&json!({ "Table": {
            "TableName": "orders", "TableStatus": "ACTIVE",
            "ItemCount": 20_000, "TableSizeBytes": 40_960_000,
            "AttributeDefinitions": [
                defined("customer", "S"), defined("number", "N"),
                defined("state", "S"), defined("day", "S"),
            ],
            "KeySchema": key("customer", "number"),
            "GlobalSecondaryIndexes": [{
                "IndexName": "by_state", "IndexStatus": "ACTIVE", "KeySchema": key("state", "day"),
                "Projection": { "ProjectionType": "KEYS_ONLY" }, "ItemCount": 20_000,
                "IndexSizeBytes": 2_048_000,
            }],
            "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_IMAGE" },
        } }))
    }

    /// Matches by id, with an index by tournament and region.
    pub(in super::super) fn matches() -> TableDescription {
        let defined = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let hash = |name: &str| json!({ "AttributeName": name, "KeyType": "HASH" });
        TableDescription::read(&json!({ "Table": {
            "TableName": "matches", "TableStatus": "ACTIVE", "ItemCount": 3, "TableSizeBytes": 600,
            "AttributeDefinitions": [defined("id"), defined("tournament"), defined("region")],
            "KeySchema": [hash("id")],
            "GlobalSecondaryIndexes": [{
                "IndexName": "by_region", "IndexStatus": "ACTIVE",
                "KeySchema": [hash("tournament"), hash("region")],
                "Projection": { "ProjectionType": "ALL" }, "ItemCount": 3, "IndexSizeBytes": 600,
            }],
        } }))
    }

    /// Texts by their ids, with a vector index that is searched by language.
    pub(in super::super) fn texts() -> TableDescription {
        let defined =
            |name: &str, kind: &str| json!({ "AttributeName": name, "AttributeType": kind });
        let searched = [("language", "HASH"), ("year", "INLINE_FILTER")]
            .map(|(name, role)| json!({ "AttributeName": name, "SearchSchemaElementType": role }));
        TableDescription::read(&json!({ "Table": {
            "TableName": "texts", "TableStatus": "ACTIVE", "ItemCount": 3, "TableSizeBytes": 600,
            "AttributeDefinitions": [
                defined("id", "S"), defined("language", "S"), defined("year", "N"),
            ],
            "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
            "VectorIndexes": [{
                "IndexName": "by_meaning", "IndexStatus": "ACTIVE",
                "VectorAttribute": { "AttributeName": "embedding" },
                "Dimensions": 768, "DistanceFunction": "COSINE",
                "SearchSchema": searched,
                "Projection": { "ProjectionType": "KEYS_ONLY" }, "ItemCount": 2,
                "IndexSizeBytes": 6_200,
            }],
        } }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_keys_indexes_and_sizes() {
        let table = samples::orders();
        assert_eq!(table.capacity, "on demand");
        assert_eq!(table.keys.names().collect::<Vec<_>>(), ["customer", "number"]);
        assert_eq!(table.keys.sort.first().unwrap().kind, "N");
        let index = table.index("by_state").unwrap();
        assert!(index.is_global && index.keys.names().eq(["state", "day"]));
        assert_eq!(table.size, Size { items: 20_000, bytes: 40_960_000 });
        assert_eq!(table.stream_view.as_deref(), Some("NEW_IMAGE"));
    }

    #[test]
    fn an_answer_that_lacks_everything_is_an_empty_description() {
        assert_eq!(TableDescription::read(&Value::Null).capacity, "on demand");
    }
}
