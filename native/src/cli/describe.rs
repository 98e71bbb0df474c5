//! `completions` and `man`: what the one table of verbs and flags says, for shells and for man.

use super::{Cli, Failure, output};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
bash:        caveman-mcp completions bash > ~/.local/share/bash-completion/completions/caveman-mcp\n\
zsh:         caveman-mcp completions zsh > ~/.zfunc/_caveman-mcp      (with fpath+=~/.zfunc before compinit)\n\
fish:        caveman-mcp completions fish > ~/.config/fish/completions/caveman-mcp.fish\n\
powershell:  caveman-mcp completions powershell >> $PROFILE")]
pub(super) struct CompletionsArgs {
    /// bash, elvish, fish, powershell or zsh.
    shell: Shell,
}

/// Print the manual page.
#[derive(Debug, clap::Args)]
#[command(after_help = "caveman-mcp man > ~/.local/share/man/man1/caveman-mcp.1")]
pub(super) struct ManArgs {
    /// The page of this verb, e.g. `compress`. Default: that of the command.
    verb: Option<String>,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let (mut command, mut script) = (Cli::command(), Vec::new());
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    output::payload(&script)
}

pub(super) fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Cli::command().version(env!("CARGO_PKG_VERSION"));
    command.build();
    let command = match &args.verb {
        Some(verb) => command
            .find_subcommand(verb)
            .ok_or_else(|| {
                Failure::usage(format!("no such verb: {verb:?}; see caveman-mcp --help"))
            })?
            .clone(),
        None => command,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::failed(format!("cannot write the page: {error}")))?;
    output::payload(&page)
}
