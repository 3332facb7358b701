//! What the attributes of an entity say, and whether it can be so.

use monotable_item::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use monotable_model::document::{Expression, ExpressionKind, Scope};
use monotable_model::template::{Domain, Domains, KeySet, Segment, Template};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Error, Fields, Ident, LitStr, Path, Result, Token, bracketed, parenthesized,
};

use super::args::{EntityArgs, OlderVersion};
use super::field::Field;
use super::names::name_of;
use super::part_names;
use crate::case::snake;

/// A whole declaration.
pub(super) struct Declaration {
    pub(super) ident: Ident,
    pub(super) table: Path,
    pub(super) tag: String,
    pub(super) version: Option<u64>,
    pub(super) older: Vec<OlderVersion>,
    pub(super) module: Option<String>,
    pub(super) fields: Vec<Field>,
    pub(super) key: KeyDeclaration,
    pub(super) indexes: Vec<KeyDeclaration>,
    pub(super) unique: Vec<Unique>,
}

/// A key: of the table, or of an index.
pub(super) struct KeyDeclaration {
    pub(super) index: Option<Ident>,
    pub(super) local: bool,
    pub(super) name: Ident,
    pub(super) partition: Vec<KeyTemplate>,
    pub(super) sort: Vec<KeyTemplate>,
    pub(super) when: Option<LitStr>,
    /// The fields that the condition names.
    pub(super) when_fields: Vec<String>,
    pub(super) view: Option<Vec<Ident>>,
}

/// A template and where it stands.
pub(super) struct KeyTemplate {
    pub(super) literal: LitStr,
    pub(super) template: Template,
}

/// A unique field, and the template of the key that holds its value.
pub(super) struct Unique {
    pub(super) field: Ident,
    pub(super) template: KeyTemplate,
}

impl Declaration {
    pub(super) fn read(input: &DeriveInput) -> Result<Declaration> {
        let ident = input.ident.clone();
        let fields = fields(input)?;
        let args = input.attrs.iter().find(|it| it.path().is_ident("entity"));
        let no_table = || Error::new(ident.span(), "an entity needs `#[entity(table = …)]`");
        let args: EntityArgs = args.ok_or_else(no_table)?.parse_args()?;
        let version = args.version()?;
        let older = args.older(version)?;
        let mut keys = Vec::new();
        for (word, scope) in [("key", Kind::Table), ("index", Kind::Global), ("local", Kind::Local)]
        {
            for attribute in input.attrs.iter().filter(|it| it.path().is_ident(word)) {
                let parse = |input: ParseStream<'_>| KeyDeclaration::parse(input, scope);
                keys.push(attribute.parse_args_with(parse)?);
            }
        }
        let (mut tables, mut indexes): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|key| key.index.is_none());
        let key = match (tables.pop(), tables.is_empty()) {
            (Some(key), true) => key,
            _ => {
                let message = "an entity has one key: `#[key(by_id: pk = \"…\", sk = \"…\")]`";
                return Err(Error::new(ident.span(), message));
            }
        };
        for index in indexes.iter_mut().filter(|index| index.local) {
            index.partition = key.partition.iter().map(KeyTemplate::again).collect();
        }
        let tag = args.tag.map_or_else(|| name_of(&ident), |tag| tag.value());
        let mut declaration = Declaration {
            table: args.table.ok_or_else(no_table)?,
            tag,
            version,
            older,
            module: args.module.map(|it| it.value()),
            fields,
            key,
            indexes,
            unique: Vec::new(),
            ident,
        };
        declaration.unique = uniques(input, &declaration)?;
        declaration.read_conditions()?;
        declaration.check()?;
        Ok(declaration)
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The module with the keys and patches.
    pub(super) fn module_ident(&self) -> Ident {
        let name = self.module.clone().unwrap_or_else(|| snake(&name_of(&self.ident)));
        let plain = syn::parse_str(&name);
        plain.unwrap_or_else(|_| Ident::new_raw(&name, self.ident.span()))
    }

    /// The table's key and those of indexes.
    pub(super) fn keys(&self) -> impl Iterator<Item = &KeyDeclaration> {
        std::iter::once(&self.key).chain(&self.indexes)
    }

    /// Returns whether a field is a part of the table's key, and so never changes.
    pub(super) fn is_in_key(&self, name: &str) -> bool {
        self.key.roots().iter().any(|root| root == name)
    }

    fn read_conditions(&mut self) -> Result<()> {
        let mut scope = Scope::new();
        for field in &self.fields {
            scope.add(&field.name, &field.stored_name());
        }
        for key in &mut self.indexes {
            let Some(when) = &key.when else { continue };
            let read = Expression::parse(ExpressionKind::When, &when.value(), &scope);
            let expression = read.map_err(|errors| {
                let texts: Vec<String> = errors.into_iter().map(|it| it.message).collect();
                Error::new(when.span(), texts.join("; "))
            })?;
            if let Some(parameter) = expression.parameters().first() {
                let message = format!("a condition of an index has no parameter {parameter}");
                return Err(Error::new(when.span(), message));
            }
            key.when_fields = expression.attributes;
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let domains = self.domains();
        for key in self.keys() {
            for (templates, bytes_max) in
                [(&key.partition, PARTITION_KEY_BYTES_MAX), (&key.sort, SORT_KEY_BYTES_MAX)]
            {
                for template in templates {
                    self.check_template(key, template)?;
                    check_length(template, &domains, bytes_max)?;
                }
            }
        }
        self.check_roles()?;
        super::names::check(self)
    }

    fn check_template(&self, key: &KeyDeclaration, template: &KeyTemplate) -> Result<()> {
        let wrong = |message: String| Err(Error::new(template.literal.span(), message));
        if let Some(part) = template.template.optional_part() {
            return wrong(format!(
                "{} is optional, and a derived key has all its parts: declare an entity for the \
                 items without it",
                part.path
            ));
        }
        for path in template.template.paths() {
            let Some(field) = self.field(&path.root) else {
                let names: Vec<&str> = self.fields.iter().map(|it| it.name.as_str()).collect();
                return wrong(format!(
                    "{} has no field {}; its fields are {}",
                    self.ident,
                    path.root,
                    names.join(", ")
                ));
            };
            if !path.is_attribute() {
                return wrong(format!("{path}: a part of a key is a whole field"));
            }
            if key.index.is_none() && field.is_option() {
                return wrong(format!(
                    "{} is an `Option`, and every item has the table's key",
                    field.name
                ));
            }
        }
        for segment in template.template.segments() {
            let Segment::Shard(shard) = segment else { continue };
            if shard.rule().input().is_none() {
                return wrong("the shard must follow from a field: `{shard(id, 16)}`".to_owned());
            }
        }
        Ok(())
    }

    /// Refuses the second field of a role that one has.
    fn check_once(&self, role: &str, has_role: fn(&Field) -> bool) -> Result<()> {
        let mut fields = self.fields.iter().filter(|field| has_role(field));
        if let (Some(first), Some(second)) = (fields.next(), fields.next()) {
            let message = format!("{} is the `{role}`, and an entity has one", first.name);
            return Err(Error::new(second.span(), message));
        }
        Ok(())
    }

    fn check_roles(&self) -> Result<()> {
        self.check_once("lock", |field| field.settings.lock)?;
        self.check_once("ttl", |field| field.settings.ttl)?;
        let lock = self.fields.iter().filter(|field| field.settings.lock);
        let in_index = |name: &str| self.indexes.iter().any(|it| it.roots().contains(&name.into()));
        let in_when = |name: &String| self.indexes.iter().any(|it| it.when_fields.contains(name));
        for field in lock {
            if in_index(&field.name) || self.is_in_key(&field.name) {
                let message = "the lock changes with every write and cannot be a part of a key";
                return Err(Error::new(field.span(), message));
            }
            if in_when(&field.name) {
                let message = "the lock changes with every write and cannot decide what an index \
                               holds";
                return Err(Error::new(field.span(), message));
            }
        }
        for field in self.fields.iter().filter(|field| field.settings.key_only) {
            if !self.is_in_key(&field.name) {
                let message = "only a part of the table's key can be left out of the item";
                return Err(Error::new(field.span(), message));
            }
        }
        Ok(())
    }

    /// What is declared about the fields: how long texts get.
    fn domains(&self) -> Domains {
        let bounded = self.fields.iter().filter_map(|field| {
            let bytes = usize::try_from(field.settings.max_len?).ok()?;
            Some((field.name.as_str(), Domain::text_of_bytes(bytes)))
        });
        bounded.fold(Domains::new(), |domains, (name, domain)| domains.with(name, domain))
    }
}

fn check_length(template: &KeyTemplate, domains: &Domains, bytes_max: usize) -> Result<()> {
    let longest = KeySet::new(&template.template, domains).bytes_max();
    match longest {
        Some(bytes) if bytes > bytes_max => Err(Error::new(
            template.literal.span(),
            format!("the key can be {bytes} bytes long, and DynamoDB takes {bytes_max}"),
        )),
        _ => Ok(()),
    }
}

impl KeyDeclaration {
    /// The fields that must be known to build the key.
    pub(super) fn roots(&self) -> Vec<String> {
        let templates = self.partition.iter().chain(&self.sort);
        templates.flat_map(|it| it.template.paths()).map(|path| path.root.clone()).collect()
    }

    /// The fields that the partition key writes.
    pub(super) fn partition_names(&self) -> Vec<String> {
        part_names(&templates(&self.partition))
    }

    /// The fields that the sort key writes and the partition key does not write whole.
    pub(super) fn sort_names(&self) -> Vec<String> {
        let mut names = part_names(&templates(&self.sort));
        names.retain(|name| !self.is_whole_in_partition(name));
        names
    }

    /// Returns whether the value of a field is known whole once the partition is.
    pub(super) fn is_whole_in_partition(&self, name: &str) -> bool {
        let parts = self.partition.iter().flat_map(|key| key.template.attributes());
        parts.into_iter().any(|part| part.path.root == name && part.encoding.is_lossless())
    }

    /// The fields that a shard of the key follows from and that the key does not write.
    pub(super) fn shard_names(&self) -> Vec<String> {
        let written: Vec<String> =
            self.partition_names().into_iter().chain(self.sort_names()).collect();
        let mut names: Vec<String> = Vec::new();
        for name in self.roots() {
            if !written.contains(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn parse(input: ParseStream<'_>, kind: Kind) -> Result<KeyDeclaration> {
        let index = match kind {
            Kind::Table => None,
            Kind::Global | Kind::Local => Some(input.parse()?),
        };
        let name: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let mut key = KeyDeclaration {
            index,
            local: matches!(kind, Kind::Local),
            name,
            partition: Vec::new(),
            sort: Vec::new(),
            when: None,
            when_fields: Vec::new(),
            view: None,
        };
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "pk" => key.partition = key_templates(input)?,
                "sk" => key.sort = key_templates(input)?,
                "when" => {
                    input.parse::<Token![=]>()?;
                    key.when = Some(input.parse()?);
                }
                "view" => {
                    let inner;
                    parenthesized!(inner in input);
                    let fields = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?;
                    key.view = Some(fields.into_iter().collect());
                }
                _ => return Err(Error::new(word.span(), "expected pk, sk, when or view")),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        match kind {
            Kind::Local if !key.partition.is_empty() => {
                Err(Error::new(key.name.span(), "a local index has the table's partition key"))
            }
            Kind::Table | Kind::Global if key.partition.is_empty() => {
                Err(Error::new(key.name.span(), "a key needs `pk = \"…\"`"))
            }
            Kind::Table if key.partition.len() > 1 || key.sort.len() > 1 => {
                let message = "only an index can have a key of several attributes";
                Err(Error::new(key.name.span(), message))
            }
            Kind::Table | Kind::Global | Kind::Local => Ok(key),
        }
    }
}

/// Where a key belongs.
#[derive(Clone, Copy)]
enum Kind {
    Table,
    Global,
    Local,
}

impl KeyTemplate {
    fn of(literal: LitStr) -> Result<KeyTemplate> {
        let template = Template::parse(&literal.value()).map_err(|error| {
            Error::new(literal.span(), format!("the template cannot be read: {error}"))
        })?;
        Ok(KeyTemplate { literal, template })
    }

    fn again(&self) -> KeyTemplate {
        KeyTemplate { literal: self.literal.clone(), template: self.template.clone() }
    }
}

impl Parse for KeyTemplate {
    fn parse(input: ParseStream<'_>) -> Result<KeyTemplate> {
        KeyTemplate::of(input.parse()?)
    }
}

pub(super) fn templates(keys: &[KeyTemplate]) -> Vec<Template> {
    keys.iter().map(|key| key.template.clone()).collect()
}

/// One template, or several in brackets.
fn key_templates(input: ParseStream<'_>) -> Result<Vec<KeyTemplate>> {
    input.parse::<Token![=]>()?;
    if !input.peek(syn::token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let inner;
    bracketed!(inner in input);
    Ok(Punctuated::<KeyTemplate, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

fn fields(input: &DeriveInput) -> Result<Vec<Field>> {
    let misfit = || Error::new(input.ident.span(), "an entity is a struct with named fields");
    let Data::Struct(data) = &input.data else { return Err(misfit()) };
    let Fields::Named(fields) = &data.fields else { return Err(misfit()) };
    fields.named.iter().map(Field::of).collect()
}

/// `#[unique(number)]`, or `#[unique(number = "INVOICE#{number:08}")]`.
fn uniques(input: &DeriveInput, declaration: &Declaration) -> Result<Vec<Unique>> {
    let mut uniques = Vec::new();
    for attribute in input.attrs.iter().filter(|it| it.path().is_ident("unique")) {
        attribute.parse_nested_meta(|meta| {
            let field = meta.path.require_ident()?.clone();
            if declaration.field(&name_of(&field)).is_none() {
                return Err(meta.error(format!("{} has no field {field}", declaration.ident)));
            }
            let template = if meta.input.peek(Token![=]) {
                let key: KeyTemplate = meta.value()?.parse()?;
                let only = name_of(&field);
                if part_names(std::slice::from_ref(&key.template)) != [only] {
                    let message = "the key of a unique value is made of that field alone";
                    return Err(Error::new(key.literal.span(), message));
                }
                key
            } else {
                let name = name_of(&field);
                let text = format!("UNIQUE#{}#{name}#{{{name}}}", declaration.tag);
                KeyTemplate::of(LitStr::new(&text, field.span()))?
            };
            uniques.push(Unique { field, template });
            Ok(())
        })?;
    }
    Ok(uniques)
}
