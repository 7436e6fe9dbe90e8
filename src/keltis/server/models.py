"""The bodies of requests and answers, as OpenAPI describes them. docs/protocol.md explains them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from keltis import DECISION_CAP
from keltis.server.tables.deals import LONGEST_SEED
from keltis.server.tables.names import LONGEST

GameName = Literal["board", "stones"]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST, examples=["Ann"])]
SeatNumber = Annotated[int, Field(ge=0, le=3, examples=[1])]
Seq = Annotated[int, Field(ge=0, le=2**31 - 1, examples=[12])]
Move = Annotated[str, Field(min_length=1, max_length=8, examples=["R7", "xR7", "R*", "?", "<B"])]
Secret = Annotated[str, Field(min_length=1, max_length=64)]
Seed = Annotated[str, Field(max_length=LONGEST_SEED, examples=["5d0c…, 32 random bytes in hex"])]
Commitment = Annotated[str, Field(max_length=64, examples=["9f2b…, the hash of a seed"])]
OwnId = Annotated[str, Field(min_length=1, max_length=64, examples=["b7a4-1"])]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PositionAsked(Request):
    """Which position of a record, and whether its hands and draw pile are to be in the text."""

    record: dict[str, Any]
    at: Annotated[int, Field(ge=0, le=DECISION_CAP, examples=[42])] = 0
    hands: bool = True


class Forgotten(BaseModel):
    """Tables from which a key was taken out, and those whose damaged log could not be changed."""

    tables: int
    unreadable: int


class SeatWish(Request):
    who: Literal["me", "open", "bot"]
    name: Name | None = None
    level: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class ClockWish(Request):
    """Seconds for each decision, and for all of a seat's decisions."""

    move: Annotated[int, Field(ge=5, le=7 * 86400)] | None = None
    game: Annotated[int, Field(ge=10, le=30 * 86400)] | None = None


class TableWish(Request):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "game": "board",
                    "seats": [{"who": "me", "name": "Ann"}, {"who": "bot", "level": "random"}],
                    "practice": True,
                    "ready": True,
                },
                {"seats": [{"who": "me", "name": "Ann"}, {"who": "open"}], "public": True},
            ]
        },
    )

    game: GameName = "board"
    options: Annotated[dict[str, str], Field(max_length=8)] = {}
    seats: Annotated[list[SeatWish], Field(min_length=2, max_length=4)]
    first: Literal["chance"] | SeatNumber = "chance"
    public: bool = False
    practice: bool = False
    hints: bool | None = None
    spectators: bool = True
    clock: ClockWish | None = None
    ready: bool = False


class Joining(Request):
    name: Name
    invitation: Secret | None = None
    seat: SeatNumber | None = None
    ready: bool = False
    id: OwnId | None = None


class Inviting(Request):
    seat: SeatNumber | None = None


class Deciding(Request):
    move: Move
    seq: Seq
    id: OwnId


class TakingBack(Request):
    seq: Seq
    id: OwnId | None = None


class Committing(Request):
    commitment: Commitment
    id: OwnId | None = None


class Seeding(Request):
    seed: Seed
    id: OwnId | None = None


class OwnSeat(Request):
    seat: SeatNumber | None = None
    id: OwnId | None = None


class OtherSeat(Request):
    seat: SeatNumber
    name: Name | None = None
    id: OwnId | None = None


class Removing(Request):
    device: Annotated[int, Field(ge=1, le=2**31 - 1, examples=[2])]
    id: OwnId | None = None


class Nothing(Request):
    id: OwnId | None = None


class Asking(Request):
    move: Move


# --- Answers -----------------------------------------------------------------------------


class Fault(BaseModel):
    """What went wrong: a stable code, words, and for some codes more."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {"code": "stale", "message": "the position has changed since", "seq": 14},
            ]
        },
    )
    code: str
    message: str


class FaultBody(BaseModel):
    error: Fault


class Key(BaseModel):
    key: Annotated[str, Field(examples=["Zb3vJ0…"])]


class Made(BaseModel):
    table: Annotated[str, Field(examples=["f3KdW9pQx2Lm"])]
    path: str
    invitation: str | None
    invitation_path: str | None
    seq: int


class Invited(BaseModel):
    invitation: str
    invitation_path: str
    seconds: float | None
    seq: int


class Joined(BaseModel):
    seq: int
    seat: int


class Done(BaseModel):
    seq: Annotated[int, Field(examples=[13])]


class Rematch(BaseModel):
    seq: int
    table: str


class Listed(BaseModel):
    tables: list[dict[str, Any]]


class GamePage(BaseModel):
    games: list[dict[str, Any]]
    next: Annotated[str | None, Field(examples=["1763480000000-f3KdW9pQx2Lm"])]


class Hint(BaseModel):
    type: Literal["hint"] = "hint"
    seq: int
    seat: int
    move: str
    level: str
    moves: list[dict[str, Any]]
    reason: str | None


class Why(BaseModel):
    type: Literal["why"] = "why"
    move: str
    reason: str | None


class Check(BaseModel):
    what: str
    ok: bool


class Verified(BaseModel):
    holds: bool
    checks: list[Check]
    unchecked: list[str]
    message: str


class Level(BaseModel):
    level: str
    number: int | None = None
    name: str
    about: str
    strength: dict[str, int] | None = None  # with two players
    strengths: dict[str, dict[str, int]] | None = None  # by number of players


class Levels(BaseModel):
    levels: list[Level]
    others: list[Level]
