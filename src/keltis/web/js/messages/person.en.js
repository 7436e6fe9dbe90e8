/** English: one's devices and data. */
export default {
  "person.title": "Devices and data",
  "person.text":
    "You have no account here: a secret key in this browser stands for you. Whoever has it sees your hands, can play for you, and has all your games. A link or a QR code gives another device a key of its own that is worth just as much.",
  "person.devices": "Your devices",
  "person.first": "The first device",
  "person.this": "this one",
  "person.since": "since {time}",
  "person.out": "Sign out",
  "person.out.which": "Sign out {name}",
  "person.out.all": "Sign out all others",
  "person.out.ask":
    "Sign out {name}? It can then no longer play for you, and your games are no longer listed there.",
  "person.out.ask.this":
    "Sign out this device? Your games stay on your other devices, and you start here as somebody new.",
  "person.out.ask.all":
    "Sign out all your other devices? Their keys are worth nothing from then on.",
  "person.keep": "Cancel",
  "person.rule":
    "A device can sign out those that came after it. After a week it can also sign out those that were there before it, and delete everything. So nobody who steals a link can shut you out or delete your games, but you can sign out a device that you’ve lost.",
  "person.add": "Add a device",
  "person.link": "Link for your other device",
  "person.link.text": {
    one: "Open this link on your other device within {n} minute. It works once. Don’t give it to anyone: it leads to everything you have here.",
    other:
      "Open this link on your other device within {n} minutes. It works once. Don’t give it to anyone: it leads to everything you have here.",
  },
  "person.link.end": "Cancel the link",
  "person.used":
    "The link has been used. If the newest device in the list isn’t yours, sign it out now.",
  "person.gone":
    "This device was signed out by another of your devices. Here you start as somebody new.",
  "person.join.title": "Bring your games to this device?",
  "person.join.text":
    "With this link this device can do everything that your other device can: see your hands, play for you, list and delete your games. Go on only if you made the link yourself.",
  "person.join.lost":
    "This device has games of its own. They will no longer be listed here: save them first if you want to keep them.",
  "person.join.save": "Save them",
  "person.join.name": "Name of this device",
  "person.join": "Yes, this is mine",
  "person.join.bad":
    "This link has been used, cancelled or replaced, or it is too old. Make a new one on your other device.",
  "person.phone": "Phone",
  "person.computer": "Computer",
  "person.data": "What is stored about you",
  "person.data.text":
    "Your games, your results in deals that many play, the challenges you gave to friends, your names and your devices are stored under your key, and nothing else. You can save all of it as a file, or delete it.",
  "person.export": "Save everything as a file",
  "person.delete": "Delete everything",
  "person.delete.ask":
    "Delete everything that is stored about you, on all your devices? You leave your running games, your name disappears from all others, and your lists are gone. This can’t be undone.",
  "person.nothing": "Nothing is stored about you yet.",
  "person.deleted": "Everything that was stored about you is deleted.",
  "person.unreadable": {
    one: "{n} damaged game could not be read: your name may still be in it. Tell whoever runs this server.",
    other:
      "{n} damaged games could not be read: your name may still be in them. Tell whoever runs this server.",
  },
};
