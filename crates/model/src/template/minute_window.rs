//! Windows of several minutes, of which each hour has a whole number.

/// A window of minutes that an hour divides into: 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MinuteWindow(u8);

impl MinuteWindow {
    /// A window of so many minutes, if an hour divides into several of them.
    pub const fn new(minutes: u8) -> Option<MinuteWindow> {
        if minutes >= 2 && minutes <= 30 && 60 % minutes == 0 {
            Some(MinuteWindow(minutes))
        } else {
            None
        }
    }

    /// All windows, the shortest first.
    pub fn all() -> impl Iterator<Item = MinuteWindow> {
        (2..=30).filter_map(MinuteWindow::new)
    }

    /// How many minutes it has.
    pub fn minutes(self) -> u8 {
        self.0
    }
}
