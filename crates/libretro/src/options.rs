//! The core options: what a person sets in the front end's menu.

use maxout_engine::bot::Goal;
use maxout_engine::gamepad::TapRate;
use maxout_engine::judge;
use maxout_engine::planner::Input;

/// The highest seed on offer: an option has at most 127 values.
const SEEDS: u64 = 100;

/// The tap rates on offer, in Hz. 30 is the fastest that the game reads; people tap 10 to 20.
const TAP_RATES: [&str; 8] = ["30", "24", "20", "17", "15", "12", "10", "8"];

/// Keys of the options, as front ends store them.
pub(crate) mod key {
    pub(crate) const BOT: &str = "maxout_bot";
    pub(crate) const START_LEVEL: &str = "maxout_start_level";
    pub(crate) const PLAYER: &str = "maxout_player";
    pub(crate) const INPUT: &str = "maxout_input";
    pub(crate) const TAP_RATE: &str = "maxout_tap_rate";
    pub(crate) const SEED: &str = "maxout_seed";
    pub(crate) const GOAL: &str = "maxout_goal";
    pub(crate) const AT_END: &str = "maxout_at_end";
    pub(crate) const OVERLAY: &str = "maxout_overlay";
    pub(crate) const PLAY_WITH_ME: &str = "maxout_play_with_me";
}

/// What happens ten seconds after a game has ended or reached its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtEnd {
    /// The console is switched off and on, and the game of the next seed begins.
    NextGame,
    /// Nothing: the bot plays on until the topout, and then waits.
    PlayOn,
}

/// The values of all options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) bot: bool,
    pub(crate) start_level: u8,
    /// One of [`judge::NAMES`].
    pub(crate) player: &'static str,
    pub(crate) input: Input,
    pub(crate) tap_rate: TapRate,
    pub(crate) seed: u64,
    pub(crate) goal: Goal,
    pub(crate) at_end: AtEnd,
    pub(crate) overlay: bool,
    pub(crate) play_with_me: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            bot: true,
            start_level: 19,
            player: judge::LEARNED,
            input: Input::Taps,
            tap_rate: TapRate::FASTEST,
            seed: 1,
            goal: Goal::Maxout,
            at_end: AtEnd::NextGame,
            overlay: true,
            play_with_me: false,
        }
    }
}

impl Options {
    /// The options with the values that a front end has for these keys. A value that is missing or not
    /// on offer is the default.
    pub(crate) fn read(value_of: impl Fn(&str) -> Option<String>) -> Options {
        let default = Options::default();
        let is_on = |key, otherwise| match value_of(key).as_deref() {
            Some("enabled") => true,
            Some("disabled") => false,
            _ => otherwise,
        };
        let player = value_of(key::PLAYER);
        let player = judge::NAMES.iter().find(|name| player.as_deref() == Some(name));
        Options {
            bot: is_on(key::BOT, default.bot),
            start_level: number(value_of(key::START_LEVEL)).filter(|&level| level <= 19).unwrap_or(default.start_level),
            player: player.copied().unwrap_or(default.player),
            input: match value_of(key::INPUT).as_deref() {
                Some("gamepad") => Input::Gamepad,
                Some("even-frames") => Input::EvenFrames,
                _ => default.input,
            },
            tap_rate: number(value_of(key::TAP_RATE)).and_then(TapRate::from_hz).unwrap_or(default.tap_rate),
            seed: number(value_of(key::SEED)).unwrap_or(default.seed),
            goal: value_of(key::GOAL).and_then(|goal| goal.parse().ok()).unwrap_or(default.goal),
            at_end: match value_of(key::AT_END).as_deref() {
                Some("play-on") => AtEnd::PlayOn,
                _ => default.at_end,
            },
            overlay: is_on(key::OVERLAY, default.overlay),
            play_with_me: is_on(key::PLAY_WITH_ME, default.play_with_me),
        }
    }

    /// Does a bot with these options play the same as with the others, in the same game?
    pub(crate) fn has_same_bot(&self, other: &Options) -> bool {
        let bot = |options: &Options| (options.player, options.input, options.tap_rate);
        bot(self) == bot(other)
    }
}

fn number<T: std::str::FromStr>(text: Option<String>) -> Option<T> {
    text?.parse().ok()
}

/// An option as it is shown.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) key: &'static str,
    pub(crate) name: &'static str,
    pub(crate) info: &'static str,
    /// The values, and how they are shown.
    pub(crate) values: Vec<(String, String)>,
    /// The value that it has at first.
    pub(crate) default: &'static str,
}

/// All options, in their order in the menu.
pub(crate) fn definitions() -> Vec<Definition> {
    let switch = |key, name, info, default| {
        let values = vec![same("enabled"), same("disabled")];
        Definition { key, name, info, values, default }
    };
    let plain = |values: &[&str]| values.iter().map(same).collect();
    let labelled =
        |values: &[(&str, &str)]| values.iter().map(|&(value, label)| (value.into(), label.into())).collect();
    vec![
        switch(
            key::BOT,
            "Bot",
            "The bot plays. Disabled: you play with gamepad 1, and RAM cheats of the front end work.",
            "enabled",
        ),
        Definition {
            key: key::START_LEVEL,
            name: "Start level",
            info: "The level in which the bot starts, from the next game or reset on.",
            values: (0..=19).map(same).collect(),
            default: "19",
        },
        Definition {
            key: key::PLAYER,
            name: "Player",
            info: "Who judges the placements: the learned net, or an evaluator with hand-made features.",
            values: plain(judge::NAMES),
            default: judge::LEARNED,
        },
        Definition {
            key: key::INPUT,
            name: "Input style",
            info: "How the bot presses the buttons.",
            values: labelled(&[
                ("taps", "taps at the tap rate"),
                ("gamepad", "gamepad: shift and rotation together"),
                ("even-frames", "one button on every second frame"),
            ]),
            default: "taps",
        },
        Definition {
            key: key::TAP_RATE,
            name: "Tap rate",
            info: "Taps a second, for the input style taps. People tap 10 to 20 times a second.",
            values: TAP_RATES.iter().map(|&rate| (rate.into(), format!("{rate} Hz"))).collect(),
            default: TAP_RATES[0],
        },
        Definition {
            key: key::SEED,
            name: "Seed",
            info: "Which game is played, from the next game or reset on: the same seed gives the same game.",
            values: (1..=SEEDS).map(same).collect(),
            default: "1",
        },
        Definition {
            key: key::GOAL,
            name: "Goal",
            info: "What the bot plays for; see the next option for what happens then.",
            values: labelled(&[
                ("maxout", "999,999 points"),
                ("topout", "play until the topout"),
                ("level:29", "level 29"),
                ("lines:100", "100 lines"),
                ("lines:230", "230 lines"),
            ]),
            default: "maxout",
        },
        Definition {
            key: key::AT_END,
            name: "After the goal or a topout",
            info: "What happens ten seconds after the goal is reached or the game is over.",
            values: labelled(&[
                ("next-game", "a new game with the next seed"),
                ("play-on", "play on until the topout, then wait"),
            ]),
            default: "next-game",
        },
        switch(key::OVERLAY, "Show the plan", "Draws into the picture where the bot will put the piece.", "enabled"),
        switch(
            key::PLAY_WITH_ME,
            "Play with me",
            "A button on gamepad 1 takes over from the bot. The bot goes on two seconds after the last button.",
            "disabled",
        ),
    ]
}

/// A value that is shown as it is.
fn same(value: impl ToString) -> (String, String) {
    (value.to_string(), value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::MOST_VALUES;

    #[test]
    fn the_defaults_of_the_menu_are_the_defaults() {
        let definitions = definitions();
        let value_of =
            |key: &str| definitions.iter().find(|option| option.key == key).map(|option| option.default.into());
        assert_eq!(Options::read(value_of), Options::default());
        assert_eq!(Options::read(|_| None), Options::default());
        assert_eq!(Options::read(|_| Some("nonsense".into())), Options::default());
    }

    #[test]
    fn every_value_on_offer_is_read() {
        for option in definitions() {
            assert!(option.values.len() < MOST_VALUES, "{}", option.key);
            assert!(option.values.iter().any(|(value, _)| value == option.default), "{}", option.key);
            let mut seen: Vec<Options> = Vec::new();
            for (value, _) in option.values {
                let read = Options::read(|key| (key == option.key).then(|| value.clone()));
                assert!(!seen.contains(&read), "{} {value} is like another value", option.key);
                seen.push(read);
            }
        }
    }

    #[test]
    fn values_out_of_range_are_the_default() {
        for (key, value) in [(key::START_LEVEL, "20"), (key::TAP_RATE, "31"), (key::GOAL, "lines:0"), (key::SEED, "-1")]
        {
            assert_eq!(
                Options::read(|asked| (asked == key).then(|| value.into())),
                Options::default(),
                "{key} {value}"
            );
        }
    }
}
