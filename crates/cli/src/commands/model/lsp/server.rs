//! The methods of the protocol.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use anyhow::Result;
use monotable_model::diagnostic::Span;
use serde_json::{Value, json};

use super::framing::write_message;
use super::inbox::Inbox;
use super::open_file::{OpenFile, View};
use super::position::{offset, range};
use super::{code_action, completion, definition, hover, problems, rename};
use crate::outcome::Outcome;

/// The protocol's number for a method that is not known.
const METHOD_NOT_FOUND: i64 = -32601;
/// The protocol's number for a request that cannot be met.
const REQUEST_FAILED: i64 = -32803;
/// The protocol's number for a request after the editor said goodbye.
const INVALID_REQUEST: i64 = -32600;

/// Files that are open, by their addresses.
#[derive(Default)]
struct Server {
    files: HashMap<String, OpenFile>,
    is_shut_down: bool,
}

/// What an answer holds.
type Answer = Result<Value, (i64, String)>;

/// Answers messages until the editor leaves. It is rude to leave without saying so.
pub(super) fn serve(
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Outcome> {
    let mut server = Server::default();
    let mut inbox = Inbox::new(input);
    while let Some(message) = inbox.next()? {
        let method = member(&message, "/method").as_str().unwrap_or_default();
        if method == "exit" {
            break;
        }
        match message.get("id") {
            Some(id) if !method.is_empty() => {
                let answer = server.answer(method, member(&message, "/params"));
                write_message(output, &response(id, answer))?;
            }
            // An answer to something that was never asked.
            Some(_) => {}
            None => {
                let params = member(&message, "/params");
                server.notice(method, params);
                // Nobody wants to know what is wrong with a text that has changed again.
                if !inbox.is_superseded(&message) {
                    let notice = server.report(method, params);
                    notice.iter().try_for_each(|notice| write_message(output, notice))?;
                }
            }
        }
    }
    Ok(if server.is_shut_down { Outcome::Done } else { Outcome::Negative })
}

fn response(id: &Value, answer: Answer) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => {
            let error = json!({ "code": code, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

impl Server {
    fn answer(&mut self, method: &str, params: &Value) -> Answer {
        if self.is_shut_down {
            return Err((INVALID_REQUEST, "the server was shut down".to_owned()));
        }
        match method {
            "initialize" => Ok(capabilities()),
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            "textDocument/hover" => Ok(self.hover(params).unwrap_or(Value::Null)),
            "textDocument/completion" => Ok(self.completion(params).unwrap_or(Value::Null)),
            "textDocument/codeAction" => Ok(self.actions(params).unwrap_or(Value::Null)),
            "textDocument/definition" => Ok(self.definition(params).unwrap_or(Value::Null)),
            "textDocument/prepareRename" => Ok(self.renamable(params).unwrap_or(Value::Null)),
            "textDocument/rename" => self.rename(params),
            _ => Err((METHOD_NOT_FOUND, format!("{method} is not known here"))),
        }
    }

    /// Takes note of what an editor tells.
    fn notice(&mut self, method: &str, params: &Value) {
        let document = member(params, "/textDocument");
        let Some(uri) = member(document, "/uri").as_str() else { return };
        match method {
            "textDocument/didOpen" => {
                let text = member(document, "/text").as_str().unwrap_or_default().to_owned();
                self.files.insert(uri.to_owned(), OpenFile::new(uri, text));
            }
            "textDocument/didChange" => {
                let changes = member(params, "/contentChanges").as_array();
                let last = changes.and_then(|changes| changes.last());
                let text = last.and_then(|change| member(change, "/text").as_str());
                if let (Some(file), Some(text)) = (self.files.get_mut(uri), text) {
                    file.change(text.to_owned());
                }
            }
            "textDocument/didClose" => {
                self.files.remove(uri);
            }
            _ => {}
        }
    }

    /// What is wrong with the file that a notice is about.
    fn report(&mut self, method: &str, params: &Value) -> Option<Value> {
        let document = member(params, "/textDocument");
        let uri = member(document, "/uri").as_str()?;
        match method {
            "textDocument/didOpen" | "textDocument/didChange" => {
                let file = self.files.get_mut(uri)?;
                file.read();
                let problems = problems::problems(file, uri);
                Some(published(uri, member(document, "/version"), &problems))
            }
            "textDocument/didClose" => Some(published(uri, &Value::Null, &[])),
            _ => None,
        }
    }

    /// The file of a request, and the byte that it is about.
    fn place(&mut self, params: &Value) -> Option<(&OpenFile, usize)> {
        let file = self.files.get_mut(member(params, "/textDocument/uri").as_str()?)?;
        file.read();
        Some((file, offset(&file.text, member(params, "/position"))))
    }

    /// The file of a request, its document, and the byte of the document's text that it is about.
    fn view(&mut self, params: &Value) -> Option<(&OpenFile, View<'_>, usize)> {
        let (file, at) = self.place(params)?;
        let view = file.view()?;
        let at = view.offset(at)?;
        Some((file, view, at))
    }

    fn hover(&mut self, params: &Value) -> Option<Value> {
        let (file, view, at) = self.view(params)?;
        let (text, span) = hover::hover(view.document, at)?;
        let contents = json!({ "kind": "markdown", "value": text });
        let mut answer = json!({ "contents": contents });
        if let (Some(answer), Some(span)) = (answer.as_object_mut(), view.span(span)) {
            answer.insert("range".to_owned(), range(&file.text, span));
        }
        Some(answer)
    }

    fn completion(&mut self, params: &Value) -> Option<Value> {
        let (file, at) = self.place(params)?;
        Some(Value::Array(completion::completion(file, at)))
    }

    fn actions(&mut self, params: &Value) -> Option<Value> {
        let uri = member(params, "/textDocument/uri").as_str()?;
        let file = self.files.get_mut(uri)?;
        file.read();
        let at = |end: &str| offset(&file.text, member(params, end));
        let wanted = Span::new(at("/range/start"), at("/range/end"));
        Some(Value::Array(code_action::actions(file, uri, wanted)))
    }

    fn definition(&mut self, params: &Value) -> Option<Value> {
        let (file, view, at) = self.view(params)?;
        let span = view.span(definition::definition(view.text, view.document, at)?)?;
        let uri = member(params, "/textDocument/uri");
        Some(json!({ "uri": uri, "range": range(&file.text, span) }))
    }

    fn renamable(&mut self, params: &Value) -> Option<Value> {
        let (file, view, at) = self.view(params)?;
        let span = view.span(rename::renamable(view.text, view.document, at)?)?;
        Some(range(&file.text, span))
    }

    fn rename(&mut self, params: &Value) -> Answer {
        let failed = |reason: &str| (REQUEST_FAILED, reason.to_owned());
        let (file, at) = self.place(params).ok_or_else(|| failed("the file is not open"))?;
        let document = file.current();
        let document = document.ok_or_else(|| failed("the model has mistakes: mend them first"))?;
        let name = member(params, "/newName").as_str().unwrap_or_default();
        let spans = rename::rename(&file.text, file.format, document, at, name)
            .map_err(|reason| (REQUEST_FAILED, reason))?;
        let edit = |span| json!({ "range": range(&file.text, span), "newText": name });
        let edits: Vec<Value> = spans.into_iter().map(edit).collect();
        let uri = member(params, "/textDocument/uri").as_str().unwrap_or_default();
        Ok(json!({ "changes": { uri: edits } }))
    }
}

fn capabilities() -> Value {
    // The whole text is sent with every change: models are small, and nothing can drift apart.
    const FULL_TEXT: u8 = 1;
    json!({
        "capabilities": {
            "textDocumentSync": { "openClose": true, "change": FULL_TEXT },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["{", ":", "\"", "."] },
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "definitionProvider": true,
            "renameProvider": { "prepareProvider": true },
        },
        "serverInfo": { "name": "monotable", "version": env!("CARGO_PKG_VERSION") },
    })
}

fn published(uri: &str, version: &Value, problems: &[Value]) -> Value {
    let mut params = json!({ "uri": uri, "diagnostics": problems });
    if let (Some(params), true) = (params.as_object_mut(), version.is_number()) {
        params.insert("version".to_owned(), version.clone());
    }
    json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params })
}

/// A member of a message by its path; null if it is not there.
fn member<'a>(message: &'a Value, path: &str) -> &'a Value {
    message.pointer(path).unwrap_or(&Value::Null)
}
