"""What all tests share."""

import signal

from hypothesis import settings

# A shell that starts the tests in the background has them ignore Ctrl-C, and what they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis measures no time here: test machines are noisy.

settings.register_profile("suite", deadline=None, print_blob=True)
settings.load_profile("suite")
