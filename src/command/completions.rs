//! `maxout completions` and `maxout man`: completion scripts and manual pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::files::outputs::{Outputs, Overwrite};
use crate::system::failure::Failure;
use crate::system::output::print;
use maxout_formats::{Kind, whole};

/// `maxout completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout completions bash > ~/.local/share/bash-completion/completions/maxout
  maxout completions zsh > ~/.zfunc/_maxout
  maxout completions fish > ~/.config/fish/completions/maxout.fish

Open a new shell afterwards. For zsh, the folder must be in fpath before compinit runs.")]
pub(crate) struct Completions {
    /// Shell
    pub shell: Shell,
}

/// `maxout man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout man | man -l -
  maxout man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Folder for the pages of all commands [default: print the page of maxout to standard output]
    pub folder: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
}

pub(crate) fn completions(args: &Completions, mut program: clap::Command) -> Result<ExitCode, Failure> {
    // Into memory first: the generator panics when its output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "maxout", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(args: &Man, program: clap::Command) -> Result<ExitCode, Failure> {
    match &args.folder {
        None => {
            let mut page = Vec::new();
            Page::new(program).render(&mut page).context("cannot make the page").map_err(Failure::run)?;
            print(&String::from_utf8_lossy(&page))?;
        }
        Some(folder) => {
            write_pages(program, folder, args.overwrite)?;
            let folder = folder.display();
            print(&format!("manual pages written into {folder}; read one with: man -l {folder}/maxout.1\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages of all commands into a folder, which is made if it is not there.
fn write_pages(program: clap::Command, folder: &Path, overwrite: Overwrite) -> Result<(), Failure> {
    let cannot_write = || format!("cannot write manual pages into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_write).map_err(Failure::input)?;
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let pages: Vec<(PathBuf, Page)> =
        commands(&program).into_iter().map(Page::new).map(|page| (folder.join(page.get_filename()), page)).collect();
    let paths = pages.iter().map(|(path, _)| path);
    let _claims = Outputs::new(overwrite).whole("the page", paths, |_| Kind::Manual).claim()?;
    for (path, page) in &pages {
        let mut text = Vec::new();
        let written = page.render(&mut text).and_then(|()| whole::replace(path, &text));
        written.with_context(cannot_write).map_err(Failure::run)?;
    }
    Ok(())
}

/// A command and all below it that the help shows.
fn commands(command: &clap::Command) -> Vec<clap::Command> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set()).flat_map(commands);
    below.chain([command.clone()]).collect()
}
