//! The page: the chart of the model, or what is wrong with it.

use std::path::Path;

use monotable_chart::{Part, Selection, render_html};
use monotable_model::diagnostic::{Colour, render_text};

use crate::commands::model::chart::chart_of;
use crate::commands::model::chart::data::DataArguments;
use crate::commands::model::file::ModelFile;

/// What has the page load itself again when the file is another, also after the server was away.
const SCRIPT: &str = "<script>
const version = document.currentScript.dataset.version;
async function watch() {
  try {
    const answer = await fetch('/changes?since=' + version);
    if (answer.ok && (await answer.text()) !== version) {
      location.reload();
      return;
    }
  } catch (error) {
    await new Promise((resume) => setTimeout(resume, 1000));
  }
  watch();
}
watch();
</script>";

/// The page of a file as it is.
pub(super) fn page(path: &Path, data: &DataArguments, version: &str) -> String {
    let script = SCRIPT.replacen("<script>", &format!("<script data-version=\"{version}\">"), 1);
    let page = drawn(path, data).unwrap_or_else(|mistakes| mistaken(path, &mistakes));
    match page.rfind("</body>") {
        Some(end) => {
            let (before, after) = page.split_at(end);
            format!("{before}{script}{after}")
        }
        None => page + &script,
    }
}

/// The chart, or the mistakes in words.
fn drawn(path: &Path, data: &DataArguments) -> Result<String, String> {
    let file = ModelFile::open(path).map_err(|error| format!("{error:#}"))?;
    let mut document = file.document.map_err(|mistakes| {
        let texts = mistakes.iter().map(|one| render_text(one, &file.source, Colour::Never));
        texts.collect::<Vec<_>>().join("\n")
    })?;
    data.put_into(&mut document.model).map_err(|error| format!("{error:#}"))?;
    let chart = chart_of(document).map_err(|error| format!("{error:#}"))?;
    Ok(render_html(&chart, &Selection { parts: Part::ALL.to_vec(), view: None }))
}

fn mistaken(path: &Path, mistakes: &str) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let name = escaped(&path.display().to_string());
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title>\
         </head><body><h1>{name} has mistakes</h1><pre>{}</pre></body></html>",
        escaped(mistakes)
    )
}
