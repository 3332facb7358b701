//! `/_monotable/models`: the models whose tables are watched.

use hyper::http::request::Parts;
use monotable_identity::is_account;
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_observe::{FIRST_ACCOUNT, LoadError, LoadedModel, Observer};
use serde_json::{Map, Value, json};

use super::{Refusal, members, name_of};
use crate::handler::Handler;

/// How many mistakes of a model are shown.
const DIAGNOSTICS_MAX: usize = 100;

/// The models that are loaded, or with `?name=shop` one of them with its text.
pub(super) fn report<H: Handler>(handler: &H, head: &Parts) -> Result<Value, Refusal> {
    let Some(name) = name_of(head) else { return Ok(list(handler)) };
    let models = handler.observer().map(Observer::models).unwrap_or_default();
    let model = models.iter().find(|model| model.name() == name);
    let model = model.ok_or_else(|| unknown(&name))?;
    let mut members = summary(model);
    members.insert("text".to_owned(), json!(model.source().text()));
    Ok(Value::Object(members))
}

/// The models that are loaded.
pub(super) fn list<H: Handler>(handler: &H) -> Value {
    let models = handler.observer().map(Observer::models).unwrap_or_default();
    json!({ "models": models.iter().map(|model| summary(model)).collect::<Vec<_>>() })
}

fn summary(model: &LoadedModel) -> Map<String, Value> {
    let tables = model.model().tables.iter().map(|table| table.physical_name());
    let members = [
        ("name", json!(model.name())),
        ("account", json!(model.account())),
        ("source", json!(model.source().name())),
        ("tables", json!(tables.collect::<Vec<_>>())),
        ("entities", json!(model.model().entities.len())),
        ("patterns", json!(model.model().patterns.len())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn unknown(name: &str) -> Refusal {
    Refusal::not_found(format!("there is no model {name}"))
}

/// Loads the model of `{"source":"shop.toml","text":"…"}`, in the place of one of the same name;
/// with `"account":"111122223333"` for the tables of that account.
pub(super) fn load<H: Handler>(handler: &H, body: &[u8], now_millis: u64) -> Result<(), Refusal> {
    let observer = observer(handler)?;
    let members = members(body)?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let Some((source, text)) = text("source").zip(text("text")) else {
        let form = r#"send {"source":"shop.toml","text":"the model"}"#;
        return Err(Refusal::invalid(form));
    };
    let account = match members.get("account") {
        None => FIRST_ACCOUNT,
        Some(account) => {
            account.as_str().filter(|account| is_account(account)).ok_or_else(|| {
                Refusal::invalid(r#"an account has twelve digits, such as "111122223333""#)
            })?
        }
    };
    let source = SourceFile::new(source, text);
    observer.load_for(account, source, now_millis).map_err(|error| refusal(&error))?;
    handler.models_changed();
    Ok(())
}

/// Forgets the model that the query names: `?name=shop`.
pub(super) fn unload<H: Handler>(handler: &H, head: &Parts) -> Result<(), Refusal> {
    let observer = observer(handler)?;
    let name = name_of(head).ok_or_else(|| Refusal::invalid("say which model: ?name=shop"))?;
    if !observer.unload(&name) {
        return Err(unknown(&name));
    }
    handler.models_changed();
    Ok(())
}

fn observer<H: Handler>(handler: &H) -> Result<&Observer, Refusal> {
    handler.observer().ok_or_else(|| Refusal::conflict("this server watches no models"))
}

/// Why a model is not loaded, as `monotable model check` shows it.
fn refusal(error: &LoadError) -> Refusal {
    match error {
        LoadError::Wrong(file, diagnostics) => {
            let shown = diagnostics.iter().take(DIAGNOSTICS_MAX);
            let mut texts: Vec<String> =
                shown.map(|one| render_text(one, file, Colour::Never)).collect();
            if let Some(more) = diagnostics.len().checked_sub(DIAGNOSTICS_MAX + 1) {
                texts.push(format!("and {} more\n", more + 1));
            }
            Refusal::invalid(format!("{error}\n\n{}", texts.join("\n")))
        }
        LoadError::TableTaken { .. } | LoadError::NameTaken { .. } => {
            Refusal::conflict(error.to_string())
        }
        _ => Refusal::invalid(error.to_string()),
    }
}
