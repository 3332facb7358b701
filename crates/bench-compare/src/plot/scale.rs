//! From values to positions, and which values are worth a tick.

use monotable_bench::columns::number;

/// How values are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScaleKind {
    /// Equal differences have equal distances. It begins at zero.
    Linear,
    /// Equal ratios have equal distances.
    Logarithmic,
}

/// An axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    kind: ScaleKind,
    least: f64,
    most: f64,
}

impl Scale {
    /// An axis that holds all values; logarithmic ones hold whole powers of ten.
    pub(super) fn over(kind: ScaleKind, values: impl IntoIterator<Item = f64>) -> Scale {
        let usable = |value: &f64| value.is_finite() && *value > 0.0;
        let values: Vec<f64> = values.into_iter().filter(usable).collect();
        let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let least = values.iter().copied().fold(most, f64::min);
        match kind {
            ScaleKind::Linear => Scale { kind, least: 0.0, most: most * 1.05 },
            ScaleKind::Logarithmic => {
                let (least, most) = (least.log10().floor(), most.log10().ceil());
                Scale { kind, least: 10_f64.powf(least), most: 10_f64.powf(most.max(least + 1.0)) }
            }
        }
    }

    /// Where a value lies: 0 at the beginning of the axis, 1 at its end.
    pub(super) fn position(&self, value: f64) -> f64 {
        let share = match self.kind {
            ScaleKind::Linear => (value - self.least) / (self.most - self.least),
            ScaleKind::Logarithmic => {
                (value.max(self.least) / self.least).log10() / (self.most / self.least).log10()
            }
        };
        share.clamp(0.0, 1.0)
    }

    /// Values with their texts.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let values: Vec<f64> = match self.kind {
            ScaleKind::Linear => {
                let step = round_step(self.most / 5.0);
                let ticks = (self.most / step) as u32;
                (0..=ticks).map(|count| f64::from(count) * step).collect()
            }
            ScaleKind::Logarithmic => {
                let decades = (self.most / self.least).log10().round() as i32;
                let least = self.least.log10().round() as i32;
                (0..=decades).map(|power| 10_f64.powi(least + power)).collect()
            }
        };
        let within = values.into_iter().filter(|value| *value <= self.most * 1.001);
        within.map(|value| (value, short(value))).collect()
    }
}

/// The next smaller of 1, 2 and 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= step);
    digit.unwrap_or(1.0) * power
}

/// A number that fits under a tick.
fn short(value: f64) -> String {
    if value < 0.095 {
        // Rust writes as many decimals as there are, and none for zero.
        return value.to_string();
    }
    let (divisor, unit) = match value {
        value if value >= 999_999.0 => (1e6, "M"),
        value if value >= 9_999.0 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let text = number(value / divisor);
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(kind: ScaleKind, values: &[f64]) -> Vec<String> {
        let scale = Scale::over(kind, values.iter().copied());
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_logarithmic_axis_has_a_tick_at_each_power_of_ten() {
        assert_eq!(
            texts(ScaleKind::Logarithmic, &[30.0, 25_000.0]),
            ["10", "100", "1,000", "10k", "100k"]
        );
        assert_eq!(texts(ScaleKind::Logarithmic, &[100.0]), ["100", "1,000"]);
        assert_eq!(texts(ScaleKind::Logarithmic, &[0.02, 3.0]), ["0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn a_linear_axis_begins_at_zero_and_has_round_ticks() {
        assert_eq!(texts(ScaleKind::Linear, &[7.0, 57.0]), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(texts(ScaleKind::Linear, &[2000.0]).len(), 11);
    }

    #[test]
    fn positions_lie_between_the_ends() {
        let scale = Scale::over(ScaleKind::Logarithmic, [1.0, 100.0]);
        assert_eq!(
            [1.0, 10.0, 100.0, 0.1].map(|value| scale.position(value)),
            [0.0, 0.5, 1.0, 0.0]
        );
        assert_eq!(Scale::over(ScaleKind::Linear, []).position(0.0), 0.0);
    }
}
