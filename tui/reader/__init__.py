"""What workers do for the screens: read sessions and the library, follow them, find and weigh.

Plain functions and classes without a widget: they run in worker threads and give frozen payloads,
which the screens get as messages.
"""
