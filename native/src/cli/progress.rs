//! A bar on stderr while a long payload is read, for the person who waits at a terminal.

use super::output::grouped;
use std::io::{self, IsTerminal, Read, Write};

/// What is shorter is read before anybody looks.
const FROM_BYTES: u64 = 8 * 1024 * 1024;
/// So often it is drawn anew.
const STEP_BYTES: u64 = 4 * 1024 * 1024;
/// Cells of the bar.
const WIDTH: u64 = 24;

/// A reader that shows how far it is.
pub(super) struct Progress<R> {
    inner: R,
    n_read: u64,
    n_drawn: u64,
    /// How much there is, where that is known.
    total: Option<u64>,
    is_seen: bool,
}

impl<R: Read> Progress<R> {
    pub(super) fn new(inner: R, total: Option<u64>) -> Progress<R> {
        let is_seen = io::stderr().is_terminal();
        Progress { inner, n_read: 0, n_drawn: 0, total, is_seen }
    }

    fn draw(&mut self) {
        self.n_drawn = self.n_read;
        say(&format!("\r{}", line(self.n_read, self.total)));
    }
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.inner.read(buffer)?;
        self.n_read += n_bytes as u64;
        if self.is_seen && self.n_read > FROM_BYTES && self.n_read >= self.n_drawn + STEP_BYTES {
            self.draw();
        }
        Ok(n_bytes)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        if self.n_drawn > 0 {
            say("\r\u{1b}[K");
        }
    }
}

fn say(text: &str) {
    // Where stderr is closed there is nobody to tell.
    drop(io::stderr().write_all(text.as_bytes()));
}

/// `[######      ] 24 of 96 MiB`
fn line(n_read: u64, total: Option<u64>) -> String {
    let mib = |n_bytes: u64| grouped(n_bytes >> 20);
    match total.filter(|total| *total > 0) {
        Some(total) => {
            let full = n_read.min(total).saturating_mul(WIDTH) / total;
            let bar: String = (0..WIDTH).map(|at| if at < full { '#' } else { ' ' }).collect();
            format!("[{bar}] {} of {} MiB", mib(n_read), mib(total))
        }
        None => format!("{} MiB read", mib(n_read)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_up() {
        assert_eq!(line(0, Some(96 << 20)), format!("[{}] 0 of 96 MiB", " ".repeat(24)));
        assert_eq!(
            line(48 << 20, Some(96 << 20)),
            format!("[{}{}] 48 of 96 MiB", "#".repeat(12), " ".repeat(12))
        );
        assert_eq!(line(97 << 20, Some(96 << 20)), format!("[{}] 97 of 96 MiB", "#".repeat(24)));
        assert_eq!(line(3 << 30, None), "3,072 MiB read");
    }
}
