"""Python's collector of garbage, kept out of the way of keys and first pictures.

A collection of everything takes a tenth of a second with Textual loaded, and nothing that Textual or the
modules hold is garbage. So the collector rests until the app has started, and then leaves alone what is
there by then.
"""

import gc

SEVERAL = 10_000
"""Objects that come, on balance, before the collector looks at the newest ones."""


def rest() -> None:
    """Collect nothing for now: what starts makes next to no garbage."""
    gc.disable()


def resume() -> None:
    """Collect again, but for what is there now. Does nothing where `rest` was not called before."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(SEVERAL, 10, 10)
        gc.enable()
