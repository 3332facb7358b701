//! `/_monotable/models`: the models whose tables are watched.

use hyper::StatusCode;
use hyper::http::request::Parts;
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_observe::{LoadError, Observer};
use serde_json::{Map, Value, json};

use super::Refusal;
use crate::handler::Handler;

/// The models that are loaded.
pub(super) fn report<H: Handler>(handler: &H) -> Value {
    let models = handler.observer().map(Observer::models).unwrap_or_default();
    let model = |model: &monotable_observe::LoadedModel| {
        let tables = model.model().tables.iter().map(|table| table.physical_name());
        json!({
            "name": model.name(),
            "source": model.source().name(),
            "tables": tables.collect::<Vec<_>>(),
            "entities": model.model().entities.len(),
            "patterns": model.model().patterns.len(),
        })
    };
    json!({ "models": models.iter().map(|one| model(one)).collect::<Vec<_>>() })
}

/// Loads the model of `{"source":"shop.toml","text":"…"}`, in the place of one of the same name.
pub(super) fn load<H: Handler>(handler: &H, body: &[u8], now_millis: u64) -> Result<(), Refusal> {
    let observer = observer(handler)?;
    let members: Map<String, Value> = serde_json::from_slice(body)
        .map_err(|error| Refusal::invalid(format!("the body is no JSON object: {error}")))?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let Some((source, text)) = text("source").zip(text("text")) else {
        let form = r#"send {"source":"shop.toml","text":"the model"}"#;
        return Err(Refusal::invalid(form));
    };
    let source = SourceFile::new(source, text);
    observer.load(source, now_millis).map_err(|error| refusal(&error))?;
    handler.models_changed();
    Ok(())
}

/// Forgets the model that the query names: `?name=shop`.
pub(super) fn unload<H: Handler>(handler: &H, head: &Parts) -> Result<(), Refusal> {
    let observer = observer(handler)?;
    let mut pairs = head.uri.query().unwrap_or_default().split('&');
    let name = pairs.find_map(|pair| pair.strip_prefix("name="));
    let name = name.ok_or_else(|| Refusal::invalid("say which model: ?name=shop"))?;
    if !observer.unload(name) {
        let status = StatusCode::NOT_FOUND;
        return Err(Refusal { status, reason: format!("there is no model {name}") });
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
            let texts = diagnostics.iter().map(|one| render_text(one, file, Colour::Never));
            Refusal::invalid(format!("{error}\n\n{}", texts.collect::<Vec<_>>().join("\n")))
        }
        LoadError::TableTaken { .. } => Refusal::conflict(error.to_string()),
        _ => Refusal::invalid(error.to_string()),
    }
}
