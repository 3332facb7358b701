//! Conditions of indexes as expressions.

use monotable_expr::{Comparator, Condition, Operand};
use monotable_item::{Path, Value};
use monotable_model::document::{Entity, Expression};

use super::code::Code;
use super::key::Why;

/// Whether an item is in an index. `value` gives an attribute, by its name in the model.
pub(crate) fn condition(
    when: &Expression,
    entity: &Entity,
    value: &dyn Fn(&str) -> Code,
) -> Result<Code, Why> {
    let condition = when.condition(|_| None).map_err(|error| error.to_string())?;
    Writer { entity, value }.condition(&condition)
}

struct Writer<'a> {
    entity: &'a Entity,
    value: &'a dyn Fn(&str) -> Code,
}

impl Writer<'_> {
    fn condition(&self, condition: &Condition) -> Result<Code, Why> {
        let both = |left: &Condition, right: &Condition| {
            Ok::<_, Why>(vec![self.condition(left)?, self.condition(right)?])
        };
        Ok(match condition {
            Condition::Compare { comparator, left, right } => {
                self.compare(*comparator, left, right)?
            }
            Condition::Between { operand, lower, upper } => Code::All(vec![
                self.compare(Comparator::GreaterOrEqual, operand, lower)?,
                self.compare(Comparator::LessOrEqual, operand, upper)?,
            ]),
            Condition::In { operand, candidates } => {
                let equal =
                    |candidate: &Operand| self.compare(Comparator::Equal, operand, candidate);
                Code::Any(candidates.iter().map(equal).collect::<Result<_, _>>()?)
            }
            Condition::Exists(path) => Code::Call("exists", vec![self.path(path)?]),
            Condition::NotExists(path) => {
                Code::Not(Box::new(Code::Call("exists", vec![self.path(path)?])))
            }
            Condition::BeginsWith { operand, prefix } => {
                Code::Call("beginsWith", vec![self.operand(operand)?, self.operand(prefix)?])
            }
            Condition::Contains { operand, element } => {
                Code::Call("holds", vec![self.operand(operand)?, self.operand(element)?])
            }
            Condition::And(left, right) => Code::All(both(left, right)?),
            Condition::Or(left, right) => Code::Any(both(left, right)?),
            Condition::Not(inner) => Code::Not(Box::new(self.condition(inner)?)),
            Condition::HasType { .. } => return Err("it asks for a type".to_owned()),
        })
    }

    fn compare(
        &self,
        comparator: Comparator,
        left: &Operand,
        right: &Operand,
    ) -> Result<Code, Why> {
        let (left, right) = (Box::new(self.operand(left)?), Box::new(self.operand(right)?));
        Ok(Code::Compare { comparator, left, right })
    }

    fn operand(&self, operand: &Operand) -> Result<Code, Why> {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => match &**value {
                plain @ (Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                    Ok(Code::Literal(plain.clone()))
                }
                _ => Err("it compares with a value that is not plain".to_owned()),
            },
            Operand::Size(_) => Err("it asks for a size".to_owned()),
            Operand::Condition(_) => Err("it compares with a condition".to_owned()),
        }
    }

    /// An attribute. Conditions know it by its name in items.
    fn path(&self, path: &Path) -> Result<Code, Why> {
        let mut attributes = self.entity.attributes.iter();
        let attribute = attributes.find(|attribute| attribute.item_name() == path.root);
        match attribute {
            Some(attribute) if path.steps.is_empty() => Ok((self.value)(&attribute.name)),
            _ => Err(format!("it asks for {path}")),
        }
    }
}
