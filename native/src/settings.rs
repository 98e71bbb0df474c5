//! What the environment asks for. The only reader of environment variables; everything else is handed a [`Settings`].

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// Default of `CAVEMAN_CCR_MAX_BYTES`: 512 MiB.
pub const DEFAULT_MAX_BYTES: u64 = 512 * 1024 * 1024;
/// Default of `CAVEMAN_CCR_RETENTION_DAYS`.
pub const DEFAULT_RETENTION_DAYS: u64 = 30;
/// A hundred years; a larger number is a mistake.
const MAX_RETENTION_DAYS: u64 = 36_500;

/// The settings of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `CAVEMAN_HOME`. Default: `.caveman` in the user's home; `None` when there is no home either.
    pub home: Option<PathBuf>,
    /// `CAVEMAN_CCR_DB`. Default: `None`, which means `ccr.db` in `home`.
    pub ccr_db: Option<PathBuf>,
    /// `CAVEMAN_CCR_MAX_BYTES`: how many bytes of originals are kept; 0 for no limit. Default: 512 MiB.
    pub max_bytes: u64,
    /// `CAVEMAN_CCR_RETENTION_DAYS`: originals untouched for so long may be pruned; 0 for never. Default: 30.
    pub retention_days: u64,
    /// `CAVEMAN_MCP_EPHEMERAL`: keep originals in memory and touch no disk. Default: no.
    pub ephemeral: bool,
    /// `CAVEMAN_MCP_TOOLS`: the tools that the server lists, comma separated. Default: all.
    pub tools: Option<String>,
    /// Whether a terminal is shown colours: not with `NO_COLOR` set, nor where `TERM` is `dumb`. Default: yes.
    pub color: bool,
    /// `CAVEMAN_LOG`: what goes to stderr. Default: warnings and errors.
    pub log: Level,
}

/// Where hosts keep their configurations, as the environment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The current folder, of which a project's configuration is part.
    pub current: PathBuf,
    /// `XDG_CONFIG_HOME`.
    pub config: Option<PathBuf>,
    /// `APPDATA`.
    pub app_data: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub claude_config_dir: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub codex_home: Option<PathBuf>,
    /// `GEMINI_CLI_HOME`.
    pub gemini_home: Option<PathBuf>,
    /// `OPENCODE_CONFIG`.
    pub opencode_config: Option<PathBuf>,
    /// `OPENCODE_CONFIG_DIR`.
    pub opencode_config_dir: Option<PathBuf>,
    /// `VSCODE_PORTABLE`.
    pub vscode_portable: Option<PathBuf>,
    /// `CLINE_DIR`.
    pub cline_dir: Option<PathBuf>,
}

impl Places {
    /// Reads the environment of this process.
    #[expect(clippy::disallowed_methods, reason = "the only reader of the environment")]
    pub fn from_env() -> Places {
        let folder = |name: &str| {
            std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
        };
        Places {
            home: std::env::home_dir(),
            current: std::env::current_dir().unwrap_or_default(),
            config: folder("XDG_CONFIG_HOME"),
            app_data: folder("APPDATA"),
            claude_config_dir: folder("CLAUDE_CONFIG_DIR"),
            codex_home: folder("CODEX_HOME"),
            gemini_home: folder("GEMINI_CLI_HOME"),
            opencode_config: folder("OPENCODE_CONFIG"),
            opencode_config_dir: folder("OPENCODE_CONFIG_DIR"),
            vscode_portable: folder("VSCODE_PORTABLE"),
            cline_dir: folder("CLINE_DIR"),
        }
    }
}

/// How much is said on stderr; each level holds those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    Off,
    /// What failed.
    Error,
    /// What was worked around.
    Warn,
    /// What was done.
    Info,
    /// Each request.
    Debug,
}

impl Level {
    fn parse(name: &str) -> Option<Level> {
        Some(match name.to_ascii_lowercase().as_str() {
            "off" => Level::Off,
            "error" => Level::Error,
            "warn" => Level::Warn,
            "info" => Level::Info,
            "debug" => Level::Debug,
            _ => return None,
        })
    }
}

/// A variable whose value cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetting {
    variable: &'static str,
    value: String,
    wanted: &'static str,
}

impl BadSetting {
    /// The variable.
    pub fn variable(&self) -> &'static str {
        self.variable
    }
}

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {:?}: give {}", self.variable, self.value, self.wanted)
    }
}

impl std::error::Error for BadSetting {}

impl Settings {
    /// Reads the environment of this process: the settings, with the default in place of each bad value, and the bad values.
    #[expect(clippy::disallowed_methods, reason = "the only reader of the environment")]
    pub fn from_env() -> (Settings, Vec<BadSetting>) {
        Settings::read(|name| std::env::var_os(name), std::env::home_dir())
    }

    /// The same from any source of variables. An empty value counts as none.
    pub fn read(
        variable: impl Fn(&str) -> Option<OsString>,
        user_home: Option<PathBuf>,
    ) -> (Settings, Vec<BadSetting>) {
        let mut reader = Reader { variable, bad: Vec::new() };
        let max_bytes =
            reader.parsed("CAVEMAN_CCR_MAX_BYTES", "a number of bytes, 0 for no limit", |text| {
                text.parse().ok()
            });
        let retention_days = reader.parsed(
            "CAVEMAN_CCR_RETENTION_DAYS",
            "a number of days up to 36500, 0 for never",
            |text| text.parse().ok().filter(|days| *days <= MAX_RETENTION_DAYS),
        );
        let ephemeral = reader.parsed("CAVEMAN_MCP_EPHEMERAL", "1 or 0", |text| match text {
            "1" | "true" => Some(true),
            "0" | "false" => Some(false),
            _ => None,
        });
        let tools = reader.parsed("CAVEMAN_MCP_TOOLS", "names of tools, comma separated", |text| {
            Some(text.to_owned())
        });
        let log = reader.parsed("CAVEMAN_LOG", "off, error, warn, info or debug", Level::parse);
        let home = reader.value("CAVEMAN_HOME").map(PathBuf::from);
        let ccr_db = reader.value("CAVEMAN_CCR_DB").map(PathBuf::from);
        let is_dumb = reader.value("TERM").is_some_and(|term| term == "dumb");
        let color = reader.value("NO_COLOR").is_none() && !is_dumb;
        let settings = Settings {
            home: home.or_else(|| user_home.map(|user| user.join(".caveman"))),
            ccr_db,
            max_bytes: max_bytes.unwrap_or(DEFAULT_MAX_BYTES),
            retention_days: retention_days.unwrap_or(DEFAULT_RETENTION_DAYS),
            ephemeral: ephemeral.unwrap_or(false),
            tools,
            color,
            log: log.unwrap_or(Level::Warn),
        };
        (settings, reader.bad)
    }

    /// The file of the recovery store; `None` when neither a variable nor a home says where.
    pub fn recovery_db(&self) -> Option<PathBuf> {
        self.ccr_db.clone().or_else(|| Some(self.home.as_ref()?.join("ccr.db")))
    }

    /// The file of the memories; `None` when neither a variable nor a home says where.
    pub fn memory_db(&self) -> Option<PathBuf> {
        Some(self.home.as_ref()?.join("mem/mem.db"))
    }
}

/// Reads variables and gathers those that cannot be used.
struct Reader<F> {
    variable: F,
    bad: Vec<BadSetting>,
}

impl<F: Fn(&str) -> Option<OsString>> Reader<F> {
    fn value(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    fn parsed<T>(
        &mut self,
        variable: &'static str,
        wanted: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = self.value(variable)?;
        let parsed = value.to_str().and_then(|text| parse(text.trim()));
        if parsed.is_none() {
            let value = value.to_string_lossy().into_owned();
            self.bad.push(BadSetting { variable, value, wanted });
        }
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> (Settings, Vec<&'static str>) {
        let find = |name: &str| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value))
        };
        let (settings, bad) = Settings::read(find, Some(PathBuf::from("/users/ann")));
        for problem in &bad {
            let text = problem.to_string();
            assert!(text.contains(problem.variable()), "{text}");
        }
        (settings, bad.iter().map(BadSetting::variable).collect())
    }

    #[test]
    fn an_empty_environment_gives_the_defaults() {
        let (settings, bad) = read(&[]);
        assert_eq!(bad, [""; 0]);
        assert_eq!(settings.recovery_db(), Some(PathBuf::from("/users/ann/.caveman/ccr.db")));
        assert_eq!(settings.memory_db(), Some(PathBuf::from("/users/ann/.caveman/mem/mem.db")));
        assert_eq!((settings.max_bytes, settings.retention_days), (536_870_912, 30));
        assert_eq!((settings.ephemeral, settings.log), (false, Level::Warn));
        let empty = read(&[("CAVEMAN_HOME", ""), ("CAVEMAN_CCR_MAX_BYTES", "")]);
        assert_eq!(empty, (settings, bad));
    }

    #[test]
    fn the_database_variable_wins_over_the_home() {
        let home = ("CAVEMAN_HOME", "/h");
        assert_eq!(read(&[home]).0.recovery_db(), Some(PathBuf::from("/h/ccr.db")));
        let both = read(&[home, ("CAVEMAN_CCR_DB", "/d/x.db")]);
        assert_eq!(both.0.recovery_db(), Some(PathBuf::from("/d/x.db")));
    }

    #[test]
    fn every_good_value_is_taken() {
        let (settings, bad) = read(&[
            ("CAVEMAN_CCR_MAX_BYTES", "0"),
            ("CAVEMAN_CCR_RETENTION_DAYS", "7"),
            ("CAVEMAN_MCP_EPHEMERAL", "1"),
            ("CAVEMAN_MCP_TOOLS", "retrieve"),
            ("CAVEMAN_LOG", "DEBUG"),
        ]);
        assert_eq!(bad, [""; 0]);
        assert_eq!((settings.max_bytes, settings.retention_days), (0, 7));
        assert_eq!((settings.ephemeral, settings.log), (true, Level::Debug));
        assert_eq!(settings.tools.as_deref(), Some("retrieve"));
    }

    #[test]
    fn a_bad_value_is_named_and_gives_the_default() {
        let bad = [
            ("CAVEMAN_CCR_MAX_BYTES", "512MB"),
            ("CAVEMAN_CCR_MAX_BYTES", "-1"),
            ("CAVEMAN_CCR_RETENTION_DAYS", "36501"),
            ("CAVEMAN_CCR_RETENTION_DAYS", "1.5"),
            ("CAVEMAN_MCP_EPHEMERAL", "yes"),
            ("CAVEMAN_LOG", "loud"),
        ];
        for pair in bad {
            let (settings, named) = read(&[pair]);
            assert_eq!(named, [pair.0], "{pair:?}");
            assert_eq!(settings, read(&[]).0, "{pair:?}");
        }
    }
}
