"""The hash chain that the seeds of days come from, and its proof."""

import json
from pathlib import Path
from typing import Any

import pytest

from keltis.server.tables import chain, deals
from keltis.server.tables.chain import Chain, DayDeal
from tests.cli.running import run

ROOT = "5a" * 32


@pytest.fixture(scope="module")
def days() -> Chain:
    return chain.new_chain(ROOT, "2026-11-18")


def record(days: Chain, deal: DayDeal, link: str = "") -> dict[str, Any]:
    mix = chain.mix_of(link or chain.link_of(days, deal.day), deal)
    made = deals.deal(deal.game, 2, deals.CHANCE, bytes.fromhex(mix))
    return {
        "format": "keltis-record/1",
        "game": deal.game,
        "options": {},
        "players": ["Ann", deal.bot.title()][:: -1 if made.first else 1],
        "setup": made.setup,
        "moves": [],
        "result": None,
        "fair": {
            "scheme": deals.GIVEN_SCHEME,
            "table": "f3KdW9pQx2Lm",
            "commitment": deals.given_commitment(deal.id, mix),
            "server_seed": mix,
            "first": "chance",
            "places": 2,
            "deal": deal.id,
            "board": 0,
        },
    }


def test_each_days_link_hashes_to_the_one_before_and_the_first_to_the_anchor(days: Chain) -> None:
    first, second, third = (chain.link_of(days, f"2026-11-{d}") for d in (18, 19, 20))
    assert chain.following(third) == second
    assert chain.following(second) == first
    assert chain.following(first) == days.end
    assert chain.leads_to(third, days.anchor, "2026-11-20")
    assert not chain.leads_to(third, days.anchor, "2026-11-19")
    assert not chain.leads_to(second[::-1], days.anchor, "2026-11-19")
    assert not chain.leads_to(first, days.anchor, "2026-11-17")


def test_the_scheme_never_changes(days: Chain) -> None:
    """What is published now must be provable in a hundred years."""
    end = "5a910ad721a5fbb896e619da3f890d5d9b5635aff70273d6be0ac78f10748948"
    assert days.anchor == f"2026-11-18:{end}"
    link = chain.link_of(days, "2026-12-24")
    assert chain.mix_of(link, DayDeal("2026-12-24", "board", "druid")) == (
        "dff8d5a9566333649304219a3b7c3035def694f8c768519f277bd8f21cf3826e"
    )


def test_a_day_before_the_chain_or_behind_its_end_has_no_link(days: Chain) -> None:
    for day in ("2026-11-17", chain.after("2026-11-18", chain.LENGTH)):
        with pytest.raises(ValueError, match="no such day"):
            chain.link_of(days, day)


def test_every_deal_of_every_day_is_another(days: Chain) -> None:
    mixes = {
        chain.mix_of(chain.link_of(days, day), DayDeal(day, game, bot))
        for day in ("2026-11-18", "2026-11-19")
        for game in chain.GAMES
        for bot in chain.OPPONENTS
    }
    assert len(mixes) == 8


def test_a_deals_id_tells_what_it_is_and_nothing_else_is_one() -> None:
    for game in chain.GAMES:
        for bot in chain.OPPONENTS:
            deal = DayDeal("2026-11-18", game, bot)
            assert chain.day_deal(deal.id) == deal
            assert len(deal.id) <= 16
    for text in (
        "",
        "2026-11-18",
        "2026-11-31-br",
        "2026-11-18-bx",
        "f3KdW9pQx2Lm",
        "٢026-11-18-br",
    ):
        assert chain.day_deal(text) is None


def test_a_day_is_closed_when_the_next_one_is_over() -> None:
    assert not chain.is_closed("2026-02-28", "2026-02-28")
    assert not chain.is_closed("2026-02-28", "2026-03-01")
    assert chain.is_closed("2026-02-28", "2026-03-02")


# --- keltis verify --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", chain.GAMES)
@pytest.mark.parametrize("bot", chain.OPPONENTS)
def test_a_days_deal_is_proven_by_its_link_and_the_anchor(days: Chain, game: str, bot: str) -> None:
    deal = DayDeal("2026-11-30", game, bot)
    link = chain.link_of(days, deal.day)
    verdict = deals.verify(record(days, deal), days.anchor, link)
    assert verdict.proven
    assert [name for name, _ in verdict.checks] == ["commitment", "deal", "seat", "link", "anchor"]


def test_another_link_anchor_day_or_deal_is_found_out(days: Chain) -> None:
    deal = DayDeal("2026-11-30", "board", "raven")
    link = chain.link_of(days, deal.day)
    whole = record(days, deal)
    other = chain.link_of(days, "2026-11-29")

    def wrong(changed: dict[str, Any], anchor: str, link: str) -> set[str]:
        return {name for name, ok in deals.verify(changed, anchor, link).checks if not ok}

    assert wrong(whole, days.anchor, other) == {"link", "anchor"}
    assert wrong(whole, f"{days.first_day}:{'00' * 32}", link) == {"anchor"}
    assert wrong(whole, f"2026-11-17:{days.end}", link) == {"anchor"}
    renamed = {**whole, "fair": {**whole["fair"], "deal": "2026-11-30-bd"}}
    assert wrong(renamed, days.anchor, link) == {"commitment", "seat", "link"}
    turned = {**whole, "players": whole["players"][::-1]}
    assert wrong(turned, days.anchor, link) == {"seat"}
    redealt = {**whole, "setup": record(days, DayDeal("2026-11-29", "board", "raven"))["setup"]}
    assert wrong(redealt, days.anchor, link) == {"deal"}


def test_without_link_or_anchor_nothing_is_proven(days: Chain) -> None:
    whole = record(days, DayDeal("2026-11-30", "stones", "druid"))
    link = chain.link_of(days, "2026-11-30")
    assert deals.verify(whole).unchecked == ["link", "anchor"]
    assert deals.verify(whole, None, link).unchecked == ["anchor"]
    assert deals.verify(whole, days.anchor).unchecked == ["link", "anchor"]
    assert not deals.verify(whole, None, link).proven


def test_a_duplicate_is_never_called_proven(days: Chain) -> None:
    whole = record(days, DayDeal("2026-11-30", "stones", "druid"))
    mix = whole["fair"]["server_seed"]
    fair = {**whole["fair"], "deal": "f3KdW9pQx2Lm"}
    fair["commitment"] = deals.given_commitment("f3KdW9pQx2Lm", mix)
    verdict = deals.verify({**whole, "fair": fair}, days.anchor, "00" * 32)
    assert verdict.holds
    assert verdict.unchecked == ["chosen"]
    assert not verdict.proven


def test_the_link_of_another_day_does_not_do_whatever_the_server_says(days: Chain) -> None:
    """Else it could choose among all links of days to come, the evening before."""
    deal = DayDeal("2026-11-30", "board", "raven")
    later = chain.link_of(days, "2027-05-01")
    moved = record(days, deal, later)
    for says in ({}, {"day_number": 164}, {"first_day": "2026-06-19"}):
        found = deals.verify({**moved, "fair": {**moved["fair"], **says}}, days.anchor, later)
        assert [name for name, ok in found.checks if not ok] == ["anchor"]


@pytest.mark.parametrize("first", [0, 1])
def test_who_begins_on_a_day_is_no_choice_of_the_servers(days: Chain, first: int) -> None:
    deal = DayDeal("2026-11-30", "board", "raven")
    whole = record(days, deal)
    link = chain.link_of(days, deal.day)
    setup = deals.deal("board", 2, first, bytes.fromhex(chain.mix_of(link, deal))).setup
    fair = {**whole["fair"], "first": first}
    found = deals.verify({**whole, "setup": setup, "fair": fair}, days.anchor, link)
    assert ("deal", False) in found.checks


@pytest.mark.parametrize(
    "anchor", ["", "5a" * 32, f"2026-11-31:{'5a' * 32}", "2026-11-18:5a", f"2026-11-18:{'x' * 64}"]
)
def test_what_is_no_anchor_is_told_so(days: Chain, anchor: str) -> None:
    whole = record(days, DayDeal("2026-11-30", "stones", "druid"))
    with pytest.raises(deals.NoProof, match="anchor: expected a date and 64 hex digits"):
        deals.verify(whole, anchor, "00" * 32)


def test_the_deal_of_another_game_is_no_proof(days: Chain) -> None:
    whole = record(days, DayDeal("2026-11-30", "stones", "druid"))
    bad = {**whole, "fair": {**whole["fair"], "deal": "2026-11-30-bd"}}
    with pytest.raises(deals.NoProof, match="another game"):
        deals.verify(bad, days.anchor)


def test_keltis_verify_says_what_it_proves(days: Chain, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record(days, DayDeal("2026-11-30", "stones", "raven"))))
    link = chain.link_of(days, "2026-11-30")
    proven = run("verify", str(file), "--commitment", days.anchor, "--seed", link)
    assert proven.code == 0, proven.err
    assert "the deal follows from the day's link" in proven.out
    assert "did not look at it before" in proven.out
    wrong = run("verify", str(file), "--commitment", days.anchor, "--seed", "11" * 32)
    assert wrong.code == 1
