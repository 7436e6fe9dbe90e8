// The limit for `stones`: uniform random games of Keltis, Der Weg der Steine, on bit masks.
//
// A row needs no more than the mask of its tiles: if all of them are lower than a tile that
// fits, the row rises from there on, otherwise it falls.
#include "playouts.h"

enum { TURN, TILE, FURTHER, OVER };

static const i8 WISHING_SET[] = {4, 7, 17, 19, 23, 26, 39, 42, 46, 47}; // colour * 11 + number
static const i8 CLOVER_SET[] = {5, 8, 12, 18, 24, 31, 36, 37, 49, 50};
static const i8 ONE_SET[] = {6, 15, 27, 34, 53};
static const i8 THREE_SET[] = {2, 14, 29, 38, 52};
static const int ROW_VALUES[NUMBERS + 1] = {0, -4, -3, 2, 3, 6, 10, 10, 10, 10, 10, 10};

static i8 ORDERED[CARDS];
static u64 ROW[CARDS]; // all tiles of a tile's colour
static u64 WISHING, CLOVERS, ONES, THREES;

typedef struct {
    u64 rows[MOST_PLAYERS], fits[MOST_PLAYERS], open;
    i8 deck[CARDS];
    int turned, players, seat, phase, tile;
} State;

#define MASK_OF(set) mask_of(set, sizeof(set))

static u64 mask_of(const i8 *tiles, int n) {
    u64 mask = 0;
    while (n--)
        mask |= bit(tiles[n]);
    return mask;
}

static void make_tables(void) {
    for (int tile = 0; tile < CARDS; tile++) {
        ORDERED[tile] = tile;
        ROW[tile] = (bit(NUMBERS) - 1) << (tile / NUMBERS * NUMBERS);
    }
    WISHING = MASK_OF(WISHING_SET);
    CLOVERS = MASK_OF(CLOVER_SET);
    ONES = MASK_OF(ONE_SET);
    THREES = MASK_OF(THREE_SET);
}

static void deal(State *s, int players) {
    for (int p = 0; p < players; p++) {
        s->rows[p] = 0;
        s->fits[p] = bit(CARDS) - 1;
    }
    s->open = 0;
    memcpy(s->deck, ORDERED, sizeof s->deck);
    shuffle(s->deck, CARDS);
    s->turned = 0;
    s->players = players;
    s->seat = 0;
    s->phase = TURN;
}

static inline void pass_on(State *s) {
    s->phase = s->turned == CARDS ? OVER : TURN;
    s->seat = s->seat + 1 == s->players ? 0 : s->seat + 1;
}

static inline void take(State *s, int tile) {
    int p = s->seat;
    u64 b = bit(tile), row = ROW[tile], before = s->rows[p] & row;
    u64 higher = before < b ? row & -(b << 1) : 0;
    u64 lower = !before || before > b ? row & (b - 1) : 0;
    s->rows[p] |= b;
    s->fits[p] = (s->fits[p] & ~row) | higher | lower;
    if (!(b & CLOVERS))
        pass_on(s);
    else if (s->turned < CARDS)
        s->phase = TURN;
    else
        s->phase = s->open & s->fits[p] ? FURTHER : OVER;
}

static inline void take_open(State *s, int tile) {
    s->open ^= bit(tile);
    take(s, tile);
}

static inline void decide(State *s) {
    u64 fitting = s->open & s->fits[s->seat];
    u32 k;
    switch (s->phase) {
    case TURN:
        k = below(1 + count(fitting));
        if (k) {
            take_open(s, kth(fitting, k - 1));
        } else {
            s->tile = s->deck[s->turned++];
            s->phase = TILE;
        }
        break;
    case TILE:
        if (s->fits[s->seat] & bit(s->tile) && below(2)) {
            take(s, s->tile);
        } else {
            s->open |= bit(s->tile);
            pass_on(s);
        }
        break;
    case FURTHER:
        k = below(1 + count(fitting));
        if (k)
            take_open(s, kth(fitting, k - 1));
        else
            s->phase = OVER;
        break;
    }
}

static inline int score(const State *s, int p) {
    u64 rows = s->rows[p];
    int wishing = count(rows & WISHING);
    int total = WISHES[wishing > 5 ? 5 : wishing] + count(rows & ONES) + 3 * count(rows & THREES);
    for (int c = 0; c < COLOURS; c++)
        total += ROW_VALUES[count(rows >> (NUMBERS * c) & (bit(NUMBERS) - 1))];
    return total;
}

int main(int argc, char **argv) {
    Totals totals = read_arguments(argc, argv);
    make_tables();
    Clocks start = read_clocks();
    State s;
    for (int game = 0; game < totals.games; game++) {
        long decisions = 0;
        for (deal(&s, totals.players); s.phase != OVER; decisions++)
            decide(&s);
        count_game(&totals, decisions, 0);
        for (int p = 0; p < totals.players; p++)
            count_score(&totals, p, score(&s, p));
    }
    report(&totals, start);
}
