// What the two reference programs share: random numbers, bits, and the report.
//
// Each plays uniformly random games on one core as fast as hand-tuned C can, so that the
// package's kernels have a limit to be measured against. Usage: PROGRAM PLAYERS GAMES [SEED].
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int8_t i8;
typedef uint32_t u32;
typedef uint64_t u64;

enum { MOST_PLAYERS = 4, COLOURS = 5, NUMBERS = 11, CARDS = COLOURS * NUMBERS };

// Wishing stones score the same in both games; five and more count alike.
static const int WISHES[6] = {-4, -3, 2, 3, 6, 10};

static u64 random_state;

static inline u64 random_word(void) { // xorshift64
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static inline u32 below(u32 n) { return (u32)(((random_word() >> 32) * (u64)n) >> 32); }

static inline void shuffle(i8 *cards, int n) {
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1);
        i8 card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

static inline u64 bit(int place) { return 1ull << place; }
static inline int count(u64 mask) { return __builtin_popcountll(mask); }
static inline int lowest(u64 mask) { return (int)_tzcnt_u64(mask); }
static inline int kth(u64 mask, u32 k) { return lowest(_pdep_u64(1ull << k, mask)); }

// Sums over games, and sums of squares: enough for means and their errors.
typedef struct {
    int players, games;
    long decisions, decisions_squared, by_goal;
    long scores[MOST_PLAYERS], scores_squared[MOST_PLAYERS];
} Totals;

static inline void count_game(Totals *t, long decisions, int by_goal) {
    t->decisions += decisions;
    t->decisions_squared += decisions * decisions;
    t->by_goal += by_goal;
}

static inline void count_score(Totals *t, int p, int score) {
    t->scores[p] += score;
    t->scores_squared[p] += score * score;
}

static Totals read_arguments(int argc, char **argv) {
    Totals t = {.players = argc > 1 ? atoi(argv[1]) : 2,
                .games = argc > 2 ? atoi(argv[2]) : 100000};
    if (t.players < 2 || t.players > MOST_PLAYERS || t.games < 1) {
        fprintf(stderr, "usage: %s PLAYERS GAMES [SEED]\n", argv[0]);
        exit(2);
    }
    random_state = 88172645463325252ull ^ (argc > 3 ? strtoull(argv[3], NULL, 10) : 0) << 1;
    for (int i = 0; i < 20; i++) // seeds that differ in few bits drift apart
        random_word();
    return t;
}

// Processor time tells the speed whatever else the machine does; two at once need the other.
typedef struct {
    double processor, wall;
} Clocks;

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static Clocks read_clocks(void) {
    return (Clocks){seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC)};
}

static void report(const Totals *t, Clocks start) {
    Clocks end = read_clocks();
    printf("{\"players\": %d, \"games\": %d, ", t->players, t->games);
    printf("\"processor_seconds\": %.6f, ", end.processor - start.processor);
    printf("\"wall_seconds\": %.6f, ", end.wall - start.wall);
    printf("\"decisions\": %ld, \"decisions_squared\": %ld, ", t->decisions, t->decisions_squared);
    printf("\"by_goal\": %ld, \"scores\": [", t->by_goal);
    for (int p = 0; p < t->players; p++)
        printf("%s%ld", p ? ", " : "", t->scores[p]);
    printf("], \"scores_squared\": [");
    for (int p = 0; p < t->players; p++)
        printf("%s%ld", p ? ", " : "", t->scores_squared[p]);
    printf("]}\n");
}
