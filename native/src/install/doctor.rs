//! What is wrong, in one line each: with a host's configuration, with the command in it, with the hook, with the store.

use super::hosts::{ALL, Host, Scope};
use super::{Entry, probe};
use crate::settings::{Places, Settings};
use crate::store::{Access, SqliteStore};
use caveman_core::store::RecoveryStore;
use std::fs;
use std::path::{Path, PathBuf};

/// One line of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about: a host's name, `store`, `environment`.
    pub about: String,
    /// Whether something has to be done.
    pub is_wrong: bool,
    /// What is the case, and what to do.
    pub text: String,
}

impl Finding {
    fn good(about: &str, text: String) -> Finding {
        Finding { about: about.to_owned(), is_wrong: false, text }
    }

    fn wrong(about: &str, text: String) -> Finding {
        Finding { about: about.to_owned(), is_wrong: true, text }
    }
}

/// Looks at the store and at every host that has us in a configuration, or at `only`, which ought to.
pub fn examine(settings: &Settings, places: &Places, only: Option<&'static Host>) -> Vec<Finding> {
    let mut findings = vec![store(settings)];
    let hosts = ALL.iter().filter(|host| only.is_none_or(|only| only.name == host.name));
    for host in hosts {
        let found = in_host(host, places);
        if found.is_empty() && only.is_some() {
            let text = format!("is not configured; run: caveman-mcp install {}", host.name);
            findings.push(Finding::wrong(host.name, text));
        }
        findings.extend(found);
    }
    if findings.len() == 1 && only.is_none() {
        let names: Vec<&str> = ALL.iter().map(|host| host.name).collect();
        let text =
            format!("no host is configured; run: caveman-mcp install HOST ({})", names.join(", "));
        findings.push(Finding::wrong("hosts", text));
    }
    findings
}

fn store(settings: &Settings) -> Finding {
    const ABOUT: &str = "store";
    if settings.ephemeral {
        let text = "CAVEMAN_MCP_EPHEMERAL is set: originals are lost when a server ends, and hooks do nothing";
        return Finding::wrong(ABOUT, text.to_owned());
    }
    let mut store = match SqliteStore::of(settings, Access::ReadOnly) {
        Ok(store) => store,
        Err(error) => return Finding::wrong(ABOUT, error.to_string()),
    };
    let path = store.path().display().to_string();
    if !store.exists() {
        return Finding::good(ABOUT, format!("{path}: nothing stored yet"));
    }
    match store.verify() {
        Err(error) => Finding::wrong(ABOUT, error.to_string()),
        Ok(findings) if !findings.is_sound() => {
            Finding::wrong(ABOUT, format!("{path} is damaged; run: caveman-mcp store verify"))
        }
        Ok(findings) => {
            let info = store.info();
            let is_full = info.limit_bytes > 0 && info.bytes >= info.limit_bytes;
            if is_full {
                let text = format!(
                    "{path} is full: raise CAVEMAN_CCR_MAX_BYTES or run: caveman-mcp store prune"
                );
                return Finding::wrong(ABOUT, text);
            }
            Finding::good(ABOUT, format!("{path}: {} originals, all sound", findings.n_entries))
        }
    }
}

/// What there is to say of a host's configurations; nothing where we do not stand in any.
fn in_host(host: &'static Host, places: &Places) -> Vec<Finding> {
    let scopes = [Scope::User, Scope::Project];
    let files = scopes.iter().filter_map(|scope| host.file(*scope, places).ok());
    let hook_files = scopes.iter().filter_map(|scope| host.hook_file(*scope, places));
    let (mut servers, mut hooks) = (Vec::new(), Vec::new());
    for path in distinct(files) {
        match read(&path).map(|text| host.entry(&text).map_err(|error| error.at(&path).to_string()))
        {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(entry))) => servers.push(server(host, &path, &entry)),
            Err(why) | Ok(Err(why)) => servers.push(Finding::wrong(host.name, why)),
        }
    }
    for path in distinct(hook_files) {
        match read(&path).map(|text| host.hook_command(&text).map_err(|e| e.at(&path).to_string()))
        {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(command))) => hooks.push(match program(&command) {
                Err(why) => {
                    Finding::wrong(host.name, format!("{}: the hook: {why}", path.display()))
                }
                Ok(()) => {
                    Finding::good(host.name, format!("{}: the hook is there", path.display()))
                }
            }),
            // A file that holds servers and hooks is broken once.
            Err(why) | Ok(Err(why)) if servers.iter().any(|finding| finding.text == why) => {}
            Err(why) | Ok(Err(why)) => hooks.push(Finding::wrong(host.name, why)),
        }
    }
    if servers.is_empty() && hooks.iter().any(|finding| !finding.is_wrong) {
        let name = host.name;
        let text = format!(
            "has the hook and not the server, so nothing can be retrieved; run: caveman-mcp install {name}"
        );
        servers.push(Finding::wrong(name, text));
    }
    servers.extend(hooks);
    servers
}

/// In the home folder, the user's configuration and that of the project can be one.
fn distinct(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = paths.collect();
    out.dedup();
    out
}

/// What there is to say of one server in one configuration.
fn server(host: &'static Host, path: &Path, entry: &Entry) -> Finding {
    let (name, path, command) = (host.name, path.display(), &entry.command);
    if entry.is_off {
        return Finding::wrong(name, format!("{path}: the server is switched off there"));
    }
    if let Err(why) = program(command) {
        return Finding::wrong(name, format!("{path}: {why}"));
    }
    let ours = env!("CARGO_PKG_VERSION");
    match probe(command, &entry.args) {
        Err(why) => Finding::wrong(name, format!("{path}: {command} {why}")),
        Ok(probe) if probe.version != ours => {
            let theirs = probe.version;
            let text = format!(
                "{path}: {command} is version {theirs}, this is {ours}; run: caveman-mcp install {name}"
            );
            Finding::wrong(name, text)
        }
        Ok(probe) => Finding::good(
            name,
            format!("{path}: {} tools, compresses and gives back", probe.n_tools),
        ),
    }
}

fn read(path: &Path) -> Result<String, String> {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|error| {
            format!("{} is not UTF-8 at byte {}", path.display(), error.utf8_error().valid_up_to())
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

/// Whether there is a program to run. A name without a folder is the host's to find.
fn program(command: &str) -> Result<(), String> {
    let path = Path::new(command);
    if command.is_empty() {
        return Err("no command is given for the server".to_owned());
    }
    if path.components().count() == 1 {
        return Ok(());
    }
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(format!("{command} does not exist"))
        }
        Err(error) => Err(format!("{command} cannot be looked at: {error}")),
        Ok(metadata) if !metadata.is_file() => Err(format!("{command} is not a program")),
        Ok(metadata) if !is_executable(&metadata) => Err(format!("{command} is not executable")),
        Ok(_) => Ok(()),
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}
