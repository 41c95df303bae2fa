"use strict";
// Draws a position, asks the server, shows its answer. Words from outside are only ever set as text.
addEventListener("DOMContentLoaded", () => {
  const byId = (id) => document.getElementById(id);
  const COLUMNS = 10, ROWS = 20;
  // For each level mod 10 the colours of the tiles 3 and 2, as in a report.
  const LEVELS = [["#3b6eff", "#56c8ff"], ["#229e46", "#aede3e"], ["#b53ecc", "#f48ce2"], ["#4260f5", "#54de80"],
    ["#de2c70", "#5ce4b0"], ["#3acc98", "#9292ff"], ["#e44836", "#9a9eac"], ["#804cec", "#c4305c"],
    ["#4268fa", "#ec4a3a"], ["#e24e2a", "#faaa4a"]];
  const FIRST_SHOWN = 10;
  const { pieces, spawnColumn } = JSON.parse(byId("known").textContent);
  const cellsOf = (letter) => {
    const piece = pieces.find((one) => one.letter === letter);
    return piece ? piece.cells.map(([row, column]) => [row, column + spawnColumn]) : [];
  };
  const element = (name, text, parent) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };
  const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  const points = (n) => (n === null || n === undefined ? "-" : (n < 0 ? "-" : "") + thousands(Math.abs(Math.round(n))));
  const percent = (n) => (100 * n).toFixed(n > 0 && n < 0.1 ? 1 : 0) + " %";

  // ---- the position
  const START = { piece: "T", next: "I", level: "18", lines: "0", tapRate: "15", reactionFrames: "0", playouts: "20" };
  const INPUTS = { level: "level", lines: "lines", tap: "tapRate", reaction: "reactionFrames", playouts: "playouts" };
  let field = new Array(ROWS * COLUMNS).fill(false);
  let asked = { ...START };
  let ghost = null;

  const rowsOf = (cells) => Array.from({ length: ROWS }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS));
  const textOf = (cells) => cells.map((cell) => (cell ? "1" : "0")).join("");
  // Rows of ten, the last one at the bottom; null if it is something else.
  const fieldOf = (text) => {
    const cells = [...text.replace(/\s/g, "")];
    if (cells.length > ROWS * COLUMNS || cells.length % COLUMNS !== 0) return null;
    const empty = new Array(ROWS * COLUMNS - cells.length).fill(false);
    return empty.concat(cells.map((cell) => cell !== "." && cell !== "0"));
  };

  // ---- the playfield as cells
  const cells = [];
  let cursor = (ROWS - 1) * COLUMNS;
  for (let row = 0; row < ROWS; row++) {
    const line = element("div", undefined, byId("field"));
    line.className = "row";
    line.setAttribute("role", "row");
    for (let column = 0; column < COLUMNS; column++) {
      const cell = element("div", undefined, line);
      cell.setAttribute("role", "gridcell");
      cell.tabIndex = -1;
      cell.dataset.at = cells.length;
      cells.push(cell);
    }
  }
  cells[cursor].tabIndex = 0;

  const drawField = () => {
    const [tile, second] = LEVELS[(parseInt(asked.level, 10) || 0) % 10];
    byId("field").style.setProperty("--tile", tile);
    byId("field").style.setProperty("--ghost", second);
    const at = (list) => new Set(list.map(([row, column]) => row * COLUMNS + column));
    const ghosts = at(ghost || []), spawn = at(ghost ? [] : cellsOf(asked.piece));
    cells.forEach((cell, index) => {
      cell.className = "cell" + (field[index] ? " full" : "") + (ghosts.has(index) ? " ghost" : "") + (spawn.has(index) ? " spawn" : "");
      const row = ROWS - Math.floor(index / COLUMNS), column = index % COLUMNS + 1;
      cell.setAttribute("aria-label", "row " + row + " from the floor, column " + column + ": " + (field[index] ? "full" : "empty"));
    });
  };

  const outdated = () => {
    if (!answer) return;
    byId("answered").classList.add("old");
    byId("asked").textContent = "The position has changed since: ask again.";
    ghost = null;
  };
  // Not at each cell of a stroke: browsers allow about a hundred of these in half a minute.
  let noted = null;
  const changed = () => {
    outdated();
    drawField();
    clearTimeout(noted);
    noted = setTimeout(() => history.replaceState(null, "", "#" + hash()), 300);
  };
  const set = (index, full) => {
    if (field[index] === full) return;
    field[index] = full;
    changed();
  };

  // ---- hands on the playfield
  let painting = null;
  const cellAt = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found && found.dataset.at !== undefined ? Number(found.dataset.at) : null;
  };
  const grid = byId("field");
  grid.addEventListener("contextmenu", (event) => event.preventDefault());
  grid.addEventListener("pointerdown", (event) => {
    const index = cellAt(event);
    if (index === null || event.button === 1) return;
    painting = event.button === 0 && !field[index];
    grid.setPointerCapture(event.pointerId);
    focusOn(index);
    set(index, painting);
    event.preventDefault();
  });
  grid.addEventListener("pointermove", (event) => {
    const index = painting === null ? null : cellAt(event);
    if (index !== null) set(index, painting);
  });
  for (const end of ["pointerup", "pointercancel"]) grid.addEventListener(end, () => { painting = null; });
  const focusOn = (index) => {
    cells[cursor].tabIndex = -1;
    cursor = index;
    cells[cursor].tabIndex = 0;
    cells[cursor].focus();
  };
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = Math.floor(cursor / COLUMNS), column = cursor % COLUMNS;
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -column], End: [0, COLUMNS - 1 - column] }[event.key];
    if (move) {
      const to = [row + move[0], column + move[1]];
      if (to[0] >= 0 && to[0] < ROWS && to[1] >= 0 && to[1] < COLUMNS) focusOn(to[0] * COLUMNS + to[1]);
    } else if (event.key === " ") set(cursor, !field[cursor]);
    else if (event.key === "Delete" || event.key === "Backspace") set(cursor, false);
    else if (event.key === "Enter") ask();
    else return;
    event.preventDefault();
  });
  const EMPTY_ROW = new Array(COLUMNS).fill(false);
  byId("clear").onclick = () => { field = field.map(() => false); changed(); };
  byId("up").onclick = () => { field = field.slice(COLUMNS).concat(EMPTY_ROW); changed(); };
  byId("down").onclick = () => { field = EMPTY_ROW.concat(field.slice(0, -COLUMNS)); changed(); };
  byId("copy").onclick = async () => {
    byId("paste").value = textOf(field);
    byId("pasting").open = true;
    byId("paste").select();
    try { await navigator.clipboard.writeText(textOf(field)); } catch (error) { /* it is selected, to be copied by hand */ }
  };
  byId("paste").addEventListener("input", () => {
    const pasted = fieldOf(byId("paste").value);
    if (pasted) field = pasted;
    say(pasted || !byId("paste").value ? "" : "expected 200 characters, or up to 20 rows of 10, found " + byId("paste").value.replace(/\s/g, "").length + " characters");
    changed();
  });

  // ---- the other values
  const drawing = (letter) => {
    const around = byId("known-svg").namespaceURI;
    const picture = document.createElementNS(around, "svg"), shape = cellsOf(letter);
    const rows = shape.map(([row]) => row), columns = shape.map(([, column]) => column);
    const [top, left] = [Math.min(...rows), Math.min(...columns)];
    picture.setAttribute("viewBox", [left, top, Math.max(...columns) - left + 1, Math.max(...rows) - top + 1].join(" "));
    picture.setAttribute("aria-hidden", "true");
    for (const [row, column] of shape) {
      const cell = document.createElementNS(around, "rect");
      for (const [key, value] of Object.entries({ x: column + 0.04, y: row + 0.04, width: 0.92, height: 0.92 })) cell.setAttribute(key, value);
      picture.append(cell);
    }
    return picture;
  };
  const choose = (parent, name, letters) => {
    for (const letter of letters) {
      const label = element("label", undefined, byId(parent)), radio = element("input", undefined, label);
      radio.type = "radio";
      radio.name = name;
      radio.value = letter;
      if (letter !== "?") label.append(drawing(letter));
      element("span", letter === "?" ? "unknown" : letter, label);
      radio.onchange = () => { asked[name] = letter; changed(); };
    }
  };
  const letters = pieces.map((piece) => piece.letter);
  choose("pieces", "piece", letters);
  choose("nexts", "next", [...letters, "?"]);
  for (const [id, name] of Object.entries(INPUTS)) {
    byId(id).oninput = () => { asked[name] = byId(id).value.trim(); changed(); };
  }
  const fillForm = () => {
    for (const [id, name] of Object.entries(INPUTS)) byId(id).value = asked[name];
    for (const name of ["piece", "next"]) {
      for (const radio of document.getElementsByName(name)) radio.checked = radio.value === asked[name];
    }
  };

  // ---- the position in the address
  const hash = () => {
    const full = textOf(field).replace(/^(0{10})+/, "");
    const values = Object.keys(START).map((name) => name + "=" + encodeURIComponent(asked[name]));
    return ["playfield=" + full, ...values].join("&");
  };
  const fromHash = () => {
    const values = new URLSearchParams(location.hash.slice(1));
    for (const name of Object.keys(START)) if (values.has(name)) asked[name] = values.get(name);
    const drawn = fieldOf(values.get("playfield") || "");
    if (drawn) field = drawn; else say("the playfield in the address is not rows of 10 cells");
    fillForm();
    drawField();
    if (values.has("ask")) ask();
  };
  addEventListener("hashchange", () => { answer = null; ghost = null; fromHash(); });

  // ---- question and answer
  let answer = null, chosen = 0, showsAll = false, running = null;
  const say = (words) => { byId("error").textContent = words; };
  // A number where it is one: everything else is for the server to refuse.
  const number = (text) => (/^\d+$/.test(text) ? Number(text) : text);
  const question = () => ({
    playfield: textOf(field), piece: asked.piece, next: asked.next === "?" ? null : asked.next,
    level: number(asked.level), lines: number(asked.lines), tap_rate: number(asked.tapRate),
    reaction_frames: number(asked.reactionFrames), playouts: number(asked.playouts),
  });
  // What the server says, or an error in its words.
  const told = async (response) => {
    const body = await response.json().catch(() => null);
    if (body === null) throw new Error("the server gave an answer that cannot be read (status " + response.status + ")");
    if (!response.ok) throw new Error(body.error || "the server refused (status " + response.status + ")");
    return body;
  };
  const unreachable = (error) => (error instanceof TypeError ? "the server does not answer: does maxout serve still run?" : error.message);
  const ask = async () => {
    if (running) running.abort();
    const mine = running = new AbortController();
    say("");
    byId("asked").textContent = "thinking ...";
    byId("stop").hidden = false;
    try {
      const response = await fetch("/analyze", { method: "POST", signal: mine.signal, headers: { "content-type": "application/json" }, body: JSON.stringify(question()) });
      const found = await told(response);
      if (running !== mine) return;
      answer = found;
      showsAll = false;
      showAnswer();
    } catch (error) {
      if (running !== mine) return;
      byId("asked").textContent = answer ? "The answer below is an older one." : "No answer.";
      if (error.name !== "AbortError") say(unreachable(error));
    }
    byId("stop").hidden = true;
    running = null;
  };
  byId("stop").onclick = () => { if (running) running.abort(); };
  byId("form").onsubmit = (event) => { event.preventDefault(); ask(); };

  const cell = (line, text, kind) => {
    const made = element("td", text, line);
    if (kind) made.className = kind;
    return made;
  };
  const interval = (line, estimate, shown) => {
    const made = cell(line, estimate ? shown(estimate.value) + " " : "-", "number played");
    if (estimate) element("span", shown(estimate.low) + " to " + shown(estimate.high), made).className = "interval";
  };
  const showAnswer = () => {
    byId("answered").hidden = answer.choices.length === 0;
    byId("answered").classList.remove("old");
    const { until, lines } = answer.horizon;
    const goal = until === "lines" ? "in the next " + lines + " lines" : "up to level 29 (" + lines + " lines)";
    byId("asked").textContent = answer.choices.length === 0 ? "The game is over: no placement can be reached."
      : answer.choices.length + " placements can be reached. Points are those of clears to be expected " + goal + ".";
    showOpening(answer.opening);
    showChoices();
    choosePlacement(0);
  };
  // What a reaction time leaves to be pressed before the next piece is used.
  const showOpening = (opening) => {
    byId("opening").hidden = !opening;
    if (!opening) return;
    const frames = (press) => (press.frames > 1 ? press.frame + "-" + (press.frame + press.frames - 1) : press.frame);
    const pressed = opening.presses.map((press) => frames(press) + " " + press.buttons.join("+")).join(", ");
    byId("opening").textContent = "Pressed in the " + opening.frames + " frames before the next piece is used: "
      + (pressed || "no button") + (opening.placement ? "; best from there without knowing it: " + opening.placement.name : "");
  };
  const showChoices = () => {
    const body = byId("choices").tBodies[0], all = answer.choices;
    body.replaceChildren();
    for (const one of byId("choices").querySelectorAll("th.played")) one.hidden = !all.some((choice) => choice.played_on);
    all.slice(0, showsAll ? all.length : FIRST_SHOWN).forEach((choice, index) => {
      const line = element("tr", undefined, body), played = choice.played_on;
      line.className = "choice";
      line.tabIndex = 0;
      cell(line, String(choice.rank));
      cell(line, choice.placement.name);
      cell(line, points(choice.points), "number");
      cell(line, index === 0 ? "" : points(choice.gap), "number");
      cell(line, choice.tetris_ready ? "yes" : "no");
      if (all.some((other) => other.played_on)) {
        interval(line, played && played.points, points);
        interval(line, played && played.topout, percent);
      }
      line.onclick = () => choosePlacement(index);
      line.onmouseenter = () => showGhost(choice);
      line.onmouseleave = () => showGhost(all[chosen]);
      line.onfocus = () => { if (line.matches(":focus-visible")) choosePlacement(index); };
    });
    byId("more").hidden = showsAll || all.length <= FIRST_SHOWN;
    byId("more").textContent = "show all " + all.length;
  };
  byId("more").onclick = () => { showsAll = true; showChoices(); choosePlacement(chosen); };
  byId("choices").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], lines = byId("choices").tBodies[0].rows;
    if (!step || !lines[chosen + step]) return;
    event.preventDefault();
    choosePlacement(chosen + step);
    lines[chosen].focus();
  });
  const showGhost = (choice) => {
    ghost = byId("answered").classList.contains("old") || !choice ? null : choice.placement.cells;
    drawField();
  };

  // ---- one placement
  const FACTS = [["holes", "holes", -1], ["tucks_needed", "holes open to a tuck", 0], ["height", "height", -1], ["bumpiness", "bumpiness", -1],
    ["well_depth", "depth of the well", 0], ["well_column", "column of the well", 0], ["tetris_ready", "tetris-ready", 1], ["homeless", "pieces without a clean place", -1]];
  const factText = (name, value) => {
    if (name === "tetris_ready") return value ? "yes" : "no";
    if (name === "homeless") return value.length ? value.join(" ") : "none";
    if (name === "well_column") return value === null ? "-" : String(value + 1);
    return String(value);
  };
  const choosePlacement = (index) => {
    const choice = answer.choices[index];
    if (!choice) return;
    chosen = index;
    [...byId("choices").tBodies[0].rows].forEach((line, at) => {
      line.classList.toggle("chosen", at === index);
      line.setAttribute("aria-selected", at === index);
    });
    byId("chosen").textContent = choice.rank + ": " + choice.placement.name;
    byId("way").textContent = choice.way;
    const presses = byId("presses").tBodies[0];
    presses.replaceChildren();
    for (const press of choice.presses) {
      const line = element("tr", undefined, presses);
      cell(line, String(press.frame), "number");
      cell(line, press.buttons.join(" + "));
      cell(line, press.frames + (press.frames === 1 ? " frame" : " frames"));
    }
    const last = element("tr", undefined, presses);
    cell(last, String(choice.frames), "number");
    cell(last, "locks");
    // The best one is compared with the second, all others with the best.
    const other = answer.choices[index === 0 ? 1 : 0];
    const facts = byId("explained").tBodies[0];
    facts.replaceChildren();
    byId("explained-title").textContent = other ? "after it, and after " + other.rank : "after it";
    for (const [name, words, better] of FACTS) {
      const line = element("tr", undefined, facts), worth = (value) => (Array.isArray(value) ? value.length : Number(value));
      const own = choice.measure[name];
      element("th", words, line);
      const shown = cell(line, factText(name, own), "number");
      if (!other) continue;
      const its = other.measure[name], difference = (worth(own) - worth(its)) * better;
      const compared = cell(line, factText(name, its), "number");
      if (difference > 0) shown.classList.add("better");
      if (difference < 0) compared.classList.add("better");
    }
    const line = element("tr", undefined, facts);
    element("th", "depends on the next piece", line).title = "standard deviation over the pieces that may come, in points";
    cell(line, points(choice.dependence), "number");
    if (other) cell(line, points(other.dependence), "number");
    showReplies(choice);
    showGhost(choice);
  };
  const showReplies = (choice) => {
    const body = byId("replies").tBodies[0];
    body.replaceChildren();
    const unknown = answer.by_next.length > 0;
    byId("replies-title").textContent = unknown ? "the best place if the next piece is" : "the next piece goes to";
    for (const reply of unknown ? answer.by_next : choice.replies) {
      const line = element("tr", undefined, body);
      element("th", reply.next, line);
      cell(line, reply.placement ? reply.placement.name : "nowhere");
      cell(line, points(reply.points), "number");
    }
  };
  // The level after a clear, for a game that may have begun at this level.
  const levelAfter = (level, before, after) => {
    const first = Math.min(10 * level + 10, Math.max(100, 10 * level - 50)), tens = Math.floor(after / 10);
    return level + (tens > Math.floor(before / 10) && 10 * tens >= first ? 1 : 0);
  };
  byId("play-it").onclick = () => {
    const choice = answer && answer.choices[chosen];
    if (!choice) return;
    for (const [row, column] of choice.placement.cells) if (row >= 0) field[row * COLUMNS + column] = true;
    const left = rowsOf(field).filter((row) => !row.every(Boolean));
    field = Array.from({ length: ROWS - left.length }, () => EMPTY_ROW).concat(left).flat();
    const lines = Number(asked.lines) + choice.clears;
    asked = { ...asked, level: String(levelAfter(Number(asked.level), Number(asked.lines), lines)), lines: String(lines) };
    if (asked.next !== "?") [asked.piece, asked.next] = [asked.next, "?"];
    fillForm();
    changed();
  };

  // ---- games
  const CLASSES = [["best", "best"], ["good", "good"], ["inaccuracy", "inaccuracies"], ["mistake", "mistakes"], ["blunder", "blunders"]];
  const EVENTS = [["misdrops", "misdrops"], ["misjudgements", "misjudgements"], ["burns", "burns"], ["missed_tetrises", "missed tetrises"], ["unseen_tucks", "tucks not seen"]];
  const WORST = 10, NUMBERS = new Set(["pieces", "points lost", "lost"]);
  const table = (parent, kind, names) => {
    const made = element("table", undefined, parent), head = element("tr", undefined, made.createTHead());
    made.className = kind;
    for (const name of names) element("th", name, head).className = NUMBERS.has(name) ? "number" : "";
    return made.createTBody();
  };
  const showGrade = (grades) => {
    byId("graded").replaceChildren();
    for (const game of grades.games) showGame(game, grades.games.length > 1 ? "game " + game.game + ": " : "");
  };
  const showGame = (game, before) => {
    const { totals, hand } = game, parent = byId("graded");
    element("h3", before + thousands(game.score) + " points, " + game.lines + " lines, from level " + game.start_level + (game.topped_out ? ", topout" : ""), parent);
    element("p", "Accuracy " + totals.accuracy.toFixed(1) + " %: " + points(totals.loss) + " expected points lost with " + totals.pieces
      + " pieces. Without the blunders: " + points(game.score_without_blunders) + " points, with average luck: "
      + points(game.score_with_average_luck) + " points. Graded for " + hand.name + ".", parent);
    const columns = element("div", undefined, parent);
    columns.className = "columns";
    for (const group of [CLASSES, EVENTS]) {
      const body = table(columns, "", ["", "pieces", "points lost"]);
      for (const [name, words] of group) {
        if (!totals[name]) continue;
        const line = element("tr", undefined, body);
        element("th", words, line);
        cell(line, thousands(totals[name].pieces), "number");
        cell(line, points(totals[name].loss), "number");
      }
    }
    if (game.worst.length === 0) return;
    element("h4", "The worst " + Math.min(WORST, game.worst.length) + ": click one to look at it above", parent);
    const body = table(parent, "worst", ["piece", "lost", "class", "played", "best", "why"]);
    for (const number of game.worst.slice(0, WORST)) {
      const piece = game.pieces.find((one) => one.number === number);
      const line = element("tr", undefined, body);
      line.className = "choice";
      line.tabIndex = 0;
      cell(line, String(number));
      cell(line, points(piece.loss), "number");
      cell(line, piece.class);
      cell(line, piece.played.name);
      cell(line, piece.best.name);
      cell(line, [piece.cause, piece.burn && !piece.best_burns && "burn", piece.missed_tetris && "missed tetris", piece.unseen_tuck && "tuck not seen"].filter(Boolean).join(", "));
      line.onclick = () => lookAt(piece, hand);
      line.onkeydown = (event) => { if (event.key === "Enter") lookAt(piece, hand); };
    }
  };
  const lookAt = (piece, hand) => {
    field = fieldOf(piece.playfield);
    asked = { ...asked, piece: piece.piece, next: piece.next, level: String(piece.level), lines: String(piece.lines) };
    if (hand.tap_rate) asked.tapRate = String(hand.tap_rate);
    fillForm();
    changed();
    scrollTo(0, 0);
    ask();
  };
  const grade = async (file) => {
    byId("graded").replaceChildren();
    byId("grade-error").textContent = "";
    byId("grading").textContent = "grading " + file.name + " ...";
    try {
      showGrade(await told(await fetch("/grade?name=" + encodeURIComponent(file.name), { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file })));
      byId("grading").textContent = file.name;
    } catch (error) {
      byId("grading").textContent = "";
      byId("grade-error").textContent = unreachable(error);
    }
  };
  byId("file").onchange = () => { if (byId("file").files[0]) grade(byId("file").files[0]); byId("file").value = ""; };
  const drop = byId("drop");
  addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files[0]) grade(event.dataTransfer.files[0]);
  });

  fromHash();
});
