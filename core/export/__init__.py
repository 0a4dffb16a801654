"""One module a format: a part of a session in, an iterator of text or bytes out."""
