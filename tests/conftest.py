"""What all tests share: Hypothesis measures no time here, since test machines are noisy."""

from hypothesis import settings

settings.register_profile("suite", deadline=None, print_blob=True)
settings.load_profile("suite")
