"""The proof of a fair deal, given by the browser itself; and deals that were forged."""

import copy
import hashlib
import json
import random
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from keltis.server.tables import deals
from tests.cli.running import run
from tests.web.conftest import Visit, wait_until
from tests.web.person import Person, finish

PROOF = ".proof"
WITHOUT_SUBTLE = "Object.defineProperty(crypto, 'subtle', {value: undefined})"
VERIFY = """async ([record, own, views]) => {
    const fair = await import(new URL("js/fair.js", document.baseURI));
    return fair.verify(record, own, views);
}"""


def verdict(person: Person) -> str:
    person.page.wait_for_selector(f"{PROOF}[data-verdict]")
    return str(person.find(PROOF).get_attribute("data-verdict"))


def record_of(person: Person, table: str) -> Any:
    return person.page.request.get(f"{person.address}api/tables/{table}/record").json()


def kept(person: Person, table: str) -> Any:
    return json.loads(person.page.evaluate(f"localStorage.getItem('keltis-deal-{table}')"))


def state_of(person: Person, table: str) -> Any:
    return person.page.request.get(f"{person.address}api/tables/{table}").json()


# --- Computing -------------------------------------------------------------------------------


def test_the_browser_computes_what_the_server_does(visit: Visit) -> None:
    page = visit().open()
    chance = random.Random(1)
    texts = ["", "abc", *(chance.randbytes(n).hex() for n in (27, 28, 31, 32, 59, 60, 64, 500))]
    hashed = page.evaluate(
        """async (texts) => {
            const { sha256, ownSha256 } =
                await import(new URL("js/sha256.js", document.baseURI));
            const hex = (bytes) =>
                [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            const encoder = new TextEncoder();
            return Promise.all(texts.map(async (text) =>
                [hex(ownSha256(encoder.encode(text))), hex(await sha256(encoder.encode(text)))]));
        }""",
        texts,
    )
    assert hashed == [[hashlib.sha256(text.encode()).hexdigest()] * 2 for text in texts]
    asked = []
    wanted = []
    for game in ("board", "stones"):
        for players in (2, 3, 4):
            for first in ("chance", players - 1):
                seal, server = chance.randbytes(32).hex(), chance.randbytes(32).hex()
                seeds = [
                    chance.choice([chance.randbytes(32).hex(), "", None]) for _ in "x" * players
                ]
                asked.append([game, first, seal, server, seeds])
                mix = deals.mixed(seal, server, seeds)
                made = deals.deal(game, players, first, mix)
                wanted.append({"first": made.first, "setup": made.setup})
    found = page.evaluate(
        """async (asked) => {
            const { deal } = await import(new URL("js/fair.js", document.baseURI));
            return Promise.all(asked.map((each) => deal(...each)));
        }""",
        asked,
    )
    assert found == wanted


# --- A proof -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["board", "stones"])
def test_the_browser_proves_the_deal_by_itself(visit: Visit, game: str, tmp_path: Path) -> None:
    ann = visit()
    requests: list[str] = []
    ann.page.on("request", lambda request: requests.append(request.url))
    table = ann.table(game, opponents=2)
    finish(ann)
    assert verdict(ann) == "proven"
    assert not [url for url in requests if "verify" in url]
    ann.find(f"{PROOF} summary").click()
    expect(ann.find(f"{PROOF} .checks li")).to_have_count(7)
    expect(ann.find(f"{PROOF} .failed")).to_have_count(0)
    assert ann.cut_texts() == []
    ann.picture(f"proof-{game}")
    # Who does not trust the page either runs the command that it names, elsewhere.
    command = shlex.split(ann.find(f"{PROOF} p code").inner_text())
    file = tmp_path / command[2]
    file.write_text(json.dumps(record_of(ann, table)))
    done = run(command[1], file, *command[3:])
    assert done.code == 0
    assert "The deal is fair" in done.out
    # What was kept is still there tomorrow.
    ann.page.reload()
    ann.page.wait_for_selector(".dialog.end")
    assert verdict(ann) == "proven"


def test_it_is_proven_without_the_browsers_own_hash(visit: Visit) -> None:
    """As at an address of the home network, to which browsers do not lend theirs."""
    ann = visit()
    ann.context.add_init_script(WITHOUT_SUBTLE)
    ann.open()
    assert ann.page.evaluate("crypto.subtle === undefined")
    ann.table("stones")
    finish(ann)
    assert verdict(ann) == "proven"


def test_each_player_has_the_proof_and_a_stranger_has_none(visit: Visit) -> None:
    ann, ben, eve = visit(), visit(language="de"), visit()
    made = ann.make({"game": "stones", "seats": [{"who": "me", "name": "Ann"}, {"who": "open"}]})
    ann.open(made["path"])
    ben.open(made["invitation_path"])
    ben.page.get_by_label("Dein Name").fill("Ben")
    ben.page.get_by_role("button", name="Mitspielen").click()
    for person in (ann, ben):
        person.page.wait_for_selector(".middle")
    fair = state_of(ann, made["table"])["table"]["fair"]
    assert all(fair["player_commitments"])
    assert {kept(person, made["table"])["seed"] for person in (ann, ben)} == set(
        fair["player_seeds"]
    )
    eve.open(made["path"])
    finish(ann, ben)
    eve.page.wait_for_selector(".dialog.end")
    assert [verdict(person) for person in (ann, ben, eve)] == ["proven", "proven", "unproven"]
    eve.find(f"{PROOF} summary").click()
    expect(eve.find(PROOF)).to_contain_text("had no share in the shuffle")
    ann.find(f"{PROOF} summary").click()
    expect(ann.find(PROOF)).to_contain_text("one of 2 deals")


def test_friends_on_one_screen_and_a_rematch(visit: Visit) -> None:
    ann = visit()
    seats = [{"who": "me", "name": name} for name in ("Ann", "Ben")]
    made = ann.make({"game": "stones", "seats": seats})
    ann.open(made["path"])
    ann.page.wait_for_selector(".middle")
    finish(ann)
    assert verdict(ann) == "proven"
    ann.page.get_by_role("dialog").get_by_role("button", name="Play again").click()
    ann.page.wait_for_url(lambda url: not url.endswith(made["table"]))
    ann.page.wait_for_selector(".middle")
    again = ann.page.url.rsplit("/", 1)[1]
    assert kept(ann, again)["seed"] != kept(ann, made["table"])["seed"]
    finish(ann)
    assert verdict(ann) == "proven"


# --- Forgeries -----------------------------------------------------------------------------------


def forged(record: Any, **changes: Any) -> Any:
    """A record whose proof was made anew with other shares: it agrees with itself."""
    lie = copy.deepcopy(record)
    fair = lie["fair"] = {**record["fair"], **changes}
    table, game = fair["table"], record["game"]
    fair["commitment"] = deals.commitment(deals.SCHEME, table, fair["server_seed"])
    fair["player_commitments"] = [
        deals.player_commitment(table, seed) if seed else "" for seed in fair["player_seeds"]
    ]
    fair["seal"] = deals.seal(
        table, game, fair["first"], fair["commitment"], fair["player_commitments"]
    )
    mix = deals.mixed(fair["seal"], fair["server_seed"], fair["player_seeds"])
    lie["setup"] = deals.deal(game, len(fair["player_seeds"]), fair["first"], mix).setup
    return lie


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_forged_deal_is_noticed(visit: Visit, game: str) -> None:
    ann = visit()
    table = ann.table(game)
    finish(ann)
    record, own = record_of(ann, table), kept(ann, table)
    views = state_of(ann, table)["views"]
    fair = record["fair"]
    seeds = fair["player_seeds"]
    assert seeds == [own["seed"], ""]

    def failed(record: Any, views: Any = views) -> set[str]:
        found = ann.page.evaluate(VERIFY, [record, own, views])
        assert (found["verdict"] == "proven") == (record is honest and views is seen)
        return {name for name, ok in found["checks"] if not ok}

    honest, seen = record, views
    assert failed(honest) == set()
    # Other shares of the server, of the player, of the bot; then the game cannot be the same.
    assert {"seen", "game"} <= failed(forged(record, server_seed="1e" * 32))
    assert {"seen", "own", "game"} <= failed(forged(record, player_seeds=["1e" * 32, ""]))
    assert {"seen", "game"} <= failed(forged(record, player_seeds=[own["seed"], "1e" * 32]))
    # The player's share left out.
    assert {"seen", "own", "game"} <= failed(forged(record, player_seeds=["", ""]))
    # The old way, in which seeds can be ground.
    old = copy.deepcopy(record)
    old["fair"]["scheme"] = deals.FIRST_SCHEME
    assert ann.page.evaluate(VERIFY, [old, own, views])["verdict"] == "wrong"
    # Everything is as it was promised, but other cards were dealt.
    other = copy.deepcopy(record)
    pile = other["setup"]["draw"]
    pile[0], pile[-1] = pile[-1], pile[0]
    assert "deal" in failed(other)
    # The record is as promised, but it is not the game that was played.
    lied = copy.deepcopy(views)
    turned = next(step for step in lied[0]["history"] if step.get("shown"))
    turned["shown"] = "R0" if turned["shown"] != "R0" else "R1"
    assert failed(honest, lied) == {"game"}
    if game == "board":
        lied = copy.deepcopy(views)
        hand = lied[0]["setup"]["hand"]
        hand[0] = next(card for card in ("R0", "Y0", "V0", "G0") if card not in hand)
        own.pop("setups")
        assert failed(honest, lied) == {"game"}


def test_the_page_says_that_a_deal_was_forged(visit: Visit) -> None:
    ann = visit()
    table = ann.table("stones")
    ann.page.route(
        re.compile(f"{table}/record"),
        lambda route: route.fulfill(
            json=forged(route.fetch().json(), server_seed=f"{random.getrandbits(256):064x}")
        ),
    )
    finish(ann)
    assert verdict(ann) == "wrong"
    expect(ann.find(f"{PROOF} summary")).to_have_text("The deal is not what was promised")
    ann.find(f"{PROOF} summary").click()
    expect(ann.find(f"{PROOF} .failed")).not_to_have_count(0)
    ann.picture("proof-forged")


def change_seal(fair: dict[str, Any]) -> None:
    """The server puts a share of its own beside, after it was bound."""
    fair["player_commitments"][1] = "1e" * 32


def change_commitment(fair: dict[str, Any]) -> None:
    """The server takes another share of its own, once it has seen who is there."""
    fair["commitment"] = "1e" * 32


@pytest.mark.parametrize("change", [change_seal, change_commitment])
def test_a_share_stays_here_if_the_seal_is_not_what_it_should_be(visit: Visit, change: Any) -> None:
    ann = visit(quiet=False)
    sent: list[Any] = []

    def connect(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def back(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "state" and told["table"]["fair"]["seal"]:
                change(told["table"]["fair"])
            page.send(json.dumps(told))

        def forth(message: str | bytes) -> None:
            sent.append(json.loads(message))
            server.send(message)

        page.on_message(forth)
        server.on_message(back)

    ann.context.route_web_socket(re.compile("/socket"), connect)
    seats = [{"who": "me", "name": "Ann"}, {"who": "bot", "level": "random"}]
    made = ann.make({"game": "stones", "seats": seats})
    ann.open(made["path"])
    wait_until(lambda: "commit" in [each["type"] for each in sent], ann.page)
    wait_until(lambda: kept(ann, made["table"]).get("heldBack") is True, ann.page)
    assert [each["type"] for each in sent] == ["commit"]
