//! `completions` and `man`: what a program's one table of verbs and flags says, for shells and for man.

use super::{Failure, output};
use clap::Command;
use clap_complete::Shell;

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// bash, elvish, fish, powershell or zsh.
    shell: Shell,
}

/// Print the manual page.
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The page of this verb. Default: that of the command.
    verb: Option<String>,
}

pub(super) fn completions(args: &CompletionsArgs, mut program: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    let name = program.get_name().to_owned();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    output::payload(&script)
}

pub(super) fn man(args: &ManArgs, program: Command) -> Result<(), Failure> {
    let mut program = program.version(env!("CARGO_PKG_VERSION"));
    program.build();
    let name = program.get_name().to_owned();
    let command = match &args.verb {
        Some(verb) => program
            .find_subcommand(verb)
            .ok_or_else(|| Failure::usage(format!("no such verb: {verb:?}; see {name} --help")))?
            .clone(),
        None => program,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::failed(format!("cannot write the page: {error}")))?;
    output::payload(&page)
}

/// Where each shell looks for the completions of `$program`: the end of the help.
macro_rules! where_completions_go {
    ($program:literal) => {
        concat!(
            "bash:        ",
            $program,
            " completions bash > ~/.local/share/bash-completion/completions/",
            $program,
            "\nzsh:         ",
            $program,
            " completions zsh > ~/.zfunc/_",
            $program,
            "      (with fpath+=~/.zfunc before compinit)\nfish:        ",
            $program,
            " completions fish > ~/.config/fish/completions/",
            $program,
            ".fish\npowershell:  ",
            $program,
            " completions powershell >> $PROFILE"
        )
    };
}

/// The same of the manual page.
macro_rules! where_the_page_goes {
    ($program:literal) => {
        concat!($program, " man > ~/.local/share/man/man1/", $program, ".1")
    };
}

pub(super) use {where_completions_go, where_the_page_goes};
