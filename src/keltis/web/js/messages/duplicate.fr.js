/** French: the same deal for several people. */
export default {
  "duplicate.lead":
    "Tout le monde joue la même donne, à la même place, contre les mêmes robots. Ce n’est donc pas la chance qui départage.",
  "duplicate.better": "Pouvez-vous faire mieux ?",
  "duplicate.by": "De {name}",
  "duplicate.better.by":
    "{name} a joué cette partie et aimerait savoir si vous pouvez faire mieux.",
  "duplicate.how":
    "Dans la même situation, les robots décident de la même façon pour tout le monde. Vous avez un seul essai, que vous pouvez interrompre ; on ne reprend pas de coup et il n’y a pas de conseils.",
  "duplicate.you": "vous",
  "duplicate.order": "Dans l’ordre du tour : {names}",
  "duplicate.round": "Manche {n}",
  "duplicate.until": "À jouer jusqu’au {date}",
  "duplicate.closed": "On ne peut plus y jouer.",
  "duplicate.known":
    "Vous étiez de cette partie et vous savez ce qui vient : vous ne pouvez donc pas la rejouer pour vous comparer.",
  "duplicate.play": "Jouer",
  "duplicate.continue": "Continuer",
  "duplicate.played": "Ont déjà joué : {names}.",
  "duplicate.nobody": "Personne n’y a encore joué.",
  "duplicate.hidden": "Vous verrez les résultats quand vous aurez joué vous-même.",
  "duplicate.results": "Résultats",
  "duplicate.total": "Toutes les manches ensemble",
  "duplicate.total.text": "Ce tableau ne contient que ceux qui ont joué toutes les manches.",
  "duplicate.col.place": "Place",
  "duplicate.col.name": "Nom",
  "duplicate.col.score": "Points",
  "duplicate.col.lead": "Avance",
  "duplicate.col.points": "Points de match",
  "duplicate.points.text":
    "Points de match, comme dans un club de bridge : un par personne battue, un demi en cas d’égalité, en pour cent du possible. Qui abandonne n’en a aucun.",
  "duplicate.somebody": "Quelqu’un",
  "duplicate.original": "partie d’origine",
  "duplicate.gaveup": "abandon",
  "duplicate.watch": "Revoir {name}",
  "duplicate.watch.short": "Revoir",
  "duplicate.link": "Lien pour vos amis",
  "duplicate.make": "En créer une",
  "duplicate.make.go": "Créer le lien",
  "duplicate.seats": "Places",
  "duplicate.seats.one": "la même place pour tous",
  "duplicate.seats.all": "chaque place une fois",
  "duplicate.seat": "Votre place",
  "duplicate.seat.n": "joueur {n}",
  "duplicate.bot": "Robot {n}",
  "duplicate.mine": "Les vôtres",
  "duplicate.done": "{n} sur {of} jouées",
  "duplicate.open": "Ouvrir",
  "duplicate.unknown":
    "Il n’y a rien à jouer à cette adresse. Le lien est peut-être incomplet, ou trop ancien.",
  "duplicate.closes.replay":
    "Dès lors, seuls ceux qui ont joué cette donne peuvent revoir votre partie.",
};
