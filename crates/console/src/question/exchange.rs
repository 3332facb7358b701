//! `import`, `infer`, `export`: models of other tools' files and of running tables, and models in
//! the formats of other tools.

use monotable_exchange::{TargetFormat, infer_model, read_description};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Format, Model, Tree, write};

use super::member::{self, object, string};
use super::{Complaint, document_of, model_of};

/// How many items a question may bring to find entities from.
const ITEMS_MAX: usize = 1_000;

/// The model that a file holds: `model` is its own text if it is a model already, and otherwise
/// what was read from another tool's format, with notes about what was lost or guessed.
pub(super) fn import(question: &Tree) -> Result<Tree, Complaint> {
    let (name, text) = (member::text(question, "name")?, member::text(question, "text")?);
    if is_own(name, text) {
        return Ok(object([("model", string(text)), ("format", Tree::Null), notes(&[])]));
    }
    let imported =
        monotable_exchange::import(name, text, None).map_err(|mistakes| unfit(&mistakes))?;
    let format = ("format", string(imported.format.name()));
    Ok(object([written(&imported.model), format, notes(&imported.notes)]))
}

/// Whether a file is a model of ours, if perhaps one with mistakes: those are marked in its text.
/// No other tool's format is TOML, and in none has a member `format` a number.
fn is_own(name: &str, text: &str) -> bool {
    let says_format = |line: &str| {
        let member = line.trim_start().trim_start_matches('"').strip_prefix("format");
        let after = member.map(|rest| rest.trim_start_matches('"').trim_start());
        let value = after.and_then(|rest| rest.strip_prefix([':', '=']));
        value.is_some_and(|value| {
            value.trim_start().starts_with(|first: char| first.is_ascii_digit())
        })
    };
    name.ends_with(".toml") || document_of(text).is_ok() || text.lines().any(says_format)
}

/// The model of a running table: `table` is the answer of DescribeTable, with the attribute of
/// DescribeTimeToLive as `ttl`; entities and templates are found from `items`.
pub(super) fn infer(question: &Tree) -> Result<Tree, Complaint> {
    let described = question.member("table").ok_or(Complaint::Missing { member: "table" })?;
    let mut live =
        read_description(described).map_err(|fault| Complaint::Unfit { reasons: fault.message })?;
    live.table.ttl = described.member("ttl").and_then(Tree::text).map(str::to_owned);
    let items = member::list(question, "items", ITEMS_MAX)?;
    let items = items.iter().map(member::item).collect::<Result<Vec<_>, _>>()?;
    let (model, guesses) = infer_model(&live, &items).map_err(|mistakes| unfit(&mistakes))?;
    Ok(object([written(&model), notes(&guesses)]))
}

/// The model in the format that is named, with notes about what that cannot say.
pub(super) fn export(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let name = member::text(question, "format")?;
    let target = TargetFormat::ALL.iter().find(|(known, _)| *known == name);
    let unknown = || Complaint::Unknown { what: "format", name: name.to_owned() };
    let exported = monotable_exchange::export(&model, target.ok_or_else(unknown)?.1);
    Ok(object([("text", string(exported.text)), notes(&exported.notes)]))
}

fn written(model: &Model) -> (&'static str, Tree) {
    ("model", string(write(model, Format::Toml)))
}

fn notes(notes: &[Diagnostic]) -> (&'static str, Tree) {
    let note = |note: &Diagnostic| {
        object([("place", string(note.place.as_str())), ("message", string(&note.message))])
    };
    ("notes", Tree::List(notes.iter().map(note).collect()))
}

fn unfit(mistakes: &[Diagnostic]) -> Complaint {
    let reasons: Vec<&str> = mistakes.iter().map(|mistake| mistake.message.as_str()).collect();
    Complaint::Unfit { reasons: reasons.join("\n") }
}
