//! Ways to press the buttons: random, alternating, holding directions, playing well.

use std::collections::VecDeque;

use maxout_engine::game::memory::RenderMode;
use maxout_engine::game::memory::address::RENDER_MODE;
use maxout_engine::game::simulation::{HALF_SPEED, RESET, Simulation};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Falling, Input, Search, Settings};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// Sets of buttons that the game treats specially.
const SPECIAL_SETS: [Buttons; 16] = [
    Buttons::NONE,
    HALF_SPEED,
    HALF_SPEED.with(Buttons::START),
    HALF_SPEED.with(Buttons::A),
    Buttons::LEFT.with(Buttons::RIGHT).with(Buttons::DOWN).with(Buttons::UP),
    Buttons::LEFT.with(Buttons::RIGHT),
    Buttons::UP.with(Buttons::DOWN),
    Buttons::DOWN,
    Buttons::DOWN.with(Buttons::LEFT),
    Buttons::DOWN.with(Buttons::A),
    Buttons::A.with(Buttons::B),
    Buttons::LEFT.with(Buttons::A),
    Buttons::RIGHT.with(Buttons::B),
    Buttons::SELECT,
    Buttons::START,
    Buttons::START.with(Buttons::A),
];

/// How somebody plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Any set of buttons for a few frames, in menus too.
    Mash,
    /// The [`SPECIAL_SETS`], in any order.
    Special,
    /// Two sets of buttons in turn.
    Alternate,
    /// Left or Right is held for long, with rotations in between.
    Das,
    /// Down is held for long, with shifts and rotations in between.
    Pushdown,
    /// Plays well, with one of the press styles.
    Bot(Input),
    /// Finds its way through the menus, with detours.
    Menus,
}

impl Style {
    pub const FINGERS: [Style; 5] = [Style::Mash, Style::Special, Style::Alternate, Style::Das, Style::Pushdown];
}

/// Presses one set of buttons per frame.
pub struct Hands {
    style: Style,
    rng: Xoshiro256PlusPlus,
    /// What will be pressed next.
    queue: VecDeque<Buttons>,
    held: Buttons,
    /// Buttons that a masher uses, and the odds out of ten of each.
    mask: u8,
    density: u32,
    longest_hold: u32,
    /// Frames between interruptions, on average; `None` for none.
    interruptions: Option<u32>,
    search: Option<Search>,
}

impl Hands {
    pub fn new(style: Style, interruptions: Option<u32>, mut rng: Xoshiro256PlusPlus) -> Hands {
        let search = match style {
            Style::Bot(input) => {
                let evaluator = handmade::by_name("el-tetris", None).expect("the evaluator is built in");
                Some(Search::new(evaluator, Settings { input, ..Settings::default() }))
            }
            _ => None,
        };
        // Start pauses, and only Start alone ends the pause: random presses with Start mostly wait.
        let without_start = !(Buttons::START | Buttons::SELECT).bits();
        let mask = if rng.random_ratio(2, 3) { without_start } else { 0xFF };
        Hands {
            style,
            queue: VecDeque::new(),
            held: Buttons::NONE,
            mask,
            density: rng.random_range(1..=6),
            longest_hold: [1, 2, 4, 20][rng.random_range(0..4)],
            interruptions,
            search,
            rng,
        }
    }

    /// The buttons of the next frame.
    pub fn press(&mut self, model: &Simulation) -> Buttons {
        if let Some(frames) = self.interruptions
            && model.in_game()
            && self.rng.random_ratio(1, frames)
        {
            self.interrupt();
        }
        while self.queue.is_empty() {
            self.refill(model);
        }
        self.held = self.queue.pop_front().expect("it was filled just now");
        self.held
    }

    /// Before it: a pause, half speed, Select, or rarely the reset combination.
    fn interrupt(&mut self) {
        let frames = self.rng.random_range(1..=12);
        let rest = Buttons::NONE;
        let half_speed = Buttons::LEFT | Buttons::RIGHT | Buttons::DOWN;
        let interruption = match self.rng.random_range(0..20) {
            0..8 => [vec![Buttons::START], vec![rest; frames], vec![Buttons::START]].concat(),
            8 => {
                [vec![Buttons::START; 2], vec![Buttons::START | Buttons::A], vec![rest], vec![Buttons::START]].concat()
            }
            9..14 => vec![half_speed; frames],
            14 => vec![half_speed, half_speed | Buttons::START, rest, Buttons::START],
            15..19 => vec![Buttons::SELECT],
            _ => vec![RESET; frames.min(2)],
        };
        for buttons in interruption.into_iter().rev() {
            self.queue.push_front(buttons);
        }
    }

    fn refill(&mut self, model: &Simulation) {
        let playing = model.in_game() && !model.topped_out();
        match self.style {
            Style::Mash => self.mash(self.mask),
            _ if model.paused() => self.queue.extend([Buttons::NONE, Buttons::START, Buttons::NONE]),
            _ if model.peek(RENDER_MODE as u16) == RenderMode::NameEntry.byte() => self.write_name(),
            _ if !playing => self.choose(),
            Style::Menus => self.leave(),
            Style::Special => self.special(),
            Style::Alternate => self.alternate(),
            Style::Das => self.das(),
            Style::Pushdown => self.pushdown(),
            Style::Bot(_) => self.plan(model),
        }
    }

    fn hold(&mut self, buttons: Buttons, frames: u32) {
        self.queue.extend(std::iter::repeat_n(buttons, frames as usize));
    }

    /// A random set of buttons, with the odds of these hands.
    fn any_buttons(&mut self, mask: u8) -> Buttons {
        let bits = (0..8).filter(|_| self.rng.random_ratio(self.density, 10)).fold(0, |bits, bit| bits | 1 << bit);
        Buttons::from_bits(bits & mask)
    }

    fn mash(&mut self, mask: u8) {
        let buttons = self.any_buttons(mask);
        let frames = self.rng.random_range(1..=self.longest_hold);
        self.hold(buttons, frames);
    }

    fn special(&mut self) {
        let buttons = if self.rng.random_ratio(1, 400) {
            RESET
        } else {
            SPECIAL_SETS[self.rng.random_range(0..SPECIAL_SETS.len())]
        };
        let frames = if self.rng.random_ratio(1, 2) { 1 } else { self.rng.random_range(1..=20) };
        self.hold(buttons, frames);
    }

    fn alternate(&mut self) {
        let [even, odd] = [(); 2].map(|()| self.any_buttons(!(Buttons::START | Buttons::SELECT).bits()));
        for _ in 0..self.rng.random_range(2..=20) {
            self.queue.extend([even, odd]);
        }
    }

    fn das(&mut self) {
        let side = if self.rng.random_ratio(1, 2) { Buttons::LEFT } else { Buttons::RIGHT };
        for _ in 0..self.rng.random_range(1..=60) {
            let turn = [Buttons::A, Buttons::B, Buttons::UP][self.rng.random_range(0..3)];
            self.queue.push_back(if self.rng.random_ratio(1, 8) { side | turn } else { side });
        }
        let frames = self.rng.random_range(0..=6);
        self.hold(Buttons::NONE, frames);
    }

    fn pushdown(&mut self) {
        for _ in 0..self.rng.random_range(0..=4) {
            let tap = self.any_buttons((Buttons::LEFT | Buttons::RIGHT | Buttons::A | Buttons::B).bits());
            self.queue.extend([tap, Buttons::NONE]);
        }
        let frames = self.rng.random_range(1..=60);
        self.hold(Buttons::DOWN, frames);
        if self.rng.random_ratio(1, 6) {
            let disturbance = self.any_buttons(0xCF);
            self.queue.push_back(disturbance | Buttons::DOWN);
        }
    }

    /// A tap that leads on in the menus, or another tap.
    fn choose(&mut self) {
        let tap = match self.rng.random_range(0..20) {
            0..8 => Buttons::START,
            8..10 => {
                self.queue.push_back(Buttons::A);
                Buttons::A | Buttons::START
            }
            10..16 => Buttons::from_bits(1 << self.rng.random_range(0..4)),
            16 => Buttons::B,
            17 => Buttons::A,
            18 => self.any_buttons(0xFF),
            _ => Buttons::NONE,
        };
        let frames = if self.rng.random_ratio(1, 12) { self.rng.random_range(2..=30) } else { 1 };
        self.hold(tap, frames);
        if self.rng.random_ratio(5, 6) {
            let frames = self.rng.random_range(1..=3);
            self.hold(Buttons::NONE, frames);
        }
    }

    /// Random buttons, Up and Down held for long, then Start.
    fn write_name(&mut self) {
        self.mash(!Buttons::START.bits());
        let letters = [Buttons::UP, Buttons::DOWN, Buttons::UP | Buttons::DOWN];
        let (letter, frames) = (letters[self.rng.random_range(0..3)], self.rng.random_range(0..20));
        self.hold(letter, frames);
        if self.rng.random_ratio(1, 6) {
            self.hold(Buttons::START, 1);
        }
    }

    /// Ends the game by the reset combination, or by a fast topout.
    fn leave(&mut self) {
        if self.rng.random_ratio(1, 3) {
            self.hold(RESET, 2);
        }
        self.hold(Buttons::NONE, 1);
        self.hold(Buttons::DOWN, 40);
    }

    /// The bot's timeline for the falling piece; without one it waits or presses at random.
    fn plan(&mut self, model: &Simulation) {
        let search = self.search.as_ref().expect("the style is a bot");
        let (Some(position), Some(piece)) = (model.position(), model.falling_piece()) else {
            return self.hold(Buttons::NONE, 1);
        };
        match search.plan(&position, &Falling { piece, held: self.held, control_frame: 0 }) {
            Some(plan) => self.queue.extend(plan.timeline.frames()),
            None => self.das(),
        }
        self.hold(Buttons::NONE, 1);
    }
}
