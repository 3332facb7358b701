//! Changes of updates: from the model's expressions to the setters of a patch.

use monotable_item::{Number, Type, Value};
use monotable_model::document::{Attribute, Entity, Expression, Table, Token, TokenKind, tokenize};
use monotable_model::template::Template;

use super::condition::unquoted;
use super::function::Function;
use super::identifier::{field_name, literal, marker_name, module_name, type_name};
use super::key::keys_of;
use super::kind::{Kind, is_option};

/// A value in code: borrowed where it can be, and owned.
struct ValueCode {
    borrowed: String,
    owned: String,
}

/// What happens to an attribute.
enum Edit {
    Set(ValueCode),
    Clear,
    /// Any other change, as the client's function for it.
    Change(String),
}

/// What stands on a side of a sum, or alone after `=`.
enum Operand {
    /// The attribute itself.
    Same,
    /// The attribute, or another value where it is missing.
    IfMissing {
        default: ValueCode,
        is_zero: bool,
    },
    Value(ValueCode),
}

/// The client's function for a sum of an attribute and a value, or why there is none.
fn sum(
    first: Operand,
    is_difference: bool,
    second: Operand,
    attribute: &Attribute,
) -> Result<Edit, String> {
    let (of, value) = match (first, second) {
        (of, Operand::Value(value)) => (of, value),
        (Operand::Value(value), of) if !is_difference => (of, value),
        _ => return Err(format!("{} is set to another sum than the client has", attribute.name)),
    };
    let function = match (of, is_difference) {
        (Operand::Same, false) => "increase",
        (Operand::Same, true) => "decrease",
        // What is added to a missing number is added to zero.
        (Operand::IfMissing { is_zero: true, .. }, false) => "add",
        (Operand::IfMissing { is_zero: true, .. }, true) => "sub",
        (Operand::IfMissing { is_zero: false, .. }, _) => {
            return Err(format!("{} is set to a sum with if_not_exists", attribute.name));
        }
        (Operand::Value(_), _) => {
            return Err(format!("{} is set to a sum of other values", attribute.name));
        }
    };
    Ok(Edit::Change(format!("{function}({})", value.owned)))
}

/// The setters of a change, such as `.status(status)`, or why there are none.
pub(super) fn write(
    change: &Expression,
    table: &Table,
    entity: &Entity,
    function: &mut Function,
) -> Result<String, String> {
    let tokens = tokenize(&change.text).map_err(|_| "the change has no end".to_owned())?;
    let mut parser = Parser { tokens: &tokens, at: 0, table, entity, function };
    let edits = parser.edits()?;
    setters(edits, table, entity, function)
}

fn setters(
    edits: Vec<(&Attribute, Edit)>,
    table: &Table,
    entity: &Entity,
    function: &mut Function,
) -> Result<String, String> {
    let groups = write_groups(table, entity);
    let mut code = String::new();
    let mut grouped: Vec<(usize, &Attribute, String)> = Vec::new();
    for (attribute, edit) in edits {
        let field = field_name(&attribute.name);
        let in_key = |template: &Template| template.paths().any(|it| it.root == attribute.name);
        let mut own = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
        if own.any(in_key) {
            return Err(format!("{} is a part of the key", attribute.name));
        }
        let group = groups.iter().position(|(_, names)| names.contains(&attribute.name));
        match group {
            None => {
                let change = match edit {
                    Edit::Set(value) => value.borrowed,
                    Edit::Clear if is_option(attribute) => "clear()".to_owned(),
                    Edit::Clear => return Err(format!("{} is required", attribute.name)),
                    Edit::Change(code) => code,
                };
                code.push_str(&format!(".{field}({change})"));
            }
            Some(group) => grouped.push((group, attribute, whole(edit, attribute)?)),
        }
    }
    for (number, (pattern, names)) in groups.iter().enumerate() {
        let of_group: Vec<_> = grouped.iter().filter(|(group, ..)| *group == number).collect();
        if let (Some((_, attribute, value)), [_]) = (of_group.first(), names.as_slice()) {
            code.push_str(&format!(".{}({value})", field_name(&attribute.name)));
        } else if !of_group.is_empty() {
            let values = of_group.iter().map(|(_, attribute, value)| (&attribute.name, value));
            code.push_str(&group_setter(pattern, names, values, entity, function)?);
        }
    }
    Ok(code)
}

/// `.by_place(parcel::ByPlace { country, city })`: what is not changed is a parameter.
fn group_setter<'v>(
    pattern: &str,
    names: &[String],
    values: impl Iterator<Item = (&'v String, &'v String)>,
    entity: &Entity,
    function: &mut Function,
) -> Result<String, String> {
    let values: Vec<(&String, &String)> = values.collect();
    let mut fields = Vec::new();
    for name in names {
        let field = field_name(name);
        let set = values.iter().find(|(known, _)| *known == name);
        let value = match set {
            Some((_, value)) => (*value).clone(),
            None => {
                let attribute = entity.attribute(name);
                let attribute = attribute.ok_or_else(|| format!("{name} is no attribute"))?;
                let kind = Kind::of(entity, attribute);
                let parameter = function.parameter(name, &kind);
                optional(kind.to_owned(&parameter), attribute)
            }
        };
        fields.push(if value == field { field } else { format!("{field}: {value}") });
    }
    let module = module_name(&type_name(&entity.name));
    let structure = format!("{module}::{} {{ {} }}", marker_name(pattern), fields.join(", "));
    Ok(format!(".{pattern}({structure})"))
}

/// The value of a field in the key of an index, which is only ever set whole.
fn whole(edit: Edit, attribute: &Attribute) -> Result<String, String> {
    match edit {
        Edit::Set(value) => Ok(optional(value.owned, attribute)),
        Edit::Clear if is_option(attribute) => Ok("None".to_owned()),
        Edit::Clear => Err(format!("{} is required", attribute.name)),
        Edit::Change(_) => {
            Err(format!("{} is a part of an index's key and can only be set", attribute.name))
        }
    }
}

fn optional(code: String, attribute: &Attribute) -> String {
    if is_option(attribute) { format!("Some({code})") } else { code }
}

/// The attributes that change together, with the name of the access pattern whose setter takes
/// them: what stands in the keys and conditions of indexes, and not in the table's key.
fn write_groups(table: &Table, entity: &Entity) -> Vec<(String, Vec<String>)> {
    let keys = keys_of(table, entity);
    let roots = |key: &super::key::EntityKey<'_>| -> Vec<String> {
        let templates = key.keys.partition.iter().chain(&key.keys.sort);
        templates.flat_map(Template::paths).map(|path| path.root.clone()).collect()
    };
    let own: Vec<String> = keys.first().map(roots).unwrap_or_default();
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for key in keys.iter().skip(1) {
        let when = key.index.and_then(|index| entity.index_key(index)?.when.as_ref());
        let when = when.into_iter().flat_map(|when| when.attributes.iter().cloned());
        let mut names: Vec<String> = Vec::new();
        for name in roots(key).into_iter().chain(when) {
            if !own.contains(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            continue;
        }
        let (sharing, apart): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(_, known)| known.iter().any(|name| names.contains(name)));
        let pattern = sharing.first().map_or(&key.name, |(pattern, _)| pattern).clone();
        let mut merged: Vec<String> = Vec::new();
        for name in sharing.into_iter().flat_map(|(_, names)| names).chain(names) {
            if !merged.contains(&name) {
                merged.push(name);
            }
        }
        groups = apart;
        groups.push((pattern, merged));
    }
    groups
}

/// What the parts of a change begin with.
const SECTIONS: [&str; 4] = ["SET", "REMOVE", "ADD", "DELETE"];

/// Whether an action ends before a token.
fn is_end(token: &Token<'_>) -> bool {
    token.is_symbol(",") || SECTIONS.iter().any(|word| token.is_word(word))
}

struct Parser<'t, 'e, 'f> {
    tokens: &'t [Token<'t>],
    at: usize,
    table: &'e Table,
    entity: &'e Entity,
    function: &'f mut Function,
}

impl<'t, 'e> Parser<'t, 'e, '_> {
    fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Result<&'t Token<'t>, String> {
        let token = self.peek().ok_or_else(|| "the change ends too early".to_owned())?;
        self.at += 1;
        Ok(token)
    }

    fn symbol(&mut self, symbol: &str) -> Result<(), String> {
        let token = self.next()?;
        let message = || format!("{} stands where the client has {symbol}", token.text);
        if token.is_symbol(symbol) { Ok(()) } else { Err(message()) }
    }

    fn edits(&mut self) -> Result<Vec<(&'e Attribute, Edit)>, String> {
        let mut edits = Vec::new();
        let mut section = String::new();
        while let Some(token) = self.peek() {
            if SECTIONS.iter().any(|word| token.is_word(word)) {
                section = token.text.to_uppercase();
                self.at += 1;
            } else if token.is_symbol(",") {
                self.at += 1;
            } else {
                edits.extend(self.edit(&section)?);
            }
        }
        Ok(edits)
    }

    fn edit(&mut self, section: &str) -> Result<Option<(&'e Attribute, Edit)>, String> {
        let name = self.next()?;
        let Some(attribute) = self.entity.attribute(name.inner()) else {
            return self.key_of_index(name, section).map(|()| None);
        };
        if self.entity.lock.as_ref() == Some(&attribute.name) {
            // The client raises the lock itself, whatever its next value is.
            self.at += self.tokens.iter().skip(self.at).take_while(|it| !is_end(it)).count();
            return Ok(None);
        }
        let place = self.place()?;
        let kind = Kind::of(self.entity, attribute);
        let edit = match (section, place) {
            ("SET", None) => self.set(attribute, &kind)?,
            ("REMOVE", None) => Edit::Clear,
            ("ADD", None) => {
                let value = self.value(&kind)?;
                Edit::Change(match attribute.kind {
                    Type::StringSet => format!("insert_all({})", value.owned),
                    _ => format!("add({})", value.owned),
                })
            }
            ("DELETE", None) => Edit::Change(format!("remove_all({})", self.value(&kind)?.owned)),
            ("SET", Some(place)) => self.set_at(attribute, &place)?,
            ("REMOVE", Some(place)) => Edit::Change(format!("{place}.remove()")),
            _ => return Err(format!("{section} inside of {}", attribute.name)),
        };
        Ok(Some((attribute, edit)))
    }

    /// The client removes the keys of indexes itself, and leaves nobody else to write them.
    fn key_of_index(&mut self, name: &Token<'_>, section: &str) -> Result<(), String> {
        let of_indexes = self.table.indexes.iter().flat_map(|index| index.key_attributes());
        let is_key = of_indexes.into_iter().any(|key| key.name == name.inner());
        match section {
            "REMOVE" if is_key => Ok(()),
            _ if is_key => Err(format!("{} is the client's to write", name.inner())),
            _ => Err(format!("{} is no attribute", name.inner())),
        }
    }

    /// `.{name}` or `[{n}].member` after an attribute, as the client writes places.
    fn place(&mut self) -> Result<Option<String>, String> {
        let mut place = String::new();
        while let Some(token) = self.peek() {
            let dot = if place.is_empty() { "" } else { "." };
            if token.is_symbol(".") {
                self.at += 1;
                let name = self.next()?;
                let member = match name.kind {
                    TokenKind::Hole => self.function.parameter(name.inner(), &Kind::Text),
                    _ => literal(name.inner()),
                };
                place.push_str(&format!("{dot}member({member})"));
            } else if token.is_symbol("[") {
                self.at += 1;
                let at = self.next()?;
                let element = match at.kind {
                    TokenKind::Hole => {
                        let ident = field_name(at.inner());
                        self.function.take(&ident, "usize".to_owned());
                        ident
                    }
                    _ => at.text.to_owned(),
                };
                self.symbol("]")?;
                place.push_str(&format!("{dot}element({element})"));
            } else {
                break;
            }
        }
        Ok((!place.is_empty()).then_some(place))
    }

    fn set(&mut self, attribute: &Attribute, kind: &Kind) -> Result<Edit, String> {
        self.symbol("=")?;
        let is_enclosed = self.peek().is_some_and(|token| token.is_symbol("("));
        self.at += usize::from(is_enclosed);
        let first = self.operand(attribute, kind)?;
        let sign = self.peek().filter(|token| token.is_symbol("+") || token.is_symbol("-"));
        let edit = match sign {
            Some(sign) => {
                self.at += 1;
                let second = self.operand(attribute, kind)?;
                sum(first, sign.is_symbol("-"), second, attribute)?
            }
            None => match first {
                Operand::Value(value) => Edit::Set(value),
                Operand::IfMissing { default, .. } => {
                    Edit::Change(format!("if_missing({})", default.owned))
                }
                Operand::Same => return Err(format!("{} is set from itself", attribute.name)),
            },
        };
        if is_enclosed {
            self.symbol(")")?;
        }
        match self.peek().filter(|token| !is_end(token)) {
            Some(token) => Err(format!("{} follows what {} is set to", token.text, attribute.name)),
            None => Ok(edit),
        }
    }

    /// What stands on a side of a sum.
    fn operand(&mut self, attribute: &Attribute, kind: &Kind) -> Result<Operand, String> {
        if self.peek().is_some_and(|token| token.is_word("if_not_exists")) {
            self.at += 1;
            self.symbol("(")?;
            self.same(attribute)?;
            self.symbol(",")?;
            let is_zero = self.peek().is_some_and(|token| {
                token.kind == TokenKind::Number && token.text.parse() == Ok(Number::from(0))
            });
            let default = self.value(kind)?;
            self.symbol(")")?;
            return Ok(Operand::IfMissing { default, is_zero });
        }
        if self.is_at(attribute) {
            self.same(attribute)?;
            return Ok(Operand::Same);
        }
        self.value(kind).map(Operand::Value)
    }

    /// `= :value`, or `= the same + :value`.
    fn set_at(&mut self, attribute: &Attribute, place: &str) -> Result<Edit, String> {
        self.symbol("=")?;
        if !self.is_at(attribute) {
            let value = self.value(&Kind::Text)?;
            return Ok(Edit::Change(format!("{place}.set({})", value.owned)));
        }
        self.same(attribute)?;
        if self.place()?.as_deref() != Some(place) {
            return Err("a value of another place".to_owned());
        }
        self.symbol("+")?;
        let value = self.value(&Kind::Number)?;
        Ok(Edit::Change(format!("{place}.add({})", value.owned)))
    }

    /// Whether the attribute itself comes next, and not a parameter of its name.
    fn is_at(&self, attribute: &Attribute) -> bool {
        self.peek().is_some_and(|token| {
            token.kind != TokenKind::Parameter && token.inner() == attribute.name
        })
    }

    fn same(&mut self, attribute: &Attribute) -> Result<(), String> {
        let name = self.next()?;
        let message = || format!("{} is set from {}", attribute.name, name.text);
        if name.inner() == attribute.name { Ok(()) } else { Err(message()) }
    }

    fn value(&mut self, kind: &Kind) -> Result<ValueCode, String> {
        let token = self.next()?;
        let value = match token.kind {
            TokenKind::Parameter => {
                let ident = self.function.parameter(token.inner(), kind);
                let kind = self.function.kind_of(token.inner(), kind);
                let owned = kind.to_owned(&ident);
                let borrowed = match kind {
                    Kind::Other(_) => owned.clone(),
                    _ => ident,
                };
                return Ok(ValueCode { borrowed, owned });
            }
            TokenKind::Text => Value::from(unquoted(token.text).as_str()),
            TokenKind::Number => {
                let number = token.text.parse();
                Value::Number(number.map_err(|_| format!("{} is no number", token.text))?)
            }
            _ => return Err(format!("{} is no value that the client has", token.text)),
        };
        let misfit = || format!("{} is no value of its field", token.text);
        let borrowed = kind.literal(&value).ok_or_else(misfit)?;
        let owned = kind.owned_literal(&value).ok_or_else(misfit)?;
        Ok(ValueCode { borrowed, owned })
    }
}
