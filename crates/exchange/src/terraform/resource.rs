//! One `aws_dynamodb_table`.

use monotable_item::key_encoding::KeyType;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{
    Backup, Billing, Index, IndexKind, IndexProjection, KeyAttribute, StreamView, Table,
    TableClass, Tree,
};

use super::reference::unknown;
use crate::foreign::{At, Object, Read, note};
use crate::table_shape::{CLASSES, KEY_TYPES, STREAM_VIEWS, UNITS_UNKNOWN};

/// The arguments of a resource, and what was noted about them.
struct Arguments<'t, 'n> {
    object: Object<'t>,
    notes: &'n mut Vec<Diagnostic>,
}

/// Reads a table, and gives the arguments that a model has no place for.
pub(super) fn table(
    at: &At<'_>,
    label: &str,
    notes: &mut Vec<Diagnostic>,
) -> Read<(Table, Vec<(String, Tree)>)> {
    let mut arguments = Arguments { object: at.open()?, notes };
    let types = arguments.attribute_types()?;
    let mut leftover = Vec::new();
    let name = match arguments.take("name") {
        None => label.to_owned(),
        Some(at) => match at.tree {
            Tree::String(text) if !unknown(text).is_empty() => {
                arguments.remark(&at, &format!("the table is called {label}"));
                leftover.push(("name".to_owned(), at.tree.clone()));
                label.to_owned()
            }
            _ => at.text()?.to_owned(),
        },
    };
    let partition_key = arguments.key("hash_key", &types)?.ok_or_else(|| {
        let message = "the argument hash_key is missing";
        Diagnostic::error("bad-import", arguments.object.place.clone(), message)
    })?;
    let mut table = Table::new(name, partition_key);
    table.sort_key = arguments.key("range_key", &types)?;
    table.billing = arguments.billing()?;
    table.class = arguments.word("table_class", &CLASSES)?.unwrap_or(TableClass::Standard);
    table.stream = arguments.stream()?;
    table.deletion_protection = arguments.flag("deletion_protection_enabled")?;
    table.indexes = arguments.indexes(&types, &table)?;
    table.ttl = arguments.ttl()?;
    table.backup = arguments.backup()?;
    table.replicas = arguments.replicas()?;
    arguments.remark_on_dynamic_blocks()?;
    arguments.remark_on_repetition();
    leftover.extend(arguments.object.leftover());
    Ok((table, leftover))
}

impl<'t> Arguments<'t, '_> {
    /// Takes an argument. States have empty texts for what is not set.
    fn take(&self, name: &str) -> Option<At<'t>> {
        self.object.take(name).filter(|at| *at.tree != Tree::String(String::new()))
    }

    /// Takes an argument whose value must be known to mean anything; says so where it is not.
    fn known(&mut self, name: &str, otherwise: &str) -> Option<At<'t>> {
        let at = self.take(name)?;
        if at.tree.text().is_none_or(|text| unknown(text).is_empty()) {
            return Some(at);
        }
        self.remark(&at, otherwise);
        None
    }

    fn remark(&mut self, at: &At<'_>, otherwise: &str) {
        let names = at.tree.text().map(unknown).unwrap_or_default().join(" and ");
        self.notes.push(at.note(format!("{names} cannot be evaluated here; {otherwise}")));
    }

    /// The blocks of a kind, each with its arguments.
    fn blocks<T>(
        &mut self,
        kind: &str,
        mut read: impl FnMut(&mut Arguments<'t, '_>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let Some(at) = self.object.take(kind) else { return Ok(Vec::new()) };
        let mut values = Vec::new();
        for at in at.one_or_more() {
            let mut inner = Arguments { object: at.open()?, notes: self.notes };
            values.push(read(&mut inner)?);
            for (name, value) in inner.object.leftover() {
                let is_set = !matches!(value, Tree::Null)
                    && value.text() != Some("")
                    && value != Tree::Number("0".to_owned())
                    && value != Tree::List(Vec::new());
                // What a state has besides is what AWS made of it.
                if is_set && !STATE.contains(&name.as_str()) {
                    let place = inner.object.place.member(&name);
                    inner.notes.push(note(&place, "a model has no place for it"));
                }
            }
        }
        Ok(values)
    }

    fn attribute_types(&mut self) -> Read<Vec<KeyAttribute>> {
        self.blocks("attribute", |attribute| {
            let name = attribute.object.required("name")?.text()?.to_owned();
            let kind = attribute.object.required("type")?.word(&KEY_TYPES)?;
            Ok(KeyAttribute { name, kind })
        })
    }

    /// The attribute that an argument names.
    fn key(&mut self, name: &str, types: &[KeyAttribute]) -> Read<Option<KeyAttribute>> {
        let Some(at) = self.take(name) else { return Ok(None) };
        self.key_attribute(&at, types).map(Some)
    }

    fn key_attribute(&mut self, at: &At<'_>, types: &[KeyAttribute]) -> Read<KeyAttribute> {
        let name = at.text()?;
        if let [first, ..] = unknown(name).as_slice() {
            let message = format!("{first} cannot be evaluated here, and a key needs its name");
            return Err(at.error(message).with_suggestion(
                "write the name, give the variable a default, or import what terraform show -json \
                 prints",
            ));
        }
        if let Some(known) = types.iter().find(|known| known.name == name) {
            return Ok(known.clone());
        }
        if self.object.peek("dynamic").is_none() {
            return Err(at.error("no attribute block defines it"));
        }
        self.notes.push(at.note("a dynamic block defines it; it is taken for text"));
        Ok(KeyAttribute { name: name.to_owned(), kind: KeyType::String })
    }

    fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Read<Option<T>> {
        let at = self.known(name, "what is usual is assumed");
        at.map(|at| at.word(words)).transpose()
    }

    /// A flag; one that is not known is taken for set.
    fn flag(&mut self, name: &str) -> Read<bool> {
        if self.object.peek(name).is_none() {
            return Ok(false);
        }
        self.known(name, "true is assumed").map_or(Ok(true), |at| at.flag())
    }

    fn billing(&mut self) -> Read<Billing> {
        const MODES: [(&str, bool); 2] = [("PAY_PER_REQUEST", true), ("PROVISIONED", false)];
        let is_said = self.object.peek("billing_mode").is_some();
        let mode = self.known("billing_mode", "on demand is assumed");
        let is_on_demand = match mode {
            Some(mode) => mode.word(&MODES)?,
            // Terraform provisions unless it is told otherwise.
            None => is_said,
        };
        let units = self.throughput()?;
        Ok(if is_on_demand { Billing::OnDemand } else { units.unwrap_or(Billing::OnDemand) })
    }

    /// Capacity of a second. States have zeros for what is paid by request.
    fn throughput(&mut self) -> Read<Option<Billing>> {
        let (read, write) = (self.units("read_capacity")?, self.units("write_capacity")?);
        let units = (read.unwrap_or_default(), write.unwrap_or_default());
        Ok((units != (0, 0))
            .then_some(Billing::Provisioned { read_units: units.0, write_units: units.1 }))
    }

    fn units(&mut self, name: &str) -> Read<Option<u64>> {
        if self.object.peek(name).is_none() {
            return Ok(None);
        }
        match self.known(name, &format!("{UNITS_UNKNOWN} is assumed")) {
            Some(at) => at.count().map(Some),
            None => Ok(Some(UNITS_UNKNOWN)),
        }
    }

    fn stream(&mut self) -> Read<Option<StreamView>> {
        let is_enabled = self.flag("stream_enabled")?;
        let view = self.known("stream_view_type", "both images are assumed");
        let view = view.map(|at| at.word(&STREAM_VIEWS)).transpose()?;
        Ok(is_enabled.then_some(view.unwrap_or(StreamView::NewAndOldImages)))
    }

    fn indexes(&mut self, types: &[KeyAttribute], table: &Table) -> Read<Vec<Index>> {
        let mut indexes = self.blocks("local_secondary_index", |index| {
            let sort = index.key("range_key", types)?;
            index.index(IndexKind::Local, vec![table.partition_key.clone()], Vec::from_iter(sort))
        })?;
        indexes.extend(self.blocks("global_secondary_index", |index| {
            let (partition, sort) = index.global_key(types)?;
            index.index(IndexKind::Global, partition, sort)
        })?);
        // An index that has what its table has says nothing of its own.
        for index in &mut indexes {
            let is_own = |own: &Billing| *own != table.billing;
            let is_provisioned = table.billing != Billing::OnDemand;
            index.billing = index.billing.filter(|own| is_provisioned && is_own(own));
        }
        Ok(indexes)
    }

    fn index(
        &mut self,
        kind: IndexKind,
        partition_key: Vec<KeyAttribute>,
        sort_key: Vec<KeyAttribute>,
    ) -> Read<Index> {
        Ok(Index {
            name: self.object.required("name")?.text()?.to_owned(),
            description: None,
            kind,
            partition_key,
            sort_key,
            projection: self.projection()?,
            billing: self.throughput()?.filter(|_| kind == IndexKind::Global),
        })
    }

    /// `hash_key` and `range_key`, or blocks `key_schema` for keys of several attributes.
    fn global_key(
        &mut self,
        types: &[KeyAttribute],
    ) -> Read<(Vec<KeyAttribute>, Vec<KeyAttribute>)> {
        let partition = self.key("hash_key", types)?;
        let sort = self.key("range_key", types)?;
        let elements = self.blocks("key_schema", |element| {
            let name = element.object.required("attribute_name")?;
            let attribute = element.key_attribute(&name, types)?;
            let kind = element.object.required("key_type")?;
            Ok((kind.word(&[("HASH", true), ("RANGE", false)])?, attribute))
        })?;
        let Some(partition) = partition.filter(|_| elements.is_empty()) else {
            let (hash, range): (Vec<_>, Vec<_>) = elements.into_iter().partition(|(hash, _)| *hash);
            let attributes = |all: Vec<(bool, KeyAttribute)>| all.into_iter().map(|(_, one)| one);
            if hash.is_empty() {
                let message = "the argument hash_key is missing";
                return Err(Diagnostic::error("bad-import", self.object.place.clone(), message));
            }
            return Ok((attributes(hash).collect(), attributes(range).collect()));
        };
        Ok((vec![partition], Vec::from_iter(sort)))
    }

    fn projection(&mut self) -> Read<IndexProjection> {
        let kind = self.known("projection_type", "all attributes are assumed");
        let names = self.known("non_key_attributes", "none is assumed");
        let names = names.map(|at| at.names()).transpose()?.unwrap_or_default();
        let Some(kind) = kind else { return Ok(IndexProjection::All) };
        match kind.text()? {
            "ALL" => Ok(IndexProjection::All),
            "KEYS_ONLY" => Ok(IndexProjection::KeysOnly),
            "INCLUDE" => Ok(IndexProjection::Include(names)),
            other => Err(kind.error(format!("{other} is not one of ALL, KEYS_ONLY, INCLUDE"))),
        }
    }

    fn ttl(&mut self) -> Read<Option<String>> {
        let names = self.blocks("ttl", |ttl| {
            let is_off = ttl.object.peek("enabled").is_some_and(|at| at.flag() == Ok(false));
            ttl.object.take("enabled");
            let name = ttl.known("attribute_name", "the table has no time to live here");
            let name = name.map(|at| at.text().map(str::to_owned)).transpose()?;
            Ok(name.filter(|_| !is_off))
        })?;
        Ok(names.into_iter().flatten().next())
    }

    fn backup(&mut self) -> Read<Option<Backup>> {
        let flags = self.blocks("point_in_time_recovery", |backup| backup.flag("enabled"))?;
        Ok(flags.contains(&true).then_some(Backup::PointInTime))
    }

    fn replicas(&mut self) -> Read<Vec<String>> {
        let regions = self.blocks("replica", |replica| {
            let region = replica.known("region_name", "the replica is left out");
            region.map(|at| at.text().map(str::to_owned)).transpose()
        })?;
        Ok(regions.into_iter().flatten().collect())
    }

    fn remark_on_dynamic_blocks(&mut self) -> Read<()> {
        let dynamic = self.object.peek("dynamic");
        let names = dynamic.map(|at| at.named()).transpose()?.unwrap_or_default();
        let message = |name: &str| format!("blocks {name} are not read where code makes them");
        self.notes.extend(names.iter().map(|(name, at)| at.note(message(name))));
        Ok(())
    }

    fn remark_on_repetition(&mut self) {
        for name in ["count", "for_each"] {
            if let Some(at) = self.object.peek(name) {
                let message = format!("{name} may make several tables; one is read");
                self.notes.push(at.note(message));
            }
        }
    }
}

/// What a state says of blocks that no configuration does.
const STATE: [&str; 7] = [
    "arn",
    "stream_arn",
    "stream_label",
    "propagate_tags",
    "point_in_time_recovery",
    "deletion_protection_enabled",
    "consistency_mode",
];
