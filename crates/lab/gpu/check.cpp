// Compares rules.h with the program, on the processor: `check CASES NUMBER`, with cases of the example gpu_net.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "rules.h"

int main(int count, char **args) {
    FILE *file = count == 3 ? fopen(args[1], "rb") : nullptr;
    if (!file) return 2;
    auto take = [&](void *to, size_t bytes) {
        if (fread(to, 1, bytes, file) != bytes) exit(2);
    };
    int number = atoi(args[2]);
    long placements = 0, wrong = 0;
    for (const Games &kind : KINDS) {
        for (int i = 0; i < number; i++) {
            Board board;
            uint8_t piece, expected;
            take(&board, sizeof board);
            take(&piece, 1);
            take(&expected, 1);
            std::vector<uint16_t> codes;
            if (spawns(board, piece)) {
                Set spawn = 1ull << (16 * SPAWN[piece] + SPAWN_X);
                sweep(board, piece, kind, spawn, 0, kind.frames, 0, 0, [&](Set set, int y) {
                    for (; set; set &= set - 1) codes.push_back(code_of(lowest(set), y));
                });
            }
            wrong += codes.size() != expected;
            for (int j = 0; j < expected; j++, placements++) {
                uint8_t place[4];
                Board after;
                uint32_t features, found[MOST_FEATURES];
                float values[8];
                take(place, 4);
                take(&after, sizeof after);
                take(&features, 4);
                std::vector<uint32_t> indices(features);
                take(indices.data(), 4 * features);
                take(values, sizeof values);
                int code = j < (int)codes.size() ? codes[j] : 0;
                Board own = board;
                bool same = code_o(code) == place[0] && code_x(code) == place[1] && code_y(code) == place[2];
                same = same && lock_piece(own, piece, code) == place[3] && !memcmp(&own, &after, sizeof own);
                int n = features_of(own, 0, found);
                for (int part = 1; part < 4; part++) features_of(own, part, found);
                std::sort(found, found + n);
                wrong += !(same && n == (int)features && std::equal(found, found + n, indices.begin()));
            }
        }
    }
    printf("%ld placements, %ld wrong\n", placements, wrong);
    return wrong > 0 || fgetc(file) != EOF;
}
