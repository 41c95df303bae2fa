//! What happens in a frame of a game.

use super::desync::Desync;
use crate::game::MAXOUT;
use crate::ram::{GameType, Phase, PlayState, RamSnapshot};

/// Something that happened in a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The first control frame of a game is next.
    GameStart,
    /// A piece spawned and was planned.
    Planned,
    /// A piece has locked.
    Lock,
    /// Rows were cleared and scored: 1 to 4.
    Clear(u8),
    /// The level went up to this.
    LevelUp(u8),
    /// The score has reached 999,999.
    Maxout,
    /// The game topped out.
    Topout,
    /// RAM differs from what the plan promised.
    Desync(Desync),
    /// The console's state jumped: a reset, a saved state that was loaded, a rewind.
    Jump,
    /// A person presses the buttons from this frame on.
    TakenOver,
    /// The bot presses the buttons again from this frame on.
    HandedBack,
}

impl Event {
    /// The events between two consecutive samples: all except those that only the bot knows:
    /// plans, desyncs, jumps, and who plays. `before` is `None` for the first sample.
    pub fn between(before: Option<&RamSnapshot>, now: &RamSnapshot) -> Vec<Event> {
        let mut events = Vec::new();
        let Some(before) = before else { return events };
        if before.phase() == Phase::Starting && now.phase() == Phase::Falling {
            events.push(Event::GameStart);
        }
        if before.play_state == PlayState::Lock && now.play_state == PlayState::RowCheck {
            events.push(Event::Lock);
        }
        let in_game = before.phase() == Phase::EntryDelay;
        if in_game && now.lines != before.lines {
            let rows = match now.game_type {
                GameType::A => now.lines.wrapping_sub(before.lines),
                // The lines that are left are counted down, to 0 at least.
                GameType::B => before.lines.saturating_sub(now.lines).max(before.completed_lines.into()),
            };
            events.push(Event::Clear(rows.clamp(1, 4) as u8));
        }
        if in_game && now.level != before.level {
            events.push(Event::LevelUp(now.level));
        }
        if in_game && now.score >= MAXOUT && before.score < MAXOUT {
            events.push(Event::Maxout);
        }
        if now.play_state == PlayState::Curtain && before.play_state != PlayState::Curtain {
            events.push(Event::Topout);
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ram::{GameModeState, sample};

    fn shown(play_state: PlayState) -> RamSnapshot {
        RamSnapshot { play_state, ..sample::snapshot(|_| ()) }
    }

    #[test]
    fn states_that_follow_each_other_are_events() {
        use PlayState::{Control, Curtain, Lock, RowCheck, Spawn};
        let events = |before, now| Event::between(Some(&shown(before)), &shown(now));
        assert_eq!(events(Lock, RowCheck), [Event::Lock]);
        assert_eq!(events(Control, Curtain), [Event::Topout]);
        for (before, now) in
            [(Lock, Lock), (RowCheck, RowCheck), (Curtain, Curtain), (Spawn, Control), (Control, Control)]
        {
            assert_eq!(events(before, now), [], "{before:?} {now:?}");
        }
        let starting = RamSnapshot { game_mode_state: GameModeState::Draw, ..shown(Control) };
        assert_eq!(Event::between(Some(&starting), &shown(Control)), [Event::GameStart]);
        assert_eq!(Event::between(Some(&starting), &starting), []);
        assert_eq!(Event::between(None, &shown(RowCheck)), []);
    }

    #[test]
    fn scores_count_while_a_lock_is_worked_off() {
        let now = RamSnapshot { lines: 14, level: 1, score: MAXOUT, ..shown(PlayState::GoalCheck) };
        let before = |state| RamSnapshot { lines: 10, score: MAXOUT - 1, ..shown(state) };
        let all = [Event::Clear(4), Event::LevelUp(1), Event::Maxout];
        assert_eq!(Event::between(Some(&before(PlayState::Score)), &now), all);
        // What RAM shows after a jump or at the start of a game is none.
        assert_eq!(Event::between(Some(&before(PlayState::Control)), &now), []);
        assert_eq!(Event::between(Some(&now), &now), []);
        let less = RamSnapshot { score: MAXOUT - 1, ..now.clone() };
        assert_eq!(Event::between(Some(&RamSnapshot { score: 0, ..less.clone() }), &less), []);
        let fewer = RamSnapshot { lines: 13, ..now.clone() };
        assert_eq!(Event::between(Some(&now), &fewer), [Event::Clear(4)], "at most four");
    }

    #[test]
    fn a_b_type_game_counts_the_lines_that_are_left() {
        let of = |lines, completed_lines| RamSnapshot {
            game_type: GameType::B,
            lines,
            completed_lines,
            ..shown(PlayState::GoalCheck)
        };
        assert_eq!(Event::between(Some(&of(25, 1)), &of(24, 1)), [Event::Clear(1)]);
        assert_eq!(Event::between(Some(&of(9, 0)), &of(6, 0)), [Event::Clear(3)], "a map without the rows of a lock");
        assert_eq!(Event::between(Some(&of(2, 4)), &of(0, 4)), [Event::Clear(4)]);
    }
}
