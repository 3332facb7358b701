//! Keys in ElectroDB's words: `{ field, composite, template, casing }`.
//!
//! Casing changes a whole key there, and an attribute cannot stand in both sides beside others.
//! Where a model wants either, a hidden attribute repeats the one that is meant.

use monotable_item::Type;
use monotable_model::document::{AttributeFormat, Entity, Index, IndexKeys, KeyAttribute, Table};
use monotable_model::template::{
    AttributePart, Direction, Form, Presence, Segment, Sign, Template, TextStep, TimeForm, TimeUnit,
};

use super::derived::Derived;
use super::source::literal;

/// One side of a key.
struct Key {
    field: String,
    composite: Vec<String>,
    template: String,
    casing: &'static str,
    cast: Option<&'static str>,
}

impl Key {
    /// The object that says it.
    fn text(&self) -> String {
        let composite: Vec<String> = self.composite.iter().map(|name| literal(name)).collect();
        let cast = self.cast.map(|cast| format!(", cast: {}", literal(cast))).unwrap_or_default();
        format!(
            "{{ field: {}, composite: [{}], template: {}, casing: {}{cast} }}",
            literal(&self.field),
            composite.join(", "),
            literal(&self.template),
            literal(self.casing)
        )
    }
}

/// The numbers of an entity that keys pad, each to one width. ElectroDB pads an attribute alike in
/// all keys.
fn paddings(entity: &Entity) -> Vec<(String, u8)> {
    let mut found: Vec<(String, u8)> = Vec::new();
    for part in parts(entity) {
        if let Form::Number(form) = part.encoding.form()
            && form.sign() == Sign::Unsigned
            && form.fraction_digits() == 0
            && form.total().is_none()
            && part.encoding.direction() == Direction::Ascending
            && found.iter().all(|(name, _)| *name != part.path.root)
        {
            found.push((part.path.root.clone(), form.whole_digits()));
        }
    }
    found
}

fn parts(entity: &Entity) -> Vec<&AttributePart> {
    let of_indexes = entity.indexes.iter().map(|keys| &keys.keys);
    let keys = entity.key.iter().chain(of_indexes);
    let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates.flat_map(Template::attributes).collect()
}

/// What the keys of an entity are written with.
pub(super) struct KeyWriter<'m> {
    entity: &'m Entity,
    /// The widths of padded numbers.
    pub(super) paddings: Vec<(String, u8)>,
    /// The hidden attributes that keys need.
    pub(super) derived: Vec<Derived>,
}

impl<'m> KeyWriter<'m> {
    /// A writer of the keys of an entity.
    pub(super) fn new(entity: &'m Entity) -> KeyWriter<'m> {
        KeyWriter { entity, paddings: paddings(entity), derived: Vec::new() }
    }

    /// The lines of the table's key.
    pub(super) fn primary(&mut self, table: &Table) -> Result<Vec<String>, String> {
        let keys = self.entity.key.as_ref().ok_or("it has none")?;
        let fields = table.key_attributes().map(|key| key.name.as_str());
        self.sides(fields.zip(keys.partition.iter().chain(&keys.sort)).collect())
    }

    /// The lines of the key in an index.
    pub(super) fn secondary(
        &mut self,
        index: &Index,
        keys: &IndexKeys,
    ) -> Result<Vec<String>, String> {
        if index.partition_key.len() > 1 || index.sort_key.len() > 1 {
            return self.apart(index, keys);
        }
        let fields = index.key_attributes().map(|key| key.name.as_str());
        self.sides(fields.zip(keys.keys.partition.iter().chain(&keys.keys.sort)).collect())
    }

    /// A key of several attributes, each of which stands for itself.
    fn apart(&self, index: &Index, keys: &IndexKeys) -> Result<Vec<String>, String> {
        let side = |fields: &[KeyAttribute], templates: &[Template]| {
            let name = |(key, template): (&KeyAttribute, &Template)| {
                let only = template.attributes().next().filter(|_| template.segments().len() == 1);
                let name = only.filter(|part| is_itself(part)).map(|part| &part.path.root);
                let attribute = name.and_then(|name| self.entity.attribute(name));
                let attribute = attribute.filter(|one| one.item_name() == key.name);
                let why = "a key of several attributes has attributes as they are there";
                attribute.map(|one| literal(&one.name)).ok_or_else(|| why.to_owned())
            };
            let names = fields.iter().zip(templates).map(name);
            names.collect::<Result<Vec<String>, String>>().map(|names| names.join(", "))
        };
        let mut lines = vec!["type: \"composite\",".to_owned()];
        let partition = side(&index.partition_key, &keys.keys.partition)?;
        lines.push(format!("pk: {{ composite: [{partition}] }},"));
        if !index.sort_key.is_empty() {
            let sort = side(&index.sort_key, &keys.keys.sort)?;
            lines.push(format!("sk: {{ composite: [{sort}] }},"));
        }
        Ok(lines)
    }

    /// Both sides of a key. An attribute may stand in both only where it is all that the sort key
    /// has; elsewhere a hidden one stands for it in the sort key.
    fn sides(&mut self, keys: Vec<(&str, &Template)>) -> Result<Vec<String>, String> {
        let mut derived = Vec::new();
        let mut written: Vec<Key> = Vec::new();
        for (field, template) in keys {
            let used = written.first().map(|key| key.composite.clone()).unwrap_or_default();
            let is_alone = template.attributes().count() == 1;
            let used = if is_alone { Vec::new() } else { used };
            written.push(self.key(field, template, &used, &mut derived)?);
        }
        for one in derived {
            if !self.derived.contains(&one) {
                self.derived.push(one);
            }
        }
        let lines = ["pk", "sk"].into_iter().zip(&written);
        Ok(lines.map(|(side, key)| format!("{side}: {},", key.text())).collect())
    }

    /// A key, or why ElectroDB cannot build it.
    fn key(
        &self,
        field: &str,
        template: &Template,
        used: &[String],
        derived: &mut Vec<Derived>,
    ) -> Result<Key, String> {
        let casing = casing(template);
        let mut written = String::new();
        let mut composite: Vec<String> = Vec::new();
        for segment in template.segments() {
            match segment {
                Segment::Literal(text) => written.push_str(text),
                Segment::Shard(_) => return Err("it has no shards".to_owned()),
                Segment::Attribute(part) => {
                    let mut name = attribute(part, self.entity, &self.paddings)?;
                    let step = if casing.is_some() { None } else { step(part)? };
                    if let Some(one) = self.derive(&name, step, used)? {
                        name.clone_from(&one.name);
                        derived.push(one);
                    }
                    if composite.contains(&name) {
                        return Err(format!("{name} stands twice in one key"));
                    }
                    written.push_str(&format!("${{{name}}}"));
                    composite.push(name);
                }
            }
        }
        let is_number = template.key_type() == Type::Number;
        let is_text_of_number = !is_number
            && template.segments().len() == 1
            && composite.iter().any(|name| {
                let attribute = self.entity.attribute(name);
                attribute.is_some_and(|attribute| attribute.kind == Type::Number)
            });
        Ok(Key {
            field: field.to_owned(),
            composite,
            template: written,
            casing: casing.unwrap_or("none"),
            cast: is_text_of_number.then_some("string"),
        })
    }

    /// The hidden attribute that repeats another, if the key needs one: for a step that changes the
    /// text, or because the other side of the key uses the attribute.
    fn derive(
        &self,
        name: &str,
        step: Option<TextStep>,
        used: &[String],
    ) -> Result<Option<Derived>, String> {
        let is_used = |name: &String| used.contains(name);
        if step.is_none() && !is_used(&name.to_owned()) {
            return Ok(None);
        }
        let mut derived = Derived::of(name, step);
        if is_used(&derived.name) {
            derived = derived.again();
        }
        if self.entity.attribute(&derived.name).is_some() {
            return Err(format!("{} would repeat {name}, and is there already", derived.name));
        }
        if self.paddings.iter().any(|(padded, _)| padded == name) {
            return Err(format!("{name} stands in both sides, and is padded"));
        }
        Ok(Some(derived))
    }
}

/// Whether a part of a key is the attribute itself.
fn is_itself(part: &AttributePart) -> bool {
    match part.encoding.form() {
        Form::Text(form) => form.steps.is_empty() && part.path.is_attribute(),
        Form::NumberKey => part.path.is_attribute(),
        _ => false,
    }
}

/// The case of the whole key, if all of its texts have that and its literals as well.
fn casing(template: &Template) -> Option<&'static str> {
    let texts = template.attributes().filter_map(|part| match part.encoding.form() {
        Form::Text(form) => Some(form.steps.as_slice()),
        _ => None,
    });
    let steps: Vec<&[TextStep]> = texts.collect();
    let literals: String = template
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Literal(text) => Some(text.as_str()),
            Segment::Attribute(_) | Segment::Shard(_) => None,
        })
        .collect();
    let only = |step: TextStep| !steps.is_empty() && steps.iter().all(|own| *own == [step]);
    let others = template
        .attributes()
        .any(|part| !matches!(part.encoding.form(), Form::Text(_) | Form::Plain | Form::Number(_)));
    match () {
        () if steps.iter().all(|own| own.is_empty()) => Some("none"),
        () if only(TextStep::Upper) && literals == literals.to_uppercase() && !others => {
            Some("upper")
        }
        () if only(TextStep::Fold) && literals == literals.to_lowercase() && !others => {
            Some("lower")
        }
        () => None,
    }
}

/// What a hidden attribute has to do to the text of a part.
fn step(part: &AttributePart) -> Result<Option<TextStep>, String> {
    let Form::Text(form) = part.encoding.form() else { return Ok(None) };
    match form.steps.as_slice() {
        [] => Ok(None),
        [step @ (TextStep::Fold | TextStep::Upper)] => Ok(Some(*step)),
        _ => Err("of texts, it changes the case alone".to_owned()),
    }
}

/// The name of an attribute whose text ElectroDB writes as the template does.
fn attribute(
    part: &AttributePart,
    entity: &Entity,
    paddings: &[(String, u8)],
) -> Result<String, String> {
    let name = part.path.root.clone();
    if !part.path.is_attribute() {
        return Err(format!("{} lies inside a map", part.path));
    }
    if part.encoding.direction() == Direction::Descending {
        return Err(format!("it cannot turn the order of {name} round"));
    }
    if part.presence == Presence::Optional {
        return Err(format!("it has no keys that end without {name}"));
    }
    let is_padded = paddings.iter().any(|(padded, _)| *padded == name);
    match part.encoding.form() {
        Form::Text(_) | Form::Identifier(_) | Form::NumberKey => Ok(name),
        Form::Enumeration(values) if values.tokens().all(|(value, token)| value == token) => {
            Ok(name)
        }
        Form::Plain if is_padded => Err(format!("{name} is padded in another key")),
        Form::Plain => Ok(name),
        Form::Number(form) => {
            let width = (name.clone(), form.whole_digits());
            let fits = form.sign() == Sign::Unsigned
                && form.fraction_digits() == 0
                && form.total().is_none()
                && paddings.contains(&width);
            if fits { Ok(name) } else { Err(format!("it cannot write {name} so")) }
        }
        // A whole timestamp in seconds is stored as the key has it.
        Form::Time(TimeForm::Timestamp(TimeUnit::Seconds)) if is_timestamp(entity, &name) => {
            Ok(name)
        }
        Form::Enumeration(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Hash(_)
        | Form::Bool
        | Form::BinaryKey => {
            Err(format!("it has no encoding for {}", Segment::Attribute(part.clone())))
        }
    }
}

fn is_timestamp(entity: &Entity, name: &str) -> bool {
    let attribute = entity.attribute(name);
    attribute.is_some_and(|attribute| {
        attribute.kind == Type::String && attribute.format == Some(AttributeFormat::Rfc3339)
    })
}
