"""Widgets: they draw what they are given and know neither files nor each other."""
