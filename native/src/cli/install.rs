//! `install`, `uninstall`, `doctor`: into a host's configuration, out of it, and what is wrong with it.

use super::{Failure, output};
use crate::install::{self, Edited, Hook, Host, Lock, Plan, Scope};
use crate::settings::{Places, Settings};
use caveman_core::mcp::Object;
use std::path::{Path, PathBuf};

/// Put the server into a host's configuration, and run it once as the host will.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Hosts: claude-code, claude-desktop, cursor, vscode, codex, gemini, opencode, windsurf, zed, cline.\n\n\
Comments and formatting of the file stay; it is backed up beside itself (FILE.caveman-backup) and replaced in one step. Then \
the command that was written is run: it has to answer, to compress, and to give the original back, else everything is undone.\n\n\
Examples:\n  \
caveman-mcp install claude-code --hook       the server, and the hook that shortens large tool results\n  \
caveman-mcp install codex --dry-run          show what would change\n  \
caveman-mcp install vscode --scope project   .vscode/mcp.json of this folder")]
pub(super) struct Args {
    #[command(flatten)]
    target: Target,
    /// Also put in the host's post-tool hook, which shortens large tool results before the model reads them.
    #[arg(long)]
    hook: bool,
    /// The program to write down. Default: this one.
    #[arg(long, value_name = "PATH")]
    command: Option<PathBuf>,
}

/// Take the server and the hook out of a host's configuration; every other byte stays.
#[derive(Debug, clap::Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, clap::Args)]
struct Target {
    /// Which host.
    host: String,
    /// `user`, for every project, or `project`, for the one in the current folder.
    #[arg(long, value_name = "SCOPE", default_value = "user", value_parser = ["user", "project"])]
    scope: String,
    /// Only show what would change.
    #[arg(long)]
    dry_run: bool,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

/// Say what is wrong with the store, the configurations and the servers in them, in one line each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every server that a configuration names is run: it has to answer, to compress, and to give the original back.\n\
Status 1 when something is wrong.")]
pub(super) struct DoctorArgs {
    /// Look at this host only, which ought to have the server.
    host: Option<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let places = Places::from_env();
    let command = match &args.command {
        Some(path) => path.clone(),
        None => std::env::current_exe().map_err(|error| {
            Failure::failed(format!("cannot tell where this program is: {error}"))
        })?,
    };
    let command = std::path::absolute(&command).unwrap_or(command);
    let plan = args.target.plan(command, args.hook)?;
    if args.hook && !plan.host.has_hook() {
        let text = format!("{} has no hook that could shorten a result", plan.host.title);
        return Err(Failure::usage(text));
    }
    let edited = install::install(&plan, &places).map_err(failed)?;
    if args.target.dry_run {
        return show(&edited);
    }
    let done = write(&edited, settings)?;
    let shown = plan.command.display().to_string();
    let probe = install::probe(&shown, &["serve".to_owned()]).map_err(|why| {
        let undone = edited.iter().try_for_each(Edited::undo);
        let undone =
            undone.map_or_else(|error| error.to_string(), |()| "nothing was changed".to_owned());
        Failure::failed(format!("{shown} {why}; {undone}"))
    })?;
    if args.target.json {
        return output::text(
            &report(&plan, &edited).number("tools", probe.n_tools as u64).finish(),
        );
    }
    let is_cache = shown.contains("_npx");
    output::text(&format!(
        "{done}{shown} serve: answers, lists {} tools, compresses and gives back\n{}{}",
        probe.n_tools,
        plan.host.then,
        if is_cache {
            "\nThat program lies in npm's cache and may vanish: install caveman-mcp for good first."
        } else {
            ""
        },
    ))
}

pub(super) fn uninstall(args: &UninstallArgs, settings: &Settings) -> Result<(), Failure> {
    let plan = args.target.plan(PathBuf::new(), true)?;
    let edited = install::uninstall(&plan, &Places::from_env()).map_err(failed)?;
    if args.target.dry_run {
        return show(&edited);
    }
    let done = write(&edited, settings)?;
    if args.target.json {
        return output::text(&report(&plan, &edited).finish());
    }
    output::text(if done.is_empty() { "nothing of ours is there" } else { &done })
}

pub(super) fn doctor(
    args: &DoctorArgs,
    settings: &Settings,
    bad: &[String],
) -> Result<(), Failure> {
    let only = args.host.as_deref().map(host).transpose()?;
    let findings = install::examine(settings, &Places::from_env(), only);
    let n_wrong = findings.iter().filter(|finding| finding.is_wrong).count() + bad.len();
    if args.json {
        let environment = bad.iter().map(|text| ("environment", true, text));
        let findings = findings.iter().map(|f| (f.about.as_str(), f.is_wrong, &f.text));
        let lines: Vec<String> = environment
            .chain(findings)
            .map(|(about, is_wrong, text)| {
                let is_wrong = if is_wrong { "false" } else { "true" };
                Object::new().text("about", about).raw("ok", is_wrong).text("text", text).finish()
            })
            .collect();
        output::text(&format!("[{}]", lines.join(",")))?;
    } else {
        let environment = bad.iter().map(|text| format!("wrong  environment: {text}\n"));
        let findings = findings.iter().map(|finding| {
            let word = if finding.is_wrong { "wrong" } else { "good " };
            format!("{word}  {}: {}\n", finding.about, finding.text)
        });
        output::text(&environment.chain(findings).collect::<String>())?;
    }
    match n_wrong {
        0 => Ok(()),
        1 => Err(Failure::failed("1 thing is wrong")),
        n => Err(Failure::failed(format!("{n} things are wrong"))),
    }
}

impl Target {
    fn plan(&self, command: PathBuf, hook: bool) -> Result<Plan, Failure> {
        let scope = if self.scope == "project" { Scope::Project } else { Scope::User };
        let hook = if hook { Hook::With } else { Hook::Without };
        Ok(Plan { host: host(&self.host)?, scope, command, hook })
    }
}

fn host(name: &str) -> Result<&'static Host, Failure> {
    Host::of(name).ok_or_else(|| {
        let names: Vec<&str> = install::ALL.iter().map(|host| host.name).collect();
        Failure::usage(format!("no such host: {name:?}; the hosts are {}", names.join(", ")))
    })
}

fn failed(error: install::EditError) -> Failure {
    Failure::failed(error.to_string())
}

fn show(edited: &[Edited]) -> Result<(), Failure> {
    let changed: String = edited.iter().filter(|e| !e.is_unchanged()).map(Edited::diff).collect();
    output::text(if changed.is_empty() { "nothing would change" } else { &changed })
}

/// Writes what is changed, all of it or nothing, and says so.
fn write(edited: &[Edited], settings: &Settings) -> Result<String, Failure> {
    let home = settings.home.as_deref().unwrap_or(Path::new("."));
    let _held = Lock::take(home).map_err(failed)?;
    let mut done = String::new();
    for (at, file) in edited.iter().enumerate() {
        let path = file.path().display();
        if file.is_unchanged() {
            done.push_str(&format!("{path}: as it should be\n"));
            continue;
        }
        match file.write() {
            Ok(true) => {
                done.push_str(&format!("{path}: written, backup in {path}.caveman-backup\n"))
            }
            Ok(false) if file.is_removal() => done.push_str(&format!("{path}: removed\n")),
            Ok(false) => done.push_str(&format!("{path}: written\n")),
            Err(error) => {
                let written = edited.iter().take(at).filter(|file| !file.is_unchanged());
                let undone = written.into_iter().try_for_each(Edited::undo);
                let undone = undone.err().map(|error| format!("; {error}")).unwrap_or_default();
                return Err(Failure::failed(format!("{error}{undone}")));
            }
        }
    }
    Ok(done)
}

fn report(plan: &Plan, edited: &[Edited]) -> Object {
    let files: Vec<String> = edited
        .iter()
        .map(|file| {
            let changed = if file.is_unchanged() { "false" } else { "true" };
            Object::new()
                .text("path", &file.path().display().to_string())
                .raw("changed", changed)
                .finish()
        })
        .collect();
    Object::new().text("host", plan.host.name).raw("files", &format!("[{}]", files.join(",")))
}
