//! Access patterns that read a whole table or index.

use monotable_model::document::{IndexChoice, Pattern};
use monotable_plan::{PlannedAction, plan};

use super::condition;
use super::context::Context;
use super::function::Function;
use super::identifier::type_name;
use super::key::keys_of;

/// Writes a scan, or says why the client has no such scan.
pub(super) fn write(
    context: &mut Context<'_>,
    pattern: &Pattern,
    function: &mut Function,
) -> Result<(), String> {
    let plan = plan(context.model, pattern);
    let mut scans = plan.steps.iter().filter(|it| matches!(it.action, PlannedAction::Scan(_)));
    let (Some(request), None) = (scans.next(), scans.next()) else {
        return Err("it is not one scan".to_owned());
    };
    let (table, entity) = context.only_entity(pattern)?;
    let name = type_name(&entity.name);
    let index = request.target.index.as_deref();
    let is_asked_for = matches!(&pattern.index, Some(IndexChoice::Named(_)));
    let (scan, scope) = match index {
        Some(index) => {
            let keys = keys_of(table, entity);
            let key = keys.iter().find(|key| key.index == Some(index));
            let key = key.ok_or_else(|| format!("{} is not in the index", entity.name))?;
            let marker = key.marker(entity);
            (format!("db.scan_index::<{marker}>()"), format!("Entries<{marker}>"))
        }
        None if is_asked_for => return Err("its index does not serve it".to_owned()),
        None => (format!("db.scan_everything::<{name}>()"), format!("Everything<{name}>")),
    };
    let filter = match &pattern.filter {
        Some(filter) => {
            let code = condition::write(filter, entity, &[], function)?.code;
            code.map_or_else(String::new, |code| format!(".filter({code})"))
        }
        None => String::new(),
    };
    if pattern.project.is_some() {
        context.note_pattern(pattern, "project", "all that the table or index holds is read");
    }
    let limit = pattern.limit.map(|limit| format!(".limit({limit})")).unwrap_or_default();
    let consistent = if pattern.consistent { ".consistent()" } else { "" };
    function.returns = format!("Scan<{scope}>");
    function.body = format!("{scan}{filter}{limit}{consistent}");
    Ok(())
}
