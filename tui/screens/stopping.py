"""Whether a worker has been told to end, for whoever it runs."""

from __future__ import annotations

from typing import Any

from textual.worker import Worker


class Stopping:
    """Whether a worker has been cancelled: what `ccbrowse.core.watch.changes` waits for."""

    def __init__(self, worker: Worker[Any]) -> None:
        self._worker = worker

    def is_set(self) -> bool:
        """Whether to end."""
        return self._worker.is_cancelled
