"""How large messages are: bytes of JSON and counted texts, summed up so that a prefix costs nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from ccbrowse.core.estimate import TextCounts, count_texts, default_counter, estimate, family
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.core.payload.model import Counts, Message
from ccbrowse.core.session import Session
from ccbrowse.core.texts import model_texts


@dataclass(frozen=True, slots=True)
class Weight:
    """The bytes of one message (or of several, without what joins them), and what a counter saw."""

    bytes: int
    texts: TextCounts


class Scale:
    """Weighs messages for the models of one family, and turns sums into counts."""

    def __init__(self, session: Session, model: str | None) -> None:
        self.session = session
        self.family = family(model)
        self._counter = default_counter(self.family)
        self.nothing = Weight(0, TextCounts(encoding=self._counter.name))

    def weigh(self, message: Message) -> Weight:
        """The weight of a message."""
        texts = count_texts(model_texts({"type": "user", "message": message}), self._counter)
        return Weight(len(compact_json(message)), texts)

    def counts(self, messages: int, weight: Weight, model: str | None) -> Counts:
        """The counts of an array of messages that weigh `weight` together."""
        learned = self.session.measure.learned(model, self.session.segments)
        found = estimate(weight.texts, model, learned)
        joined = weight.bytes + max(0, messages - 1) + 2
        return Counts(messages, found.value, joined, found.error)


class Sums:
    """Running sums over the messages of an array that is cut and extended at its end."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        self._sums: list[Weight] = [scale.nothing]

    @property
    def length(self) -> int:
        """How many messages are summed up."""
        return len(self._sums) - 1

    def cut(self, length: int) -> None:
        """Forget all but the first messages."""
        del self._sums[length + 1 :]

    def add(self, messages: Iterable[Message]) -> None:
        """Weigh further messages, once each."""
        for message in messages:
            weight, last = self.scale.weigh(message), self._sums[-1]
            self._sums.append(Weight(last.bytes + weight.bytes, last.texts + weight.texts))

    def counts(self, model: str | None, more_bytes: int = 0) -> Counts:
        """The counts of the array as it stands, with bytes that are not in the messages themselves."""
        last = self._sums[-1]
        weight = Weight(last.bytes + more_bytes, last.texts)
        return self.scale.counts(self.length, weight, model)
