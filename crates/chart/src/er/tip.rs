//! The tips of links: how many there are at an end, by the feet of a crow.

use super::diagram::End;
use crate::markup::Element;

/// Draws a tip at the edge of a box, from which the line leads to the right (1) or to the left
/// (-1).
pub(super) fn tip(end: End, (x, y): (f64, f64), direction: f64) -> Vec<Element> {
    let bar = |distance: f64| {
        let at = x + direction * distance;
        line((at, y - 6.0), (at, y + 6.0))
    };
    let circle = |distance: f64| {
        Element::new("circle")
            .class("hollow")
            .attribute("cx", x + direction * distance)
            .attribute("cy", y)
            .attribute("r", 3.5)
    };
    match end {
        End::One => vec![bar(8.0), bar(13.0)],
        End::AtMostOne => vec![bar(8.0), circle(15.5)],
        End::Many => {
            let ankle = (x + direction * 12.0, y);
            vec![line(ankle, (x, y - 6.5)), line(ankle, (x, y + 6.5)), circle(15.5)]
        }
    }
}

fn line(from: (f64, f64), to: (f64, f64)) -> Element {
    Element::new("path")
        .attribute("d", format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1))
}
