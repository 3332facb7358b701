//! Vector indexes, as they are asked for and as they are described.

use super::Projection;

wire_struct! {
    /// A vector index to create.
    pub struct VectorIndex: DecodeFew + Encode + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// The attribute with the vectors.
        pub vector_attribute: VectorAttributeDefinition = "VectorAttribute",
        /// What a search can ask for besides.
        pub search_schema: Vec<SearchSchemaElement> = "SearchSchema",
        /// What it holds.
        pub projection: Projection = "Projection",
        /// How many numbers a vector has.
        pub dimensions: i64 = "Dimensions",
        /// `COSINE`, `DOT_PRODUCT` or `EUCLIDEAN`.
        pub distance_function: String = "DistanceFunction",
    }
}

wire_struct! {
    /// The attribute with the vectors of an index.
    pub struct VectorAttributeDefinition: Decode + Encode + Inspect {
        /// The attribute's name.
        pub attribute_name: String = "AttributeName",
    }
}

wire_struct! {
    /// An attribute of a search schema.
    pub struct SearchSchemaElement: DecodeFew + Encode + Inspect {
        /// The attribute's name.
        pub attribute_name: String = "AttributeName",
        /// `HASH` or `INLINE_FILTER`.
        pub search_schema_element_type: String = "SearchSchemaElementType",
    }
}

wire_struct! {
    /// One change to a vector index; exactly one member is expected.
    pub struct VectorIndexUpdate: DecodeFew {
        /// Adds an index.
        pub create: VectorIndex = "Create",
        /// Removes an index.
        pub delete: DeleteVectorIndexAction = "Delete",
    }
}

wire_struct! {
    /// A vector index to remove.
    pub struct DeleteVectorIndexAction: Decode {
        /// The index's name.
        pub index_name: String = "IndexName",
    }
}

wire_struct! {
    /// A vector index of a table.
    pub struct VectorIndexDescription: Encode {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// What a search can ask for besides.
        pub search_schema: Vec<SearchSchemaElement> = "SearchSchema",
        /// What it holds.
        pub projection: Projection = "Projection",
        /// The attribute with the vectors.
        pub vector_attribute: VectorAttributeDefinition = "VectorAttribute",
        /// How many numbers a vector has.
        pub dimensions: i64 = "Dimensions",
        /// `COSINE`, `DOT_PRODUCT` or `EUCLIDEAN`.
        pub distance_function: String = "DistanceFunction",
        /// `CREATING`, `DELETING` or `ACTIVE`.
        pub index_status: String = "IndexStatus",
        /// Whether items that were there before the index are still being added to it.
        pub backfilling: bool = "Backfilling",
        /// The bytes of its entries.
        pub index_size_bytes: i64 = "IndexSizeBytes",
        /// The number of its entries.
        pub item_count: i64 = "ItemCount",
        /// Its Amazon resource name.
        pub index_arn: String = "IndexArn",
    }
}
