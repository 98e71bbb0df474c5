//! The hosts: where each keeps its servers and hooks, and in which form it wants them.

use super::jsonc::{self, Json};
use super::{EditError, Entry, Hook, Plan, toml};
use crate::settings::Places;
use caveman_core::json::{JsonKind, Value};
use std::path::{Path, PathBuf};

/// The name that the server has in every host. Gemini CLI wants no underscore in it.
pub(super) const NAME: &str = "caveman";

/// Whose configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The user's, for every project.
    #[default]
    User,
    /// That of the project in the current folder.
    Project,
}

/// A host.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// As `install` takes it.
    pub name: &'static str,
    /// As its makers call it.
    pub title: &'static str,
    /// Where servers stand in its file.
    key: &'static str,
    form: Form,
    user: fn(&Places) -> Option<PathBuf>,
    project: Option<&'static str>,
    hook: Option<HookForm>,
    /// What the user has to do then.
    pub then: &'static str,
}

/// How a server is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `{"command": …, "args": […]}`
    Plain,
    /// The same with `"type": "stdio"`.
    Typed,
    /// The same with `"source": "custom"`.
    Custom,
    /// `{"type": "local", "command": [program, argument…], "enabled": true}`
    OneList,
    /// A TOML table.
    Toml,
}

/// How a hook is written down.
#[derive(Clone, Copy, Debug)]
struct HookForm {
    user: fn(&Places) -> Option<PathBuf>,
    project: &'static str,
    file: HookFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HookFile {
    /// `hooks.EVENT[] {"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}`
    Groups { event: &'static str, matcher: &'static str, timeout: u64 },
    /// `hooks.postToolUse[] {"command": …, "matcher": …, "timeout": …}` beside `"version": 1`
    Flat { event: &'static str, matcher: &'static str, timeout: u64 },
    /// A plugin of our own, a whole file.
    Plugin,
}

/// The file of a user, under the folder that a variable of the host names or its default.
fn in_home(places: &Places, name: &str) -> Option<PathBuf> {
    Some(places.home.as_ref()?.join(name))
}

/// The folder of one application's settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
fn in_settings(places: &Places, name: &str) -> Option<PathBuf> {
    let folder = if cfg!(target_os = "macos") {
        in_home(places, "Library/Application Support")
    } else if cfg!(windows) {
        places.app_data.clone()
    } else {
        in_config(places, "")
    };
    Some(folder?.join(name))
}

fn in_config(places: &Places, name: &str) -> Option<PathBuf> {
    let folder = places.config.clone().or_else(|| in_home(places, ".config"));
    Some(if name.is_empty() { folder? } else { folder?.join(name) })
}

fn claude_code(places: &Places) -> Option<PathBuf> {
    match &places.claude_config_dir {
        Some(folder) => Some(folder.join(".claude.json")),
        None => in_home(places, ".claude.json"),
    }
}

fn claude_code_settings(places: &Places) -> Option<PathBuf> {
    match &places.claude_config_dir {
        Some(folder) => Some(folder.join("settings.json")),
        None => in_home(places, ".claude/settings.json"),
    }
}

fn codex(places: &Places) -> Option<PathBuf> {
    places.codex_home.clone().or_else(|| in_home(places, ".codex"))
}

fn gemini(places: &Places) -> Option<PathBuf> {
    let home = places.gemini_home.clone().or_else(|| places.home.clone());
    Some(home?.join(".gemini/settings.json"))
}

fn opencode_folder(places: &Places) -> Option<PathBuf> {
    places.opencode_config_dir.clone().or_else(|| in_config(places, "opencode"))
}

/// `opencode.json`, or `opencode.jsonc` where that is there.
fn opencode(places: &Places) -> Option<PathBuf> {
    if let Some(file) = &places.opencode_config {
        return Some(file.clone());
    }
    let folder = opencode_folder(places)?;
    let commented = folder.join("opencode.jsonc");
    Some(if commented.exists() { commented } else { folder.join("opencode.json") })
}

fn vscode_user(places: &Places) -> Option<PathBuf> {
    match &places.vscode_portable {
        Some(folder) => Some(folder.join("user-data/User")),
        None => in_settings(places, "Code/User"),
    }
}

fn cline(places: &Places) -> Option<PathBuf> {
    let name = "settings/cline_mcp_settings.json";
    if let Some(folder) = &places.cline_dir {
        return Some(folder.join("data").join(name));
    }
    // The extension's file where VS Code is, else that of Cline's own command.
    let extension = vscode_user(places)?;
    if extension.exists() {
        return Some(extension.join("globalStorage/saoudrizwan.claude-dev").join(name));
    }
    in_home(places, &format!(".cline/data/{name}"))
}

fn zed(places: &Places) -> Option<PathBuf> {
    if cfg!(windows) {
        return Some(places.app_data.clone()?.join("Zed/settings.json"));
    }
    in_config(places, "zed/settings.json")
}

/// Every host.
pub const ALL: &[Host] = &[
    Host {
        name: "claude-code",
        title: "Claude Code",
        key: "mcpServers",
        form: Form::Typed,
        user: claude_code,
        project: Some(".mcp.json"),
        hook: Some(HookForm {
            user: claude_code_settings,
            project: ".claude/settings.json",
            file: HookFile::Groups {
                event: "PostToolUse",
                matcher: "^(Bash|Read|Grep|Glob|WebFetch|mcp__.+)$",
                timeout: 10,
            },
        }),
        then: "Sessions that are started from now on have it.",
    },
    Host {
        name: "claude-desktop",
        title: "Claude Desktop",
        key: "mcpServers",
        form: Form::Plain,
        user: |places| in_settings(places, "Claude/claude_desktop_config.json"),
        project: None,
        hook: None,
        then: "Restart Claude Desktop.",
    },
    Host {
        name: "cursor",
        title: "Cursor",
        key: "mcpServers",
        form: Form::Plain,
        user: |places| in_home(places, ".cursor/mcp.json"),
        project: Some(".cursor/mcp.json"),
        hook: Some(HookForm {
            user: |places| in_home(places, ".cursor/hooks.json"),
            project: ".cursor/hooks.json",
            file: HookFile::Flat { event: "postToolUse", matcher: "^MCP:", timeout: 10 },
        }),
        then: "Switch the server on in Cursor's settings if it is not.",
    },
    Host {
        name: "vscode",
        title: "VS Code",
        key: "servers",
        form: Form::Typed,
        user: |places| Some(vscode_user(places)?.join("mcp.json")),
        project: Some(".vscode/mcp.json"),
        hook: None,
        then: "Start the server from the editor's list of MCP servers, and trust it when asked.",
    },
    Host {
        name: "codex",
        title: "Codex",
        key: "mcp_servers",
        form: Form::Toml,
        user: |places| Some(codex(places)?.join("config.toml")),
        project: Some(".codex/config.toml"),
        hook: Some(HookForm {
            user: |places| Some(codex(places)?.join("hooks.json")),
            project: ".codex/hooks.json",
            file: HookFile::Groups {
                event: "PostToolUse",
                matcher: "^(Bash|mcp__.+)$",
                timeout: 10,
            },
        }),
        then: "Codex runs a hook only once you have trusted it: open Codex and enter /hooks.",
    },
    Host {
        name: "gemini",
        title: "Gemini CLI",
        key: "mcpServers",
        form: Form::Plain,
        user: gemini,
        project: Some(".gemini/settings.json"),
        hook: Some(HookForm {
            user: gemini,
            project: ".gemini/settings.json",
            // Milliseconds, as this host counts.
            file: HookFile::Groups {
                event: "AfterTool",
                matcher: "^(run_shell_command|read_file|grep_search|search_file_content|glob|list_directory|web_fetch|mcp_.+)$",
                timeout: 10_000,
            },
        }),
        then: "Sessions that are started from now on have it.",
    },
    Host {
        name: "opencode",
        title: "opencode",
        key: "mcp",
        form: Form::OneList,
        user: opencode,
        project: Some("opencode.json"),
        hook: Some(HookForm {
            user: |places| Some(opencode_folder(places)?.join("plugins/caveman.js")),
            project: ".opencode/plugins/caveman.js",
            file: HookFile::Plugin,
        }),
        then: "Sessions that are started from now on have it.",
    },
    Host {
        name: "windsurf",
        title: "Windsurf",
        key: "mcpServers",
        form: Form::Plain,
        user: |places| in_home(places, ".codeium/windsurf/mcp_config.json"),
        project: None,
        hook: None,
        then: "Refresh the list of servers in Windsurf.",
    },
    Host {
        name: "zed",
        title: "Zed",
        key: "context_servers",
        form: Form::Custom,
        user: zed,
        project: Some(".zed/settings.json"),
        hook: None,
        then: "Zed starts it by itself.",
    },
    Host {
        name: "cline",
        title: "Cline",
        key: "mcpServers",
        form: Form::Plain,
        user: cline,
        project: None,
        hook: None,
        then: "Cline starts it by itself.",
    },
];

/// One change to one file.
pub(super) struct Change {
    pub(super) path: PathBuf,
    host: &'static Host,
    what: What,
}

enum What {
    Server,
    Hook(HookFile),
}

impl Host {
    /// By its name.
    pub fn of(name: &str) -> Option<&'static Host> {
        ALL.iter().find(|host| host.name == name)
    }

    /// Whether it has a hook that can be answered.
    pub fn has_hook(&self) -> bool {
        self.hook.is_some()
    }

    /// Whether a project can have a configuration of its own.
    pub fn has_project(&self) -> bool {
        self.project.is_some()
    }

    /// The file that its servers stand in.
    pub fn file(&self, scope: Scope, places: &Places) -> Result<PathBuf, EditError> {
        place(self, scope, self.user, self.project, places)
    }

    /// The file that its hook stands in, where it has one.
    pub fn hook_file(&self, scope: Scope, places: &Places) -> Option<PathBuf> {
        let hook = self.hook?;
        place(self, scope, hook.user, Some(hook.project), places).ok()
    }

    pub(super) fn changes(
        &'static self,
        plan: &Plan,
        places: &Places,
    ) -> Result<Vec<Change>, EditError> {
        let path = self.file(plan.scope, places)?;
        let mut changes = vec![Change { path, host: self, what: What::Server }];
        if let (Hook::With, Some(hook)) = (plan.hook, self.hook) {
            let path = place(self, plan.scope, hook.user, Some(hook.project), places)?;
            changes.push(Change { path, host: self, what: What::Hook(hook.file) });
        }
        Ok(changes)
    }

    /// The server as this text has it.
    pub(super) fn entry(&self, text: &str) -> Result<Option<Entry>, EditError> {
        if self.form == Form::Toml {
            return toml::server(text, &[self.key, NAME]);
        }
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            return Ok(None);
        }
        let tape = jsonc::read(text)?;
        let Some(server) = jsonc::get(tape.root(), &[self.key, NAME]) else { return Ok(None) };
        let texts = |value: Option<Value<'_>>| -> Vec<String> {
            let values = value.into_iter().flat_map(Value::elements);
            values.filter_map(|value| Some(value.as_str()?.into_owned())).collect()
        };
        let is =
            |name: &str, text: &str| server.get(name).is_some_and(|value| value.text() == text);
        let is_off = is("enabled", "false") || is("disabled", "true");
        let command = server.get("command");
        if command.is_some_and(|value| value.kind() == JsonKind::Array) {
            let mut words = texts(command).into_iter();
            let command = words.next().unwrap_or_default();
            return Ok(Some(Entry { command, args: words.collect(), is_off }));
        }
        let command = command.and_then(Value::as_str).unwrap_or_default().into_owned();
        Ok(Some(Entry { command, args: texts(server.get("args")), is_off }))
    }

    /// The program that the hook in this text runs.
    pub(super) fn hook_command(&self, text: &str) -> Result<Option<String>, EditError> {
        let Some(hook) = self.hook else { return Ok(None) };
        let (HookFile::Groups { event, .. } | HookFile::Flat { event, .. }) = hook.file else {
            let line = text.lines().find_map(|line| line.strip_prefix("const command = "));
            let command =
                line.and_then(|line| caveman_core::json::read(line.trim_end_matches(';')).ok());
            return Ok(command.and_then(|tape| Some(tape.root().as_str()?.into_owned())));
        };
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            return Ok(None);
        }
        let tape = jsonc::read(text)?;
        let list = jsonc::get(tape.root(), &["hooks", event]);
        let ours =
            list.into_iter().flat_map(Value::elements).find(|value| is_our_hook(*value, self.name));
        Ok(ours.and_then(|value| unquoted(&command_of(value)?, self.name)))
    }
}

fn place(
    host: &Host,
    scope: Scope,
    user: fn(&Places) -> Option<PathBuf>,
    project: Option<&str>,
    places: &Places,
) -> Result<PathBuf, EditError> {
    match scope {
        Scope::User => user(places).ok_or_else(|| {
            EditError(format!("{}: there is no home folder to look in", host.title))
        }),
        Scope::Project => {
            let name = project.ok_or_else(|| {
                EditError(format!(
                    "{} has no configuration by project; leave --scope out",
                    host.title
                ))
            })?;
            Ok(places.current.join(name))
        }
    }
}

/// What a host's shell reads as this one program.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:\\".contains(c);
    if text.chars().all(is_plain) && (cfg!(windows) || !text.contains('\\')) {
        return text;
    }
    if cfg!(windows) { format!("\"{text}\"") } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// The program in a hook's command line.
fn unquoted(line: &str, host: &str) -> Option<String> {
    let program = line.strip_suffix(&format!(" hook {host}"))?;
    let bare = program.strip_prefix(['\'', '"']).and_then(|p| p.strip_suffix(['\'', '"']));
    Some(bare.unwrap_or(program).replace("'\\''", "'"))
}

/// The command line of a hook, of a group of them the first.
fn command_of(hook: Value<'_>) -> Option<String> {
    let inner = hook.get("hooks").and_then(|hooks| hooks.elements().next()).unwrap_or(hook);
    Some(inner.get("command")?.as_str()?.into_owned())
}

fn is_our_hook(hook: Value<'_>, host: &str) -> bool {
    command_of(hook)
        .is_some_and(|line| line.contains("caveman") && line.ends_with(&format!(" hook {host}")))
}

impl Change {
    pub(super) fn put(&self, text: &str, plan: &Plan) -> Result<String, EditError> {
        let command = plan.command.display().to_string();
        match self.what {
            What::Server if self.host.form == Form::Toml => {
                let mut literal = String::new();
                caveman_core::json::write_string(&command, &mut literal);
                let lines = [format!("command = {literal}"), "args = [\"serve\"]".to_owned()];
                toml::put(text, &[self.host.key, NAME], &lines)
            }
            What::Server => {
                if self.host.entry(text)?.is_some_and(|entry| {
                    entry.command == command && entry.args == ["serve"] && !entry.is_off
                }) {
                    return Ok(text.to_owned());
                }
                jsonc::put(text, &[self.host.key, NAME], &self.host.form.server(&command))
            }
            What::Hook(HookFile::Plugin) => Ok(plugin(&command)),
            What::Hook(file @ (HookFile::Groups { event, .. } | HookFile::Flat { event, .. })) => {
                let line = format!("{} hook {}", quoted(&plan.command), self.host.name);
                // One is enough: an old one goes first.
                let is_ours = |value: Value<'_>| is_our_hook(value, self.host.name);
                let mut text = text.to_owned();
                if self.host.hook_command(&text)?.as_deref() == Some(command.as_str()) {
                    return Ok(text);
                }
                if !text.trim_start_matches('\u{feff}').trim().is_empty() {
                    let before = text.clone();
                    if let Some(rest) =
                        jsonc::remove_elements(&text, &["hooks", event], &is_ours, &before)?
                    {
                        text = rest;
                    }
                }
                if matches!(file, HookFile::Flat { .. }) && !has(&text, "version") {
                    text = jsonc::put(&text, &["version"], &Json::Number(1))?;
                }
                jsonc::push(&text, &["hooks", event], &file.hook(&line))
            }
        }
    }

    /// The text without us; `once` is the text before we came.
    pub(super) fn remove(&self, text: &str, once: &str) -> Result<String, EditError> {
        let rest = match self.what {
            What::Server if self.host.form == Form::Toml => {
                toml::remove(text, &[self.host.key, NAME], once)?
            }
            _ if text.trim_start_matches('\u{feff}').trim().is_empty() => None,
            What::Server => jsonc::remove(text, &[self.host.key, NAME], once)?,
            What::Hook(HookFile::Plugin) => text.starts_with(PLUGIN_HEAD).then(String::new),
            What::Hook(HookFile::Groups { event, .. } | HookFile::Flat { event, .. }) => {
                let is_ours = |value: Value<'_>| is_our_hook(value, self.host.name);
                let rest = jsonc::remove_elements(text, &["hooks", event], &is_ours, once)?;
                match rest {
                    Some(rest)
                        if matches!(self.what, What::Hook(HookFile::Flat { .. }))
                            && !has(once, "version")
                            && (!once.is_empty() || only(&rest, "version")) =>
                    {
                        jsonc::remove(&rest, &["version"], once)?
                    }
                    rest => rest,
                }
            }
        };
        let Some(rest) = rest else { return Ok(text.to_owned()) };
        // A document that was blank is blank again, however it was blank.
        let is_blank = once.trim_start_matches('\u{feff}').trim().is_empty();
        Ok(if is_blank && self.is_nothing(&rest) { once.to_owned() } else { rest })
    }

    /// Whether a document says nothing.
    pub(super) fn is_nothing(&self, text: &str) -> bool {
        let bare: String = text.trim_start_matches('\u{feff}').split_whitespace().collect();
        bare.is_empty() || bare == "{}"
    }
}

/// Whether a document has that member.
fn has(text: &str, name: &str) -> bool {
    jsonc::read(text).is_ok_and(|tape| jsonc::get(tape.root(), &[name]).is_some())
}

/// Whether a document has that member and no other.
fn only(text: &str, name: &str) -> bool {
    jsonc::read(text).is_ok_and(|tape| tape.root().len() == 1) && has(text, name)
}

impl Form {
    fn server(self, command: &str) -> Json {
        let text = |text: &str| Json::Text(text.to_owned());
        let args = ("args", Json::List(vec![text("serve")]));
        Json::Object(match self {
            Form::Plain | Form::Toml => vec![("command", text(command)), args],
            Form::Typed => vec![("type", text("stdio")), ("command", text(command)), args],
            Form::Custom => vec![("source", text("custom")), ("command", text(command)), args],
            Form::OneList => vec![
                ("type", text("local")),
                ("command", Json::List(vec![text(command), text("serve")])),
                ("enabled", Json::True),
            ],
        })
    }
}

impl HookFile {
    fn hook(self, line: &str) -> Json {
        let text = |text: &str| Json::Text(text.to_owned());
        match self {
            HookFile::Groups { matcher, timeout, .. } => Json::Object(vec![
                ("matcher", text(matcher)),
                (
                    "hooks",
                    Json::List(vec![Json::Object(vec![
                        ("type", text("command")),
                        ("command", text(line)),
                        ("timeout", Json::Number(timeout)),
                    ])]),
                ),
            ]),
            HookFile::Flat { matcher, timeout, .. } => Json::Object(vec![
                ("command", text(line)),
                ("matcher", text(matcher)),
                ("timeout", Json::Number(timeout)),
            ]),
            HookFile::Plugin => text(line),
        }
    }
}

const PLUGIN_HEAD: &str = "// Written by `caveman-mcp install opencode --hook`";

/// The plugin of opencode: hands a tool's result over, takes the shorter one, and leaves it alone in every doubt.
fn plugin(command: &str) -> String {
    let mut literal = String::new();
    caveman_core::json::write_string(command, &mut literal);
    format!(
        "{PLUGIN_HEAD}; `caveman-mcp uninstall opencode` removes it.\n\
import {{ spawnSync }} from 'node:child_process';\n\n\
const command = {literal};\n\n\
export const Caveman = async () => ({{\n  \
'tool.execute.after': async ({{ tool, args }}, output) => {{\n    \
try {{\n      \
const input = JSON.stringify({{ tool, args: args ?? {{}}, output }});\n      \
const options = {{ input, encoding: 'utf8', timeout: 10_000, maxBuffer: 2 ** 26 }};\n      \
const {{ stdout }} = spawnSync(command, ['hook', 'opencode'], options);\n      \
if (stdout) Object.assign(output, JSON.parse(stdout));\n    \
}} catch {{\n      \
// The result stays as it was.\n    \
}}\n  \
}},\n\
}});\n"
    )
}
