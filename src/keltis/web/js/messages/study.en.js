/** English: replay, lessons, rules. Loaded only by those pages. */
export default {
  "replay.lead": "Watch a finished game again, position by position.",
  "replay.loading": "Fetching the game…",
  "replay.open": "Open a saved game",
  "replay.drop": "Choose a file, or drop it anywhere on this page.",
  "replay.where": "When a game is over, you can save it at its table, or replay it at once.",
  "replay.running": "This game is still being played. You can replay it here once it is over.",
  "replay.bad": "This is not a saved game.",
  "replay.bad.move":
    "This record goes wrong at decision {n}: {move} by {name} is not possible there.",
  "replay.bad.over": "This record goes wrong at decision {n}: the game is over by then.",
  "replay.bad.result": "The moves in this record lead to a different result from the one it gives.",
  "replay.bad.at": "This record is faulty. The fault is at “{place}”.",
  "replay.why.hand": "{card} is not in that hand.",
  "replay.why.rising": "{card} does not fit: the row is rising and stands at {top}.",
  "replay.why.falling": "{card} does not fit: the row is falling and stands at {top}.",
  "replay.why.open": "{card} does not lie open.",
  "replay.due.card": "A card must be played here.",
  "replay.due.figure": "A figure must be chosen here.",
  "replay.due.step": "A figure must move here.",
  "replay.due.draw": "A card must be drawn here.",
  "replay.due.tile": "The tile just turned over must be taken or left here.",
  "replay.due.turn": "A tile must be turned over or taken here.",
  "replay.large": "This file is too large for a saved game.",
  "replay.line": "Timeline",
  "replay.at": "Decision {at} of {of}",
  "replay.begin": "The cards are dealt.",
  "replay.begin.stones": "All tiles lie face down.",
  "replay.first": "To the start",
  "replay.previous": "Back",
  "replay.play": "Play",
  "replay.pause": "Pause",
  "replay.next": "Forward",
  "replay.last": "To the end",
  "replay.hands": "Show all hands",
  "replay.speed": "Speed",
  "replay.moves": "All moves",
  "replay.keys.turn": "one turn back or forward",
  "replay.keys.speed": "slower, faster",
  "replay.hand.of": "Hand of {name}",
  "replay.front": "At the front",
  "replay.link": "Link to this position",
  "replay.link.text": "Anyone who opens this link sees the game at this exact position.",
  "replay.link.some":
    "Others play this deal too: the link opens only for those who may see this game.",
  "replay.link.whole":
    "This link holds the whole game. Anyone who opens it sees the game at this exact position.",

  "rules.search": "Search the rules",
  "rules.found": { one: "{n} passage", other: "{n} passages" },
  "rules.none": "Nothing found. Try another word.",
  "rules.contents": "Contents",
  "rules.lesson": "Learn by playing",
  "figure.board":
    "The board at the start: five paths, the values of their stones on the left, the goal area on top.",
  "figure.cards": "Cards: each colour has a shape of its own.",
  "figure.figures": "Four small figures and the large one.",
  "figure.tiles": "Wishing stone, clover, points.",
  "figure.rows": "A rising row and a falling row. The crossed-out card no longer fits.",
  "figure.piles": "The draw pile, and two discard piles.",
  "figure.stones": "Tiles face down and face up, with their symbols.",
  "figure.row": "A falling row. The 4 fits, the 7 does not.",
  "figure.clovers": "Tiles with a clover give another turn.",

  "learn.lead":
    "Three minutes, and you can play. You make the moves yourself, and nothing can go wrong.",
  "learn.start": "Begin the lesson",
  "learn.again": "Once more",
  "learn.minutes": "about {n} minutes",
  "learn.step": "Step {at} of {of}",
  "learn.on": "Continue",
  "learn.back": "One step back",
  "learn.show": "Show me",
  "learn.not": "That would be allowed too. Here we want something else: {move}.",
  "learn.play": "Play a real game",
  "learn.score": "Look at the score sheet",
  "learn.other": "The other game",

  "lesson.board.welcome":
    "Welcome! You send your light figures up these five stone paths. Down here is the start stone, up there the goal area.",
  "lesson.board.values":
    "The numbers on the left show what a figure is worth on each stone: from −4 on the first to +10 on the last. Setting out costs points; going far pays off.",
  "lesson.board.lay":
    "Cards move figures: a green card moves you on the green path. You hold four green cards, so choose green 2 and lay it.",
  "lesson.board.figure":
    "Which figure sets out? The large one counts double at the end, for better or worse. With so many green cards it will go far: take the large one.",
  "lesson.board.draw":
    "Your figure stands on the first stone: −4, doubled. Don’t worry, it will move on. Every turn ends with a new card: draw from the pile.",
  "lesson.board.rise":
    "Maeve has discarded green 6. Now lay green 4: this makes your row rise, and from here on only equal or higher green cards fit.",
  "lesson.board.take":
    "Instead of drawing blind, you may take the top card of a discard pile. Green 6 fits your row perfectly: take it.",
  "lesson.board.clover.lay":
    "One card, one stone, whatever its number. The next green stone has a clover. Lay green 6.",
  "lesson.board.clover":
    "A clover gives one more step with any figure; a new one may set out too. Move the green figure on.",
  "lesson.board.plus": "Now you are above zero: stone 4 counts 1, doubled 2. Draw a card.",
  "lesson.board.wish.lay":
    "The pebble with the spiral on the next stone is a wishing stone. Fetch it: lay green 7.",
  "lesson.board.wish":
    "It is yours. Wishing stones count at the end: none or one costs points, two or more earn some, five earn 10. Draw a card.",
  "lesson.board.second":
    "A second path: lay red 8. Your large figure is already on its way, so a small one sets out by itself.",
  "lesson.board.small": "A small figure counts once: −4 for now. Draw a card.",
  "lesson.board.fall":
    "Rows may also fall. Lay red 5: after the 8, only equal or lower red cards fit from now on.",
  "lesson.board.wishes":
    "A second wishing stone! Now they earn you 2 points instead of costing you any. Draw a card.",
  "lesson.board.discard":
    "You don’t have to lay a card. A yellow path would lead nowhere now: choose yellow 1 and discard it.",
  "lesson.board.closed":
    "The pile you have just discarded onto is closed to you this turn. Draw from the draw pile.",
  "lesson.board.later": "Well played. Let’s skip ahead: many turns later, it gets exciting.",
  "lesson.board.end":
    "Four figures are in the goal area. The fifth ends the game at once, and you are ahead: lay red 0!",
  "lesson.board.done":
    "You have won, 45 to 33! The last tile no longer counted. Your large green figure on the end stone alone earned 20.",

  "lesson.stones.welcome":
    "Welcome! 55 tiles lie face down. You build rows from them, one of each colour. Long rows earn points, short ones cost some.",
  "lesson.stones.turn": "A turn is simple. Turn any tile over.",
  "lesson.stones.take":
    "Green 6, with a wishing stone. You may take it or leave it. Take it: it begins your green row.",
  "lesson.stones.cost":
    "A single tile counts −4; a row only pays off with three or more. Maeve has turned over red 3 and left it. Your turn: turn one over.",
  "lesson.stones.leave": "Blue 10 would begin another row and cost points. Leave it in the middle.",
  "lesson.stones.open":
    "Maeve has left green 9. Instead of turning one over, you may take an open tile: take green 9.",
  "lesson.stones.more":
    "6, 9: your green row rises now, and only higher numbers fit. You have a second wishing stone, too. Turn one over.",
  "lesson.stones.clover":
    "Blue 5 with a clover! Whoever takes a clover gets another turn at once. Take it.",
  "lesson.stones.again":
    "Now the blue 10 from before comes in handy: it fits after the 5. Take it.",
  "lesson.stones.misfit":
    "Green 7 lies open, but it does not fit: your green row stands at 9. Turn one over instead.",
  "lesson.stones.three": "Green 10, just right. Take it: with three tiles the row earns 2 points.",
  "lesson.stones.later": "Well played. Let’s skip ahead to the end.",
  "lesson.stones.last":
    "One tile is left. Whoever turns it over finishes the turn, and the game is over. Turn it over.",
  "lesson.stones.end":
    "Red 10 fits. It is the sixth tile of your red row, and six or more earn 10 points. Take it!",
  "lesson.stones.done":
    "You have won, 42 to 34! Rows, wishing stones and printed points are added up.",
};
