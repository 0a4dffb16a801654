"""From core objects to what the widgets draw: pure, of safe text only, tested without an app."""
