"""Data files that ship with ccbrowse; NOTICE.md says where each comes from and under which licence."""
