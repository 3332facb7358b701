//! Colours of entities: one hue each, the same in every output.
//!
//! Colours are chosen in OKLCH, where the same lightness looks equally light in every hue, so that
//! contrast does not depend on which entity it is. A colour is never alone: the name of the entity
//! stands beside it.

/// The hues, in degrees, neighbours far from each other. Entities beyond the last begin again.
const HUES: [f64; 14] =
    [255.0, 55.0, 150.0, 330.0, 195.0, 25.0, 290.0, 105.0, 225.0, 5.0, 170.0, 75.0, 310.0, 130.0];

/// Colours of the 256 that terminals have, light enough for dark backgrounds and dark enough for
/// light ones.
const TERMINAL: [u8; 14] = [33, 172, 35, 169, 37, 167, 98, 106, 74, 161, 30, 136, 133, 70];

/// A colour in OKLCH: lightness, chroma, hue.
#[derive(Debug, Clone, Copy)]
struct Oklch(f64, f64, f64);

/// The colours of an entity on a page, as `#rrggbb`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntityColours {
    /// Behind text.
    pub(super) tint: String,
    /// For text, lines and marks on paper or tint.
    pub(super) ink: String,
}

/// Whether the page is light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    /// Dark text on light paper.
    Light,
    /// Light text on dark paper.
    Dark,
}

/// The colours of the entity at a place of the legend.
pub(super) fn entity_colours(place: usize, theme: Theme) -> EntityColours {
    let hue = HUES.get(place % HUES.len()).copied().unwrap_or_default();
    let (tint, ink) = match theme {
        Theme::Light => (Oklch(0.955, 0.028, hue), Oklch(0.46, 0.12, hue)),
        Theme::Dark => (Oklch(0.29, 0.045, hue), Oklch(0.80, 0.10, hue)),
    };
    EntityColours { tint: tint.hex(), ink: ink.hex() }
}

/// The colour of the entity at a place of the legend in a terminal.
pub(super) fn terminal_colour(place: usize) -> u8 {
    TERMINAL.get(place % TERMINAL.len()).copied().unwrap_or_default()
}

impl Oklch {
    /// The nearest colour that screens have.
    fn hex(self) -> String {
        let [red, green, blue] = self.linear().map(encode);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Linear red, green and blue, by the matrices of the OKLab definition.
    fn linear(self) -> [f64; 3] {
        let Oklch(lightness, chroma, hue) = self;
        let (a, b) = (chroma * hue.to_radians().cos(), chroma * hue.to_radians().sin());
        let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
        ]
    }
}

/// A linear channel as the byte that sRGB stores.
fn encode(linear: f64) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let channel =
        if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (channel * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let byte = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            let part = f64::from(byte) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(left: &str, right: &str) -> f64 {
        let (left, right) = (luminance(left), luminance(right));
        (left.max(right) + 0.05) / (left.min(right) + 0.05)
    }

    #[test]
    fn known_colours_are_converted() {
        assert_eq!(Oklch(1.0, 0.0, 0.0).hex(), "#ffffff");
        assert_eq!(Oklch(0.0, 0.0, 0.0).hex(), "#000000");
        assert_eq!(Oklch(0.627_955, 0.257_683, 29.234).hex(), "#ff0000");
    }

    #[test]
    fn every_ink_can_be_read_on_its_tint_and_on_paper() {
        for (theme, paper, text) in
            [(Theme::Light, "#ffffff", "#1b1f24"), (Theme::Dark, "#14171b", "#e6e8eb")]
        {
            for place in 0..HUES.len() {
                let EntityColours { tint, ink } = entity_colours(place, theme);
                assert!(contrast(&ink, paper) >= 4.5, "{theme:?} {place} {ink} on paper");
                assert!(contrast(&ink, &tint) >= 4.5, "{theme:?} {place} {ink} on {tint}");
                assert!(contrast(text, &tint) >= 7.0, "{theme:?} {place} text on {tint}");
            }
        }
    }

    #[test]
    fn entities_of_a_model_have_different_colours() {
        let mut inks: Vec<String> =
            (0..HUES.len()).map(|place| entity_colours(place, Theme::Light).ink).collect();
        inks.sort();
        inks.dedup();
        assert_eq!(inks.len(), HUES.len());
    }
}
