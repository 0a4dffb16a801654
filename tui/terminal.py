"""The terminal as the app has it: Textual's, but for what it cannot take."""

from __future__ import annotations

from codecs import getincrementaldecoder
from functools import partial

from textual.driver import Driver
from textual.drivers import linux_driver


class Terminal(linux_driver.LinuxDriver):
    """Textual's driver; a byte that is not UTF-8 (a paste in Latin-1, say) does not end it."""

    def run_input_thread(self) -> None:
        """Wait for input and dispatch events."""
        # The driver makes its decoder of this name, strict; there is no other door to it.
        linux_driver.getincrementaldecoder = _lenient  # type: ignore[assignment,attr-defined]
        super().run_input_thread()

    def _run_input_thread(self) -> None:
        """The thread of input; a fault in it is the app's: Textual would leave with a traceback and 0."""
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001  # any: it is told there
            self._app.call_later(self._app._handle_exception, error)


def _lenient(encoding: str) -> object:
    """Textual's maker of decoders, with what cannot be decoded replaced."""
    return partial(getincrementaldecoder(encoding), errors="replace")


def driver_for(usual: type[Driver]) -> type[Driver]:
    """The driver to be used where Textual would use this one."""
    return Terminal if usual is linux_driver.LinuxDriver else usual
