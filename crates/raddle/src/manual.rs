//! What shells and `man` need to know: made from the options themselves.

use clap::CommandFactory;

use crate::args::{Arguments, CompletionsOptions, ManOptions};
use crate::failure::{Failure, NOTHING_WRONG};
use crate::{output, whole_file};

/// Prints the completions for a shell.
pub(crate) fn completions(options: &CompletionsOptions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "raddle", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(NOTHING_WRONG)
}

/// Writes a manual page for the program, and one for each command.
pub(crate) fn pages(options: &ManOptions) -> Result<u8, Failure> {
    let folder = &options.folder;
    let cannot = |error: std::io::Error| {
        Failure::Input(format!("error: cannot write manual pages to `{}`: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let mut command = Arguments::command();
    command.build();
    let all =
        std::iter::once(&command).chain(command.get_subcommands().filter(|sub| sub.get_name() != "help"));
    for command in all {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        let name = man.get_filename();
        whole_file::write(&folder.join(name), &String::from_utf8_lossy(&page)).map_err(cannot)?;
    }
    Ok(NOTHING_WRONG)
}
