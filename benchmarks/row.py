"""A row of the table of benchmarks, and how it goes into a JSON file and out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Target:
    """What a row is meant to reach.

    Attributes
    ----------
    value : float
        In the unit of the row, or of its ratio.
    of : {"value", "ratio"}
    most : bool
        Whether it must not exceed the value, rather than reach it.
    """

    value: float
    of: str = "value"
    most: bool = False


@dataclass(frozen=True)
class Row:
    """What was measured of one thing.

    Attributes
    ----------
    name : str
    unit : str
        ``"deals/s"``, ``"s"``, ``"MB"``, ``"times"``. With ``"/s"`` more is better, else less.
    samples : tuple of float
        One a round, in that unit; none where nothing could be measured, and `note` says why.
    reference : tuple of float
        The rate of the reference in the same rounds, where the row depends on the machine's speed.
    against : str
        What `ratios` compare to: the name of another row, or words.
    ratios : tuple of float
        One a round.
    cpu : tuple of float
        The seconds of CPU time behind `samples`, where these are seconds by the clock.
    target : Target, optional
    note : str
    """

    name: str
    unit: str
    samples: tuple[float, ...] = ()
    cpu: tuple[float, ...] = ()
    reference: tuple[float, ...] = ()
    against: str = ""
    ratios: tuple[float, ...] = ()
    target: Target | None = None
    note: str = ""

    @property
    def more_is_better(self) -> bool:
        """Whether a greater value is the better one."""
        return self.unit.endswith("/s")

    @property
    def value(self) -> float:
        """The median."""
        return median(self.samples)

    @property
    def best(self) -> float:
        """The best of all rounds."""
        return max(self.samples) if self.more_is_better else min(self.samples)

    @property
    def ratio(self) -> float | None:
        """The median of the ratios, if there are any."""
        return median(self.ratios) if self.ratios else None

    @property
    def scaled(self) -> tuple[float, ...]:
        """The samples freed of the machine's speed: what two runs of the benchmarks compare.

        Rates become units for each deck that the reference shuffles, seconds (of CPU time, if
        known) the decks it could have shuffled meanwhile. What has no reference stays as it is.
        """
        samples = self.cpu or self.samples
        if not self.reference:
            return samples
        pairs = zip(samples, self.reference, strict=True)
        if self.unit == "s":
            return tuple(sample * decks for sample, decks in pairs)
        return tuple(sample / decks for sample, decks in pairs)

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached, by the medians; None where there is none."""
        if self.target is None or not self.samples:
            return None
        found = self.value if self.target.of == "value" else self.ratio
        if found is None:
            return None
        return found <= self.target.value if self.target.most else found >= self.target.value

    def compared(self, against: str, ratios: Sequence[float], note: str = "") -> Row:
        """Return the same row with other ratios."""
        return replace(self, against=against, ratios=tuple(ratios), note=note)

    def aimed(self, target: Target) -> Row:
        """Return the same row with a target."""
        return replace(self, target=target)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {key: value for key, value in asdict(self).items() if value not in ((), "", None)}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Row:
        """Read it back."""
        fields: dict[str, Any] = dict(row)
        for name in ("samples", "cpu", "reference", "ratios"):
            fields[name] = tuple(fields.get(name, ()))
        if fields.get("target") is not None:
            fields["target"] = Target(**fields["target"])
        return cls(**fields)
