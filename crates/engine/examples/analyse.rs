//! What is the best placement here, and how much worse are the others?
//!
//! `cargo run --release --example analyse -p maxout-engine`

use std::error::Error;

use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::{Piece, Playfield, Position};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge;
use maxout_engine::planner::{Falling, GeneratorOdds, Search, Settings, Sight};

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
    let piece = FallingPiece::spawned(position.piece.spawn(), 0);
    let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
    let search = Search::new(judge::by_name("learned", None)?, Settings::default());

    // The reaction time is over: the next box is seen.
    let judged = search.analyse(&position, &falling, Sight::WithNext, &GeneratorOdds);
    let Some(best) = judged.first() else { return Err("no placement can be reached".into()) };

    println!("{playfield}\nT falls, I is next, {} placements can be reached", judged.len());
    for placement in judged.iter().take(5) {
        println!(
            "{}: {:.0} expected points, {:.0} behind the best, clears {}",
            placement.placement,
            placement.verdict.value,
            best.verdict.value - placement.verdict.value,
            placement.clears
        );
    }
    for reply in &best.replies {
        if let Some(placement) = reply.placement {
            println!("then the {} at {placement}", reply.next.letter());
        }
    }
    println!("presses of the best, counted from the first frame in which the piece can move:");
    let mut before = Buttons::NONE;
    for (frame, &buttons) in best.timeline.frames().iter().enumerate() {
        let pressed = buttons.newly_pressed(before);
        if !pressed.is_empty() {
            println!("  frame {frame}: {pressed}");
        }
        before = buttons;
    }
    Ok(())
}
