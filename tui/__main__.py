"""`python -m ccbrowse.tui`: the same as `ccbrowse`."""

from ccbrowse.tui.cli import main

if __name__ == "__main__":
    main()
