// Trains a net by temporal differences on a graphics card: the rule of `maxout train td` with tens of thousands of games
// side by side. All sums that depend on the order of threads are made in whole numbers, so that the same
// program on the same kind of card gives the same net.
//
//   trainer train PLAN INIT OUT [seconds]     trains by a plan, from the numbers of INIT, into OUT
//   trainer selftest CASES INIT               compares the card with the program: values and gradients
//
// Files of numbers are those of the example gpu_net: the table in whole numbers of 16 bits, the layers of each head.
#include <cuda_fp16.h>
#include <mma.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cases.h"

using namespace nvcuda;

#ifndef HID
#define HID 64
#endif
constexpr int SUMMED = 88, OUTS = 8, LANES = 96, MOST_HEADS = 64;
constexpr int BLOCK = 256, TILE = 64;  // threads and playfields of a block
constexpr int CAP = 128;               // placements of a piece at most
constexpr int AVERAGE = 40;            // placements of a piece on average at most: about 25 in play
constexpr int SEGMENT = 16;
constexpr int LDX = LANES + 8, LDH = HID + 8, LDF = HID + 4, LDD = LANES + 4;
constexpr float PART = 4096.0f;  // gradients of the table are counted in these parts

// The layers of a head in the order of Dense::layers.
constexpr int AT_SUM_BIAS = 0, AT_W = SUMMED, AT_HB = AT_W + SUMMED * HID, AT_OUT = AT_HB + HID;
constexpr int AT_OB = AT_OUT + OUTS * HID, DENSE = AT_OB + OUTS;
constexpr int DENSE_64 = SUMMED + SUMMED * 64 + 64 + OUTS * 64 + OUTS;

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t e = (call);                                                                  \
        if (e != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

__constant__ Games GAMES[MOST_HEADS];
__device__ const float REWARDS[5] = {0.0f, 40.0f / 300.0f, 100.0f / 300.0f, 1.0f, 4.0f};

struct Rates {
    float discount, lambda, step, explore, messy, strays, clip, topout, table, margin;
    int width;  // 0: no search
};

__host__ __device__ inline uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}
struct Random {
    uint64_t state;
    __host__ __device__ Random(uint64_t seed, uint64_t game, uint64_t step) : state(mix(seed ^ mix(game ^ mix(step)))) {}
    __host__ __device__ uint32_t next() { return (uint32_t)((state = mix(state)) >> 32); }
    __host__ __device__ float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
};
__device__ int draw(int before, Random &random) {
    int rest = random.next() & 63;
    for (int p = 0; p < 7; p++) {
        rest -= ODDS64[before][p];
        if (rest < 0) return p;
    }
    return 0;
}

struct Tally {
    unsigned long long pieces, games, finished, points, lines, tetrises;
};

// Placements of each entry (a playfield and a piece); `per_head` entries for each head.
__global__ void k_moves(const Board *boards, const uint8_t *pieces, int entries, int per_head, uint16_t *codes, int *counts) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= entries) return;
    int n = 0;
    int piece = pieces[e];
    if (piece < 7) {
        Board b = boards[e];
        const Games g = GAMES[e / per_head];
        if (spawns(b, piece)) {
            uint16_t *to = codes + (size_t)e * CAP;
            sweep(b, piece, g, 1ull << (16 * SPAWN[piece] + SPAWN_X), 0, g.frames, 0, 0, [&](Set set, int y) {
                while (set && n < CAP) {
                    to[n++] = code_of(lowest(set), y);
                    set &= set - 1;
                }
            });
        }
    }
    counts[e] = n;
}

// For each head where the children of its entries begin; one block a head.
__global__ void k_scan(const int *counts, int per_head, int room, int *begins, int *totals) {
    __shared__ int sums[1024];
    int head = blockIdx.x, t = threadIdx.x;
    int each = (per_head + 1023) / 1024;
    int from = min(t * each, per_head), to = min(from + each, per_head);
    const int *own = counts + (size_t)head * per_head;
    int sum = 0;
    for (int i = from; i < to; i++) sum += own[i];
    sums[t] = sum;
    __syncthreads();
    for (int step = 1; step < 1024; step *= 2) {
        int add = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += add;
        __syncthreads();
    }
    int at = sums[t] - sum;
    for (int i = from; i < to; i++) {
        begins[(size_t)head * per_head + i] = head * room + at;
        at += own[i];
    }
    if (t == 1023) {
        totals[head] = sums[1023];
        if (sums[1023] > room) totals[head] = -1;
    }
}

__global__ void k_list(const uint16_t *codes, const int *counts, const int *begins, int entries, int limit, uint16_t *child_code, uint32_t *owner) {
    int e = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (e >= entries) return;
    int n = counts[e], at = begins[e];
    for (int i = lane; i < n; i += 32) {
        if (at + i >= limit) return;
        child_code[at + i] = codes[(size_t)e * CAP + i];
        owner[at + i] = e;
    }
}

struct Net {
    const half *table;   // FEATURES x LANES
    const float *dense;  // heads x DENSE
    const half *weights; // heads x LANES x HID, the last 8 lanes zero
};

// Sums of the table rows of TILE playfields: after the first ReLU into `x`, the direct ones into `direct`.
__device__ void gather(const Net &net, const float *bias, const uint32_t *feats, const int *counts, half *x, float *direct) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane >= 24) return;
    int sub = lane / 12, part = lane % 12;
    for (int pair = 0; pair < TILE / (BLOCK / 32) / 2; pair++) {
        int child = warp * (TILE / (BLOCK / 32)) + 2 * pair + sub;
        int n = counts[child];
        float sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        const uint32_t *own = feats + child * MOST_FEATURES;
#pragma unroll 8
        for (int f = 0; f < n; f++) {
            uint4 raw = __ldg((const uint4 *)(net.table + (size_t)own[f] * LANES) + part);
            const half2 *h = (const half2 *)&raw;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float2 v = __half22float2(h[i]);
                sum[2 * i] += v.x;
                sum[2 * i + 1] += v.y;
            }
        }
        if (part < 11) {
            for (int i = 0; i < 8; i++) x[child * LDX + part * 8 + i] = __float2half(fmaxf(sum[i] + bias[part * 8 + i], 0.0f));
        } else {
            for (int i = 0; i < 8; i++) {
                direct[child * 8 + i] = sum[i];
                x[child * LDX + SUMMED + i] = __float2half(0.0f);
            }
        }
    }
}

// x (TILE x LANES) times w (LANES x HID) into h, without bias.
__device__ void first_layer(const half *x, const half *w, float *h) {
    int warp = threadIdx.x / 32;
    constexpr int TILES = (TILE / 16) * (HID / 16);
    for (int tile = warp; tile < TILES; tile += BLOCK / 32) {
        int row = tile / (HID / 16), col = tile % (HID / 16);
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
        wmma::fill_fragment(acc, 0.0f);
        for (int k = 0; k < LANES / 16; k++) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(a, x + row * 16 * LDX + k * 16, LDX);
            wmma::load_matrix_sync(b, w + k * 16 * LDH + col * 16, LDH);
            wmma::mma_sync(acc, a, b, acc);
        }
        wmma::store_matrix_sync(h + row * 16 * LDF + col * 16, acc, LDF, wmma::mem_row_major);
    }
}

// What a block knows of its playfields while the net judges them.
struct Forward {
    Board boards[TILE];
    int counts[TILE];
    uint32_t feats[TILE * MOST_FEATURES];
    float direct[TILE * 8];
    alignas(32) half x[TILE * LDX];
    alignas(32) half w[LANES * LDH];
    alignas(32) float h[TILE * LDF];
};

__device__ void load_weights(const half *from, half *w) {
    for (int i = threadIdx.x; i < LANES * HID / 8; i += BLOCK) {
        int row = i / (HID / 8), part = i % (HID / 8);
        *(uint4 *)(w + row * LDH + part * 8) = ((const uint4 *)(from + row * HID))[part];
    }
}

// The hidden layer of the first `total` of the block's playfields, which are in `s.boards`.
__device__ __forceinline__ void forward(const Net &net, int head, int total, Forward &s) {
    const float *dense = net.dense + (size_t)head * DENSE;
    int t = threadIdx.x;
    load_weights(net.weights + (size_t)head * LANES * HID, s.w);
    __syncthreads();
    {
        int child = t % TILE, part = t / TILE;
        int n = features_of(s.boards[child], part, s.feats + child * MOST_FEATURES);
        if (part == 0) s.counts[child] = child < total ? n : 0;
    }
    __syncthreads();
    gather(net, dense + AT_SUM_BIAS, s.feats, s.counts, s.x, s.direct);
    __syncthreads();
    first_layer(s.x, s.w, s.h);
    __syncthreads();
    for (int i = t; i < TILE * HID; i += BLOCK) {
        int child = i / HID, unit = i % HID;
        float *h = s.h + child * LDF + unit;
        *h = fmaxf(*h + dense[AT_HB + unit], 0.0f);
    }
    __syncthreads();
}

// An output for one of the playfields.
__device__ __forceinline__ float output(const float *dense, const Forward &s, int child, int o) {
    float v = dense[AT_OB + o] + s.direct[child * 8 + o];
    const float *h = s.h + child * LDF, *w = dense + AT_OUT + o * HID;
    for (int u = 0; u < HID; u++) v += h[u] * w[u];
    return v;
}

// The net's values of all children.
__global__ void __launch_bounds__(BLOCK) k_eval(Net net, const Board *boards, const uint8_t *pieces, int room, const int *totals, const uint16_t *codes,
                       const uint32_t *owner, float topout, float *values, uint8_t *cleared) {
    extern __shared__ __align__(128) unsigned char raw[];
    Forward &s = *(Forward *)raw;
    int blocks = room / TILE, head = blockIdx.x / blocks, first = (blockIdx.x % blocks) * TILE;
    int total = totals[head] - first;
    if (total <= 0) return;
    if (total > TILE) total = TILE;
    int base = head * room + first;
    const float *dense = net.dense + (size_t)head * DENSE;
    int t = threadIdx.x;
    if (t < TILE) {
        if (t < total) {
            uint32_t e = owner[base + t];
            Board b = boards[e];
            cleared[base + t] = lock_piece(b, pieces[e], codes[base + t]);
            s.boards[t] = b;
        } else {
            for (int r = 0; r < ROWS + 2; r++) s.boards[t].r[r] = 0;
        }
    }
    forward(net, head, total, s);
    float scale = GAMES[head].scale;
    for (int i = t; i < TILE * OUTS; i += BLOCK) {
        int child = i / OUTS, o = i % OUTS;
        if (child >= total) continue;
        float v = output(dense, s, child, o) * scale;
        const Board &b = s.boards[child];
        if (o < 7 && (b.r[2] | b.r[3] | b.r[4]) && !spawns(b, o)) v = topout;
        values[(size_t)(base + child) * 8 + o] = v;
    }
}

__device__ float expect(int piece, const float *most) {
    float sum = 0;
    for (int p = 0; p < 7; p++) sum += ODDS64[piece][p] * (1.0f / 64.0f) * most[p];
    return sum;
}

// Where a piece is after the frames of the reaction time, on the plainest way to a placement, and which locks are
// within reach from there. Returns false when it has landed, or is not where it would be.
__device__ bool adjustable(const Board &b, int piece, const Games &g, int code, Set *rows) {
    int orientations = COUNT[piece], spawn = SPAWN[piece];
    int y = g.react / g.frames * g.drop;
    if (y >= ROWS || y > code_y(code)) return false;
    int turn = (code_o(code) - spawn + orientations) % orientations;
    int turns = turn, direction = 1;
    if (orientations == 4 && turn == 3) turns = 1, direction = -1;
    int dx = code_x(code) - SPAWN_X, shifts = dx < 0 ? -dx : dx;
    int need = turns > shifts ? turns : shifts;
    int taps = 0, frame = 0, place = 0;
    while (taps < need && frame < g.react) {
        taps++;
        frame += g.gaps[place];
        place = g.after[place];
    }
    int rest = frame > g.react ? frame - g.react : 0;
    int shifted = taps < shifts ? taps : shifts, turned = taps < turns ? taps : turns;
    int x = SPAWN_X + (dx < 0 ? -shifted : shifted);
    int o = (spawn + direction * turned + orientations) % orientations;
    if (!fits_at(b, FIRST[piece] + o, x, y)) return false;
    for (int r = 0; r < ROWS; r++) rows[r] = 0;
    sweep(b, piece, g, 1ull << (16 * o + x), y, g.frames - g.react % g.frames, rest, place, [&](Set set, int row) { rows[row] = set; });
    return true;
}

struct State {
    Board *boards;
    uint8_t *pieces;
    int *lines;
    unsigned int *points;  // of this game
};

// What is known of each game's step before it is made.
struct Choice {
    float expected;  // over the next piece
    float chosen;    // the net's value after the placement; NaN: says nothing
    int child;       // which one, -1: none
    uint8_t next;
};

// Chooses by one ply. With a width, lists the children that a search looks into instead.
__global__ void k_choose(State state, int games, int per_head, const int *counts, const int *begins, const uint16_t *codes,
                         const float *values, const uint8_t *cleared, Rates rates, uint64_t seed, uint64_t step, Choice *choices,
                         Board *deeper, uint8_t *deeper_pieces, int *deeper_child) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= games) return;
    const Games &kind = GAMES[g / per_head];
    int piece = state.pieces[g], n = counts[g], begin = begins[g];
    Random random(seed, g, step);
    Choice choice;
    choice.expected = rates.topout;
    choice.chosen = NAN;
    choice.child = -1;
    choice.next = 0;
    for (int w = 0; w < rates.width; w++) {
        deeper_pieces[(size_t)g * rates.width + w] = 7;
        deeper_child[(size_t)g * rates.width + w] = -1;
    }
    if (n == 0) {
        choices[g] = choice;
        return;
    }
    int next = draw(piece, random);
    choice.next = next;
    float explore = g % 8 == 7 ? fmaxf(rates.explore, rates.messy) : rates.explore;
    bool explores = random.unit() < explore;
    // The best for each next piece, and the best while it is not known.
    float most[7], best_blind = -INFINITY;
    int best = begin, blind = begin;
    for (int p = 0; p < 7; p++) most[p] = -INFINITY;
    for (int c = begin; c < begin + n; c++) {
        float reward = REWARDS[cleared[c]], worth[7];
        const float *v = values + (size_t)c * 8;
        for (int p = 0; p < 7; p++) worth[p] = reward + rates.discount * v[p];
        if (worth[next] > most[next]) best = c;
        for (int p = 0; p < 7; p++) most[p] = fmaxf(most[p], worth[p]);
        if (kind.react > 0) {
            float blindly = expect(piece, worth);
            if (blindly > best_blind) best_blind = blindly, blind = c;
        }
    }
    if (kind.react == 0) {
        choice.expected = expect(piece, most);
    } else {
        choice.expected = best_blind;
        best = blind;
        Set rows[ROWS];
        Board b = state.boards[g];
        if (kind.react < UNKNOWN && adjustable(b, piece, kind, codes[blind], rows)) {
            for (int p = 0; p < 7; p++) most[p] = -INFINITY;
            for (int c = begin; c < begin + n; c++) {
                int code = codes[c];
                if (c != blind && !(rows[code_y(code)] >> (16 * code_o(code) + code_x(code)) & 1)) continue;
                float reward = REWARDS[cleared[c]];
                const float *v = values + (size_t)c * 8;
                if (reward + rates.discount * v[next] > most[next]) best = c;
                for (int p = 0; p < 7; p++) most[p] = fmaxf(most[p], reward + rates.discount * v[p]);
            }
            choice.expected = expect(piece, most);
        }
    }
    choice.child = best;
    choice.chosen = values[(size_t)best * 8 + next];
    if (explores) {
        choice.child = begin + random.next() % n;
        choice.chosen = NAN;
    } else if (rates.width > 0 && kind.react == 0) {
        float before = INFINITY;
        int before_at = -1;
        for (int w = 0; w < rates.width; w++) {
            float found = -INFINITY;
            int at = -1;
            for (int c = begin; c < begin + n; c++) {
                float worth = REWARDS[cleared[c]] + rates.discount * values[(size_t)c * 8 + next];
                bool after = worth < before || (worth == before && c > before_at);
                if (after && worth > found) found = worth, at = c;
            }
            if (at < 0 || found < most[next] - rates.margin) break;
            before = found, before_at = at;
            Board b = state.boards[g];
            lock_piece(b, piece, codes[at]);
            deeper[(size_t)g * rates.width + w] = b;
            deeper_pieces[(size_t)g * rates.width + w] = next;
            deeper_child[(size_t)g * rates.width + w] = at;
        }
    }
    choices[g] = choice;
}

// Chooses by the second ply.
__global__ void k_deepen(int games, const Rates rates, const int *counts, const int *begins, const float *values, const uint8_t *cleared,
                         const uint8_t *upper_cleared, const float *upper_values, const int *deeper_child, Choice *choices) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= games || deeper_child[(size_t)g * rates.width] < 0) return;
    int next = choices[g].next, best = -1;
    float most_worth = -INFINITY;
    for (int w = 0; w < rates.width; w++) {
        size_t e = (size_t)g * rates.width + w;
        int child = deeper_child[e];
        if (child < 0) break;
        float after = rates.topout;
        if (counts[e] > 0) {
            float most[7];
            for (int p = 0; p < 7; p++) most[p] = -INFINITY;
            for (int c = begins[e]; c < begins[e] + counts[e]; c++)
                for (int p = 0; p < 7; p++) most[p] = fmaxf(most[p], REWARDS[cleared[c]] + rates.discount * values[(size_t)c * 8 + p]);
            after = expect(next, most);
        }
        float worth = REWARDS[upper_cleared[child]] + rates.discount * after;
        if (worth > most_worth) most_worth = worth, best = child;
    }
    // The value of the placement that was best before the search.
    int first = deeper_child[(size_t)g * rates.width];
    float believed = REWARDS[upper_cleared[first]] + rates.discount * upper_values[(size_t)first * 8 + next] - REWARDS[upper_cleared[best]];
    choices[g].child = best;
    choices[g].chosen = believed / rates.discount;
}

// Makes the step and keeps what is learned from it.
__global__ void k_step(State state, int games, int per_head, const uint16_t *codes, const uint8_t *cleared, Rates rates, uint64_t seed, uint64_t step,
                       const Choice *choices, const Board *others, Board *kept, uint8_t *kept_pieces, float *expected, float *chosen,
                       Tally *tally) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= games) return;
    int head = g / per_head;
    const Games &kind = GAMES[head];
    Choice choice = choices[g];
    int piece = state.pieces[g];
    Board b = state.boards[g];
    kept[g] = b;
    kept_pieces[g] = piece;
    expected[g] = choice.expected;
    atomicAdd(&tally[head].pieces, 1ull);
    bool restarts = false, finished = false;
    if (choice.child < 0) {
        restarts = true;
    } else {
        int rows = cleared[choice.child];
        lock_piece(b, piece, codes[choice.child]);
        state.pieces[g] = choice.next;
        if (rows > 0) {
            int lines = state.lines[g] += rows;
            atomicAdd(&tally[head].lines, (unsigned long long)rows);
            if (rows == 4) atomicAdd(&tally[head].tetrises, 1ull);
            int level = kind.level == 19 && lines >= 140 ? 20 + (lines - 140) / 10 : kind.level;
            const int points[5] = {0, 40, 100, 300, 1200};
            state.points[g] += points[rows] * (level + 1);
            if (lines >= 230) restarts = finished = true;
        }
    }
    chosen[g] = restarts ? NAN : choice.chosen;
    if (restarts) {
        atomicAdd(&tally[head].games, 1ull);
        if (finished) atomicAdd(&tally[head].finished, 1ull);
        atomicAdd(&tally[head].points, (unsigned long long)state.points[g]);
        Random random(seed ^ 0x5EED, g, step);
        for (int r = 0; r < ROWS + 2; r++) b.r[r] = 0;
        // Another game of the same head.
        if (random.unit() < rates.strays) b = others[head * per_head + random.next() % per_head];
        state.pieces[g] = random.next() % 7;
        state.lines[g] = 0;
        state.points[g] = 0;
    }
    state.boards[g] = b;
}

// The value that the net should have given before each step.
__global__ void k_targets(int games, Rates rates, const float *expected, const float *chosen, float *targets) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= games) return;
    float ahead = NAN;
    for (int s = SEGMENT - 1; s >= 0; s--) {
        size_t at = (size_t)s * games + g;
        float surprise = 0;
        if (!isnan(chosen[at]) && !isnan(ahead)) surprise = rates.lambda * rates.discount * (ahead - chosen[at]);
        targets[at] = ahead = expected[at] + surprise;
    }
}

struct LearnShared : Forward {
    uint8_t pieces[TILE];
    float error[TILE];
    alignas(32) half dh[TILE * LDH];
    alignas(32) float dx[TILE * LDD];
};

// The gradients of a batch: TILE samples a block, all of one head. Those of the layers go into `partial`, one a block.
__global__ void __launch_bounds__(BLOCK) k_learn(Net net, const Board *boards, const uint8_t *pieces, const float *targets, int per_head, float clip, int frozen,
                        float *partial, int *gradient, int *visits, unsigned long long *errors) {
    extern __shared__ __align__(128) unsigned char raw[];
    LearnShared &s = *(LearnShared *)raw;
    int base = blockIdx.x * TILE, head = base / per_head, t = threadIdx.x, warp = t / 32, lane = t % 32;
    const float *dense = net.dense + (size_t)head * DENSE;
    if (t < TILE) {
        s.boards[t] = boards[base + t];
        s.pieces[t] = pieces[base + t];
    }
    forward(net, head, TILE, s);
    if (t < TILE) {
        float raw_error = targets[base + t] / GAMES[head].scale - output(dense, s, t, s.pieces[t]);
        atomicAdd(&errors[head], (unsigned long long)(raw_error * raw_error * 1024.0f));
        s.error[t] = fminf(fmaxf(raw_error, -clip), clip);
    }
    __syncthreads();
    for (int i = t; i < TILE * HID; i += BLOCK) {
        int child = i / HID, unit = i % HID;
        float to = s.h[child * LDF + unit] > 0.0f ? s.error[child] * dense[AT_OUT + s.pieces[child] * HID + unit] : 0.0f;
        s.dh[child * LDH + unit] = __float2half(to);
    }
    __syncthreads();
    // Back to the sums: dh times w transposed.
    for (int tile = warp; tile < (TILE / 16) * (LANES / 16); tile += BLOCK / 32) {
        int row = tile / (LANES / 16), col = tile % (LANES / 16);
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
        wmma::fill_fragment(acc, 0.0f);
        for (int k = 0; k < HID / 16; k++) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
            wmma::load_matrix_sync(a, s.dh + row * 16 * LDH + k * 16, LDH);
            wmma::load_matrix_sync(b, s.w + col * 16 * LDH + k * 16, LDH);
            wmma::mma_sync(acc, a, b, acc);
        }
        wmma::store_matrix_sync(s.dx + row * 16 * LDD + col * 16, acc, LDD, wmma::mem_row_major);
    }
    // The layer's own gradient: x transposed times dh, straight into the block's part.
    float *own = partial + (size_t)blockIdx.x * (LANES * HID + DENSE);
    for (int tile = warp; tile < (LANES / 16) * (HID / 16); tile += BLOCK / 32) {
        int row = tile / (HID / 16), col = tile % (HID / 16);
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
        wmma::fill_fragment(acc, 0.0f);
        for (int k = 0; k < TILE / 16; k++) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(a, s.x + k * 16 * LDX + row * 16, LDX);
            wmma::load_matrix_sync(b, s.dh + k * 16 * LDH + col * 16, LDH);
            wmma::mma_sync(acc, a, b, acc);
        }
        wmma::store_matrix_sync(own + row * 16 * HID + col * 16, acc, HID, wmma::mem_row_major);
    }
    float *rest = own + LANES * HID;
    for (int i = t; i < OUTS * HID; i += BLOCK) {
        int o = i / HID, unit = i % HID;
        float sum = 0;
        for (int child = 0; child < TILE; child++)
            if (s.pieces[child] == o) sum += s.error[child] * s.h[child * LDF + unit];
        rest[AT_OUT + i] = sum;
    }
    for (int u = t; u < HID; u += BLOCK) {
        float sum = 0;
        for (int child = 0; child < TILE; child++) sum += __half2float(s.dh[child * LDH + u]);
        rest[AT_HB + u] = sum;
    }
    if (t < OUTS) {
        float sum = 0;
        for (int child = 0; child < TILE; child++)
            if (s.pieces[child] == t) sum += s.error[child];
        rest[AT_OB + t] = sum;
    }
    __syncthreads();
    if (t < SUMMED) {
        float sum = 0;
        for (int child = 0; child < TILE; child++)
            if (__half2float(s.x[child * LDX + t]) > 0.0f) sum += s.dx[child * LDD + t];
        rest[AT_SUM_BIAS + t] = sum;
    }
    if (frozen) return;
    for (int child = warp; child < TILE; child += BLOCK / 32) {
        int add[3];
        for (int i = 0; i < 3; i++) {
            int k = lane + 32 * i;
            float to = 0;
            if (k < SUMMED)
                to = __half2float(s.x[child * LDX + k]) > 0.0f ? s.dx[child * LDD + k] : 0.0f;
            else if (k - SUMMED == s.pieces[child])
                to = s.error[child];
            add[i] = __float2int_rn(to * PART);
        }
        int n = s.counts[child];
        const uint32_t *own_feats = s.feats + child * MOST_FEATURES;
        for (int f = 0; f < n; f++) {
            size_t row = own_feats[f];
            for (int i = 0; i < 3; i++)
                if (add[i]) atomicAdd(&gradient[row * LANES + lane + 32 * i], add[i]);
            if (lane == 0) atomicAdd(&visits[row], 1);
        }
    }
}

// Adam for the layers of all heads.
__global__ void k_layers(const float *partial, int blocks, int samples, float *dense, float *mean, float *square, half *weights, float step,
                         float mean_scale, float square_scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y;
    if (i >= DENSE) return;
    size_t stride = LANES * HID + DENSE;
    const float *from = partial + (size_t)head * blocks * stride;
    bool is_weight = i >= AT_W && i < AT_HB;
    size_t at = is_weight ? i - AT_W : LANES * HID + i;
    float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int b = 0; b < blocks; b += 8) {
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (b + j < blocks) sums[j] += from[(b + j) * stride + at];
    }
    float gradient = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    gradient /= samples;
    size_t k = (size_t)head * DENSE + i;
    mean[k] += (gradient - mean[k]) * 0.1f;
    square[k] += (gradient * gradient - square[k]) * 0.001f;
    dense[k] += step * mean[k] * mean_scale / (sqrtf(square[k] * square_scale) + 1e-8f);
    if (is_weight) weights[(size_t)head * LANES * HID + (i - AT_W)] = __float2half(dense[k]);
}

// The rows of the table that the batch saw: their gradients, by the root of their mean squares so far.
__global__ void k_table(int *gradient, int *visits, uint32_t *seen, uint32_t *batches, float2 *squares, float *master, half *table, float step) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= FEATURES) return;
    int count = visits[row];
    if (count == 0) return;
    float g[3], summed = 0, direct = 0;
    for (int i = 0; i < 3; i++) {
        int k = lane + 32 * i;
        int *from = gradient + (size_t)row * LANES + k;
        g[i] = *from * (1.0f / PART);
        *from = 0;
        if (k < SUMMED)
            summed += g[i] * g[i];
        else
            direct += g[i] * g[i];
    }
    for (int off = 16; off; off /= 2) {
        summed += __shfl_xor_sync(~0u, summed, off);
        direct += __shfl_xor_sync(~0u, direct, off);
    }
    uint32_t times = batches[row] + 1;
    float share = fmaxf(1.0f / times, 0.001f);
    float2 square = squares[row];
    square.x += (summed / SUMMED - square.x) * share;
    square.y += (direct / OUTS - square.y) * share;
    float sum_step = step / (sqrtf(square.x) + 1e-6f), direct_step = 4.0f * step / (sqrtf(square.y) + 1e-6f);
    for (int i = 0; i < 3; i++) {
        int k = lane + 32 * i;
        size_t at = (size_t)row * LANES + k;
        float to = master[at] + (k < SUMMED ? sum_step : direct_step) * g[i];
        master[at] = to;
        table[at] = __float2half(to);
    }
    __syncwarp();
    if (lane == 0) {
        visits[row] = 0;
        seen[row] += count;
        batches[row] = times;
        squares[row] = square;
    }
}

// A running mean of the net's numbers: what plays, and what the targets are made from.
__global__ void k_average(const float *from, float *mean, half *halves, size_t n, float share) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float to = mean[i] + (from[i] - mean[i]) * share;
    mean[i] = to;
    if (halves) halves[i] = __float2half(to);
}
__global__ void k_halves(const float *dense, half *weights, int heads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= heads * SUMMED * HID) return;
    int head = i / (SUMMED * HID), at = i % (SUMMED * HID);
    weights[(size_t)head * LANES * HID + at] = __float2half(dense[(size_t)head * DENSE + AT_W + at]);
}

template <class T>
T *room(size_t n) {
    T *p;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    CHECK(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}
template <class T>
std::vector<T> fetch(const T *from, size_t n) {
    std::vector<T> to(n);
    CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}
template <class T>
void store(T *to, const std::vector<T> &from) {
    CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
}

std::vector<unsigned char> read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", path.c_str());
        exit(2);
    }
    return std::vector<unsigned char>((std::istreambuf_iterator<char>(file)), {});
}

// A net on the host, with heads of HID units.
struct Numbers {
    std::vector<float> table;
    std::vector<std::vector<float>> heads;
};
Numbers read_numbers(const std::string &path) {
    auto bytes = read_file(path);
    Numbers net;
    size_t cells = (size_t)FEATURES * LANES;
    const int16_t *whole = (const int16_t *)bytes.data();
    net.table.resize(cells);
    for (size_t i = 0; i < cells; i++) net.table[i] = whole[i] * (i % LANES < SUMMED ? 1.0f / 1024 : 1.0f / 256);
    size_t rest = (bytes.size() - cells * 2) / 4;
    const float *f = (const float *)(bytes.data() + cells * 2);
    // A file of heads of 64 units is widened: new units see small random sums, and nothing sees them.
    bool wide = HID != 64 && rest % DENSE_64 == 0 && rest % DENSE != 0;
    int units = wide ? 64 : HID, length = wide ? DENSE_64 : DENSE;
    Random random(1, 2, 3);
    for (size_t h = 0; h < rest / length; h++, f += length) {
        std::vector<float> head(DENSE, 0.0f);
        const float *p = f;
        for (int i = 0; i < SUMMED; i++) head[AT_SUM_BIAS + i] = *p++;
        for (int i = 0; i < SUMMED; i++) {
            for (int u = 0; u < units; u++) head[AT_W + i * HID + u] = *p++;
            for (int u = units; u < HID; u++) head[AT_W + i * HID + u] = (random.unit() - 0.5f) * 0.3f;
        }
        for (int u = 0; u < units; u++) head[AT_HB + u] = *p++;
        for (int o = 0; o < OUTS; o++)
            for (int u = 0; u < units; u++) head[AT_OUT + o * HID + u] = *p++;
        for (int o = 0; o < OUTS; o++) head[AT_OB + o] = *p++;
        net.heads.push_back(head);
    }
    return net;
}

// The net and the state of its learning on the card.
struct Learner {
    int heads;
    half *table, *weights;
    float *master, *dense, *mean, *square;
    float2 *squares;
    int *gradient, *visits;
    uint32_t *seen, *batches;
    long updates = 0;
    // The running mean, if there is one.
    half *mean_table = nullptr, *mean_weights;
    float *mean_master, *mean_dense;
    Learner(const Numbers &net, const std::vector<int> &from) : heads(from.size()) {
        size_t cells = (size_t)FEATURES * LANES;
        table = room<half>(cells);
        master = room<float>(cells);
        gradient = room<int>(cells);
        visits = room<int>(FEATURES);
        seen = room<uint32_t>(FEATURES);
        batches = room<uint32_t>(FEATURES);
        squares = room<float2>(FEATURES);
        dense = room<float>((size_t)heads * DENSE);
        mean = room<float>((size_t)heads * DENSE);
        square = room<float>((size_t)heads * DENSE);
        weights = room<half>((size_t)heads * LANES * HID);
        store(master, net.table);
        std::vector<half> halves(cells);
        for (size_t i = 0; i < cells; i++) halves[i] = __float2half(net.table[i]);
        store(table, halves);
        std::vector<float> layers;
        for (int h : from) layers.insert(layers.end(), net.heads.at(h).begin(), net.heads.at(h).end());
        put_layers(layers);
    }
    void put_layers(const std::vector<float> &layers) {
        store(dense, layers);
        std::vector<half> w((size_t)heads * LANES * HID, __float2half(0.0f));
        for (int h = 0; h < heads; h++)
            for (int i = 0; i < SUMMED * HID; i++) w[(size_t)h * LANES * HID + i] = __float2half(layers[(size_t)h * DENSE + AT_W + i]);
        store(weights, w);
    }
    Net net() const { return Net{table, dense, weights}; }
    void begin_average() {
        size_t cells = (size_t)FEATURES * LANES;
        mean_table = room<half>(cells);
        mean_weights = room<half>((size_t)heads * LANES * HID);
        mean_master = room<float>(cells);
        mean_dense = room<float>((size_t)heads * DENSE);
        average(1.0f);
    }
    void average(float share) {
        size_t cells = (size_t)FEATURES * LANES, layers = (size_t)heads * DENSE;
        k_average<<<(cells + 255) / 256, 256>>>(master, mean_master, mean_table, cells, share);
        k_average<<<(layers + 255) / 256, 256>>>(dense, mean_dense, nullptr, layers, share);
        k_halves<<<(heads * SUMMED * HID + 255) / 256, 256>>>(mean_dense, mean_weights, heads);
    }
    // What plays: the running mean, or the net itself.
    Net player() const { return mean_table ? Net{mean_table, mean_dense, mean_weights} : net(); }
    void save(const std::string &path) {
        auto cells = fetch(mean_table ? mean_master : master, (size_t)FEATURES * LANES);
        std::vector<int16_t> whole(cells.size());
        for (size_t i = 0; i < cells.size(); i++) {
            float parts = cells[i] * (i % LANES < SUMMED ? 1024 : 256);
            whole[i] = (int16_t)fminf(fmaxf(nearbyintf(parts), -32767), 32767);
        }
        auto layers = fetch(mean_table ? mean_dense : dense, (size_t)heads * DENSE);
        auto counts = fetch(seen, FEATURES);
        std::ofstream file(path, std::ios::binary);
        file.write((char *)whole.data(), whole.size() * 2);
        file.write((char *)layers.data(), layers.size() * 4);
        std::ofstream visited(path + ".visits", std::ios::binary);
        visited.write((char *)counts.data(), counts.size() * 4);
    }
};

// Children of `entries` playfields, and what the net says of them.
struct Expansion {
    int entries, per_head, heads, room_of_head;
    uint16_t *slots, *codes;
    int *counts, *begins, *totals;
    uint32_t *owner;
    float *values;
    uint8_t *cleared;
    Expansion(int heads, int per_head) : entries(heads * per_head), per_head(per_head), heads(heads) {
        room_of_head = (per_head * AVERAGE + TILE - 1) / TILE * TILE;
        size_t all = (size_t)room_of_head * heads;
        slots = room<uint16_t>((size_t)entries * CAP);
        counts = room<int>(entries);
        begins = room<int>(entries);
        totals = room<int>(heads);
        codes = room<uint16_t>(all);
        owner = room<uint32_t>(all);
        values = room<float>(all * 8);
        cleared = room<uint8_t>(all);
    }
    void run(const Net &net, const Board *boards, const uint8_t *pieces, float topout) {
        k_moves<<<(entries + 63) / 64, 64>>>(boards, pieces, entries, per_head, slots, counts);
        k_scan<<<heads, 1024>>>(counts, per_head, room_of_head, begins, totals);
        k_list<<<(entries + 7) / 8, 256>>>(slots, counts, begins, entries, room_of_head * heads, codes, owner);
        k_eval<<<room_of_head / TILE * heads, BLOCK, sizeof(Forward)>>>(net, boards, pieces, room_of_head, totals, codes, owner, topout, values, cleared);
    }
};

struct Phase {
    std::string name;
    double pieces;
    float discount[2], step[2];
    Rates rates;
};

void allow_shared() {
    CHECK(cudaFuncSetAttribute(k_eval, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Forward)));
    CHECK(cudaFuncSetAttribute(k_learn, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(LearnShared)));
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A plan, line by line:
//   games N            games of each head, a multiple of 64
//   seed N
//   average N          the mean of about the last N segments plays, and is what is saved
//   head FROM LEVEL FRAMES DROP REACT SCALE GAPS...    gaps as 2 or 2 3 or 2 2 2 5+; FROM: which head of INIT it begins as
//   phase NAME PIECES DISCOUNT DISCOUNT STEP STEP LAMBDA EXPLORE MESSY STRAYS CLIP TOPOUT TABLE WIDTH MARGIN
int train(const std::string &plan, const std::string &init, const std::string &out, double limit) {
    std::ifstream file(plan);
    std::string line, word;
    int per_head = 1024;
    uint64_t seed = 1;
    float average = 0;
    std::vector<Games> kinds;
    std::vector<int> from;
    std::vector<Phase> phases;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        if (!(words >> word) || word[0] == '#') continue;
        if (word == "games") words >> per_head;
        else if (word == "seed") words >> seed;
        else if (word == "average") words >> average;
        else if (word == "head") {
            Games g = {};
            int first;
            words >> first >> g.level >> g.frames >> g.drop >> g.react >> g.scale;
            bool repeats = false;
            std::string gap;
            while (words >> gap) {
                repeats = gap.back() == '+';
                g.gaps[g.places++] = std::stoi(gap);
            }
            for (int p = 0; p < g.places; p++) g.after[p] = p + 1 < g.places ? p + 1 : repeats ? p : 0;
            kinds.push_back(g);
            from.push_back(first);
        } else if (word == "phase") {
            Phase p = {};
            Rates &r = p.rates;
            words >> p.name >> p.pieces >> p.discount[0] >> p.discount[1] >> p.step[0] >> p.step[1] >> r.lambda >> r.explore >> r.messy >> r.strays >>
                r.clip >> r.topout >> r.table >> r.width >> r.margin;
            if (!words) {
                fprintf(stderr, "odd line: %s\n", line.c_str());
                return 2;
            }
            phases.push_back(p);
        } else {
            fprintf(stderr, "odd line: %s\n", line.c_str());
            return 2;
        }
    }
    int heads = kinds.size(), games = heads * per_head, most_width = 0;
    for (auto &p : phases) most_width = std::max(most_width, p.rates.width);
    allow_shared();
    CHECK(cudaMemcpyToSymbol(GAMES, kinds.data(), heads * sizeof(Games)));
    Learner learner(read_numbers(init), from);
    if (average > 0) learner.begin_average();
    State state{room<Board>(games), room<uint8_t>(games), room<int>(games), room<unsigned int>(games)};
    std::vector<uint8_t> first_pieces(games);
    for (int g = 0; g < games; g++) first_pieces[g] = Random(seed, g, ~0ull).next() % 7;
    store(state.pieces, first_pieces);
    Expansion expansion(heads, per_head);
    std::vector<Expansion> deeper;
    if (most_width > 0) deeper.emplace_back(heads, per_head * most_width);
    Board *deeper_boards = room<Board>((size_t)games * std::max(most_width, 1));
    uint8_t *deeper_pieces = room<uint8_t>((size_t)games * std::max(most_width, 1));
    int *deeper_child = room<int>((size_t)games * std::max(most_width, 1));
    Choice *choices = room<Choice>(games);
    Board *kept = room<Board>((size_t)games * SEGMENT), *others = room<Board>(games);
    uint8_t *kept_pieces = room<uint8_t>((size_t)games * SEGMENT);
    float *expected = room<float>((size_t)games * SEGMENT), *chosen = room<float>((size_t)games * SEGMENT), *targets = room<float>((size_t)games * SEGMENT);
    Tally *tally = room<Tally>(heads);
    unsigned long long *errors = room<unsigned long long>(heads);
    int blocks_of_head = per_head / TILE;
    float *partial = room<float>((size_t)heads * blocks_of_head * (LANES * HID + DENSE));
    double begun = now(), reported = begun, placed_all = 0;
    uint64_t step_number = 0;
    bool over = false;
    printf("phase,seconds,pieces,step,head,level,react,gap,games,mean_points,tetris_rate,finished,error\n");
    for (auto &phase : phases) {
        double placed = 0;
        while (placed < phase.pieces && !over) {
            double share = placed / phase.pieces;
            Rates rates = phase.rates;
            rates.discount = phase.discount[0] + (phase.discount[1] - phase.discount[0]) * share;
            rates.step = std::exp(std::log(phase.step[0]) * (1 - share) + std::log(phase.step[1]) * share);
            CHECK(cudaMemcpyAsync(others, state.boards, games * sizeof(Board), cudaMemcpyDeviceToDevice));
            int threads = 64, grid = (games + threads - 1) / threads;
            for (int s = 0; s < SEGMENT; s++, step_number++) {
                expansion.run(learner.player(), state.boards, state.pieces, rates.topout);
                k_choose<<<grid, threads>>>(state, games, per_head, expansion.counts, expansion.begins, expansion.codes, expansion.values, expansion.cleared,
                                            rates, seed, step_number, choices, deeper_boards, deeper_pieces, deeper_child);
                if (rates.width > 0) {
                    Expansion &d = deeper[0];
                    d.run(learner.player(), deeper_boards, deeper_pieces, rates.topout);
                    k_deepen<<<grid, threads>>>(games, rates, d.counts, d.begins, d.values, d.cleared, expansion.cleared, expansion.values, deeper_child, choices);
                }
                size_t at = (size_t)s * games;
                k_step<<<grid, threads>>>(state, games, per_head, expansion.codes, expansion.cleared, rates, seed, step_number, choices, others, kept + at,
                                          kept_pieces + at, expected + at, chosen + at, tally);
            }
            k_targets<<<grid, threads>>>(games, rates, expected, chosen, targets);
            for (int s = 0; s < SEGMENT; s++) {
                size_t at = (size_t)s * games;
                k_learn<<<games / TILE, BLOCK, sizeof(LearnShared)>>>(learner.net(), kept + at, kept_pieces + at, targets + at, per_head, rates.clip,
                                                                      rates.table == 0.0f, partial, learner.gradient, learner.visits, errors);
                learner.updates++;
                int n = (int)std::min(learner.updates, 100000l);
                k_layers<<<dim3((DENSE + 63) / 64, heads), 64>>>(partial, blocks_of_head, per_head, learner.dense, learner.mean, learner.square,
                                                                   learner.weights, rates.step, 1.0f / (1.0f - powf(0.9f, n)), 1.0f / (1.0f - powf(0.999f, n)));
                if (rates.table > 0.0f)
                    k_table<<<(FEATURES + 7) / 8, 256>>>(learner.gradient, learner.visits, learner.seen, learner.batches, learner.squares, learner.master,
                                                         learner.table, rates.step * rates.table);
            }
            if (average > 0) learner.average(1.0f / average);
            CHECK(cudaGetLastError());
            placed += (double)games * SEGMENT;
            placed_all += (double)games * SEGMENT;
            if (learner.updates % (SEGMENT * 8) == 0 || placed >= phase.pieces) {
                CHECK(cudaDeviceSynchronize());
                double time = now();
                if (time - begun > limit) over = true;
                if (time - reported > 10 || placed >= phase.pieces || over) {
                    reported = time;
                    for (int t : fetch(expansion.totals, heads))
                        if (t < 0) fprintf(stderr, "too many children\n"), over = true;
                    auto tallies = fetch(tally, heads);
                    auto sums = fetch(errors, heads);
                    for (int h = 0; h < heads; h++) {
                        const Tally &t = tallies[h];
                        double n = t.games ? (double)t.games : 1.0;
                        printf("%s,%.0f,%.0f,%.2e,%d,%d,%d,%d/%d,%llu,%.0f,%.4f,%.4f,%.3f\n", phase.name.c_str(), time - begun, placed_all, rates.step, h,
                               kinds[h].level, kinds[h].react, kinds[h].gaps[0], kinds[h].gaps[kinds[h].places - 1], t.games, t.points / n, 4.0 * t.tetrises / (t.lines ? t.lines : 1), t.finished / n,
                               std::sqrt(sums[h] / 1024.0 / (t.pieces ? t.pieces : 1)));
                    }
                    fflush(stdout);
                    CHECK(cudaMemset(tally, 0, heads * sizeof(Tally)));
                    CHECK(cudaMemset(errors, 0, heads * sizeof(unsigned long long)));
                }
            }
        }
        learner.save(out + "." + phase.name);
    }
    CHECK(cudaDeviceSynchronize());
    fprintf(stderr, "%.0f pieces in %.1f s, %ld updates\n", placed_all, now() - begun, learner.updates);
    return 0;
}

int selftest(const std::string &cases_path, const std::string &init) {
    allow_shared();
    std::vector<Case> cases = read_cases(cases_path.c_str());
    int per_head = cases.size() / 12;
    CHECK(cudaMemcpyToSymbol(GAMES, KINDS, sizeof KINDS));
    Numbers numbers = read_numbers(init);
    Learner learner(numbers, std::vector<int>(12, 0));
    std::vector<Board> boards;
    std::vector<uint8_t> pieces;
    for (auto &c : cases) boards.push_back(c.board), pieces.push_back(c.piece);
    Board *d_boards = room<Board>(cases.size());
    uint8_t *d_pieces = room<uint8_t>(cases.size());
    store(d_boards, boards);
    store(d_pieces, pieces);
    Expansion e(12, per_head);
    e.run(learner.net(), d_boards, d_pieces, 0.0f);
    CHECK(cudaDeviceSynchronize());
    size_t all = (size_t)e.room_of_head * 12;
    auto counts = fetch(e.counts, cases.size()), begins = fetch(e.begins, cases.size());
    auto codes = fetch(e.codes, all);
    auto cleared = fetch(e.cleared, all);
    auto values = fetch(e.values, all * 8);
    long wrong = 0, children = 0;
    double worst = 0, sum = 0;
    for (size_t i = 0; i < cases.size(); i++) {
        if (counts[i] != (int)cases[i].children.size()) {
            wrong++;
            continue;
        }
        for (int j = 0; j < counts[i]; j++, children++) {
            size_t at = begins[i] + j;
            const CaseChild &child = cases[i].children[j];
            if (codes[at] != child.code || cleared[at] != child.cleared) wrong++;
            for (int o = 0; o < 7; o++) {
                double off = fabs(values[at * 8 + o] - child.values[o]);
                if (!(off <= worst)) worst = off;
                sum += off;
            }
        }
    }
    printf("selftest: %ld children, %ld wrong, values off by %.4f on average, %.4f at worst\n", children, wrong, sum / children / 7, worst);
    // Gradients of a batch of the cases' playfields, against plain sums.
    int samples = per_head / TILE * TILE * 12;
    int of_head = per_head / TILE * TILE;
    std::vector<Board> batch;
    std::vector<uint8_t> batch_pieces;
    std::vector<float> targets;
    for (int h = 0; h < 12; h++)
        for (int i = 0; i < of_head; i++) {
            batch.push_back(boards[h * per_head + i]);
            batch_pieces.push_back(pieces[h * per_head + i]);
            targets.push_back(Random(9, h, i).unit() * 60);
        }
    Board *d_batch = room<Board>(samples);
    uint8_t *d_batch_pieces = room<uint8_t>(samples);
    float *d_targets = room<float>(samples);
    store(d_batch, batch);
    store(d_batch_pieces, batch_pieces);
    store(d_targets, targets);
    int blocks = of_head / TILE;
    size_t stride = LANES * HID + DENSE;
    float *partial = room<float>(12 * blocks * stride);
    unsigned long long *errors = room<unsigned long long>(12);
    k_learn<<<samples / TILE, BLOCK, sizeof(LearnShared)>>>(learner.net(), d_batch, d_batch_pieces, d_targets, of_head, 8.0f, 0, partial, learner.gradient,
                                                             learner.visits, errors);
    CHECK(cudaDeviceSynchronize());
    auto parts = fetch(partial, 12 * blocks * stride);
    auto gradient = fetch(learner.gradient, (size_t)FEATURES * LANES);
    auto visits = fetch(learner.visits, FEATURES);
    std::vector<double> table((size_t)FEATURES * LANES, 0.0), layers(12 * DENSE, 0.0);
    std::vector<int> seen(FEATURES, 0);
    for (int i = 0; i < samples; i++) {
        int h = i / of_head, o = batch_pieces[i];
        const float *d = numbers.heads[0].data();
        uint32_t feats[MOST_FEATURES];
        int n = features_of(batch[i], 0, feats);
        for (int p = 1; p < 4; p++) features_of(batch[i], p, feats);
        double sums[LANES] = {0};
        for (int f = 0; f < n; f++)
            for (int k = 0; k < LANES; k++) sums[k] += numbers.table[(size_t)feats[f] * LANES + k];
        double x[SUMMED], hid[HID], v = d[AT_OB + o] + sums[SUMMED + o];
        for (int k = 0; k < SUMMED; k++) x[k] = std::max(0.0, sums[k] + d[AT_SUM_BIAS + k]);
        for (int u = 0; u < HID; u++) {
            double s = d[AT_HB + u];
            for (int k = 0; k < SUMMED; k++) s += x[k] * d[AT_W + k * HID + u];
            hid[u] = std::max(0.0, s);
            v += hid[u] * d[AT_OUT + o * HID + u];
        }
        double error = std::min(8.0, std::max(-8.0, targets[i] - v)), dh[HID], dx[LANES] = {0};
        double *to = &layers[h * DENSE];
        to[AT_OB + o] += error;
        for (int u = 0; u < HID; u++) {
            to[AT_OUT + o * HID + u] += error * hid[u];
            dh[u] = hid[u] > 0 ? error * d[AT_OUT + o * HID + u] : 0;
            to[AT_HB + u] += dh[u];
        }
        for (int k = 0; k < SUMMED; k++) {
            if (x[k] <= 0) continue;
            for (int u = 0; u < HID; u++) {
                to[AT_W + k * HID + u] += x[k] * dh[u];
                dx[k] += dh[u] * d[AT_W + k * HID + u];
            }
            to[AT_SUM_BIAS + k] += dx[k];
        }
        dx[SUMMED + o] = error;
        for (int f = 0; f < n; f++) {
            seen[feats[f]]++;
            for (int k = 0; k < LANES; k++) table[(size_t)feats[f] * LANES + k] += dx[k];
        }
    }
    double off = 0, norm = 0;
    for (size_t i = 0; i < table.size(); i++) {
        double found = gradient[i] / (double)PART;
        off += (found - table[i]) * (found - table[i]);
        norm += table[i] * table[i];
    }
    long miscounted = 0;
    for (int f = 0; f < FEATURES; f++) miscounted += seen[f] != visits[f];
    printf("selftest: gradient of the table off by %.5f of its norm %.1f, %ld rows miscounted\n", sqrt(off / norm), sqrt(norm), miscounted);
    int bounds[6] = {AT_SUM_BIAS, AT_W, AT_HB, AT_OUT, AT_OB, DENSE};
    for (int layer = 0; layer < 5; layer++) {
        off = norm = 0;
        for (int h = 0; h < 12; h++)
            for (int i = bounds[layer]; i < bounds[layer + 1]; i++) {
                double found = 0;
                size_t at = layer == 1 ? i - AT_W : LANES * HID + i;
                for (int b = 0; b < blocks; b++) found += parts[((size_t)h * blocks + b) * stride + at];
                off += (found - layers[h * DENSE + i]) * (found - layers[h * DENSE + i]);
                norm += layers[h * DENSE + i] * layers[h * DENSE + i];
            }
        printf("selftest: gradient of layer %d off by %.5f of its norm %.1f\n", layer, sqrt(off / norm), sqrt(norm));
    }
    return wrong > 0;
}

int main(int count, char **args) {
    if (count >= 5 && !strcmp(args[1], "train")) return train(args[2], args[3], args[4], count > 5 ? atof(args[5]) : 1e9);
    if (count == 4 && !strcmp(args[1], "selftest")) return selftest(args[2], args[3]);
    fprintf(stderr, "trainer train PLAN INIT OUT [SECONDS] | trainer selftest CASES INIT\n");
    return 2;
}
