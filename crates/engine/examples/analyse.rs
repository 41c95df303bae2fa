//! What is the best placement here, how much worse are the others, and how is it reached?
//!
//! `cargo run --release --example analyse -p maxout-engine`

use std::error::Error;

use maxout_engine::analysis::{Analyst, Arrival, PlayOuts, Press, Question};
use maxout_engine::game::{Piece, Playfield, Position};
use maxout_engine::gamepad::{Buttons, TapRate};
use maxout_engine::judge::{self, Judge};
use maxout_engine::planner::{Settings, Sight};

fn main() -> Result<(), Box<dyn Error>> {
    let playfield = Playfield::drawn(
        "
        #.........
        ##....#...
        ####.###..
        #########.
        #########.
        ",
    );
    let position = Position { playfield, piece: Piece::T, next: Piece::I, level: 19, lines: 60, score: 250_000 };
    // Somebody who taps 15 times a second. The learned player judges.
    let settings = Settings { tap_rate: TapRate::from_hz(15).unwrap_or_default().into(), ..Settings::default() };
    let Judge::Learned(net) = judge::by_name("learned", None)? else { return Err("no net".into()) };
    let analyst = Analyst::new(net, settings);
    let mut question = Question::at_spawn(position, Sight::WithNext);
    question.play_outs = PlayOuts { games: 200, best: 3, ..PlayOuts::default() };

    let answer = analyst.answer(&question);
    let Some(best) = answer.choices.first() else { return Err("no placement can be reached".into()) };
    println!("{playfield}\nT falls, I is next, {} placements can be reached", answer.choices.len());
    for choice in answer.choices.iter().take(5) {
        println!(
            "{}: {:.0} expected points, {:.0} behind the best",
            choice.judged.placement.name(),
            choice.points,
            choice.gap
        );
        if let Some(played) = choice.played_on {
            println!(
                "  the next {} pieces bring {:.0} points ({:.0} to {:.0}), {:.1} % top out",
                played.pieces,
                played.points.value,
                played.points.low,
                played.points.high,
                100.0 * played.topout.value
            );
        }
    }
    let (arrival, _) = Arrival::of(&playfield, &best.judged.promises);
    println!("presses of the best, a {}, counted from the first frame in which the piece can move:", arrival.name());
    for press in Press::all(&best.judged.timeline, Buttons::NONE) {
        println!("  frame {}: {}", press.frame, press.buttons);
    }
    for reply in &best.replies {
        if let Some(placement) = reply.placement {
            println!("then the {} at {}", reply.next.letter(), placement.name());
        }
    }
    Ok(())
}
