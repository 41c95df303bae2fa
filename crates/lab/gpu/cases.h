// The cases of the example gpu_net: playfields with all that follows from them by the rules of the program.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "rules.h"

struct CaseChild {
    uint16_t code;
    uint8_t cleared;
    Board after;
    std::vector<uint32_t> features;  // in rising order
    float values[8];
};

struct Case {
    Board board;
    uint8_t piece;
    std::vector<CaseChild> children;
};

// All cases of a file. A file that cannot be read, or that ends within a case, ends the program with 2.
inline std::vector<Case> read_cases(const char *path) {
    FILE *file = fopen(path, "rb");
    auto take = [&](void *to, size_t bytes) { return file && fread(to, 1, bytes, file) == bytes; };
    auto need = [&](void *to, size_t bytes) {
        if (!take(to, bytes)) {
            fprintf(stderr, "%s is no whole file of cases\n", path);
            exit(2);
        }
    };
    std::vector<Case> cases;
    Case next;
    if (!file) need(nullptr, 1);
    while (take(&next.board, sizeof next.board)) {
        uint8_t count;
        need(&next.piece, 1);
        need(&count, 1);
        next.children.assign(count, CaseChild());
        for (CaseChild &child : next.children) {
            uint8_t place[3];
            uint32_t features;
            need(place, 3);
            need(&child.cleared, 1);
            need(&child.after, sizeof child.after);
            need(&features, 4);
            child.code = place[0] | place[1] << 2 | place[2] << 6;
            child.features.resize(features);
            need(child.features.data(), 4 * features);
            need(child.values, sizeof child.values);
        }
        cases.push_back(next);
    }
    fclose(file);
    return cases;
}
