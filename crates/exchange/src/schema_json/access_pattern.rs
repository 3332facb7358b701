//! Access patterns of an entity, both ways.

use monotable_item::Type;
use monotable_model::document::members::{Members, text};
use monotable_model::document::{
    Entity, IndexChoice, Keys, Known, Model, Operation, Parameter, Pattern, Range, RangeComparison,
    Source, Tree,
};

use crate::case::snake;
use crate::extension::{Kept, child};
use crate::foreign::{Object, Read};
use crate::outcome::{Draft, settled};

const OPERATIONS: [(&str, Operation); 8] = [
    ("GetItem", Operation::Get),
    ("PutItem", Operation::Put),
    ("DeleteItem", Operation::Delete),
    ("UpdateItem", Operation::Update),
    ("Query", Operation::Query),
    ("Scan", Operation::Scan),
    ("BatchGetItem", Operation::BatchGet),
    ("BatchWriteItem", Operation::BatchWrite),
];

/// Reads the patterns of an entity. All of each is kept, since a pattern here says other things.
pub(super) fn read(
    object: &Object<'_>,
    entity: &Entity,
    draft: &mut Draft,
    kept: &mut Kept,
) -> Read<()> {
    let mut by_name = Kept::default();
    for at in object.list("access_patterns")? {
        let pattern = at.open()?;
        let name = pattern.required("name")?.text()?.to_owned();
        by_name.members(vec![(name.clone(), at.tree.clone())]);
        match one(&name, &pattern, entity)? {
            Some(found) if draft.model.pattern(&name).is_none() => draft.model.patterns.push(found),
            Some(_) => draft.notes.push(at.note("another pattern has this name; it is kept alone")),
            None => {
                let message = "the format does not say enough of it for a pattern; it is kept";
                draft.notes.push(at.note(message));
            }
        }
    }
    kept.under("access_patterns", by_name);
    Ok(())
}

fn one(name: &str, object: &Object<'_>, entity: &Entity) -> Read<Option<Pattern>> {
    let operation = object.required("operation")?.word(&OPERATIONS)?;
    if matches!(operation, Operation::BatchGet | Operation::BatchWrite | Operation::Update) {
        return Ok(None);
    }
    let mut pattern = Pattern::new(name, operation);
    pattern.description = object.text("description")?;
    pattern.entities = vec![entity.name.clone()];
    pattern.consistent = object.flag("consistent_read")?.unwrap_or_default();
    let index = object.text("index_name")?;
    pattern.index = index.clone().map(IndexChoice::Named);
    let keys = match &index {
        Some(index) => entity.index_key(index).map(|keys| &keys.keys),
        None => entity.key.as_ref(),
    };
    let Some(keys) = keys else { return Ok(None) };
    if matches!(operation, Operation::Get | Operation::Delete | Operation::Query) {
        parameters(&mut pattern, object, keys, entity)?;
    }
    Ok(Some(pattern))
}

/// Parameters give the attributes of the key in their order; those of a range come last.
fn parameters(
    pattern: &mut Pattern,
    object: &Object<'_>,
    keys: &Keys,
    entity: &Entity,
) -> Read<()> {
    let comparison = object.text("range_condition")?;
    let in_range = match comparison.as_deref() {
        None => 0,
        Some("between") => 2,
        Some(_) => 1,
    };
    let mut names = Vec::new();
    for at in object.list("parameters")? {
        let parameter = at.open()?;
        let is_entity = parameter.text("type")?.as_deref() == Some("entity");
        if !is_entity {
            names.push(parameter.required("name")?.text()?.to_owned());
        }
    }
    let mut wanted: Vec<&str> = Vec::new();
    for path in keys.partition.iter().chain(&keys.sort).flat_map(|template| template.paths()) {
        if !wanted.contains(&path.root.as_str()) {
            wanted.push(&path.root);
        }
    }
    let exact = names.len().saturating_sub(in_range).min(wanted.len());
    let mut names = names.into_iter();
    let mut attributes = wanted.into_iter();
    for (name, attribute) in names.by_ref().take(exact).zip(attributes.by_ref()) {
        let (attribute, source) = (attribute.to_owned(), Source::Parameter(name));
        pattern.by.push(Known { attribute, source });
    }
    let ends: Vec<String> = names.collect();
    if let (Some(comparison), Some(attribute)) = (comparison, attributes.next()) {
        pattern.range = range(&comparison, attribute, &ends);
        let kind = entity.attribute(attribute).map_or(Type::String, |attribute| attribute.kind);
        let parameter = |name: &String| Parameter {
            name: name.clone(),
            kind,
            optional: false,
            description: None,
        };
        let is_new = |name: &&String| entity.attribute(name).is_none();
        pattern.parameters = ends.iter().filter(is_new).map(parameter).collect();
    }
    Ok(())
}

fn range(comparison: &str, attribute: &str, ends: &[String]) -> Option<Range> {
    let mut sources = ends.iter().map(|end| Source::Parameter(end.clone()));
    let first = sources.next()?;
    let (text, comparison) = match comparison {
        "begins_with" => (
            format!("begins_with({attribute}, :{})", ends.first()?),
            RangeComparison::BeginsWith(first),
        ),
        "between" => (
            format!("{attribute} BETWEEN :{} AND :{}", ends.first()?, ends.get(1)?),
            RangeComparison::Between(first, sources.next()?),
        ),
        sign => {
            let comparison = match sign {
                "<" => RangeComparison::Less(first),
                "<=" => RangeComparison::LessOrEqual(first),
                ">" => RangeComparison::Greater(first),
                ">=" => RangeComparison::GreaterOrEqual(first),
                _ => return None,
            };
            (format!("{attribute} {sign} :{}", ends.first()?), comparison)
        }
    };
    Some(Range { text, attribute: attribute.to_owned(), comparison })
}

/// Drops patterns that make no sense here, with a note on each: what generates code needs less than
/// what plans a request.
pub(super) fn keep_consistent(draft: &mut Draft) {
    let patterns = std::mem::take(&mut draft.model.patterns);
    // The model gets its name at the end, and none is consistent without.
    let named = Model { name: "schema".to_owned(), ..draft.model.clone() };
    for pattern in patterns {
        let mut trial = named.clone();
        trial.patterns = vec![pattern.clone()];
        match settled(&trial) {
            Ok(_) => draft.model.patterns.push(pattern),
            Err(problems) => {
                let why = problems.first().map(|problem| problem.message.clone());
                let place = monotable_model::diagnostic::Place::pattern(&pattern.name);
                let why = why.unwrap_or_default();
                draft.notes.push(crate::foreign::note(&place, format!("it is kept alone: {why}")));
            }
        }
    }
}

/// Writes the patterns of an entity: as they were read, or as far as the format goes.
pub(super) fn write(
    model: &Model,
    entity: &Entity,
    kept: Option<&Tree>,
    next_id: &mut u64,
) -> (Vec<Tree>, Vec<String>) {
    let mut written = Vec::new();
    let mut unsaid = Vec::new();
    let of_entity = |pattern: &&Pattern| pattern.entities.first() == Some(&entity.name);
    for pattern in model.patterns.iter().filter(of_entity) {
        *next_id += 1;
        match kept.and_then(|kept| child(kept, &pattern.name)) {
            Some(original) => written.push(original.clone()),
            None => match pattern_tree(pattern, entity, *next_id) {
                Some(tree) => written.push(tree),
                None => unsaid.push(pattern.name.clone()),
            },
        }
    }
    // Patterns that were read and are none of the model are still the application's.
    if let Some(Tree::Map(originals)) = kept {
        let lost = originals.iter().filter(|(name, _)| model.pattern(name).is_none());
        written.extend(lost.map(|(_, tree)| tree.clone()));
    }
    (written, unsaid)
}

fn pattern_tree(pattern: &Pattern, entity: &Entity, id: u64) -> Option<Tree> {
    let (operation, _) = OPERATIONS.iter().find(|(_, known)| *known == pattern.operation)?;
    let is_simple = pattern.entities.len() == 1
        && pattern.filter.is_none()
        && pattern.by.iter().all(|known| matches!(known.source, Source::Parameter(_)));
    if !is_simple {
        return None;
    }
    let mut members = Members::new();
    members.count("pattern_id", Some(id));
    members.text("name", Some(&snake(&pattern.name)));
    members.text("description", Some(pattern.description.as_deref().unwrap_or(&pattern.name)));
    members.text("operation", Some(operation));
    if let Some(IndexChoice::Named(index)) = &pattern.index {
        members.text("index_name", Some(index));
    }
    members.text("range_condition", pattern.range.as_ref().map(range_word));
    members.flag("consistent_read", pattern.consistent);
    members.put("parameters", Tree::List(parameter_trees(pattern, entity)));
    members.text("return_type", Some(return_type(pattern.operation)));
    Some(members.into_tree())
}

fn range_word(range: &Range) -> &'static str {
    match range.comparison {
        RangeComparison::Less(_) => "<",
        RangeComparison::LessOrEqual(_) => "<=",
        RangeComparison::Greater(_) => ">",
        RangeComparison::GreaterOrEqual(_) => ">=",
        RangeComparison::Between(..) => "between",
        RangeComparison::BeginsWith(_) => "begins_with",
    }
}

fn return_type(operation: Operation) -> &'static str {
    match operation {
        Operation::Query | Operation::Scan | Operation::BatchGet => "entity_list",
        Operation::Delete => "success_flag",
        Operation::Get
        | Operation::Put
        | Operation::Update
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => "single_entity",
    }
}

fn parameter_trees(pattern: &Pattern, entity: &Entity) -> Vec<Tree> {
    let tree = |name: &str, kind: &str| {
        let mut members = Members::new();
        members.put("name", text(name));
        members.text("type", Some(kind));
        members
    };
    if pattern.operation == Operation::Put {
        let mut whole = tree(&snake(&entity.name), "entity");
        whole.text("entity_type", Some(&entity.name));
        return vec![whole.into_tree()];
    }
    let kind_of = |attribute: &str| {
        let kind = entity.attribute(attribute).map(|attribute| attribute.kind);
        if kind == Some(Type::Number) { "integer" } else { "string" }
    };
    let exact = pattern.by.iter().map(|known| (&known.source, known.attribute.as_str()));
    let range = pattern.range.iter().flat_map(|range| {
        ends(&range.comparison).into_iter().map(|source| (source, range.attribute.as_str()))
    });
    let parameter = |(source, attribute): (&Source, &str)| match source {
        Source::Parameter(name) => Some(tree(name, kind_of(attribute)).into_tree()),
        Source::Literal(_) => None,
    };
    exact.chain(range).filter_map(parameter).collect()
}

fn ends(comparison: &RangeComparison) -> Vec<&Source> {
    match comparison {
        RangeComparison::Less(end)
        | RangeComparison::LessOrEqual(end)
        | RangeComparison::Greater(end)
        | RangeComparison::GreaterOrEqual(end)
        | RangeComparison::BeginsWith(end) => vec![end],
        RangeComparison::Between(lower, upper) => vec![lower, upper],
    }
}
