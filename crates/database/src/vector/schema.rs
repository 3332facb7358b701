//! What a vector index is.

use std::collections::BTreeSet;

use crate::later_attributes::LaterAttributes;
use crate::schema::{IndexId, IndexProjection, IndexStatus, KeyAttribute, KeySchema};
use crate::status::IndexTransition;

/// How far two vectors are from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// One minus the cosine of the angle between them: from 0 to 2, and nearer is less.
    Cosine,
    /// The length of the line between them: nearer is less.
    Euclidean,
    /// The product of their lengths and that cosine: nearer is more.
    DotProduct,
}

/// What an attribute of the search schema is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchRole {
    /// It decides the partition; every search names one.
    Partition,
    /// A search may ask for a value of it.
    Filter,
}

/// An attribute of the search schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchAttribute {
    /// What it is for.
    pub role: SearchRole,
    /// Its name and type.
    pub attribute: KeyAttribute,
}

/// A vector index to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorIndexDefinition {
    /// Its name.
    pub name: String,
    /// The attribute with the vectors.
    pub attribute: String,
    /// How many numbers a vector has.
    pub dimensions: u32,
    /// How vectors are compared.
    pub distance: Distance,
    /// What a search can ask for besides, in the order given.
    pub search: Vec<SearchAttribute>,
    /// What it copies.
    pub projected: IndexProjection,
}

/// A vector index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorIndexSchema {
    /// Its number in the keyspace, which no other index of the table has, of whichever kind.
    pub id: IndexId,
    /// What it is.
    pub definition: VectorIndexDefinition,
    /// Where it stands.
    pub status: IndexStatus,
    /// A change that is reported as under way.
    pub transition: Option<IndexTransition>,
    /// What a later version says of it.
    pub later: LaterAttributes,
}

impl VectorIndexSchema {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// Returns whether writes maintain this index.
    pub fn is_maintained(&self) -> bool {
        self.status.is_maintained()
    }
}

impl VectorIndexDefinition {
    /// The attribute that decides the partition.
    pub fn partition(&self) -> Option<&KeyAttribute> {
        self.of_role(SearchRole::Partition).next()
    }

    /// The attributes that a search may ask for.
    pub fn filters(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.of_role(SearchRole::Filter)
    }

    /// Returns whether an attribute is part of the search schema.
    pub fn searches(&self, name: &str) -> bool {
        self.search.iter().any(|element| element.attribute.name == name)
    }

    fn of_role(&self, role: SearchRole) -> impl Iterator<Item = &KeyAttribute> {
        let elements = self.search.iter().filter(move |element| element.role == role);
        elements.map(|element| &element.attribute)
    }

    /// The attributes that the index holds of an item besides the vector, if it does not hold all.
    pub(crate) fn projected_names<'s>(
        &'s self,
        table_key: &'s KeySchema,
    ) -> Option<BTreeSet<&'s str>> {
        let included = match &self.projected {
            IndexProjection::All => return None,
            IndexProjection::KeysOnly => None,
            IndexProjection::Include(names) => Some(names),
        };
        let keys =
            table_key.attributes().chain(self.search.iter().map(|element| &element.attribute));
        let names = keys.map(|attribute| attribute.name.as_str());
        let included = included.into_iter().flatten().map(String::as_str);
        let mut names: BTreeSet<&str> = names.chain(included).collect();
        names.remove(self.attribute.as_str());
        Some(names)
    }
}
