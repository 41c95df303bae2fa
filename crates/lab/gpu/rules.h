// The rules that a training needs, for the host and for the device: pieces, movement, locks and the features of the
// net. They are those of movegen::sweep, Playfield::lock and Features::of: the test gpu_rules compares them, and so does
// `trainer selftest` on the card.
#pragma once
#include <cstdint>

#ifdef __CUDACC__
#define HD __host__ __device__ __forceinline__
#else
#define HD inline
#endif

// From the example gpu_net (`gpu_net tables`): the cells of the 19 orientations (row, column); for each piece its first
// orientation, how many it has, and the one in which it spawns; the odds of the next piece in 64ths.
#ifdef __CUDACC__
#define TABLE(type, name, shape, ...)                  \
    static const type H_##name shape = __VA_ARGS__;    \
    __constant__ type D_##name shape = __VA_ARGS__;
#else
#define TABLE(type, name, shape, ...) static const type H_##name shape = __VA_ARGS__;
#endif
TABLE(int8_t, CELLS, [19][4][2], {{{0,-1},{0,0},{0,1},{-1,0},},{{-1,0},{0,0},{0,1},{1,0},},{{0,-1},{0,0},{0,1},{1,0},},{{-1,0},{0,-1},{0,0},{1,0},},{{-1,0},{0,0},{1,-1},{1,0},},{{-1,-1},{0,-1},{0,0},{0,1},},{{-1,0},{-1,1},{0,0},{1,0},},{{0,-1},{0,0},{0,1},{1,1},},{{0,-1},{0,0},{1,0},{1,1},},{{-1,1},{0,0},{0,1},{1,0},},{{0,-1},{0,0},{1,-1},{1,0},},{{0,0},{0,1},{1,-1},{1,0},},{{-1,0},{0,0},{0,1},{1,1},},{{-1,0},{0,0},{1,0},{1,1},},{{0,-1},{0,0},{0,1},{1,-1},},{{-1,-1},{-1,0},{0,0},{1,0},},{{-1,1},{0,-1},{0,0},{0,1},},{{-2,0},{-1,0},{0,0},{1,0},},{{0,-2},{0,-1},{0,0},{0,1},},})
TABLE(int, FIRST, [7], {0,4,8,10,11,13,17})
TABLE(int, COUNT, [7], {4,4,2,1,2,4,2})
TABLE(int, SPAWN, [7], {2,3,0,0,0,1,1})
TABLE(uint8_t, ODDS64, [7][7], {{2,10,12,10,10,10,10},{12,2,10,10,10,10,10},{10,12,2,10,10,10,10},{10,10,10,4,10,10,10},{10,10,10,10,4,10,10},{12,10,10,10,10,2,10},{10,10,10,10,12,10,2},})
#ifdef __CUDA_ARCH__
#define CELLS D_CELLS
#define FIRST D_FIRST
#define COUNT D_COUNT
#define SPAWN D_SPAWN
#define ODDS64 D_ODDS64
#else
#define CELLS H_CELLS
#define FIRST H_FIRST
#define COUNT H_COUNT
#define SPAWN H_SPAWN
#define ODDS64 H_ODDS64
#endif

constexpr int SPAWN_X = 5;
constexpr int ROWS = 20, WIDTH = 10, HIDDEN_ROWS = 2;
constexpr uint16_t FULL = 0x3FF;

// Rows -2 to 19.
struct Board {
    uint16_t r[ROWS + HIDDEN_ROWS];
};

// A way to play: gravity, taps, and when the next piece becomes known.
struct Games {
    int frames;  // from one drop to the next
    int drop;    // rows of a drop
    int places;  // of the list of gaps
    int gaps[4];
    int after[4];
    int react;  // frames until the next piece is known; UNKNOWN: only after the lock
    int level;
    float scale;
};
constexpr int UNKNOWN = 999;
constexpr int MOST_RESTS = 6;

// The same kinds as the cases of gpu_net.
static const Games KINDS[12] = {{2, 1, 1, {2}, {0}, 0, 19, 1},       {3, 1, 1, {2}, {0}, 0, 18, 1},
                         {1, 1, 1, {2}, {0}, 0, 29, 1},       {1, 2, 1, {2}, {0}, 0, 39, 1},
                         {2, 1, 2, {2, 3}, {1, 0}, 0, 19, 1}, {2, 1, 4, {2, 2, 2, 5}, {1, 2, 3, 3}, 0, 19, 1},
                         {3, 1, 1, {6}, {0}, 0, 18, 1},       {2, 1, 1, {5}, {0}, 0, 19, 1},
                         {1, 1, 2, {2, 3}, {1, 0}, 0, 29, 1}, {1, 2, 4, {2, 2, 2, 5}, {1, 2, 3, 3}, 0, 39, 1},
                         {1, 1, 1, {4}, {0}, 0, 29, 1},       {2, 1, 1, {3}, {0}, 0, 19, 1}};

typedef unsigned long long Set;

HD bool fits_at(const Board &b, int orientation, int x, int y) {
    for (int c = 0; c < 4; c++) {
        int row = y + CELLS[orientation][c][0], column = x + CELLS[orientation][c][1];
        if (row < -2 || row >= ROWS || column < 0 || column >= WIDTH || (b.r[row + 2] >> column & 1)) return false;
    }
    return true;
}

HD bool spawns(const Board &b, int piece) { return fits_at(b, FIRST[piece] + SPAWN[piece], SPAWN_X, 0); }

HD Set fits_in_row(const Board &b, int piece, int y) {
    Set fits = 0;
    for (int o = 0; o < COUNT[piece]; o++) {
        uint32_t hit = 0;
        for (int c = 0; c < 4; c++) {
            int row = y + CELLS[FIRST[piece] + o][c][0] + 2;
            uint32_t blocked = row < ROWS + 2 ? ((uint32_t)b.r[row] << 4 | 0xFFFFC00Fu) : 0xFFFFFFFFu;
            hit |= blocked >> (4 + CELLS[FIRST[piece] + o][c][1]);
        }
        fits |= (Set)(~hit & FULL) << (16 * o);
    }
    return fits;
}

HD Set moved(int orientations, Set set, Set fits) {
    Set shifted = (set >> 1 | set << 1) & fits;
    if (orientations == 1) return shifted;
    Set from = set | shifted, turned;
    if (orientations == 4)
        turned = (from << 16 | from >> 48) | (from >> 16 | from << 48);
    else
        turned = (from << 16 | from >> 16) & 0xFFFFFFFFull;
    return shifted | (turned & fits);
}

// Calls `lock(set, y)` for the states of each row that lock, from the top.
template <class F>
HD void sweep(const Board &b, int piece, const Games &g, Set state, int y, int frames, int rest, int place, F lock) {
    Set sets[4][MOST_RESTS];
    int rests = 0;
    for (int p = 0; p < g.places; p++) rests = g.gaps[p] > rests ? g.gaps[p] : rests;
    for (int p = 0; p < g.places; p++)
        for (int r = 0; r < rests; r++) sets[p][r] = 0;
    sets[place][rest < rests - 1 ? rest : rests - 1] = state;
    int orientations = COUNT[piece];
    Set fits = fits_in_row(b, piece, y);
    while (y < ROWS) {
        for (int f = 0; f < frames; f++) {
            Set tapped[4];
            for (int p = 0; p < g.places; p++) {
                tapped[p] = moved(orientations, sets[p][0], fits);
                Set ready = sets[p][0];
                for (int r = 0; r + 1 < rests; r++) sets[p][r] = sets[p][r + 1];
                sets[p][rests - 1] = 0;
                sets[p][0] |= ready;
            }
            for (int p = 0; p < g.places; p++) {
                int to = g.after[p], last = g.gaps[p] - 1;
                Set sooner = 0;
                for (int r = 0; r <= last; r++) sooner |= sets[to][r];
                Set fresh = tapped[p] & ~sooner;
                sets[to][last] |= fresh;
                for (int r = last + 1; r < rests; r++) sets[to][r] &= ~fresh;
            }
        }
        frames = g.frames;
        Set falling = 0;
        for (int p = 0; p < g.places; p++)
            for (int r = 0; r < rests; r++) falling |= sets[p][r];
        for (int d = 0; d < g.drop && y < ROWS; d++) {
            Set below = fits_in_row(b, piece, y + 1);
            Set landed = falling & fits & ~below;
            if (landed) lock(landed, y);
            falling &= below;
            fits = below;
            y++;
        }
        if (!falling) break;
        for (int p = 0; p < g.places; p++)
            for (int r = 0; r < rests; r++) sets[p][r] &= falling;
    }
}

HD int lowest(Set set) {
#ifdef __CUDA_ARCH__
    return __ffsll(set) - 1;
#else
    return __builtin_ctzll(set);
#endif
}

// A placement as one number: which of the piece's orientations, column, row.
HD uint16_t code_of(int bit, int y) { return (uint16_t)(bit >> 4 | (bit & 15) << 2 | y << 6); }
HD int code_o(int code) { return code & 3; }
HD int code_x(int code) { return code >> 2 & 15; }
HD int code_y(int code) { return code >> 6; }

// Locks a piece and clears rows; returns how many.
HD int lock_piece(Board &b, int piece, int code) {
    int y = code_y(code), x = code_x(code), orientation = FIRST[piece] + code_o(code);
    for (int c = 0; c < 4; c++) b.r[y + CELLS[orientation][c][0] + 2] |= 1 << (x + CELLS[orientation][c][1]);
    int cleared = 0, first = y - 2 > 0 ? y - 2 : 0;
    for (int row = first; row < first + 4 && row < ROWS; row++) {
        if (b.r[row + 2] != FULL) continue;
        cleared++;
        if (row > 0) {
            for (int to = row + 2; to > 2; to--) b.r[to] = b.r[to - 1];
        } else {
            for (int to = ROWS + 1; to > 2; to--) b.r[to] = b.r[to - 1];
            b.r[1] = b.r[0];
            b.r[0] = 0;
        }
        b.r[2] = 0;
    }
    return cleared;
}

// The features: see judge/learned/features.rs.
constexpr int WIDE_WINDOWS = WIDTH - 4, WIDE = 9 * 9 * 9 * 9, NARROW_WINDOWS = WIDTH - 3, NARROW = (ROWS + 1) * 343;
constexpr int CROWN = 1 << 12, ROW = 1 << WIDTH, HOLE_DEPTHS = 8, HOLE_ROWS = 8, SUMMARY = (ROWS + 1) * HOLE_ROWS;
constexpr int READY_ROWS = 5, READY = READY_ROWS * (WIDTH + 1) * (ROWS / 3 + 1);
constexpr int AT_NARROW = WIDE_WINDOWS * WIDE, AT_CROWN = AT_NARROW + NARROW_WINDOWS * NARROW;
constexpr int AT_ROW = AT_CROWN + NARROW_WINDOWS * CROWN, AT_HOLES = AT_ROW + ROWS * ROW;
constexpr int AT_SUMMARY = AT_HOLES + HOLE_DEPTHS * ROW, AT_READY = AT_SUMMARY + SUMMARY, FEATURES = AT_READY + READY;
constexpr int MOST_FEATURES = 64;  // 62 at most

HD int popcount(uint32_t x) {
#ifdef __CUDA_ARCH__
    return __popc(x);
#else
    return __builtin_popcount(x);
#endif
}

// Part 0 to 3 of the features of a playfield. Part 0 returns how many there are in all: the windows are the first 20.
HD int features_of(const Board &b, int part, uint32_t *out) {
    const uint16_t *rows = b.r + 2;
    int heights[WIDTH];
    for (int c = 0; c < WIDTH; c++) heights[c] = 0;
    uint32_t covered = 0;
    int top = ROWS, hole_rows = 0, count = WIDE_WINDOWS + 2 * NARROW_WINDOWS;
    for (int y = 0; y < ROWS; y++) {
        uint32_t row = rows[y];
        if (top == ROWS && row == 0) continue;
        if (top == ROWS) top = y;
        uint32_t fresh = row & ~covered;
        for (int c = 0; c < WIDTH; c++)
            if (fresh >> c & 1) heights[c] = ROWS - y;
        if (part == 0) {
            uint32_t holes = covered & ~row;
            if (holes) {
                hole_rows++;
                int depth = y - top < HOLE_DEPTHS - 1 ? y - top : HOLE_DEPTHS - 1;
                out[count++] = AT_HOLES + depth * ROW + holes;
            }
            out[count++] = AT_ROW + (ROWS - 1 - y) * ROW + row;
        }
        covered |= row;
        if (part != 0 && covered == FULL) break;
    }
    int tallest = ROWS - top;
    if (part == 0) {
        out[count++] = AT_SUMMARY + tallest * HOLE_ROWS + (hole_rows < HOLE_ROWS - 1 ? hole_rows : HOLE_ROWS - 1);
        int well = WIDTH, waiting = 0;
        for (int y = ROWS - 1; y >= top; y--) {
            uint32_t gap = FULL & ~rows[y];
            if (gap && (gap & (gap - 1)) == 0) {
                int column = lowest(gap);
                if (waiting == 0) well = column;
                if (column == well) waiting++;
            }
        }
        if (waiting > READY_ROWS - 1) waiting = READY_ROWS - 1;
        out[count++] = AT_READY + (waiting * (WIDTH + 1) + well) * (ROWS / 3 + 1) + tallest / 3;
        return count;
    }
    if (part == 1) {
        for (int w = 0; w < WIDE_WINDOWS; w++) {
            int index = 0;
            for (int i = 0; i < 4; i++) {
                int step = heights[w + i + 1] - heights[w + i];
                index = index * 9 + (step < -4 ? -4 : step > 4 ? 4 : step) + 4;
            }
            out[w] = w * WIDE + index;
        }
    } else if (part == 2) {
        for (int w = 0; w < NARROW_WINDOWS; w++) {
            int index = heights[w];
            for (int i = 0; i < 3; i++) {
                int step = heights[w + i + 1] - heights[w + i];
                index = index * 7 + (step < -3 ? -3 : step > 3 ? 3 : step) + 3;
            }
            out[WIDE_WINDOWS + w] = AT_NARROW + w * NARROW + index;
        }
    } else {
        for (int w = 0; w < NARROW_WINDOWS; w++) {
            int most = 0;
            for (int i = 0; i < 4; i++) most = heights[w + i] > most ? heights[w + i] : most;
            int crown = 0;
            for (int depth = 0; depth < 3; depth++) {
                int bits = most <= depth ? 0xF : rows[ROWS - most + depth] >> w & 0xF;
                crown = crown << 4 | bits;
            }
            out[WIDE_WINDOWS + NARROW_WINDOWS + w] = AT_CROWN + w * CROWN + crown;
        }
    }
    return 0;
}
