"""Count what a step on a page, such as a key press, costs the browser. Counts are the same on every machine.

Styles, layouts and requests are counted in the browser's trace (categories `devtools.timeline` and
`disabled-by-default-devtools.timeline`; shown by chrome://tracing), whose events of the page's process are:

| event | stands for |
| --- | --- |
| `TimeStamp` | `console.timeStamp`, which marks here where a step begins and ends |
| `UpdateLayoutTree` | one computation of styles; `elementCount` are the elements and pseudo-elements that it styled |
| `Layout` | one layout; `beginData.dirtyObjects` are the boxes and texts that it lays out again |
| `ResourceSendRequest` | one request, of any kind |

Added nodes, which include texts, are counted by a `MutationObserver`.

A step ends at rest: when no request, short timer or frame that a script asked for is under way, and two frames later.
Animations jump to their ends, because their frames, each of which is styled, are more on a fast machine. What waits for
a pause (a timer of 50 ms or more, as for saving or details of a token) is held back meanwhile, so that no slow machine
has it in a step; `Counting.pause` makes the pause. The caret's blinking neither styles nor lays out anything.

Two answers to one step may share a frame or come in two, which computes some styles twice. So a step is repeated, and
the median counts.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median_low
from typing import Any, NamedTuple

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_name("counting.js")
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
EVENTS = ("UpdateLayoutTree", "Layout", "ResourceSendRequest")


class Counts(NamedTuple):
    """Costs of a step, or their upper bounds."""

    styled: int
    """Elements."""
    layouts: int
    laid_out: int
    """Boxes and texts."""
    added: int
    """Nodes."""
    requests: int

    def each_of(self, frames: int) -> "Counts":
        """Return the average over a number of frames, rounded up."""
        return Counts(*(-(-count // frames) for count in self))

    @classmethod
    def median(cls, counts: Iterable["Counts"]) -> "Counts":
        """Return the median of each count."""
        return cls(*map(median_low, zip(*counts, strict=True)))

    def check(self, most: "Counts") -> None:
        """Assert that no count is above its bound."""
        above = [name for name, count, bound in zip(self._fields, self, most, strict=True) if count > bound]
        assert not above, f"{', '.join(above)}: {self}, at most {most}"


class Counting:
    """Counts steps on a page. Must be created before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._wire = page.context.new_cdp_session(page)
        self._events: list[dict[str, Any]] = []
        self._has_ended = False
        self._wire.on("Tracing.dataCollected", lambda data: self._events.extend(data["value"]))
        self._wire.on("Tracing.tracingComplete", lambda _: setattr(self, "_has_ended", True))
        page.add_init_script(path=SCRIPT)

    def hold(self) -> None:
        """Hold back from now on what waits for a pause, and make a pause."""
        self.page.evaluate("counting.hold()")
        self.pause()

    def pause(self) -> None:
        """Do what waits for a pause, and wait for rest."""
        self.page.evaluate("counting.pause()")

    def count(self, *steps: Callable[[], object]) -> list[Counts]:
        """Take steps, each until the page is at rest. Returns what each of them cost."""
        config = {"includedCategories": CATEGORIES, "excludedCategories": ["*"]}
        self._events, self._has_ended = [], False
        self._wire.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})
        added = [self._take(f"step {k}", step) for k, step in enumerate(steps)]
        self._wire.send("Tracing.end")
        while not self._has_ended:
            self.page.evaluate("0")  # lets Playwright process events
        traced = self._traced()
        return [traced(f"step {k}", nodes) for k, nodes in enumerate(added)]

    def median(self, *steps: Callable[[], object]) -> Counts:
        """Return the median of each count over the steps."""
        return Counts.median(self.count(*steps))

    def _take(self, name: str, step: Callable[[], object]) -> int:
        self.page.evaluate("step => counting.begin(step)", name)
        step()
        added: int = self.page.evaluate("step => counting.end(step)", f"after {name}")
        return added

    def _traced(self) -> Callable[[str, int], Counts]:
        """Return a function that counts what the trace has of a step."""
        marks = {event["args"]["data"]["message"]: event for event in self._events if event["name"] == "TimeStamp"}

        def traced(step: str, added: int) -> Counts:
            begin, end = marks[step], marks[f"after {step}"]
            events = [
                event
                for event in self._events
                if event["pid"] == begin["pid"] and begin["ts"] <= event["ts"] < end["ts"]
            ]
            named = {name: [event["args"] for event in events if event["name"] == name] for name in EVENTS}
            return Counts(
                styled=sum(args.get("elementCount", 0) for args in named["UpdateLayoutTree"]),
                layouts=len(named["Layout"]),
                laid_out=sum(args["beginData"]["dirtyObjects"] for args in named["Layout"]),
                added=added,
                requests=len(named["ResourceSendRequest"]),
            )

        return traced
