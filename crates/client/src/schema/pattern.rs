//! An access pattern: the key that a query reads by.

use monotable_item::key_encoding;
use monotable_item::{Item, Value};
use monotable_model::document::{Index, IndexProjection, Keys};
use monotable_model::template::Template;

use super::{EntitySchema, IndexDefinition, TableSchema};

/// The key that a query reads by: the table's own, or that of an index.
#[derive(Debug)]
pub struct PatternSchema {
    /// The entity or collection that it finds.
    pub entity: &'static str,
    /// The name of the access pattern.
    pub name: &'static str,
    pub(crate) table: &'static TableSchema,
    pub(crate) index: Option<String>,
    pub(crate) partition: Vec<(String, Template)>,
    pub(crate) sort: Vec<(String, Template)>,
    /// The entity, if it is not of a collection.
    pub(crate) subject: Option<&'static EntitySchema>,
    /// The entities of a collection.
    pub(crate) members: Vec<&'static EntitySchema>,
    /// A number that differs where the keys differ.
    pub(crate) fingerprint: u64,
}

impl PatternSchema {
    /// The table's own key of an entity.
    pub fn of_key(schema: &'static EntitySchema) -> PatternSchema {
        let table = &schema.table.document;
        let partition = std::iter::once(table.partition_key.name.clone());
        let sort = table.sort_key.iter().map(|key| key.name.clone());
        let keys = schema.document.key.clone();
        let (partition, sort) = zip(keys, partition.collect(), sort.collect());
        PatternSchema {
            entity: schema.definition.name,
            name: schema.definition.key_name,
            table: schema.table,
            index: None,
            partition,
            sort,
            subject: Some(schema),
            members: Vec::new(),
            fingerprint: 0,
        }
        .with_fingerprint()
    }

    /// The key of an entity in the index that serves the pattern of this name.
    pub fn of_index(schema: &'static EntitySchema, name: &'static str) -> PatternSchema {
        let position = schema.definition.indexes.iter().position(|it| it.name == name);
        let keys = position.and_then(|position| schema.document.indexes.get(position));
        let index = keys.and_then(|keys| schema.table.document.index(&keys.index));
        let names = |of: fn(&Index) -> &Vec<_>| -> Vec<String> {
            let attributes = index.map(of).into_iter().flatten();
            attributes.map(|it: &monotable_model::document::KeyAttribute| it.name.clone()).collect()
        };
        let (partition, sort) = zip(
            keys.map(|keys| keys.keys.clone()),
            names(|index| &index.partition_key),
            names(|index| &index.sort_key),
        );
        PatternSchema {
            entity: schema.definition.name,
            name,
            table: schema.table,
            index: index.map(|index| index.name.clone()),
            partition,
            sort,
            subject: Some(schema),
            members: Vec::new(),
            fingerprint: 0,
        }
        .with_fingerprint()
    }

    /// Everything in the partitions of a collection. The derive has parsed the template.
    pub fn of_collection(
        table: &'static TableSchema,
        entity: &'static str,
        partition: &'static str,
    ) -> PatternSchema {
        let template = Template::parse(partition).expect("the derive has parsed the template");
        let attribute = table.document.partition_key.name.clone();
        PatternSchema {
            entity,
            name: entity,
            table,
            index: None,
            partition: vec![(attribute, template)],
            sort: Vec::new(),
            subject: None,
            members: Vec::new(),
            fingerprint: 0,
        }
        .with_fingerprint()
    }

    /// The collection of these entities, which a span of sort keys is read for.
    #[must_use]
    pub fn with_members(mut self, members: Vec<&'static EntitySchema>) -> PatternSchema {
        self.members = members;
        self
    }

    /// The collection in an index.
    #[must_use]
    pub fn in_index(mut self, index: &IndexDefinition) -> PatternSchema {
        self.index = Some(index.name.to_owned());
        let attributes = index.partition.iter().map(|column| column.name.to_owned());
        let templates = self.partition.into_iter().map(|(_, template)| template);
        self.partition = attributes.zip(templates).collect();
        self.with_fingerprint()
    }

    /// The templates of a member's partition and sort key, where the collection is read.
    pub(crate) fn keys_of(&self, member: &'static EntitySchema) -> Option<&'static Keys> {
        match &self.index {
            None => member.document.key.as_ref(),
            Some(index) => member.document.index_key(index).map(|keys| &keys.keys),
        }
    }

    /// The names of the attributes that say where an item lies: those of the index, then those of
    /// the table.
    pub(crate) fn position_names(&self) -> impl Iterator<Item = &str> {
        let of_index = self.index.as_ref().and_then(|name| self.table.document.index(name));
        let of_index = of_index.into_iter().flat_map(Index::key_attributes);
        of_index.map(|it| it.name.as_str()).chain(self.table.key_names())
    }

    /// Returns whether what is read holds an attribute that is none of the keys.
    pub(crate) fn holds(&self, attribute: &str) -> bool {
        let index = self.index.as_ref().and_then(|name| self.table.document.index(name));
        match index.map(|index| &index.projection) {
            None | Some(IndexProjection::All) => true,
            Some(IndexProjection::KeysOnly) => false,
            Some(IndexProjection::Include(names)) => names.iter().any(|name| name == attribute),
        }
    }

    /// Returns whether the key of an item is one that the pattern's templates build.
    pub(crate) fn has_key(&self, item: &Item) -> bool {
        let mut keys = self.partition.iter().chain(&self.sort);
        keys.all(|(name, template)| item.get(name).is_some_and(|value| template.matches(value)))
    }

    /// The names of the attributes that items sort by.
    pub(crate) fn sort_names(&self) -> Vec<String> {
        let of_index = self.index.as_ref().and_then(|name| self.table.document.index(name));
        match of_index {
            Some(index) => index.sort_key.iter().map(|it| it.name.clone()).collect(),
            None => self.table.document.sort_key.iter().map(|it| it.name.clone()).collect(),
        }
    }

    /// With the number for everything that decides what a cursor means.
    fn with_fingerprint(mut self) -> PatternSchema {
        let index = self.index.as_deref().unwrap_or_default();
        let mut texts = vec![self.entity.to_owned(), self.name.to_owned(), index.to_owned()];
        for (attribute, template) in self.partition.iter().chain(&self.sort) {
            texts.extend([attribute.clone(), template.to_string()]);
        }
        self.fingerprint = fingerprint(&texts);
        self
    }
}

/// FNV-1a over texts, with an end to each.
pub(crate) fn fingerprint(texts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> u64 {
    let mut hash: u64 = 14_695_981_039_346_656_037;
    for text in texts {
        for byte in text.as_ref().iter().chain(&[0]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211);
        }
    }
    hash
}

type NamedTemplates = Vec<(String, Template)>;

fn zip(
    keys: Option<Keys>,
    partition: Vec<String>,
    sort: Vec<String>,
) -> (NamedTemplates, NamedTemplates) {
    let keys = keys.unwrap_or(Keys { partition: Vec::new(), sort: Vec::new() });
    (partition.into_iter().zip(keys.partition).collect(), sort.into_iter().zip(keys.sort).collect())
}

/// The bytes by which values of keys sort.
pub(crate) fn sort_bytes<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        let is_key = key_encoding::encode(value, &mut bytes);
        debug_assert!(is_key, "values of keys are strings, numbers or binaries");
    }
    bytes
}
