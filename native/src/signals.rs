//! SIGTERM and SIGINT end the server with status 0: at once while it waits for input, else after the answer in hand.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the signal handlers and the loop tell each other. No thread: the handlers only look at flags.
#[derive(Debug, Default)]
pub struct Signals {
    idle: Arc<AtomicBool>,
    end_asked: Arc<AtomicBool>,
}

impl Signals {
    /// Installs the handlers.
    pub fn install() -> io::Result<Signals> {
        let signals = Signals::default();
        for signal in [SIGTERM, SIGINT] {
            // In this order: while idle the first one ends the process before the second one runs.
            flag::register_conditional_shutdown(signal, 0, Arc::clone(&signals.idle))?;
            flag::register(signal, Arc::clone(&signals.end_asked))?;
        }
        Ok(signals)
    }

    /// Nothing is in hand: from now on a signal ends the process. One that came while busy has set the other flag, and is
    /// seen by [`Signals::is_end_asked`] before the loop gets here, or now.
    pub(crate) fn idle(&self) {
        self.idle.store(true, Ordering::SeqCst);
        if self.is_end_asked() {
            signal_hook::low_level::exit(0);
        }
    }

    /// Something is in hand.
    pub(crate) fn busy(&self) {
        self.idle.store(false, Ordering::SeqCst);
    }

    /// Whether a signal came while something was in hand.
    pub(crate) fn is_end_asked(&self) -> bool {
        self.end_asked.load(Ordering::SeqCst)
    }
}
