//! The scripts that emulators run to be hosts. What they share is in `scripts/common.lua`.

use std::fmt::Write;
use std::path::Path;

/// An emulator that runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emulator {
    /// FCEUX.
    Fceux,
    /// Mesen 2. Nobody has tried its script yet.
    Mesen,
    /// BizHawk. Nobody has tried its script yet.
    BizHawk,
}

/// How fast the emulator plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    /// At the speed of the console.
    Normal,
    /// As fast as it can.
    Maximum,
}

/// What a script has to know.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The folder of the pipes.
    pub folder: &'a Path,
    /// The version of the emulator, where it is known.
    pub version: Option<&'a str>,
    /// `None`: as the emulator is set.
    pub speed: Option<Speed>,
}

impl Emulator {
    /// As its authors write it.
    pub fn name(self) -> &'static str {
        match self {
            Emulator::Fceux => "FCEUX",
            Emulator::Mesen => "Mesen 2",
            Emulator::BizHawk => "BizHawk",
        }
    }

    /// The script, for this process and these settings.
    pub fn script(self, settings: &Settings<'_>) -> String {
        let own = match self {
            Emulator::Fceux => include_str!("../scripts/fceux.lua"),
            Emulator::Mesen => include_str!("../scripts/mesen.lua"),
            Emulator::BizHawk => include_str!("../scripts/bizhawk.lua"),
        };
        let mut name = self.name().to_owned();
        settings.version.into_iter().for_each(|version| name += &format!(" {version}"));
        let (folder, name) = (quoted(settings.folder.as_os_str().as_encoded_bytes()), quoted(name.as_bytes()));
        let speed = match settings.speed {
            Some(Speed::Normal) => r#""normal""#,
            Some(Speed::Maximum) => r#""maximum""#,
            None => "nil",
        };
        let pid = std::process::id();
        let common = include_str!("../scripts/common.lua");
        format!("{BEGINNING} = {{ folder = {folder}, name = {name}, pid = {pid}, speed = {speed} }}\n\n{common}\n{own}")
    }
}

/// What every script begins with.
const BEGINNING: &str = "local settings";

/// Is this a script that a run has written?
pub fn is_script(bytes: &[u8]) -> bool {
    bytes.starts_with(format!("{BEGINNING} = {{ folder = ").as_bytes())
}

/// The bytes as a Lua string. What is neither letter nor digit is written as its number.
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from('"');
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/-_. ".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(text, "\\{byte:03}");
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_begins_with_its_settings() {
        let folder = Path::new("/tmp/it's \"here\"\\é");
        let settings = Settings { folder, version: Some("2.6.5"), speed: Some(Speed::Maximum) };
        let script = Emulator::Fceux.script(&settings);
        let expected = format!(
            r#"local settings = {{ folder = "/tmp/it\039s \034here\034\092\195\169", name = "FCEUX 2.6.5", pid = {}, speed = "maximum" }}"#,
            std::process::id()
        );
        assert_eq!(script.lines().next(), Some(&*expected));
        assert!(is_script(script.as_bytes()) && !is_script(b"local settings = {}"));
        assert!(script.contains("function maxout.join(") && script.ends_with("emu.frameadvance)\n"), "{script}");
    }
}
