/** French: replay, lessons, rules. */
export default {
  "replay.lead": "Une partie terminée, revue position par position.",
  "replay.loading": "La partie arrive…",
  "replay.open": "Ouvrir une partie enregistrée",
  "replay.drop": "Choisissez un fichier, ou déposez-le n’importe où sur cette page.",
  "replay.where":
    "Une fois la partie finie, on peut l’enregistrer à sa table, ou la revoir aussitôt.",
  "replay.running": "Cette partie est en cours. Vous pourrez la revoir ici quand elle sera finie.",
  "replay.bad": "Ce n’est pas une partie enregistrée.",
  "replay.bad.move":
    "Cet enregistrement est erroné à la décision {n} : {move} de {name} n’y est pas possible.",
  "replay.bad.over": "Cet enregistrement est erroné à la décision {n} : la partie est déjà finie.",
  "replay.bad.result":
    "Les coups de cet enregistrement mènent à un autre résultat que celui qu’il indique.",
  "replay.bad.at": "Cet enregistrement est erroné. L’erreur est dans « {place} ».",
  "replay.why.hand": "Le {card} n’est pas dans cette main.",
  "replay.why.rising": "Le {card} ne convient pas : la série monte et en est à {top}.",
  "replay.why.falling": "Le {card} ne convient pas : la série descend et en est à {top}.",
  "replay.why.open": "Le {card} n’est pas visible.",
  "replay.due.card": "Il faut jouer une carte ici.",
  "replay.due.figure": "Il faut choisir une figurine ici.",
  "replay.due.step": "Il faut avancer une figurine ici.",
  "replay.due.draw": "Il faut piocher une carte ici.",
  "replay.due.tile": "Il s’agit ici de la tuile qui vient d’être retournée.",
  "replay.due.turn": "Il faut retourner ou prendre une tuile ici.",
  "replay.large": "Ce fichier est trop gros pour une partie enregistrée.",
  "replay.line": "Fil de la partie",
  "replay.at": "Décision {at} sur {of}",
  "replay.begin": "Les cartes sont distribuées.",
  "replay.begin.stones": "Toutes les tuiles sont cachées.",
  "replay.first": "Au début",
  "replay.previous": "Reculer",
  "replay.play": "Lecture",
  "replay.pause": "Pause",
  "replay.next": "Avancer",
  "replay.last": "À la fin",
  "replay.hands": "Montrer toutes les mains",
  "replay.speed": "Vitesse",
  "replay.moves": "Tous les coups",
  "replay.keys.turn": "un tour en arrière ou en avant",
  "replay.keys.speed": "plus lent, plus rapide",
  "replay.hand.of": "Main de {name}",
  "replay.front": "Au premier plan",
  "replay.link": "Lien vers cette position",
  "replay.link.text": "Ce lien ouvre la partie exactement à cette position.",
  "replay.link.some":
    "D’autres jouent aussi cette donne : le lien ne s’ouvre que pour ceux qui peuvent voir cette partie.",
  "replay.link.whole": "Ce lien contient toute la partie et l’ouvre exactement à cette position.",

  "rules.search": "Chercher dans les règles",
  "rules.found": { one: "{n} passage", other: "{n} passages" },
  "rules.none": "Rien trouvé. Essayez un autre mot.",
  "rules.contents": "Sommaire",
  "rules.lesson": "Apprendre en jouant",
  "figure.board":
    "Le plateau au début : cinq voies, à gauche la valeur des pierres, en haut le domaine cible.",
  "figure.cards": "Les cartes : chaque couleur a sa forme.",
  "figure.figures": "Quatre petites figurines et la grande.",
  "figure.tiles": "Pierre à vœux, trèfle, points.",
  "figure.rows":
    "Une série croissante et une série décroissante. La carte barrée ne convient plus.",
  "figure.piles": "La pioche et deux défausses.",
  "figure.stones": "Des tuiles cachées et visibles, avec leurs symboles.",
  "figure.row": "Une série décroissante. Le 4 convient, le 7 non.",
  "figure.clovers": "Les tuiles à trèfle font rejouer.",

  "learn.lead":
    "Trois minutes, et vous savez jouer. C’est vous qui jouez, et rien ne peut mal tourner.",
  "learn.start": "Commencer la leçon",
  "learn.again": "Recommencer",
  "learn.minutes": "environ {n} minutes",
  "learn.step": "Étape {at} sur {of}",
  "learn.on": "Continuer",
  "learn.back": "Étape précédente",
  "learn.show": "Montrez-moi",
  "learn.not": "Ce serait permis aussi. Ici, on vous demande autre chose : {move}.",
  "learn.play": "Jouer une vraie partie",
  "learn.score": "Voir le décompte",
  "learn.other": "L’autre jeu",

  "lesson.board.welcome":
    "Bienvenue ! Vos figurines claires vont gravir ces cinq voies de pierres. En bas, la pierre de départ ; en haut, le domaine cible.",
  "lesson.board.values":
    "La valeur d’une figurine se lit à gauche, à hauteur de sa pierre : de −4 sur la première à +10 sur la dernière. Partir coûte des points, aller loin en rapporte.",
  "lesson.board.lay":
    "Les cartes font avancer les figurines : une carte verte, sur la voie verte. Vous en avez quatre ; choisissez le 2 vert et posez-le.",
  "lesson.board.figure":
    "Quelle figurine part ? La grande compte double à la fin, en bien comme en mal. Avec autant de vert, elle ira loin : prenez la grande.",
  "lesson.board.draw":
    "Votre figurine est sur la première pierre : −4, doublé. Pas d’inquiétude, elle va avancer. Chaque tour se termine par une nouvelle carte : piochez.",
  "lesson.board.rise":
    "Maeve a défaussé le 6 vert. Posez maintenant le 4 vert : votre série monte, et seules des cartes vertes égales ou supérieures conviendront ensuite.",
  "lesson.board.take":
    "Au lieu de piocher, vous pouvez prendre la carte du dessus d’une défausse. Le 6 vert tombe bien : prenez-le.",
  "lesson.board.clover.lay":
    "Une carte, une pierre, quel que soit le nombre. Sur la prochaine pierre verte, il y a un trèfle. Posez le 6 vert.",
  "lesson.board.clover":
    "Un trèfle offre un pas de plus à n’importe quelle figurine, même à une qui attend au départ. Avancez encore la verte.",
  "lesson.board.plus":
    "La voilà dans le positif : la pierre 4 vaut 1, doublé 2. Piochez une carte.",
  "lesson.board.wish.lay":
    "Le galet à la spirale, sur la pierre suivante, est une pierre à vœux. Allez la chercher : posez le 7 vert.",
  "lesson.board.wish":
    "Elle est à vous. Les pierres à vœux comptent à la fin : aucune ou une seule, on perd des points ; à partir de deux, on en gagne, et cinq en valent 10. Piochez une carte.",
  "lesson.board.second":
    "Une deuxième voie : posez le 8 rouge. Votre grande figurine est déjà en route, c’est donc une petite qui part.",
  "lesson.board.small":
    "Une petite figurine compte une fois : −4 pour l’instant. Piochez une carte.",
  "lesson.board.fall":
    "Une série peut aussi descendre. Posez le 5 rouge : après le 8, seules des cartes rouges égales ou inférieures conviendront.",
  "lesson.board.wishes":
    "Une deuxième pierre à vœux ! Elles vous rapportent maintenant 2 points au lieu de vous en coûter. Piochez une carte.",
  "lesson.board.discard":
    "On n’est pas obligé de poser. Ouvrir la voie jaune ne mènerait à rien : choisissez le 1 jaune et défaussez-le.",
  "lesson.board.closed":
    "La défausse où vous venez de poser une carte vous est fermée ce tour-ci. Prenez une carte de la pioche.",
  "lesson.board.later": "Bien joué. Faisons un bond : bien des tours plus tard, tout se décide.",
  "lesson.board.end":
    "Quatre figurines sont dans le domaine cible. La cinquième arrête la partie aussitôt, et vous menez : posez le 0 rouge !",
  "lesson.board.done":
    "Gagné, 45 à 33 ! La dernière tuile ne comptait plus. À elle seule, votre grande figurine sur la pierre finale verte a rapporté 20 points.",

  "lesson.stones.welcome":
    "Bienvenue ! 55 tuiles sont cachées. Vous allez en faire des séries, une par couleur. Les longues rapportent des points, les courtes en coûtent.",
  "lesson.stones.turn": "Un tour est simple. Retournez la tuile de votre choix.",
  "lesson.stones.take":
    "Le 6 vert, avec une pierre à vœux. Vous pouvez le prendre ou le laisser. Prenez-le : votre série verte commence.",
  "lesson.stones.cost":
    "Une tuile seule vaut −4 ; il en faut trois pour qu’une série rapporte. Maeve a retourné le 3 rouge et l’a laissé. À vous : retournez-en une.",
  "lesson.stones.leave":
    "Le 10 bleu ouvrirait une nouvelle série, et cela coûte. Laissez-le au milieu.",
  "lesson.stones.open":
    "Maeve a laissé le 9 vert. Au lieu de retourner une tuile, vous pouvez en prendre une visible : prenez le 9 vert.",
  "lesson.stones.more":
    "6, 9 : votre série verte monte, seuls des nombres plus grands conviennent désormais. Et voilà une deuxième pierre à vœux. Retournez une tuile.",
  "lesson.stones.clover":
    "Le 5 bleu, avec un trèfle ! Qui prend un trèfle rejoue aussitôt. Prenez-le.",
  "lesson.stones.again":
    "Le 10 bleu de tout à l’heure tombe à pic : il convient après le 5. Prenez-le.",
  "lesson.stones.misfit":
    "Le 7 vert est visible, mais il ne convient pas : votre série verte en est à 9. Retournez plutôt une tuile.",
  "lesson.stones.three":
    "Le 10 vert, juste ce qu’il fallait. Prenez-le : à trois tuiles, la série rapporte 2 points.",
  "lesson.stones.later": "Bien joué. Faisons un bond jusqu’à la fin.",
  "lesson.stones.last":
    "Il reste une tuile. Qui la retourne termine son tour, et la partie s’arrête. Retournez-la.",
  "lesson.stones.end":
    "Le 10 rouge convient. C’est la sixième tuile de votre série rouge, et à partir de six on marque 10 points. Prenez-le !",
  "lesson.stones.done":
    "Gagné, 42 à 34 ! On additionne les séries, les pierres à vœux et les points imprimés.",
};
