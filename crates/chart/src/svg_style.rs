//! The style of pictures. A picture carries its own, since it also stands alone.

use super::palette::{Theme, entity_colours};

/// What is the same in both themes. `SCOPE` is the class of the picture, so that its rules do not
/// reach the page that it stands in.
const SHAPES: &str = "\
.SCOPE{font-family:system-ui,-apple-system,'Segoe UI',sans-serif}
.SCOPE .name{font-size:14px;font-weight:650}
.SCOPE .attribute text,.SCOPE .value{font-size:12px;\
    font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.SCOPE .attribute .mark{font-size:9.5px;font-weight:700;letter-spacing:.02em;font-family:inherit}
.SCOPE .key text{font-weight:600}
.SCOPE .attribute .kind{font-weight:400}
.SCOPE .label,.SCOPE .note,.SCOPE .caption{font-size:11px}
.SCOPE .caption{font-size:9.5px}
.SCOPE .label{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
.SCOPE .frame{fill:none;stroke-width:1.25}
.SCOPE .embedded .frame,.SCOPE .dashed .course{stroke-dasharray:5 4}
.SCOPE .link path,.SCOPE .link circle{fill:none;stroke-width:1.4}
";

/// The style of a picture with this many entities.
pub(super) fn svg_style(scope: &str, entities: usize) -> String {
    let light = theme(scope, entities, Theme::Light);
    let dark = theme(scope, entities, Theme::Dark);
    let shapes = SHAPES.replace("SCOPE", scope);
    format!("\n{shapes}{light}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n")
}

fn theme(scope: &str, entities: usize, theme: Theme) -> String {
    let (paper, text, muted, line) = match theme {
        Theme::Light => ("#ffffff", "#1b1f24", "#57606a", "#7d8691"),
        Theme::Dark => ("#14171b", "#e6e8eb", "#9aa4af", "#828c97"),
    };
    let mut rules = format!(
        ".{scope} text{{fill:{text}}}\n\
         .{scope} .sheet,.{scope} .body{{fill:{paper}}}\n\
         .{scope} .link .hollow{{fill:{paper}}}\n\
         .{scope} .link path,.{scope} .link circle{{stroke:{line}}}\n\
         .{scope} .rule{{stroke:{line};stroke-opacity:.35}}\n\
         .{scope} .label{{fill:{text};stroke:{paper}}}\n\
         .{scope} .kind,.{scope} .note,.{scope} .caption{{fill:{muted}}}\n"
    );
    for place in 0..entities {
        let colours = entity_colours(place, theme);
        let (ink, tint) = (colours.ink, colours.tint);
        rules += &format!(
            ".{scope} .e{place} .band{{fill:{tint}}}\
             .{scope} .e{place} .frame{{stroke:{ink}}}\
             .{scope} .e{place} .name,.{scope} .e{place} .mark{{fill:{ink}}}\
             .{scope} .e{place} .bar{{fill:{ink}}}\n"
        );
    }
    rules
}
