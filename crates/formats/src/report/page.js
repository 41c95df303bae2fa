"use strict";
// Reads the lines below and draws them. Words from outside are only ever set as text.
addEventListener("DOMContentLoaded", () => {
  const byId = (id) => document.getElementById(id);
  const COLUMNS = 10, ROWS = 20, HZ = 1008307711 / 16777216;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const STATES = ["leaving", "control", "lock", "row check", "clear", "score", "goal check", "garbage", "spawn", "unused", "curtain"];
  const OUTSIDE = 15, UNKNOWN = 16;
  const WHITE = "#eef0fa", EMPTY = "#07070d", GRID = "#161826";
  // For each level mod 10 the colours of the tiles 3 and 2.
  const LEVELS = [["#3b6eff", "#56c8ff"], ["#229e46", "#aede3e"], ["#b53ecc", "#f48ce2"], ["#4260f5", "#54de80"],
    ["#de2c70", "#5ce4b0"], ["#3acc98", "#9292ff"], ["#e44836", "#9a9eac"], ["#804cec", "#c4305c"],
    ["#4268fa", "#ec4a3a"], ["#e24e2a", "#faaa4a"]];
  const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  const time = (frame) => {
    const seconds = frame / HZ;
    return Math.floor(seconds / 60) + ":" + (seconds % 60).toFixed(2).padStart(5, "0");
  };
  const element = (name, text, parent) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };

  // ---- what is told
  let pieces = null;
  const games = [], placements = [], notes = [], runs = [];
  let total = 0, ending = "the page was cut off while the game ran";
  const lines = byId("told").textContent.split("\n");
  // A run that is killed may leave half a line at the end.
  for (const [at, line] of lines.entries()) {
    if (!line.trim()) continue;
    let told;
    try { told = JSON.parse(line); } catch (error) { if (at === lines.length - 1) break; throw error; }
    if (told.pieces) pieces = told.pieces;
    else if (told.game) games.push({ ...told.game, first: placements.length });
    else if (told.placement) placements.push({ ...told.placement, game: games.length - 1 });
    else if (told.grade) placements[placements.length - 1].grade = told.grade;
    else if (told.end) ending = told.end;
    else if (told.note) notes.push({ frame: told.note[0], words: told.note[1] });
    else if (told.frames) {
      for (const run of told.frames.split(" ")) {
        const count = run.length > 7 ? parseInt(run.slice(7), 10) : 1;
        runs.push({ at: total, run });
        total += count;
      }
    }
  }
  const runOf = (frame) => {
    let low = 0, high = runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (runs[middle].at <= frame) low = middle; else high = middle - 1;
    }
    return runs[low].run;
  };
  const frameAt = (frame) => {
    const run = runOf(frame), flags = parseInt(run[2], 10);
    return {
      buttons: parseInt(run.slice(0, 2), 16), read: (flags & 1) === 1, wrote: (flags & 2) === 2,
      state: run[3] === "m" ? OUTSIDE : run[3] === "x" ? UNKNOWN : parseInt(run[3], 16),
      piece: parseInt(run[4], 36), x: parseInt(run[5], 36), y: parseInt(run[6], 36),
    };
  };
  const keys = (buttons) => [..."RLDUTSBA"].map((letter, bit) => (buttons >> bit & 1 ? letter : ".")).join("");
  const cellsOf = (text) => {
    if (text === null || text === undefined) return null;
    const padded = text.padStart(67, "A"), cells = [];
    for (const letter of padded) {
      const bits = LETTERS.indexOf(letter);
      cells.push(bits >> 4 & 3, bits >> 2 & 3, bits & 3);
    }
    return cells.slice(1);
  };
  const placeCells = ([id, x, y]) => (pieces.cells[id] || []).map(([dy, dx]) => [y + dy, x + dx]);
  const letterOf = (id) => pieces.letters[id] || "-";
  const signed = (points) => (points < 0 ? "-" : "+") + thousands(Math.abs(points));
  const columnsOf = (place) => {
    const all = placeCells(place).map(([, column]) => column + 1);
    const low = Math.min(...all), high = Math.max(...all);
    return low === high ? String(low) : low + "-" + high;
  };
  const fieldAfter = (index) => {
    const one = placements[index], next = placements[index + 1];
    if (next && next.game === one.game && one.lock !== null) return cellsOf(next.field);
    return cellsOf(one.after);
  };

  // ---- numbers of every placement
  const rows = placements.map((one, index) => {
    const cells = cellsOf(one.field);
    const top = cells ? cells.findIndex((cell) => cell) : -1;
    const before = index > 0 && placements[index - 1].game === one.game ? index - 1 : null;
    return { height: cells === null ? null : top < 0 ? 0 : ROWS - Math.floor(top / COLUMNS), before };
  });
  rows.forEach((row, index) => {
    const one = placements[index], last = row.before === null ? null : rows[row.before];
    row.clears = last ? last.clears.slice() : [0, 0, 0, 0];
    if (one.clears > 0) row.clears[Math.min(one.clears, 4) - 1] += 1;
    const lines = row.clears.reduce((sum, count, at) => sum + count * (at + 1), 0);
    row.rate = lines ? 100 * 4 * row.clears[3] / lines : null;
    row.drought = letterOf(one.at[0]) === "I" ? 0 : (last ? last.drought : 0) + 1;
    row.score = (one.uncapped || one.score)[1];
  });

  // ---- the head
  const end = placements[placements.length - 1];
  if (end) {
    const row = rows[rows.length - 1], [singles, doubles, triples, tetrises] = row.clears;
    const topout = notes.some((note) => note.words === "topout" && note.frame >= end.spawn);
    const maxout = notes.find((note) => note.words === "999,999");
    const said = [];
    if (maxout) said.push("999,999 in frame " + thousands(maxout.frame) + " (" + time(maxout.frame) + ")");
    if (topout && !ending.includes("topout")) said.push("topout");
    const isToldAbove = ending === "maxout reached" || (said.length > 0 && ending === "end of the recording");
    if (!isToldAbove) said.push(ending);
    // Grades end with a landing, and the frames of some recordings do not begin at power-on.
    const counted = placements.some((one) => one.grade) ? " frames up to the last landing, " : " frames since power-on, ";
    byId("result").textContent = said.join(", then ") + "; " + thousands(total) + counted + time(total) + " at the console's own speed";
    const facts = [["score", thousands(end.score[1])],
      ...(end.uncapped ? [["score without the cap", thousands(end.uncapped[1])]] : []), ["lines", end.lines[1]], ["level", end.level[1]],
      ["pieces", thousands(placements.filter((one) => one.lock !== null && one.game === end.game).length)],
      ["tetris rate", row.rate === null ? "-" : row.rate.toFixed(1) + " %"],
      ["singles, doubles, triples, tetrises", [singles, doubles, triples, tetrises].join(", ")],
      ["longest drought", rows.reduce((most, one) => Math.max(most, one.drought), 0)]];
    if (games.length > 1) facts.push(["games", games.length]);
    for (const [name, value] of facts) {
      const box = element("div", undefined, byId("facts"));
      element("dt", name, box);
      element("dd", value, box);
    }
    if (runs.some(({ run }) => run[2] > "1")) {
      byId("result").className = "bad";
      byId("result").textContent += "; CHEATS: RAM was written while it ran";
    }
  } else {
    byId("result").textContent = "No piece was placed in " + thousands(total) + " frames; " + ending + ".";
  }

  // ---- playfields
  const draw = (id, cells, level, ghosts, solid) => {
    const canvas = byId(id), scale = devicePixelRatio || 1, size = 24;
    canvas.width = COLUMNS * size * scale;
    canvas.height = ROWS * size * scale;
    canvas.style.width = COLUMNS * size + "px";
    canvas.style.height = ROWS * size + "px";
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.fillStyle = EMPTY;
    pen.fillRect(0, 0, COLUMNS * size, ROWS * size);
    pen.fillStyle = GRID;
    for (let column = 1; column < COLUMNS; column++) pen.fillRect(column * size, 0, 1, ROWS * size);
    for (let row = 1; row < ROWS; row++) pen.fillRect(0, row * size, COLUMNS * size, 1);
    const colour = (tile) => (tile === 1 ? WHITE : LEVELS[level % 10][tile === 3 ? 0 : 1]);
    const block = (row, column, tile) => {
      pen.fillStyle = colour(tile);
      pen.fillRect(column * size + 1, row * size + 1, size - 2, size - 2);
      pen.fillStyle = "rgba(255,255,255,.45)";
      pen.fillRect(column * size + 3, row * size + 3, 5, 5);
      if (tile === 1) {
        pen.fillStyle = LEVELS[level % 10][0];
        pen.fillRect(column * size + 1, row * size + 1, size - 2, 2);
        pen.fillRect(column * size + 1, row * size + 1, 2, size - 2);
        pen.fillRect(column * size + 1, row * size + size - 3, size - 2, 2);
        pen.fillRect(column * size + size - 3, row * size + 1, 2, size - 2);
      }
    };
    if (cells) {
      cells.forEach((cell, index) => cell && block(Math.floor(index / COLUMNS), index % COLUMNS, cell));
    } else {
      pen.fillStyle = "#8a8fb0";
      pen.font = "14px sans-serif";
      pen.textAlign = "center";
      pen.fillText("not in this log", COLUMNS * size / 2, ROWS * size / 2);
    }
    if (solid) for (const [row, column] of placeCells(solid)) block(row, column, pieces.tiles[solid[0]]);
    for (const { place, line, dash } of ghosts) {
      pen.strokeStyle = line;
      pen.lineWidth = 2;
      pen.setLineDash(dash || []);
      for (const [row, column] of placeCells(place)) pen.strokeRect(column * size + 3, row * size + 3, size - 6, size - 6);
    }
  };

  // ---- one placement
  let chosen = 0, shownFrame = null, other = null, playing = null;
  // The learned player values in points; the numbers of the others have no unit.
  const isLearned = [...document.querySelectorAll("th")].some(
    (name) => name.textContent === "player" && name.nextElementSibling?.textContent === "learned");
  const value = (number) => (number === null || number === undefined ? "-" : (number < 0 ? "-" : "+")
    + Math.abs(number).toLocaleString("en-US", { maximumFractionDigits: isLearned ? 0 : 2 }) + (isLearned ? " points" : ""));
  const describe = (place) => letterOf(place[0]) + " in column" + (columnsOf(place).includes("-") ? "s " : " ") + columnsOf(place) + ", row " + (place[2] + 1);
  const drawFields = () => {
    const one = placements[chosen];
    if (!one) return;
    const ghosts = [];
    if (one.plan) ghosts.push({ place: one.plan.at, line: "#ffcd54" });
    if (one.grade && one.grade.loss > 0) ghosts.push({ place: one.grade.best, line: "#5ee08a" });
    if (one.grade && one.grade.aimed) ghosts.push({ place: one.grade.aimed, line: "#56b4e9", dash: [2, 3] });
    if (other) ghosts.push({ place: other, line: "#ff6b6b", dash: [4, 3] });
    let solid = one.at;
    if (shownFrame !== null) {
      const shown = frameAt(shownFrame);
      solid = shown.piece < 19 && shown.state <= 2 ? [shown.piece, shown.x, shown.y] : null;
    } else if (other) solid = null;
    draw("before", cellsOf(one.field), one.level[0], ghosts, solid);
    const better = one.grade && one.grade.loss > 0 ? ", the better one in green" : "";
    byId("before-caption").textContent = shownFrame === null ? "before, and the placement" + better : "frame " + thousands(shownFrame);
    const next = one.plan && one.plan.next ? [{ place: one.plan.next, line: "#56b4e9", dash: [2, 3] }] : [];
    const after = one.lock === null ? cellsOf(one.field) : fieldAfter(chosen);
    draw("after", after, one.level[1], next, one.lock === null ? one.at : null);
  };
  const show = (index, frame) => {
    if (!placements.length) return;
    chosen = Math.max(0, Math.min(placements.length - 1, index));
    shownFrame = frame === undefined ? null : frame;
    other = null;
    const one = placements[chosen], row = rows[chosen], points = one.uncapped || one.score;
    byId("slider").value = chosen;
    byId("where").textContent = thousands(chosen + 1) + " of " + thousands(placements.length);
    const facts = [
      ["piece", describe(one.at) + (one.lock === null ? " (did not lock)" : "")],
      ["next", one.next || "-"],
      ["frames", thousands(one.spawn) + " to " + (one.lock === null ? "-" : thousands(one.lock)) + " (" + time(one.spawn) + ")"],
      ["clears", ["none", "single", "double", "triple", "tetris"][Math.min(one.clears, 4)]],
      ["score", thousands(points[0]) + (points[1] > points[0] ? " + " + thousands(points[1] - points[0]) : "")],
      ["lines, level", one.lines[1] + ", " + one.level[1]],
      ["height, drought", (row.height === null ? "-" : row.height) + ", " + row.drought],
    ];
    if (one.plan) {
      facts.push(["value of the plan", value(one.plan.value)], ["reachable", one.plan.reachable + " placements"]);
      if (one.lock !== null && one.plan.at.join() !== one.at.join()) facts.push(["planned", describe(one.plan.at)]);
      if (one.plan.next) facts.push(["next piece to", describe(one.plan.next) + " (dotted, after)"]);
    }
    if (one.grade) {
      const { class: name, loss, kinds, best, aimed, expected, luck, reachable, checked } = one.grade;
      const told = [name, ...kinds].join(", ");
      facts.push(["grade", loss > 0 ? told + ": " + signed(-loss) + " expected points" : told]);
      if (loss > 0) facts.push(["better", describe(best) + " (green)"]);
      if (aimed) facts.push(["aimed at", describe(aimed) + " (dotted)"]);
      if (checked) facts.push(["by play-outs", signed(-checked[0]) + " (95 %: " + signed(-checked[2]) + " to " + signed(-checked[1]) + ")"]);
      facts.push(["expected final score", thousands(expected[0]) + ", then " + thousands(expected[1])],
        ["luck of the next piece", signed(luck)], ["reachable", reachable[0] + " placements, " + reachable[1] + " better"]);
    }
    const table = byId("placement").tBodies[0];
    table.replaceChildren();
    for (const [name, text] of facts) {
      const line = element("tr", undefined, table);
      element("th", name, line);
      element("td", text, line);
    }
    const others = byId("others").tBodies[0];
    others.replaceChildren();
    byId("no-others").hidden = Boolean(one.plan || one.grade);
    byId("no-others").previousElementSibling.hidden = Boolean(one.grade && !one.plan);
    for (const [place, worth] of one.plan ? one.plan.others : []) {
      const line = element("tr", undefined, others);
      line.className = "choice";
      element("td", describe(place), line);
      element("td", value(worth), line);
      line.onmouseenter = line.onclick = () => { other = place; drawFields(); };
      line.onmouseleave = () => { other = null; drawFields(); };
    }
    drawFields();
    moveMarks();
    showFrames(shownFrame === null ? one.spawn : shownFrame);
  };
  const placementOf = (frame) => {
    let low = 0, high = placements.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (placements[middle].spawn <= frame) low = middle; else high = middle - 1;
    }
    return low;
  };
  const showFrame = (frame) => {
    const inside = Math.max(0, Math.min(total - 1, frame));
    show(placementOf(inside), inside);
  };

  // ---- plots
  const marks = [];
  const LEFT = 48, RIGHT = 8, TOP = 18, BOTTOM = 18;
  const svg = (name, attributes, parent, text) => {
    const made = document.createElementNS(byId("drawing").namespaceURI, name);
    for (const [key, content] of Object.entries(attributes)) made.setAttribute(key, content);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const chart = (title, unit, most, numbers, parent = "charts", size = [400, 150], dots = []) => {
    const [WIDTH, HEIGHT] = size;
    const across = (index) => LEFT + (WIDTH - LEFT - RIGHT) * (placements.length < 2 ? 0 : index / (placements.length - 1));
    const figure = element("figure", undefined, byId(parent));
    const picture = svg("svg", { viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img", "aria-label": title }, figure);
    const known = numbers.filter((number) => number !== null);
    const top = Math.max(most, ...known.length ? [known.reduce((one, two) => Math.max(one, two))] : []);
    const down = (number) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * number / (top || 1);
    for (const part of [0, 0.5, 1]) {
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: down(top * part), y2: down(top * part) }, picture);
      svg("text", { x: LEFT - 4, y: down(top * part) + 3, "text-anchor": "end" }, picture, thousands(Math.round(top * part)));
    }
    svg("text", { x: LEFT, y: 11 }, picture, title);
    const reading = svg("text", { x: WIDTH - RIGHT, y: 11, "text-anchor": "end" }, picture, "");
    svg("text", { x: LEFT, y: HEIGHT - 5 }, picture, "1");
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end" }, picture, thousands(placements.length) + " placements");
    let path = "", pen = "M";
    const step = Math.max(1, Math.floor(numbers.length / 2000));
    for (let index = 0; index < numbers.length; index += step) {
      if (numbers[index] === null || (index > 0 && rows[index].before === null)) pen = "M";
      if (numbers[index] === null) continue;
      path += pen + across(index).toFixed(1) + " " + down(numbers[index]).toFixed(1);
      pen = "L";
    }
    svg("path", { class: "line", d: path || "M0 0" }, picture);
    for (const index of dots) {
      svg("circle", { class: placements[index].grade.class, cx: across(index), cy: down(numbers[index]), r: 2.5 }, picture);
    }
    const now = svg("line", { class: "now", y1: TOP, y2: HEIGHT - BOTTOM, x1: LEFT, x2: LEFT }, picture);
    const seek = (event) => {
      const box = picture.getBoundingClientRect();
      const part = ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
      show(Math.round(part * (placements.length - 1)));
    };
    picture.onpointerdown = (event) => { picture.setPointerCapture(event.pointerId); seek(event); };
    picture.onpointermove = (event) => { if (event.buttons & 1) seek(event); };
    marks.push(() => {
      now.setAttribute("x1", across(chosen));
      now.setAttribute("x2", across(chosen));
      const number = numbers[chosen];
      reading.textContent = number === null ? "-" : thousands(Math.round(number)) + (Math.round(number) === 1 ? unit.replace(/^( [a-z]+)s\b/, "$1") : unit);
    });
  };
  const moveMarks = () => marks.forEach((move) => move());
  if (placements.length) {
    chart("score", "", 0, rows.map((row) => row.score));
    chart("height of the pile", " rows", ROWS, rows.map((row) => row.height));
    chart("tetris rate so far", " %", 100, rows.map((row) => row.rate));
    chart("drought", " pieces since the last I", 10, rows.map((row) => row.drought));
  }

  // ---- grades
  const graded = placements.flatMap((one, index) => (one.grade ? [index] : []));
  const isError = (index) => ["inaccuracy", "mistake", "blunder"].includes(placements[index].grade.class);
  const KINDS = [["all errors", isError], ...["blunder", "mistake", "inaccuracy"].map((name) =>
    [name, (index) => placements[index].grade.class === name]),
    ...["misdrop", "misjudgement", "cause unknown", "burn", "missed tetris", "tuck not seen", "out of reach"].map((name) =>
      [name, (index) => placements[index].grade.kinds.includes(name)])];
  let filtered = [];
  const worstButtons = [];
  const filter = () => {
    const [name, isOne] = KINDS[byId("kind").selectedIndex];
    filtered = graded.filter(isOne);
    const lost = filtered.reduce((sum, index) => sum + placements[index].grade.loss, 0);
    byId("kind-count").textContent = filtered.length + (filtered.length === 1 ? " placement, " : " placements, ") + thousands(lost) + " points lost";
    byId("worst").replaceChildren();
    worstButtons.length = 0;
    const worst = filtered.slice().sort((one, two) => placements[two].grade.loss - placements[one].grade.loss);
    for (const index of worst.slice(0, 10)) {
      const one = placements[index], button = element("button", undefined, element("li", undefined, byId("worst")));
      button.type = "button";
      button.textContent = signed(-one.grade.loss) + "  placement " + thousands(index + 1) + ": " + describe(one.at)
        + (one.grade.loss > 0 ? "; better " + describe(one.grade.best) : "") + " (" + [one.grade.class, ...one.grade.kinds].join(", ") + ")";
      button.onclick = () => show(index);
      worstButtons.push([index, button]);
    }
    if (!worst.length) element("li", "none: " + name, byId("worst"));
    drawTrack();
    moveMarks();
  };
  const errorBeside = (step) => {
    const there = step < 0 ? filtered.filter((index) => index < chosen).pop() : filtered.find((index) => index > chosen);
    if (there !== undefined) show(there);
  };
  let drawTrack = () => {};
  if (graded.length) {
    byId("graded").hidden = false;
    document.querySelector(".hint").textContent += " [ and ] go through the errors that are shown.";
    const expected = placements.map((one) => (one.grade ? one.grade.expected[0] : null));
    const dots = graded.filter((index) => ["mistake", "blunder"].includes(placements[index].grade.class));
    chart("expected final score; mistakes orange, blunders red", " points", 0, expected, "graded-charts", [820, 190], dots);
    const slider = byId("slider"), track = element("span");
    track.className = "track";
    slider.replaceWith(track);
    track.append(slider);
    const ticks = svg("svg", { viewBox: "0 0 1000 5", preserveAspectRatio: "none", "aria-hidden": "true" }, track);
    drawTrack = () => {
      ticks.replaceChildren();
      for (const index of filtered) {
        const x = 1000 * index / Math.max(1, placements.length - 1);
        svg("rect", { class: placements[index].grade.class, x: x - 1, y: 0, width: 2, height: 5 }, ticks);
      }
    };
    for (const [name] of KINDS) element("option", name, byId("kind"));
    byId("kind").onchange = filter;
    byId("error-before").onclick = () => errorBeside(-1);
    byId("error-after").onclick = () => errorBeside(1);
    marks.push(() => worstButtons.forEach(([index, button]) => { button.className = index === chosen ? "chosen" : ""; }));
    filter();
  }

  // ---- every frame: only those in sight are in the document
  const LINE = 18, MOST = 800000;
  const log = byId("log"), listed = Math.min(total, MOST);
  byId("log-all").style.height = listed * LINE + "px";
  const drawLog = () => {
    const first = Math.max(0, Math.floor(log.scrollTop / LINE) - 5), shown = byId("log-shown");
    const one = placements[chosen], until = placements[chosen + 1] ? placements[chosen + 1].spawn : total;
    shown.style.top = first * LINE + "px";
    shown.replaceChildren();
    for (let frame = first; frame < Math.min(listed, first + 40); frame++) {
      const seen = frameAt(frame), line = element("div", undefined, shown);
      const inGame = seen.state !== OUTSIDE, hasPiece = inGame && seen.piece < 19;
      const texts = [thousands(frame), time(frame), keys(seen.buttons) + (seen.wrote ? " RAM" : ""),
        inGame ? STATES[seen.state] || "?" : "menu", hasPiece ? letterOf(seen.piece) : "-",
        hasPiece ? seen.x : "-", hasPiece ? seen.y : "-"];
      texts.forEach((text) => element("span", text, line));
      const inside = one && frame >= one.spawn && frame < until;
      line.className = (seen.read ? "" : "unread ") + (frame === shownFrame ? "now" : inside ? "inside" : "");
      line.onclick = () => showFrame(frame);
    }
  };
  const showFrames = (frame) => {
    const top = frame * LINE;
    if (top < log.scrollTop || top > log.scrollTop + log.clientHeight - LINE) log.scrollTop = Math.max(0, top - 2 * LINE);
    drawLog();
  };
  log.onscroll = drawLog;

  // ---- what happened
  const MOST_NOTES = 2000;
  notes.sort((one, two) => one.frame - two.frame);
  for (const note of notes.slice(0, MOST_NOTES)) {
    const button = element("button", thousands(note.frame) + "  " + note.words, element("li", undefined, byId("notes")));
    button.type = "button";
    button.onclick = () => showFrame(note.frame);
    if (note.words.startsWith("desync")) button.className = "bad";
  }

  // ---- hands
  const stop = () => { clearInterval(playing); playing = null; byId("play").textContent = "play"; };
  const toggle = () => {
    if (playing !== null) return stop();
    byId("play").textContent = "pause";
    playing = setInterval(() => (chosen + 1 < placements.length ? show(chosen + 1) : stop()), 150);
  };
  const slider = byId("slider");
  slider.max = Math.max(0, placements.length - 1);
  slider.oninput = () => show(Number(slider.value));
  const go = { first: () => show(0), previous: () => show(chosen - 1), play: toggle, next: () => show(chosen + 1),
    last: () => show(placements.length - 1) };
  for (const [id, act] of Object.entries(go)) byId(id).onclick = act;
  const frameNow = () => (shownFrame === null && placements[chosen] ? placements[chosen].spawn : shownFrame || 0);
  const press = { ArrowLeft: go.previous, ArrowRight: go.next, Home: go.first, End: go.last, " ": toggle,
    "[": () => errorBeside(-1), "]": () => errorBeside(1),
    PageUp: () => show(chosen - 10), PageDown: () => show(chosen + 10),
    ",": () => showFrame(frameNow() - 1), ".": () => showFrame(shownFrame === null ? frameNow() : frameNow() + 1) };
  addEventListener("keydown", (event) => {
    const act = press[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target instanceof HTMLButtonElement) return;
    if (event.target instanceof HTMLSelectElement) return;
    if (event.target === log && event.key.startsWith("Page")) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", drawFields);
  if (placements.length) show(0); else drawLog();
});
