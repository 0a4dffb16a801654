"""Reading what Claude Code keeps on disk: files in, facts out. No terminal, no threads, no printing."""
