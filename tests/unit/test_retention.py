"""How long the client keeps sessions, and which project a worktree belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccbrowse.core.retention import Retention, cleanup_days
from ccbrowse.core.worktrees import Worktree, worktree_of

DAY = 86_400_000


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ('{"cleanupPeriodDays": 7}', 7),
        ('{"cleanupPeriodDays": 0}', 30),
        ('{"cleanupPeriodDays": true}', 30),
        ('{"cleanupPeriodDays": "9"}', 30),
        ('["cleanupPeriodDays"]', 30),
        ("{", 30),
        ("[" * 100_000, 30),
        ("{}", 30),
    ],
)
def test_the_clients_setting_is_read_from_beside_the_root(
    tmp_path: Path, text: str, days: int
) -> None:
    (tmp_path / "settings.json").write_text(text)
    assert cleanup_days(tmp_path / "projects") == days


def test_days_are_counted_for_roots_that_a_client_cleans(tmp_path: Path) -> None:
    own, backup = tmp_path / "own" / "projects", tmp_path / "backup" / "projects"
    assert Retention.of([own, backup], [own]) == Retention({own: 30})
    own.parent.mkdir()
    (own.parent / "settings.json").write_text('{"cleanupPeriodDays": 5}')
    kept = Retention.of([own, backup], [])
    assert kept == Retention({own: 5})
    assert kept.days_left(backup, 0, DAY) is None
    assert kept.days_left(own, 10 * DAY, 10 * DAY) == 5
    assert kept.days_left(own, 10 * DAY, 10 * DAY + 1) == 4
    assert kept.days_left(own, 10 * DAY, 17 * DAY) == -2
    assert kept.days_left(own, 10 * DAY, 9 * DAY) is None


def test_a_worktree_is_told_by_its_path_or_by_gits_pointer(tmp_path: Path) -> None:
    assert worktree_of("/home/robin/mill/.claude/worktrees/wheel/src") == Worktree("mill", "wheel")
    assert worktree_of("C:\\mill\\.claude\\worktrees\\wheel") == Worktree("mill", "wheel")
    beside, main, odd = tmp_path / "mill-wheel", tmp_path / "mill", tmp_path / "odd"
    for folder in (beside, main / ".git", odd):
        folder.mkdir(parents=True)
    (beside / ".git").write_text(f"gitdir: {main}/.git/worktrees/mill-wheel\n")
    (odd / ".git").write_text("gitdir: ../.git/modules/odd\n")
    assert worktree_of(str(beside)) == Worktree("mill", "mill-wheel")
    assert worktree_of(str(main)) is None
    assert worktree_of(str(odd)) is None
    assert worktree_of(str(tmp_path / "gone")) is None
    assert worktree_of("/nul\0l") is None
