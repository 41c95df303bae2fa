//! `maxout completions` and `maxout man`: completion scripts and manual pages.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::system::failure::Failure;
use crate::system::output::print;

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
            fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(program, folder))
                .context(format!("cannot write manual pages into {}", folder.display()))
                .map_err(Failure::input)?;
            let folder = folder.display();
            print(&format!("manual pages written into {folder}; read one with: man -l {folder}/maxout.1\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
