//! Do grades put the players into the order of their scores?

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs;

use maxout_engine::analysis::Estimate;
use maxout_engine::analysis::grade::{GameGrade, GradedPiece};

/// A graded game.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    game: u64,
    player: String,
    /// In the order of [`Row::NUMBERS`].
    numbers: [f64; Row::NUMBERS.len()],
}

impl Row {
    const NUMBERS: [&str; 9] =
        ["score", "lines", "topped_out", "pieces", "lost_positions", "loss", "accuracy", "luck", "expected_at_start"];

    pub(crate) fn of(game: u64, player: &str, grade: &GameGrade) -> Row {
        let totals = &grade.totals;
        let numbers = [
            grade.score as f64,
            grade.lines.into(),
            u8::from(grade.is_topped_out).into(),
            totals.all.pieces.into(),
            totals.lost_positions.into(),
            totals.all.loss,
            totals.accuracy,
            totals.luck,
            grade.pieces.first().map_or(0.0, GradedPiece::expected_score),
        ];
        Row { game, player: player.to_owned(), numbers }
    }

    pub(crate) fn header() -> String {
        format!("game,player,{}", Row::NUMBERS.join(","))
    }

    /// From a line of a file.
    fn read(line: &str) -> Option<Row> {
        let mut fields = line.split(',');
        let (game, player) = (fields.next()?.parse().ok()?, fields.next()?.to_owned());
        let numbers: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
        Some(Row { game, player, numbers: numbers.try_into().ok()? })
    }

    fn number(&self, name: &str) -> f64 {
        Row::NUMBERS.iter().zip(self.numbers).find(|(other, _)| **other == name).map_or(0.0, |(_, number)| number)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.game, self.player)?;
        self.numbers.iter().try_for_each(|number| write!(f, ",{number:.2}"))
    }
}

/// What is said of a player: the name of a figure, whether more is better, and the figure of a game, given the
/// share of the luck that the player makes into score.
type Figure = (&'static str, bool, fn(&Row, f64) -> f64);

const FIGURES: [Figure; 5] = [
    ("score", true, |row, _| row.number("score")),
    ("score with average luck", true, |row, used| row.number("score") - used * row.number("luck")),
    ("lost a game", false, |row, _| row.number("loss")),
    ("lost a piece", false, |row, _| row.number("loss") / row.number("pieces")),
    ("accuracy", true, |row, _| row.number("accuracy")),
];

/// Prints the table of these files of rows: the means of each player, with half the widths of their 95 %
/// intervals; and for each figure and each two players that follow one another by their scores, the mean
/// difference over the games with the same pieces, and its interval.
pub(crate) fn ranking(files: &[String]) -> Result<(), Box<dyn Error>> {
    let mut games: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    let mut players: Vec<String> = Vec::new();
    for file in files {
        for row in fs::read_to_string(file)?.lines().filter_map(Row::read) {
            if !players.contains(&row.player) {
                players.push(row.player.clone());
            }
            games.entry(row.game).or_default().push(row);
        }
    }
    // The last game of a run that was stopped is not complete.
    games.retain(|_, rows| rows.len() == players.len());
    let rows_of = |player: &str| -> Vec<&Row> { games.values().flatten().filter(|row| row.player == player).collect() };
    let used: Vec<f64> = players.iter().map(|player| used_luck(&rows_of(player))).collect();
    println!(
        "player,games,topped_out,{},score + losses - luck,±,used luck,score a point of luck,±",
        FIGURES.map(|(name, ..)| format!("{name},±")).join(",")
    );
    for (player, &used) in players.iter().zip(&used) {
        let rows = rows_of(player);
        let topouts = rows.iter().map(|row| row.number("topped_out")).sum::<f64>() / rows.len().max(1) as f64;
        print!("{player},{},{:.1} %", rows.len(), 100.0 * topouts);
        for (_, _, figure) in FIGURES {
            let (mean, half) = mean(rows.iter().map(|row| figure(row, used)));
            print!(",{mean:.2},{half:.2}");
        }
        let sum = |row: &&Row| row.number("score") + row.number("loss") - row.number("luck");
        let (made, half) = mean(rows.iter().map(sum));
        let (slope, width) = follows(&rows);
        println!(",{made:.0},{half:.0},{used:.3},{slope:.2},{width:.2}");
    }
    for (name, is_more_better, figure) in FIGURES {
        println!("\n{name}: better less worse, paired");
        for (index, pair) in players.windows(2).enumerate() {
            let (a, b) = (rows_of(&pair[0]), rows_of(&pair[1]));
            let sign = if is_more_better { 1.0 } else { -1.0 };
            let differences =
                a.iter().zip(&b).map(|(a, b)| sign * (figure(a, used[index]) - figure(b, used[index + 1])));
            let (mean, half) = mean(differences);
            let verdict = match mean {
                _ if mean.abs() <= half => "not apart",
                0.0.. => "apart",
                _ => "apart, the other way round",
            };
            println!("  {} - {}: {mean:.2} ± {half:.2}, {verdict}", pair[0], pair[1]);
        }
    }
    Ok(())
}

/// The share of the luck that a player makes into score, over its games, as `Totals::used_luck` of a game.
fn used_luck(rows: &[&Row]) -> f64 {
    let sum = |name| rows.iter().map(|row| row.number(name)).sum::<f64>();
    (sum("score") / (sum("score") + sum("loss"))).powi(2)
}

/// Points of score for each point of luck, and half the width of its 95 % interval: the regression over the games.
fn follows(rows: &[&Row]) -> (f64, f64) {
    let of = |name| rows.iter().map(|row| row.number(name)).collect::<Vec<f64>>();
    let (scores, lucks) = (of("score"), of("luck"));
    let ((score, _), (luck, _)) = (mean(scores.iter().copied()), mean(lucks.iter().copied()));
    let both = || scores.iter().map(|other| other - score).zip(lucks.iter().map(|other| other - luck));
    let squares: f64 = both().map(|(_, luck)| luck * luck).sum();
    let slope = both().map(|(score, luck)| score * luck).sum::<f64>() / squares;
    let rest: f64 = both().map(|(score, luck)| (score - slope * luck).powi(2)).sum();
    (slope, 1.96 * (rest / (rows.len() as f64 - 2.0) / squares).sqrt())
}

/// The mean, and half the width of its 95 % interval.
fn mean(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    Estimate::of_mean(&values).map_or((0.0, 0.0), |mean| (mean.value, mean.high - mean.value))
}
