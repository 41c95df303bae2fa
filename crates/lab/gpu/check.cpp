// Compares rules.h with the program, on the processor: `check CASES NUMBER`, with cases of the example gpu_net.
#include <algorithm>
#include <cstring>

#include "cases.h"

int main(int count, char **args) {
    if (count != 3) return 2;
    size_t number = atoi(args[2]), kinds = sizeof KINDS / sizeof *KINDS;
    std::vector<Case> cases = read_cases(args[1]);
    if (cases.size() != kinds * number) return 1;
    long placements = 0, wrong = 0;
    for (size_t i = 0; i < cases.size(); i++) {
        const Case &c = cases[i];
        const Games &kind = KINDS[i / number];
        std::vector<uint16_t> codes;
        if (spawns(c.board, c.piece)) {
            Set spawn = 1ull << (16 * SPAWN[c.piece] + SPAWN_X);
            sweep(c.board, c.piece, kind, spawn, 0, kind.frames, 0, 0, [&](Set set, int y) {
                for (; set; set &= set - 1) codes.push_back(code_of(lowest(set), y));
            });
        }
        wrong += codes.size() != c.children.size();
        for (size_t j = 0; j < c.children.size(); j++, placements++) {
            const CaseChild &child = c.children[j];
            uint32_t found[MOST_FEATURES];
            Board own = c.board;
            bool same = j < codes.size() && codes[j] == child.code;
            same = same && lock_piece(own, c.piece, child.code) == child.cleared && !memcmp(&own, &child.after, sizeof own);
            size_t n = features_of(own, 0, found);
            for (int part = 1; part < 4; part++) features_of(own, part, found);
            std::sort(found, found + n);
            wrong += !(same && n == child.features.size() && std::equal(found, found + n, child.features.begin()));
        }
    }
    printf("%ld placements, %ld wrong\n", placements, wrong);
    return wrong > 0;
}
