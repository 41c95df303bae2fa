//! Writes files of our own for every target into a folder: what `cargo fuzz cmin` makes the corpora of.
//!
//! `cargo run -p maxout-fuzz-targets --example seeds -- fuzz/corpus`

use std::error::Error;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use flate2::Compression;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use flate2::write::GzEncoder;
use maxout_console::Rom;
use maxout_engine::bot::{Goal, Pilot, Run};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade::{self, Notes, WeightSet};
use maxout_engine::judge::learned::weights::{NumberSize, write as write_net};
use maxout_engine::judge::learned::{Dense, FEATURES, Head, LANES, Net, OUTPUTS, Origin, Row, SPAN_ROWS, TrainedNet};
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::frame_log::LogOptions;
use maxout_formats::trace::{TraceColumn, TraceHeader, TraceWriter};
use maxout_formats::{Format, PlayedStep, Provenance, RunWriter, ngf};
use maxout_fuzz_targets::{STAGES, patch};
use maxout_lab::tas::plan::plan;
use maxout_lab::tas::shard::{SeedsRun, ShardResult};
use maxout_lab::tas::stages::{self, Stages};
use maxout_lab::tas::values::Tables;
use maxout_lab::tas::{self, Count, Weights};
use maxout_lab::train::pso::{self, Convergence, Dynamics, SwarmStart};
use maxout_lab::train::td::{Journal, Schedule};
use zip::write::SimpleFileOptions;

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Done {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("expected a folder")?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let put = |target: &str, name: &str, bytes: &[u8]| -> Done {
        fs::create_dir_all(folder.join(target))?;
        Ok(fs::write(folder.join(target).join(name), bytes)?)
    };
    runs(&put)?;
    analysed(&put, &root)?;
    traces(&put)?;
    roms(&put)?;
    texts(&put, &root)?;
    pictures(&put)?;
    nets(&put)?;
    trainings(&put)?;
    tool_assisted(&put)?;
    answers(&put)?;
    states(&put)
}

/// Takes a target, a name and the bytes of a file.
type Put<'a> = &'a dyn Fn(&str, &str, &[u8]) -> Done;

fn recorded(format: Format, frames: u32, options: LogOptions) -> Done<Vec<u8>> {
    let file = tempfile::NamedTempFile::new()?;
    let provenance = Provenance::new("maxout.nes", ["0", "878a1d92e65f781765b8a93122933fca", "1"], "simulated");
    let provenance = provenance.with("seed", 3).closed(None);
    let mut writer = RunWriter::create(file.path(), format.into(), &provenance, options)?;
    let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
    let mut console = Simulated::power_on();
    for frame in 0..frames {
        if frame == frames - 10 && format != Format::R08 {
            console.reset(Reset::Button);
            writer.take(&PlayedStep::Reset)?;
        }
        let buttons = if frame % 3 == 0 { Buttons::START } else { Buttons::from_bits((frame % 16) as u8) };
        console.step(buttons)?;
        let snapshot = decoder.decode(console.ram())?;
        writer.take(&PlayedStep::Frame { buttons, polled: console.polled(), writes: &[], snapshot: &snapshot })?;
    }
    writer.finish()?;
    Ok(fs::read(file.path())?)
}

fn gzipped(bytes: &[u8]) -> Done<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}

/// Pictures of a game in which pieces fall fast, and positions in every notation.
fn analysed(put: Put, root: &Path) -> Done {
    let file = tempfile::NamedTempFile::new()?;
    let mut writer = RunWriter::create(file.path(), Format::Ngf.into(), &Provenance::default(), LogOptions::default())?;
    let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
    let mut console = Simulation::new_game(19, Randomizer::SEED);
    for frame in 0..900_u32 {
        let side = if frame / 60 % 2 == 0 { Buttons::LEFT } else { Buttons::RIGHT };
        let buttons = if frame % 2 == 0 { side } else { Buttons::NONE };
        console.step(buttons);
        let snapshot = decoder.decode(console.ram())?;
        writer.take(&PlayedStep::Frame { buttons, polled: true, writes: &[], snapshot: &snapshot })?;
    }
    writer.finish()?;
    let packed = fs::read(file.path())?;
    let mut records = Vec::new();
    MultiGzDecoder::new(&packed[..]).read_to_end(&mut records)?;
    put("ngf", "game", &packed)?;
    put("ngf", "plain", &records[..200 * ngf::RECORD])?;
    let thirds: Vec<u8> = records.chunks(ngf::RECORD).step_by(3).flatten().copied().collect();
    put("ngf", "20-hz", &thirds)?;
    let drawing = "piece T\nnext: I\nlevel 19\nlines 60\n#.........\n##.....##.\n####.XX1##\n";
    put("position", "drawing", drawing.as_bytes())?;
    put("position", "bits", &[&[b'0'; 190][..], b"1101111000"].concat())?;
    put("position", "hex", format!("P={}7B7BEFEFEFEFEFEFEFEF", "EF".repeat(190)).as_bytes())?;
    put("position", "cells", &[&[b'0'; 46][..], b"F0F0"].concat())?;
    put("position", "picture", &fs::read(root.join("crates/formats/tests/pictures/fceux.png"))?)
}

fn runs(put: Put) -> Done {
    let names = ["log_csv", "log_jsonl", "fm2", "bk2", "r08"];
    let formats = [Format::Csv, Format::JsonLines, Format::Fm2, Format::Bk2, Format::R08];
    for (name, format) in names.into_iter().zip(formats) {
        put(name, "run", &recorded(format, 24, LogOptions::default())?)?;
        put(name, "cells", &recorded(format, 12, LogOptions { cells: true, cheats: true })?)?;
    }
    for (first, format) in [Format::Csv, Format::JsonLines, Format::Fm2].into_iter().enumerate() {
        let run = recorded(format, 24, LogOptions::default())?;
        put("gzip", &format!("text-{first}"), &[&[first as u8], &run[..]].concat())?;
        put("gzip", &format!("packed-{first}"), &[&[first as u8], &gzipped(&run)?[..]].concat())?;
        let twice = [gzipped(&run[..100])?, gzipped(&run[100..])?].concat();
        put("gzip", &format!("members-{first}"), &[&[first as u8], &twice[..]].concat())?;
    }
    let four = "version 3\r\nemuVersion 20605\r\nrerecordCount 7\r\npalFlag 0\r\nromFilename game\r\n\
        romChecksum 0x5b0e571558c8c796937b96af469561c6\r\nguid 00000000-0000-0000-0000-000000000000\r\nfourscore 1\r\n\
        RAMInitOption 3\r\nRAMInitSeed 99\r\ncomment author some body\r\nsubtitle 30 two words\r\nlength 4\r\n\
        |0|........|.......A|........|R.......|\r\n|1|........|........|........|........|\r\n\
        |2|........|........|........|........|\r\n|0|R..U..B.|........|........|........|\r\n";
    put("fm2", "four", four.as_bytes())?;
    put(
        "fm2",
        "two",
        four.replace("fourscore 1", "fourscore 0\nport0 1\nport1 1\nport2 0")
            .replace("|........|........|\r\n", "||\r\n")
            .as_bytes(),
    )?;
    let header = "MovieVersion BizHawk v2.0.0\r\nAuthor some body\r\nPlatform NES\r\nGameName game\r\n\
        SHA1 FD9079CB5E8479EB06D93C2AE5175BFCE871746A\r\nMD5 5B0E571558C8C796937B96AF469561C6\r\nrerecordCount 41\r\n\
        PAL 0\r\nStartsFromSavestate False\r\n";
    let log = "[Input]\r\nLogKey:#Power|Reset|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|#P2 Up|P2 Down|\
        P2 Left|P2 Right|P2 Start|P2 Select|P2 B|P2 A|\r\n|..|........|........|\r\n|..|.....s..|.D......|\r\n\
        |P.|........|........|\r\n|.r|........|........|\r\n|..|....S..A|........|\r\n[/Input]\r\n";
    let texts = [header, "hello\r\n\r\nthere\r\n", "subtitle 30 0 0 120 FFFFFFFF two words\r\n", log];
    put("bk2", "members", texts.join("\n----\n").as_bytes())?;
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in ["Header.txt", "Comments.txt", "Subtitles.txt", "Input Log.txt"].into_iter().zip(texts) {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(text.as_bytes())?;
    }
    put("bk2", "deflated", &archive.finish()?.into_inner())
}

fn traces(put: Put) -> Done {
    let column = |(address, name): (u16, &str)| TraceColumn { address, name: name.to_owned() };
    let columns =
        [(0x17, "rng0"), (0x18, "rng1"), (0x60, "x"), (0x61, "y"), (0xB1, "frame"), (0xC0, "mode"), (0x68, "ps")];
    let entries = [("nes-tetris-trace", "1"), ("source", "simulated"), ("frames", "90")];
    let header = TraceHeader {
        entries: entries.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(),
        pokes: vec![maxout_formats::trace::Poke { frame: 3, address: 0x64, value: 9 }],
        columns: columns.map(column).to_vec(),
    };
    for (name, first, frames) in [("boot", 0, 12), ("game", 560, 60)] {
        let mut writer = TraceWriter::new(Vec::new(), &header)?;
        let mut console = Simulated::power_on();
        for frame in 0..first + frames {
            let buttons = if frame % 3 == 0 { Buttons::START } else { Buttons::NONE };
            console.step(buttons)?;
            if frame >= first {
                writer.write(buttons, frame % 7 == 0, console.ram())?;
            }
        }
        let text = writer.finish()?;
        put("trace", name, &text)?;
        put("trace_zst", name, &text)?;
        for (level, word) in [
            (ruzstd::encoding::CompressionLevel::Fastest, "fastest"),
            (ruzstd::encoding::CompressionLevel::Uncompressed, "stored"),
        ] {
            put("trace_zst", &format!("{name}-{word}"), &ruzstd::encoding::compress_to_vec(&text[..], level))?;
        }
    }
    Ok(())
}

fn roms(put: Put) -> Done {
    let cartridge = Rom::cartridge().bytes().to_vec();
    let header = &cartridge[..16];
    put("rom", "short", &[&[0][..], &cartridge[..64]].concat())?;
    put("rom", "whole", &[&[1][..], header].concat())?;
    put("rom", "trainer", &[&[1][..], &[b'N', b'E', b'S', 0x1A, 2, 2, 0x14, 0], &[0; 8], &[7; 512]].concat())?;
    put("rom", "no-header", &[1])?;
    put("rom", "zeros", &[&[2][..], header].concat())?;
    put("rom", "nes-2.0", &[&[2][..], b"NES\x1A\x02\x02\x10\x08\0\0\0\0\0\0\0\0"].concat())?;
    put("rom", "exponent", &[&[2][..], b"NES\x1A\x39\x35\x10\x08\0\xFF\0\0\0\0\0\0"].concat())?;
    put("rom", "patched", &[&[3][..], &patch(16 + 0x1234, b"hello"), &patch(4, &[4])].concat())?;
    let small = &cartridge[..600];
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, options) in [("a.nes", SimpleFileOptions::default()), ("b/c.nes", stored)] {
        archive.start_file(name, options)?;
        archive.write_all(small)?;
    }
    put("rom_archive", "zip", &archive.finish()?.into_inner())?;
    let mut whole = zip::ZipWriter::new(Cursor::new(Vec::new()));
    whole.start_file("game.nes", SimpleFileOptions::default())?;
    whole.write_all(&cartridge)?;
    put("rom_archive", "zip-whole", &whole.finish()?.into_inner())?;
    put("rom_archive", "gzip", &gzipped(small)?)?;
    put("rom_archive", "gzip-whole", &gzipped(&cartridge)?)?;
    put("rom_archive", "rar", b"Rar!\x1A\x07\x01\0")?;
    put("rom_archive", "plain", small)
}

fn texts(put: Put, root: &Path) -> Done {
    put("config", "default", &fs::read(root.join("config/default.toml"))?)?;
    let odd = "[bot]\nseed = 7\nuntil = \"lines:10\"\nstart-level = 0\n[planner]\ninput = \"drag\"\nfilter = \"pattern:a.png\"\n\
        target-score = 999999\nthink = \"fixed:2\"\n[eval]\nevaluator = \"birken-v2\"\nweights = \"a.toml\"\n[view]\nspeed = \"200%\"\n";
    put("config", "odd", odd.as_bytes())?;
    let map = RamMap::tetris_ntsc();
    put("ram_map", "whole", map.to_toml().as_bytes())?;
    put(
        "ram_map",
        "few",
        map.relocated("few", |entry| (entry.address < 0x40).then_some(entry.address)).to_toml().as_bytes(),
    )?;
    for name in ["birken-v1", "birken-v2", "dellacherie", "dellacherie-ga", "el-tetris", "exhaustive-pair"] {
        let text = WeightSet::published(name)?.to_toml(&Notes::default().with("seed", "1").with("a b", "\u{1b}\n"));
        put("weights", name, text.as_bytes())?;
    }
    put("schedule", "learned", toml::to_string(&Schedule::learned())?.as_bytes())?;
    let phase = "[[phases]]\nplay = \"search\"\nwidth = 5\nmargin = 0.5\npieces = 4000\ncut = 1000\n\
        discount = [0.9, 0.98]\nstep = [4e-4, 1e-4]\nlambda = 0.5\nexplore = 0\nstrap = 0.2\nclip = 8\ntopout = -1\n";
    put("schedule", "one", phase.as_bytes())?;
    let games = "# maxout games, format 1\n# ";
    let numbers = |count: usize| vec!["3"; count].join(" ");
    let cells = vec![numbers(10); 20].join("/");
    let row = |game: u32| {
        format!(
            "{game},topout,532389,100,532389,400000,90,1,230,29,580,40000,10,20,10,40,0,44,{},{cells}\n",
            numbers(20)
        )
    };
    let columns = "game,ending,points,pushdown,score,points_by_29,pushdown_by_29,reached_29,lines,level,pieces,frames,singles,\
        doubles,triples,tetrises,perfect_clears,longest_drought,lock_rows,lock_cells\n";
    put("games", "two", format!("{games}{}\n{columns}{}{}", run_id()?, row(0), row(1)).as_bytes())
}

fn run_id() -> Done<String> {
    use maxout_lab::simulate::{PlayerId, RunId};
    let player = PlayerId {
        name: "el-tetris".to_owned(),
        weights_sha1: Some("0f3a".repeat(10)),
        picture_sha1: None,
        planner: Settings::default(),
    };
    let settings = maxout_lab::simulate::Settings::default();
    Ok(serde_json::to_string(&RunId {
        version: "0.1.0".to_owned(),
        settings,
        player,
        games: 100,
        shard: "1/1".parse()?,
    })?)
}

fn pictures(put: Put) -> Done {
    use png::{BitDepth, ColorType};
    let kinds = [
        ("grey", ColorType::Grayscale, BitDepth::Eight, 1),
        ("grey-16", ColorType::Grayscale, BitDepth::Sixteen, 2),
        ("alpha", ColorType::GrayscaleAlpha, BitDepth::Eight, 2),
        ("rgb", ColorType::Rgb, BitDepth::Eight, 3),
        ("rgba", ColorType::Rgba, BitDepth::Eight, 4),
        ("palette", ColorType::Indexed, BitDepth::Eight, 1),
    ];
    for (name, colour, depth, bytes) in kinds {
        for (word, compression) in [("", png::Compression::Balanced), ("-stored", png::Compression::NoCompression)] {
            let mut picture = Vec::new();
            let mut encoder = png::Encoder::new(&mut picture, WIDTH as u32, ROWS as u32);
            encoder.set_color(colour);
            encoder.set_depth(depth);
            encoder.set_compression(compression);
            if colour == ColorType::Indexed {
                encoder.set_palette(vec![250, 240, 230, 10, 20, 30]);
            }
            let light = if colour == ColorType::Indexed { 1 } else { 0xFF };
            let pixel = |at: usize| if at.is_multiple_of(3) { 0 } else { light };
            let pixels: Vec<u8> = (0..WIDTH * ROWS).flat_map(|at| vec![pixel(at); bytes]).collect();
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&pixels)?;
            writer.finish()?;
            put("pattern", &format!("{name}{word}"), &picture)?;
        }
    }
    Ok(())
}

fn nets(put: Put) -> Done {
    let mut net = Net { table: vec![Row([0.0; LANES]); FEATURES], spans: Vec::new(), heads: vec![Head::zero()] };
    for (row, number) in [(3, 0.5), (200, -0.25), (4000, 1.5)] {
        net.table[row].0 = [number; LANES];
    }
    let origin = Origin { command: "maxout train td".to_owned(), seed: "1".to_owned(), ..Origin::default() };
    let trained = TrainedNet::export(&net, &vec![1; net.table.len()], &[], 0, origin);
    for (name, size) in [("8", NumberSize::Eight), ("16", NumberSize::Sixteen), ("lzma", NumberSize::Short)] {
        let file = write_net(&trained, size);
        put("learned_weights", &format!("file-{name}"), &file)?;
        if size == NumberSize::Short {
            continue;
        }
        let mut body = Vec::new();
        std::io::Read::read_to_end(&mut DeflateDecoder::new(&file[28..]), &mut body)?;
        let length = u32::from_le_bytes(body[..4].try_into()?) as usize;
        let rest = &body[4 + length + 4 * Dense::zero().numbers().count()..];
        put("learned_weights", &format!("short-{name}"), &[&body[4..4 + length], &[0; 5], rest].concat())?;
    }
    net.spans = vec![[0.25; OUTPUTS]; SPAN_ROWS];
    let trained = TrainedNet::export(&net, &vec![1; net.table.len()], &vec![1; SPAN_ROWS], 0, trained.origin);
    for (name, size) in [("8", NumberSize::Eight), ("16", NumberSize::Sixteen)] {
        put("learned_weights", &format!("file-{name}-spans"), &write_net(&trained, size))?;
    }
    Ok(())
}

fn trainings(put: Put) -> Done {
    let settings = pso::Settings {
        seed: 5,
        particles: 4,
        start: vec![0.1, -1.0 / 3.0],
        first: SwarmStart::Start,
        again: SwarmStart::Random,
        spread: 0.3,
        dynamics: Dynamics::in_box(1.0),
        convergence: Convergence::default(),
    };
    let described = [("seed", "5"), ("particles", "4")].map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let mut training = pso::Training::begin(&settings);
    let file = tempfile::NamedTempFile::new()?;
    for round in 0..6 {
        if round % 5 == 0 {
            pso::checkpoint::save(file.path(), &described, &training)?;
            put("pso_checkpoint", &format!("after-{round}"), &fs::read(file.path())?)?;
        }
        let fitness: Vec<f64> = training.positions().map(|position| (position[0] * 1e3).sin()).collect();
        training.tell(&settings, &fitness);
    }
    let mut journal =
        Journal::begin(Schedule { phases: Schedule::learned().phases[..1].to_vec(), ..Schedule::learned() });
    journal.record(
        &[maxout_lab::train::td::GameTotals { games: 2, pieces: 1024, points: 1000.5, ..Default::default() }],
        4096,
        1.5,
        1024,
    );
    let journal = toml::to_string(&journal)?;
    put("td_checkpoint", "journal", journal.as_bytes())?;
    let patches = [patch(100, &[0xFF; 8]), patch(4_900_000, &[0x7F; 40]), patch(u32::MAX, &[1])].concat();
    put("td_checkpoint", "patched", &[journal.as_bytes(), &[0], &patches].concat())?;
    put("td_checkpoint", "header", b"mxtdckp\x02\0\0\0\0\0\0\0\0\x60\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0")
}

fn tool_assisted(put: Put) -> Done {
    let planning = STAGES.2.planning;
    let plan = plan(planning, Tables::built_in(), 1, &AtomicBool::new(false), |_, _| ()).ok_or("expected a plan")?;
    let plan = Some(planning.numbers(&plan));
    for (name, count) in [("goal", Count::Goal), ("input", Count::Input)] {
        let settings = tas::Settings {
            goal: "lines:1".parse()?,
            count,
            start_level: 18,
            width: 12,
            longest_pause: 1,
            same_playfield: 3,
            menu_delay: 0,
            seed: 2,
            noise: 1.5,
            weights: Weights::built_in(),
        };
        let mut search = tas::Search::new(settings.clone());
        while !search.is_over() && search.layer(1, &AtomicBool::new(false)).is_some() {}
        let found = search.found().ok_or("expected a game")?;
        let run = SeedsRun::new(&settings, 8, None);
        let game = Some(found.play(settings.goal)?);
        let result = ShardResult::new(run, "2/4".parse()?, false, game.as_ref().map(|game| (settings.seed, game)));
        put("tas_result", name, result.text().as_bytes())?;
        let stages = stages::write(&Stages { plans: 3, plan: plan.clone(), round: 2, in_vain: 1, game }, STAGES.0);
        put("tas_stages", name, &stages)?;
        // Without header and checksum.
        put("tas_stages", &format!("{name}-inside"), &stages[stages::HEADER..stages.len() - 4])?;
    }
    Ok(())
}

fn answers(put: Put) -> Done {
    for (name, line) in [
        ("hello", r#"{"protocol":1,"name":"lowest"}"#),
        ("placement", r#"{"id":7,"placement":1,"value":2.5}"#),
        ("cell", r#"{"id":7,"x":2,"y":18,"orientation":10}"#),
        ("timeline", r#"{"id":7,"timeline":["R......A","........","..D....."]}"#),
        ("start", r#"{"id":7,"timeline":["....T..."]}"#),
    ] {
        put("player_answer", name, format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

fn states(put: Put) -> Done {
    let player = Search::new(handmade::by_name("el-tetris", None)?, Settings::default());
    let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
    let run = Run::new(Simulated::power_on(), decoder, Pilot::new(Box::new(player), 19, 1), Goal::Topout);
    put("saved_run", "power-on", &run.save()?)?;
    put("saved_run", "unchanged", b"")?;
    put("saved_run", "patched", &[patch(60, &[1, 2, 3]), patch(2_200, &[0xFF; 4])].concat())?;
    put("ram", "unchanged", b"")?;
    put("ram", "patched", &[patch(0x60, &[5, 0xFE]), patch(0x400, &[0x7B; 200]), patch(0x64, &[29])].concat())?;
    let start = Buttons::START.bits();
    let menus = [0xE0, 0, 0xCF, start, 0xCF, start, 0xE5, 0, 0xCF, start, 0xCF, start, 0xCF, start, 0xE0, 0];
    put("simulation", "menus", &[&[0, 0, 0, 0][..], &menus, &[0xDF, 0], &menus].concat())?;
    let game = [0xDF, Buttons::DOWN.bits(), 0xE0, 0, 0xC7, Buttons::LEFT.bits(), 0x83, Buttons::A.bits(), 0xE9, 0];
    put("simulation", "game", &[&[1, 18, 0x12, 0x34][..], &game.repeat(12)].concat())?;
    put("simulation", "later", &[&[2, 29, 1, 2][..], &game.repeat(4), &[0xFA, 0], &menus].concat())?;
    put(
        "simulation",
        "pokes",
        &[&[1, 8, 9, 9][..], &game, &[0xF4, 0x64, 0x1D, 0xF8, 0x10, 0x7B, 0xE0, 0, 0xDF, 0], &game, &[0xFE, 0], &menus]
            .concat(),
    )
}
