"""Fits the weights of `controller/vision/reading` to pictures with truth: `python -m controller.training --help`."""
