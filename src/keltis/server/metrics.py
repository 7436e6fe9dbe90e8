"""Figures for Prometheus, in a registry of each server's own."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.events = Counter(
            "keltis_events", "Events written, by kind.", ["kind"], registry=registry
        )
        self.decisions = 0  # counted by hand: the library's counters cost more than the rules
        self.moved = Gauge("keltis_decisions", "Decisions taken.", registry=registry)
        self.moved.set_function(lambda: self.decisions)
        self.refused = Counter(
            "keltis_refused", "Commands refused, by code.", ["code"], registry=registry
        )
        self.faults = Counter("keltis_faults", "Faults of the server.", registry=registry)
        self.commit = Histogram(
            "keltis_commit_seconds", "Time of a durable commit.", buckets=_SECONDS,
            registry=registry,
        )  # fmt: skip
        self.batch = Histogram(
            "keltis_commit_events", "Events in one commit.",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000), registry=registry,
        )  # fmt: skip
        self.thinking = Histogram(
            "keltis_bot_seconds", "Time from a bot's turn to its decision.", buckets=_SECONDS,
            registry=registry,
        )  # fmt: skip
        self.tables = Gauge("keltis_tables", "Tables in memory.", registry=registry)
        self.unreadable = Gauge(
            "keltis_unreadable", "Tables whose log cannot be read.", registry=registry
        )
        self.pauses = Counter(
            "keltis_pauses", "Times that the process was not running for a while.",
            registry=registry,
        )  # fmt: skip
        self.viewers = Gauge("keltis_viewers", "Open sockets and streams.", registry=registry)
        self.waiting = Gauge("keltis_bots_waiting", "Bots that wait to think.", registry=registry)
        self.dropped = Counter(
            "keltis_dropped", "Connections dropped: too slow.", registry=registry
        )
        self.database_up = Gauge(
            "keltis_database_up", "1 if the last probe of /healthz could write.", registry=registry
        )
        self.database_faults = Counter(
            "keltis_database_faults", "Calls that the database failed, by cause.", ["cause"],
            registry=registry,
        )  # fmt: skip
        self.reviews = Counter(
            "keltis_reviews", "Reviews: kept ones asked for, and passes worked out, by pass.",
            ["pass"], registry=registry,
        )  # fmt: skip
        self.notices = Counter(
            "keltis_notices", "Notices of other servers' events.", registry=registry
        )

    def text(self) -> bytes:
        return generate_latest(self.registry)
