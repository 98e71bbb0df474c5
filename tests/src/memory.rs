//! The memory of the benches: what an allocator remembers of the runs before must not decide how long the next one takes.

/// Has every large block (128 KiB and more) come fresh from the system and go back at once.
///
/// The allocator of glibc keeps freed blocks for reuse up to a size that it learns, so that a small payload runs in memory that is
/// there and one twice as large waits for pages to be cleared. The C library of the static binary asks the system each time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn fresh_blocks() {
    const MMAP_THRESHOLD: i32 = -3;
    const BYTES: i32 = 128 * 1024;
    unsafe extern "C" {
        fn mallopt(parameter: i32, value: i32) -> i32;
    }
    // SAFETY: a function of glibc that takes two numbers; it is called before any other thread is there.
    let is_set = unsafe { mallopt(MMAP_THRESHOLD, BYTES) };
    assert_eq!(is_set, 1, "glibc takes the threshold");
}

/// Nothing to do where the C library keeps no large blocks, or where it is not known how to ask.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn fresh_blocks() {}
