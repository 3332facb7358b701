//! What an index of ElectroDB says, and the templates of the keys that follow from it.
//!
//! ```text
//! partition   $service[_scope]#label_value…
//!             $service$entity_version#label_value…      if there is no sort key
//! sort        $entity_version#label_value…              isolated
//!             $collection#inner#entity_version#label_value…
//!             $collection#label_value…#entity_version   clustered
//! template    as it is written, without any of these
//! ```
//!
//! All of a key is in lower case unless `casing` says otherwise. ElectroDB escapes nothing, so
//! every value is `raw` here. A field that two indexes share has the key that the first one says.

use monotable_item::{Path, Type};
use monotable_model::template::{
    AttributePart, Delimiter, Encoding, Escaping, Form, NumberForm, Presence, Segment, Sign,
    Template, TextForm, TextStep,
};

use crate::foreign::{At, Read};

/// An index of an entity.
#[derive(Debug)]
pub(super) struct IndexDefinition {
    /// Its name in DynamoDB; the table itself has none.
    pub(super) index: Option<String>,
    pub(super) layout: Layout,
    collection: Vec<String>,
    scope: Option<String>,
    pub(super) partition: Side,
    pub(super) sort: Option<Side>,
}

/// How the parts of a key lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Isolated,
    Clustered,
    /// A key of several attributes, which DynamoDB keeps apart.
    Composite,
}

/// One side of a key.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) field: Option<String>,
    pub(super) composite: Vec<String>,
    template: Option<String>,
    casing: Option<TextStep>,
    cast: Option<Cast>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cast {
    Number,
    Text,
}

/// An attribute that keys may be composed of.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) name: String,
    /// What items call it.
    pub(super) field: String,
    pub(super) kind: Type,
    pub(super) label: Option<String>,
    /// The width to which keys fill it up, and with what.
    pub(super) padding: Option<(u64, String)>,
    /// The attribute that it repeats, and what is done to its text.
    pub(super) source: Option<(String, Option<TextStep>)>,
}

/// The entity that keys belong to.
#[derive(Debug)]
pub(super) struct Owner {
    pub(super) service: String,
    pub(super) entity: String,
    pub(super) version: String,
    pub(super) parts: Vec<Part>,
}

/// The templates of a key by their fields.
#[derive(Debug, PartialEq)]
pub(super) struct Composed {
    pub(super) partition: Vec<(String, Template)>,
    pub(super) sort: Vec<(String, Template)>,
}

/// Reads an index, but for its projection and its condition.
pub(super) fn definition(at: &At<'_>) -> Read<IndexDefinition> {
    const LAYOUTS: [(&str, Layout); 3] = [
        ("isolated", Layout::Isolated),
        ("clustered", Layout::Clustered),
        ("composite", Layout::Composite),
    ];
    let object = at.open()?;
    let collection: Read<Vec<String>> = match object.take("collection") {
        Some(at) => at.one_or_more().iter().map(|at| at.text().map(str::to_owned)).collect(),
        None => Ok(Vec::new()),
    };
    let mut collection = collection?;
    collection.retain(|name| !name.is_empty());
    Ok(IndexDefinition {
        index: object.text("index")?.filter(|name| !name.is_empty()),
        layout: object.take("type").map_or(Ok(Layout::Isolated), |at| at.word(&LAYOUTS))?,
        collection,
        scope: object.text("scope")?.filter(|scope| !scope.is_empty()),
        partition: side(&object.required("pk")?)?,
        sort: object.take("sk").map(|at| side(&at)).transpose()?,
    })
}

fn side(at: &At<'_>) -> Read<Side> {
    const CASINGS: [(&str, Option<TextStep>); 4] = [
        ("lower", Some(TextStep::Fold)),
        ("default", Some(TextStep::Fold)),
        ("upper", Some(TextStep::Upper)),
        ("none", None),
    ];
    let object = at.open()?;
    let composite = object.take("composite").or_else(|| object.take("facets"));
    let template = object.text("template")?.filter(|template| !template.is_empty());
    let composite = composite.map(|at| at.texts()).transpose()?;
    if composite.is_none() && template.is_none() {
        return Err(at.error("a key has the member composite or template"));
    }
    let casing = object.take("casing").map(|at| at.word(&CASINGS)).transpose()?;
    let cast = object.take("cast");
    let cast = cast.map(|at| at.word(&[("number", Cast::Number), ("string", Cast::Text)]));
    Ok(Side {
        field: object.text("field")?,
        composite: composite.unwrap_or_default(),
        template,
        casing: casing.unwrap_or(Some(TextStep::Fold)),
        cast: cast.transpose()?,
    })
}

impl IndexDefinition {
    /// The templates of the index, or why there are none. `known` has the templates of the fields
    /// that earlier indexes have.
    pub(super) fn compose(
        &self,
        owner: &Owner,
        known: &mut Vec<(String, Template)>,
    ) -> Result<Composed, String> {
        if self.layout == Layout::Composite {
            let sort = self.sort.as_ref().map(|side| apart(side, owner, known)).transpose()?;
            let partition = apart(&self.partition, owner, known)?;
            return Ok(Composed { partition, sort: sort.unwrap_or_default() });
        }
        let (partition_prefix, sort_prefix, postfix) = self.fixed_texts(owner);
        let mut side = |side: &Side, prefix: &str, postfix: &str| -> Result<_, String> {
            let field = side.field.clone().ok_or("a key has no member field")?;
            if let Some(same) = known.iter().find(|(other, _)| *other == field) {
                return Ok(same.clone());
            }
            let template = side.template(prefix, postfix, owner)?;
            known.push((field.clone(), template.clone()));
            Ok((field, template))
        };
        let partition = side(&self.partition, &partition_prefix, "")?;
        let sort = self.sort.as_ref().map(|own| side(own, &sort_prefix, &postfix)).transpose()?;
        Ok(Composed { partition: vec![partition], sort: Vec::from_iter(sort) })
    }

    /// What stands before the partition key's parts, before the sort key's, and after them.
    fn fixed_texts(&self, owner: &Owner) -> (String, String, String) {
        let mut partition = format!("${}", owner.service);
        let is_alone = self.collection.is_empty();
        let sign = if is_alone { '$' } else { '#' };
        let tag = format!("{sign}{}_{}", owner.entity, owner.version);
        let collection =
            if is_alone { String::new() } else { format!("${}", self.collection.join("#")) };
        let (sort, postfix) = match self.layout {
            Layout::Clustered => (collection, tag),
            Layout::Isolated | Layout::Composite => (collection + &tag, String::new()),
        };
        if self.sort.is_none() {
            partition.push_str(&sort);
            partition.push_str(&postfix);
        }
        if let Some(scope) = &self.scope {
            partition.push_str(&format!("_{scope}"));
        }
        (partition, sort, postfix)
    }
}

/// A key of several attributes: each stands for itself, or for the key that it is elsewhere.
fn apart(
    side: &Side,
    owner: &Owner,
    known: &[(String, Template)],
) -> Result<Vec<(String, Template)>, String> {
    let one = |name: &String| -> Result<(String, Template), String> {
        let part = owner.part(name)?;
        if let Some(same) = known.iter().find(|(field, _)| *field == part.field) {
            return Ok(same.clone());
        }
        let form = match part.kind {
            Type::Number => Form::NumberKey,
            Type::String => verbatim(Vec::new()),
            _ => return Err(format!("{name} is neither text nor a number")),
        };
        Ok((part.field.clone(), template(vec![attribute(name, form)])?))
    };
    side.composite.iter().map(one).collect()
}

impl Side {
    fn template(&self, prefix: &str, postfix: &str, owner: &Owner) -> Result<Template, String> {
        let pieces = self.pieces(prefix, postfix, owner)?;
        if let Some(name) = self.number(&pieces, owner)? {
            return template(vec![attribute(name, Form::NumberKey)]);
        }
        let segment = |piece: &Piece| -> Result<Segment, String> {
            match piece {
                Piece::Text(text) => Ok(Segment::Literal(match self.casing {
                    Some(TextStep::Upper) => text.to_uppercase(),
                    Some(_) => text.to_lowercase(),
                    None => text.clone(),
                })),
                Piece::Attribute(name) => {
                    let part = owner.part(name)?;
                    let source = part.source.as_ref().map_or(name, |(source, _)| source);
                    Ok(attribute(source, part.form(self.casing)?))
                }
            }
        };
        template(pieces.iter().map(segment).collect::<Result<_, String>>()?)
    }

    /// What the key consists of.
    fn pieces(&self, prefix: &str, postfix: &str, owner: &Owner) -> Result<Vec<Piece>, String> {
        if let Some(template) = &self.template {
            return Ok(pieces(template));
        }
        // A key field that is an attribute itself, and composed of nothing else, stands for itself.
        if let ([only], Some(field)) = (self.composite.as_slice(), &self.field)
            && only == field
            && owner.parts.iter().any(|part| part.field == *field)
        {
            return Ok(vec![Piece::Attribute(only.clone())]);
        }
        let mut pieces = vec![Piece::Text(prefix.to_owned())];
        for name in &self.composite {
            let label = owner.part(name)?.label.as_deref().unwrap_or(name);
            pieces.push(Piece::Text(format!("#{label}_")));
            pieces.push(Piece::Attribute(name.clone()));
        }
        pieces.push(Piece::Text(postfix.to_owned()));
        Ok(pieces)
    }

    /// The attribute that is the whole key as a number, if the key is one.
    fn number<'p>(&self, pieces: &'p [Piece], owner: &Owner) -> Result<Option<&'p str>, String> {
        let mut names = pieces.iter().filter_map(|piece| match piece {
            Piece::Attribute(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        });
        let only = names.next().filter(|_| names.next().is_none());
        let is_bare = matches!(pieces, [Piece::Attribute(_)]);
        let is_number = only.map(|name| owner.part(name)).transpose()?;
        let is_number = is_number.is_some_and(|part| part.kind == Type::Number);
        match self.cast {
            Some(Cast::Text) => Ok(None),
            None => Ok(only.filter(|_| is_bare && is_number)),
            Some(Cast::Number) if is_number => Ok(only),
            Some(Cast::Number) => Err("only one number can be cast to a number".to_owned()),
        }
    }
}

impl Owner {
    /// The attribute of a name.
    fn part(&self, name: &str) -> Result<&Part, String> {
        let part = self.parts.iter().find(|part| part.name == name);
        part.ok_or_else(|| format!("the attribute {name} is not known, or has a type of its own"))
    }
}

impl Part {
    /// How a key writes the attribute.
    fn form(&self, casing: Option<TextStep>) -> Result<Form, String> {
        let name = &self.name;
        let width = match &self.padding {
            None => None,
            Some((length, zero)) if zero == "0" => Some(u8::try_from(*length).ok()),
            Some((_, other)) => {
                return Err(format!(
                    "{name} is padded with {other:?}, for which there is no encoding"
                ));
            }
        };
        match (self.kind, width) {
            (Type::Number, None) => Ok(verbatim(Vec::new())),
            (Type::Number, Some(width)) => {
                let form = width.and_then(|width| NumberForm::whole(Sign::Unsigned, width));
                form.map(Form::Number).ok_or_else(|| format!("{name} is padded too far"))
            }
            (Type::String, width) => {
                let own = self.source.as_ref().and_then(|(_, step)| *step);
                let width = width.map(|width| width.ok_or(format!("{name} is padded too far")));
                let padding = width.transpose()?.map(TextStep::Digits);
                let mut steps: Vec<TextStep> =
                    padding.into_iter().chain(own).chain(casing).collect();
                steps.dedup();
                Ok(verbatim(steps))
            }
            (Type::Bool, _) => {
                Err(format!("{name} is true or false, for which keys have 0 and 1 here"))
            }
            _ => Err(format!("{name} is neither text nor a number")),
        }
    }
}

enum Piece {
    Text(String),
    Attribute(String),
}

/// The parts of `USER#${id}`.
fn pieces(template: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((text, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        pieces.push(Piece::Text(text.to_owned()));
        pieces.push(Piece::Attribute(name.to_owned()));
        rest = after;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    pieces
}

fn verbatim(steps: Vec<TextStep>) -> Form {
    Form::Text(TextForm { steps, escaping: Escaping::Verbatim })
}

fn attribute(name: &str, form: Form) -> Segment {
    Segment::Attribute(AttributePart {
        path: Path { root: name.to_owned(), steps: Vec::new() },
        encoding: Encoding::ascending(form),
        presence: Presence::Required,
    })
}

fn template(segments: Vec<Segment>) -> Result<Template, String> {
    Template::new(Delimiter::default(), segments).map_err(|error| error.to_string())
}
