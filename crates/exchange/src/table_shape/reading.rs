//! From AWS's description of a table to ours.

use monotable_item::key_encoding::KeyType;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{
    Backup, Billing, Index, IndexKind, IndexProjection, KeyAttribute, StreamView, Table, TableClass,
};

use crate::extension::is_function;
use crate::foreign::{At, Object, Read};

/// What streams record, by AWS's words.
pub(crate) const STREAM_VIEWS: [(&str, StreamView); 4] = [
    ("KEYS_ONLY", StreamView::KeysOnly),
    ("NEW_IMAGE", StreamView::NewImage),
    ("OLD_IMAGE", StreamView::OldImage),
    ("NEW_AND_OLD_IMAGES", StreamView::NewAndOldImages),
];

/// The classes of tables, by AWS's words.
pub(crate) const CLASSES: [(&str, TableClass); 2] = [
    ("STANDARD", TableClass::Standard),
    ("STANDARD_INFREQUENT_ACCESS", TableClass::InfrequentAccess),
];

/// The types of key attributes, by AWS's letters.
pub(crate) const KEY_TYPES: [(&str, KeyType); 3] =
    [("S", KeyType::String), ("N", KeyType::Number), ("B", KeyType::Binary)];

/// What provisioned capacity is taken for where a file leaves it to a parameter.
pub(crate) const UNITS_UNKNOWN: u64 = 5;

/// Reads a table of this name.
pub(crate) fn table(object: &Object<'_>, name: &str, notes: &mut Vec<Diagnostic>) -> Read<Table> {
    let types = attribute_types(object)?;
    let (mut partition, sort) = key(object, &types)?;
    let partition_key = match partition.pop() {
        Some(key) if partition.is_empty() => key,
        Some(_) | None => {
            return Err(object.required("KeySchema")?.error("a table has one partition key"));
        }
    };
    let mut indexes = Vec::new();
    for (member, kind) in
        [("LocalSecondaryIndexes", IndexKind::Local), ("GlobalSecondaryIndexes", IndexKind::Global)]
    {
        for at in object.list(member)? {
            indexes.push(index(&at, kind, &types, notes)?);
        }
    }
    let billing = billing(object, notes)?;
    let replicas = replicas(object, notes)?;
    let is_protected = object.flag("DeletionProtectionEnabled")?.unwrap_or_default();
    // An index that has what its table has says nothing of its own.
    for index in &mut indexes {
        index.billing = index.billing.filter(|own| {
            index.kind == IndexKind::Global && *own != billing && billing != Billing::OnDemand
        });
    }
    Ok(Table {
        name: name.to_owned(),
        stored_name: None,
        period_name: None,
        description: None,
        partition_key,
        sort_key: sort.into_iter().next(),
        type_attribute: None,
        ttl: ttl(object)?,
        stream: stream(object)?,
        billing,
        class: class(object)?,
        backup: backup(object)?.or(replicas.backup),
        deletion_protection: is_protected || replicas.deletion_protection,
        replicas: replicas.regions,
        indexes,
    })
}

fn attribute_types(object: &Object<'_>) -> Read<Vec<KeyAttribute>> {
    let definition = |at: &At<'_>| {
        let object = at.open()?;
        let name = object.required("AttributeName")?.text()?.to_owned();
        let kind = object.required("AttributeType")?.word(&KEY_TYPES)?;
        Ok(KeyAttribute { name, kind })
    };
    object.required("AttributeDefinitions")?.list()?.iter().map(definition).collect()
}

/// The attributes of the partition key and of the sort key.
fn key(
    object: &Object<'_>,
    types: &[KeyAttribute],
) -> Read<(Vec<KeyAttribute>, Vec<KeyAttribute>)> {
    let (mut partition, mut sort) = (Vec::new(), Vec::new());
    for at in object.required("KeySchema")?.list()? {
        let element = at.open()?;
        let name = element.required("AttributeName")?;
        let attribute = types.iter().find(|known| Ok(known.name.as_str()) == name.text());
        let attribute =
            attribute.ok_or_else(|| name.error("AttributeDefinitions does not define it"));
        if element.required("KeyType")?.word(&[("HASH", true), ("RANGE", false)])? {
            partition.push(attribute?.clone())
        } else {
            sort.push(attribute?.clone())
        }
    }
    Ok((partition, sort))
}

fn index(
    at: &At<'_>,
    kind: IndexKind,
    types: &[KeyAttribute],
    notes: &mut Vec<Diagnostic>,
) -> Read<Index> {
    let object = at.open()?;
    let name = object.required("IndexName")?.text()?.to_owned();
    let (partition_key, sort_key) = key(&object, types)?;
    let projection = object.take("Projection").map(|at| projection(&at)).transpose()?;
    let billing = match object.take("ProvisionedThroughput") {
        Some(at) => throughput(&at, notes)?,
        None => None,
    };
    Ok(Index {
        name,
        description: None,
        kind,
        partition_key,
        sort_key,
        projection: projection.unwrap_or(IndexProjection::All),
        billing,
    })
}

fn projection(at: &At<'_>) -> Read<IndexProjection> {
    let object = at.open()?;
    let Some(kind) = object.take("ProjectionType") else { return Ok(IndexProjection::All) };
    match kind.text()? {
        "ALL" => Ok(IndexProjection::All),
        "KEYS_ONLY" => Ok(IndexProjection::KeysOnly),
        "INCLUDE" => Ok(IndexProjection::Include(object.required("NonKeyAttributes")?.names()?)),
        other => Err(kind.error(format!("{other} is not one of ALL, KEYS_ONLY, INCLUDE"))),
    }
}

fn billing(object: &Object<'_>, notes: &mut Vec<Diagnostic>) -> Read<Billing> {
    let summary = object.take("BillingModeSummary").map(|at| at.open()).transpose()?;
    let mode = summary.and_then(|summary| summary.take("BillingMode"));
    let mode = mode.or_else(|| object.take("BillingMode"));
    let capacity = object.take("ProvisionedThroughput");
    let is_on_demand = match &mode {
        Some(mode) if is_function(mode.tree) => {
            notes.push(mode.note("a function decides how it is billed; on demand is assumed"));
            true
        }
        Some(mode) => mode.word(&[("PAY_PER_REQUEST", true), ("PROVISIONED", false)])?,
        None => capacity.is_none(),
    };
    let provisioned = match (&capacity, &mode) {
        (Some(at), _) if !is_on_demand => throughput(at, notes)?,
        (None, Some(mode)) if !is_on_demand => {
            let message = "automatic scaling decides the capacity; on demand is assumed";
            notes.push(mode.note(message));
            None
        }
        (Some(_) | None, _) => None,
    };
    Ok(provisioned.unwrap_or(Billing::OnDemand))
}

/// Capacity of a second. DescribeTable shows zeros for what is paid by request.
fn throughput(at: &At<'_>, notes: &mut Vec<Diagnostic>) -> Read<Option<Billing>> {
    let object = at.open()?;
    let mut units = |name: &str| -> Read<u64> {
        let at = object.required(name)?;
        if is_function(at.tree) {
            notes.push(at.note(format!("a function decides it; {UNITS_UNKNOWN} is assumed")));
            return Ok(UNITS_UNKNOWN);
        }
        at.count()
    };
    let (read_units, write_units) = (units("ReadCapacityUnits")?, units("WriteCapacityUnits")?);
    let is_none = read_units == 0 && write_units == 0;
    Ok((!is_none).then_some(Billing::Provisioned { read_units, write_units }))
}

fn stream(object: &Object<'_>) -> Read<Option<StreamView>> {
    let Some(at) = object.take("StreamSpecification") else { return Ok(None) };
    let specification = at.open()?;
    if specification.flag("StreamEnabled")? == Some(false) {
        return Ok(None);
    }
    specification.take("StreamViewType").map(|at| at.word(&STREAM_VIEWS)).transpose()
}

fn class(object: &Object<'_>) -> Read<TableClass> {
    let summary = object.take("TableClassSummary").map(|at| at.open()).transpose()?;
    let class = summary.and_then(|summary| summary.take("TableClass"));
    let class = class.or_else(|| object.take("TableClass"));
    class.map_or(Ok(TableClass::Standard), |at| at.word(&CLASSES))
}

fn ttl(object: &Object<'_>) -> Read<Option<String>> {
    let Some(at) = object.take("TimeToLiveSpecification") else { return Ok(None) };
    let specification = at.open()?;
    if specification.flag("Enabled")? == Some(false) {
        return Ok(None);
    }
    specification.text("AttributeName")
}

fn backup(object: &Object<'_>) -> Read<Option<Backup>> {
    let Some(at) = object.take("PointInTimeRecoverySpecification") else { return Ok(None) };
    let enabled = at.open()?.flag("PointInTimeRecoveryEnabled")?;
    Ok(enabled.filter(|enabled| *enabled).map(|_| Backup::PointInTime))
}

/// What the replicas of a global table say.
#[derive(Default)]
struct Replicas {
    regions: Vec<String>,
    backup: Option<Backup>,
    deletion_protection: bool,
}

/// The replicas of a global table: `RegionName` in DescribeTable, `Region` in CloudFormation, where
/// each replica has backups and protection of its own. The CDK writes the stack's own region as a
/// function.
fn replicas(object: &Object<'_>, notes: &mut Vec<Diagnostic>) -> Read<Replicas> {
    let mut replicas = Replicas::default();
    for at in object.list("Replicas")? {
        let replica = at.open()?;
        let region = replica.take("RegionName").map_or_else(|| replica.required("Region"), Ok)?;
        if is_function(region.tree) {
            notes.push(region.note("a function names the region; a model lists further ones only"));
        } else {
            replicas.regions.push(region.text()?.to_owned());
        }
        replicas.backup = replicas.backup.or(backup(&replica)?);
        replicas.deletion_protection |=
            replica.flag("DeletionProtectionEnabled")?.unwrap_or_default();
    }
    Ok(replicas)
}
