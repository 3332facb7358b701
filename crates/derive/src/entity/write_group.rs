//! Which fields can change alone, and which only together.
//!
//! A field that stands in the key of an index moves the item in that index. The key can be written
//! only if all its parts are known. Parts of the table's key are: they never change and the patch
//! names them. The others of one index, and of all indexes that share one of them, form a group.

use syn::Ident;

use super::declaration::Declaration;
use super::field::Field;

/// The groups of a declaration.
pub(super) struct WriteGroups<'a> {
    groups: Vec<WriteGroup<'a>>,
}

/// Fields that change together.
pub(super) struct WriteGroup<'a> {
    /// The access pattern that gives the group its name: the first that needs it.
    pub(super) pattern: &'a Ident,
    pub(super) fields: Vec<&'a Field>,
}

impl<'a> WriteGroups<'a> {
    pub(super) fn of(declaration: &'a Declaration) -> WriteGroups<'a> {
        let mut groups: Vec<WriteGroup<'a>> = Vec::new();
        for index in &declaration.indexes {
            let mut fields: Vec<&Field> = Vec::new();
            for name in index.roots().iter().chain(&index.when_fields) {
                let is_known = declaration.is_in_key(name);
                let field = declaration.field(name).filter(|_| !is_known);
                let is_new = |field: &&Field| !fields.iter().any(|it| it.name == field.name);
                let field = field.filter(is_new);
                fields.extend(field);
            }
            if fields.is_empty() {
                continue;
            }
            let shares = |group: &WriteGroup<'_>| {
                group.fields.iter().any(|it| fields.iter().any(|field| field.name == it.name))
            };
            let (sharing, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
            let pattern = sharing.first().map_or(&index.name, |group| group.pattern);
            let mut merged = WriteGroup { pattern, fields: Vec::new() };
            for field in sharing.into_iter().flat_map(|group| group.fields).chain(fields) {
                if !merged.fields.iter().any(|it| it.name == field.name) {
                    merged.fields.push(field);
                }
            }
            groups = apart;
            groups.push(merged);
        }
        WriteGroups { groups }
    }

    /// The group of a field, if it stands in the key of an index.
    pub(super) fn group_of(&self, name: &str) -> Option<&WriteGroup<'a>> {
        self.groups.iter().find(|group| group.fields.iter().any(|field| field.name == name))
    }

    /// The groups of several fields.
    pub(super) fn larger(&self) -> impl Iterator<Item = &WriteGroup<'a>> {
        self.groups.iter().filter(|group| group.fields.len() > 1)
    }

    /// The fields of the group that has the name of this access pattern.
    pub(super) fn struct_fields(&self, pattern: &Ident) -> Option<Vec<&'a Field>> {
        self.larger().find(|group| group.pattern == pattern).map(|group| group.fields.clone())
    }
}
