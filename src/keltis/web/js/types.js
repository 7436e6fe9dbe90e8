/**
 * Shapes of what the server sends (docs/protocol.md, docs/views.md). Types only: nothing runs here.
 *
 * @typedef {"R" | "Y" | "V" | "G" | "B"} Colour
 * @typedef {null | "C" | "W" | "1" | "2" | "3"} Tile
 * @typedef {{seat: number, move: string, shown?: string, effect?: Effect}} Step
 *
 * @typedef {object} Effect what a decision did: a figure that moved, or a tile taken or left
 * @property {Colour} [path] of the figure that moved
 * @property {number} [stone] that it reached
 * @property {boolean} [large] it is the large one
 * @property {true} [ends] it ends the game
 * @property {Tile} [found] what lay on that stone, or is printed on the tile that was taken
 * @property {"open" | "turned over"} [from] where the tile that was taken lay
 * @property {string} [left] the tile that was left in the middle
 *
 * @typedef {{scores: number[], winners: number[], reason: string}} Result
 * @typedef {Record<Colour, number[]>} Rows
 *
 * @typedef {object} BoardView
 * @property {"board"} game
 * @property {Record<string, string>} options
 * @property {string[]} players
 * @property {number | null} you
 * @property {{tiles: Record<Colour, Tile[]>, hand: string[] | null, position?: string}} setup
 * @property {Step[]} history
 * @property {number | null} seat
 * @property {"card" | "figure" | "clover" | "end stone" | "draw" | "over"} phase
 * @property {Colour | null} path
 * @property {Colour | null} closed_pile
 * @property {string[] | null} hand
 * @property {number[]} hand_sizes
 * @property {string[][]} known
 * @property {Rows[]} rows
 * @property {Record<Colour, number>[]} figures
 * @property {(Colour | null)[]} large
 * @property {number[]} small_at_start
 * @property {Record<Colour, Tile[]>} tiles
 * @property {number[]} wishing_stones
 * @property {number[]} points
 * @property {number[]} scores
 * @property {Record<Colour, string[]>} piles
 * @property {number} draw_pile
 * @property {number} removed
 * @property {number} in_goal
 * @property {string[]} legal_moves
 * @property {Result | null} result
 *
 * @typedef {object} StonesView
 * @property {"stones"} game
 * @property {Record<string, string>} options
 * @property {string[]} players
 * @property {number | null} you
 * @property {{position?: string}} setup
 * @property {Step[]} history
 * @property {number | null} seat
 * @property {"turn" | "tile" | "further" | "over"} phase
 * @property {string | null} tile
 * @property {string[]} open
 * @property {number} face_down
 * @property {Rows[]} rows
 * @property {number[]} wishing_stones
 * @property {number[]} points
 * @property {number[]} scores
 * @property {string[]} legal_moves
 * @property {Result | null} result
 *
 * @typedef {BoardView | StonesView} View
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {"person" | "bot" | "open"} kind
 * @property {string | null} name
 * @property {string | null} level
 * @property {string | null} played_by
 * @property {string | null} why
 * @property {boolean} ready
 * @property {number} wins in the series before this game
 * @property {boolean} present
 * @property {number | null} absent_for
 *
 * @typedef {{move: number | null, game: number | null, running: number | null,
 *   left: (number | null)[], move_left: number | null}} Clock
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {"board" | "stones"} game
 * @property {Record<string, string>} options
 * @property {"waiting" | "playing" | "over"} status
 * @property {boolean} public
 * @property {boolean} practice
 * @property {boolean} hints
 * @property {boolean} spectators
 * @property {string | number} first
 * @property {string} created
 * @property {Seat[]} seats
 * @property {Clock | null} clock
 * @property {number} watchers
 * @property {Fair} fair
 * @property {string | null} deal that the table is an attempt at: of a day, or a duplicate
 * @property {Record<string, string>} duplicates made from this game, by the seat to play
 * @property {string | null} invited
 * @property {number} games before this one in the series
 * @property {string | null} rematch
 * @property {number | null} rematch_by the seat that asked for the rematch
 *
 * @typedef {{scheme: string, table: string, commitment: string,
 *   player_commitments?: string[] | null, seal?: string | null, places: number,
 *   first: string | number, player_seeds: (string | null)[] | null,
 *   server_seed: string | null}} Fair
 *
 * As in a record.
 * @typedef {{tiles?: Record<string, (string | null)[]>, hands?: string[][], draw: string[],
 *   removed?: string[]}} Setup
 *
 * @typedef {object} May
 * @property {number | null} decide
 * @property {boolean} take_back
 * @property {boolean} hint
 * @property {boolean} commit
 * @property {boolean} seed
 * @property {boolean} leave
 * @property {number[]} return
 * @property {boolean} resign
 * @property {number[]} replace
 * @property {boolean} end
 * @property {boolean} invite
 * @property {boolean} link
 * @property {boolean} rematch
 * @property {boolean} duplicate whether the deal can be given to others
 *
 * @typedef {{seats: number[], key: boolean, may: May}} You
 * @typedef {{device: number, name: string | null, added: string | null, this: boolean,
 *   remove: boolean}} Device
 * @typedef {{seat: number, link: boolean, devices: Device[]}} OwnDevices
 * @typedef {{kind: string, seat?: number, name?: string, decisions?: number, clock?: string,
 *   table?: string}} What
 *
 * @typedef {object} Hint
 * @property {number} seq
 * @property {number} seat
 * @property {string} move
 * @property {string} level
 * @property {{move: string, value: number, error: number, wins?: number}[]} moves
 * @property {string | null} reason
 *
 * @typedef {object} TableSummary
 * @property {string} id
 * @property {"board" | "stones"} game
 * @property {string} status
 * @property {{kind: string, name: string | null, level?: string | null}[]} seats
 * @property {string} created
 * @property {number} watchers
 * @property {boolean} [your_turn] of one's own tables
 * @property {number[]} [your_seats]
 * @property {string | null} [deal] that many play
 *
 * @typedef {{
 *   level: string, number?: number, name: string,
 *   strengths?: Record<number, Record<"board" | "stones", number>> | null,
 * }} Level
 */
export {};
