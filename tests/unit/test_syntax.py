from ccbrowse.core.text import SafeText
from ccbrowse.tui.syntax import LIMIT, coloured
from ccbrowse.tui.viewtypes import Piece, Tone

CODE = SafeText('def issue(user):\n    # why\n    return "漢" + str(41)\n')


def test_tokens_become_tones_and_no_character_is_lost() -> None:
    pieces = coloured(CODE, "python")
    assert "".join(piece.text for piece in pieces) == CODE
    tones: dict[str, Tone] = {piece.text: piece.tone for piece in pieces}
    assert tones["def"] is Tone.TOOL
    assert tones["issue"] is Tone.STRONG
    assert tones["# why"] is Tone.MUTED
    assert tones["漢"] is Tone.GOOD
    assert tones["41"] is Tone.WARN


def test_what_cannot_or_should_not_be_coloured_stays_plain() -> None:
    assert coloured(CODE, "") == (Piece(CODE),)
    assert coloured(CODE, "no such language") == (Piece(CODE),)
    long = SafeText("x = 1\n" * LIMIT)
    assert coloured(long, "python") == (Piece(long),)
    assert "".join(p.text for p in coloured(SafeText("\n\nx\n\n"), "python")) == "\n\nx\n\n"
