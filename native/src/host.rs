//! The clock of this machine, the one place that reads it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The host of a native process.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemHost;

impl caveman_core::host::Host for SystemHost {
    #[expect(clippy::disallowed_methods, reason = "this is the implementation behind core's Host")]
    fn now_ms(&self) -> u64 {
        // A clock before 1970 reads as 1970: dates of originals are for people, no promise rests on them.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// A point in time after which waiting ends. Steady: it does not move with the wall clock.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    #[expect(clippy::disallowed_methods, reason = "bounds a wait for a lock, not the data path")]
    pub fn after(wait: Duration) -> Deadline {
        Deadline(Instant::now() + wait)
    }

    /// What is left; zero when it has passed.
    #[expect(clippy::disallowed_methods, reason = "bounds a wait for a lock, not the data path")]
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// Milliseconds since the Unix epoch as RFC 3339 in UTC: `2026-11-30T15:50:50.123Z`.
pub fn rfc3339(now_ms: u64) -> String {
    let (seconds, ms) = (now_ms / 1000, now_ms % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// Days since 1970-01-01 as year, month, day (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_rfc_3339_in_utc() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (4_107_542_399_001, "2100-02-28T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_796_054_400_000, "2026-11-30T16:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(ms), text);
        }
    }

    #[test]
    fn a_passed_deadline_has_nothing_left() {
        assert_eq!(Deadline::after(Duration::ZERO).left(), Duration::ZERO);
        assert!(Deadline::after(Duration::from_secs(60)).left() > Duration::from_secs(1));
    }
}
