// The limit for `board`: uniform random games of Keltis, hand-tuned C on bit masks.
#include "playouts.h"

enum { DECK = 2 * CARDS, STONES = 9, GOAL = 7, HAND = 8, TILES = 25, CLOVER_TILE = 4, WISHING = 5 };
enum { CARD, FIGURE, CLOVER, END_STONE, DRAW, OVER };

static const int VALUES[STONES + 1] = {0, -4, -3, -2, 1, 2, 3, 6, 7, 10};
static const i8 TILE_SET[TILES] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5,
                                   5, 5, 5, 5, 5, 1, 1, 2, 2, 2, 3, 3};
static const i8 TILED[COLOURS][5] = { // R Y V G B
    {2, 3, 5, 7, 9}, {2, 4, 6, 7, 9}, {3, 4, 6, 7, 9}, {3, 5, 6, 7, 9}, {2, 4, 5, 7, 9}};

static i8 ORDERED[DECK], COLOUR[CARDS], NUMBER[CARDS];
static u64 FITS[COLOURS][NUMBERS][3]; // by the row's colour, last number and direction + 1

typedef struct {
    u64 held[MOST_PLAYERS], twice[MOST_PLAYERS], fits[MOST_PLAYERS];
    i8 top[MOST_PLAYERS][COLOURS], direction[MOST_PLAYERS][COLOURS], stone[MOST_PLAYERS][COLOURS];
    i8 large[MOST_PLAYERS], small[MOST_PLAYERS], wishing[MOST_PLAYERS];
    int16_t points[MOST_PLAYERS];
    i8 tile[COLOURS][STONES + 1], pile[COLOURS][24], pile_size[COLOURS], deck[DECK];
    u32 piles; // those that are not empty
    int left, goal, players, seat, phase, path, closed;
} State;

static void make_tables(void) {
    for (int i = 0; i < DECK; i++)
        ORDERED[i] = i / 2;
    for (int card = 0; card < CARDS; card++) {
        int c = COLOUR[card] = card / NUMBERS, number = NUMBER[card] = card % NUMBERS;
        for (int top = 0; top < NUMBERS; top++)
            for (int d = -1; d <= 1; d++)
                if (number == top || (number > top ? d >= 0 : d <= 0))
                    FITS[c][top][d + 1] |= bit(card);
    }
}

static inline void add(State *s, int p, int card) {
    s->twice[p] |= s->held[p] & bit(card);
    s->held[p] |= bit(card);
}

static inline void drop(State *s, int p, int card) {
    u64 second = s->twice[p] & bit(card);
    s->twice[p] ^= second;
    s->held[p] ^= bit(card) ^ second;
}

static void deal(State *s, int players) {
    memset(s, 0, sizeof *s);
    s->players = players;
    s->closed = -1;
    memset(s->top, -1, sizeof s->top);
    memset(s->large, -1, sizeof s->large);
    memset(s->small, 4, sizeof s->small);
    for (int p = 0; p < players; p++)
        s->fits[p] = bit(CARDS) - 1;
    i8 tiles[TILES];
    memcpy(tiles, TILE_SET, sizeof tiles);
    shuffle(tiles, TILES);
    for (int c = 0; c < COLOURS; c++)
        for (int i = 0; i < 5; i++)
            s->tile[c][TILED[c][i]] = tiles[5 * c + i];
    memcpy(s->deck, ORDERED, sizeof s->deck);
    shuffle(s->deck, DECK);
    s->left = DECK;
    for (int p = 0; p < players; p++)
        for (int i = 0; i < HAND; i++)
            add(s, p, s->deck[--s->left]);
    if (players == 2)
        s->left -= 30;
}

// Five figures and five paths: where a player has none on a path, one is on the start.
static inline int can_step(const State *s, int p) {
    for (int c = 0; c < COLOURS; c++)
        if (s->stone[p][c] < STONES)
            return 1;
    return 0;
}

static inline void step(State *s, int c, int large) {
    int p = s->seat;
    if (!s->stone[p][c]) {
        if (large)
            s->large[p] = c;
        else
            s->small[p]--;
    }
    int stone = ++s->stone[p][c];
    if (stone == GOAL && ++s->goal == 5) {
        s->phase = OVER;
        return;
    }
    int tile = s->tile[c][stone];
    s->phase = DRAW;
    if (tile == WISHING) {
        s->wishing[p]++;
        s->tile[c][stone] = 0;
    } else if (tile == CLOVER_TILE) {
        if (can_step(s, p))
            s->phase = CLOVER;
    } else {
        s->points[p] += tile;
    }
}

static inline void lay(State *s, int card) {
    int p = s->seat, c = COLOUR[card], number = NUMBER[card], top = s->top[p][c];
    drop(s, p, card);
    if (top >= 0 && number != top)
        s->direction[p][c] = number > top ? 1 : -1;
    s->top[p][c] = number;
    u64 row = (bit(NUMBERS) - 1) << (NUMBERS * c);
    s->fits[p] = (s->fits[p] & ~row) | FITS[c][number][s->direction[p][c] + 1];
    int stone = s->stone[p][c];
    if (stone == STONES) {
        s->phase = can_step(s, p) ? END_STONE : DRAW;
    } else if (stone) {
        step(s, c, 0);
    } else if (s->small[p] && s->large[p] < 0) {
        s->phase = FIGURE;
        s->path = c;
    } else {
        step(s, c, s->large[p] < 0);
    }
}

static inline void discard(State *s, int card) {
    int c = COLOUR[card];
    drop(s, s->seat, card);
    s->pile[c][s->pile_size[c]++] = card;
    s->piles |= 1u << c;
    s->closed = c;
    s->phase = DRAW;
}

static inline void decide_card(State *s) {
    u64 held = s->held[s->seat], fitting = held & s->fits[s->seat];
    u32 lays = count(fitting), k = below(lays + count(held));
    if (k < lays)
        lay(s, kth(fitting, k));
    else
        discard(s, kth(held, k - lays));
}

static inline void decide_step(State *s) {
    int p = s->seat;
    u32 steps = 0, larges = 0;
    for (int c = 0; c < COLOURS; c++) {
        int stone = s->stone[p][c];
        if (stone == STONES)
            continue;
        if (stone || s->small[p])
            steps |= 1u << c;
        if (!stone && s->large[p] < 0)
            larges |= 1u << c;
    }
    u32 decline = s->phase == CLOVER;
    u32 choices = steps | larges << COLOURS | decline << 2 * COLOURS;
    int choice = kth(choices, below(count(choices)));
    if (choice == 2 * COLOURS)
        s->phase = DRAW;
    else if (choice < COLOURS)
        step(s, choice, 0);
    else
        step(s, choice - COLOURS, 1);
}

static inline void decide_draw(State *s) {
    int p = s->seat;
    u32 piles = s->piles;
    if (s->closed >= 0)
        piles &= ~(1u << s->closed);
    u32 k = below(1 + count(piles));
    if (k == 0) {
        add(s, p, s->deck[--s->left]);
        if (!s->left) {
            s->phase = OVER;
            return;
        }
    } else {
        int c = kth(piles, k - 1);
        add(s, p, s->pile[c][--s->pile_size[c]]);
        if (!s->pile_size[c])
            s->piles &= ~(1u << c);
    }
    s->closed = -1;
    s->phase = CARD;
    s->seat = p + 1 == s->players ? 0 : p + 1;
}

static inline void decide(State *s) {
    switch (s->phase) {
    case CARD:
        decide_card(s);
        break;
    case FIGURE:
        step(s, s->path, below(2));
        break;
    case CLOVER:
    case END_STONE:
        decide_step(s);
        break;
    case DRAW:
        decide_draw(s);
        break;
    }
}

static inline int score(const State *s, int p) {
    int total = s->points[p] + WISHES[s->wishing[p] > 5 ? 5 : s->wishing[p]];
    for (int c = 0; c < COLOURS; c++)
        total += VALUES[s->stone[p][c]] * (s->large[p] == c ? 2 : 1);
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
        count_game(&totals, decisions, s.goal == 5);
        for (int p = 0; p < totals.players; p++)
            count_score(&totals, p, score(&s, p));
    }
    report(&totals, start);
}
