"""The physical table, and everything that touches a device. Imports nothing of the other rooms."""

import os

MOST_PIXELS = 100_000_000
"""Of a picture that is read: twice those of any camera. A small file may claim a picture of many gigabytes."""

# OpenCV reads this when it is imported, which is after this line: only rooms that import this one import it.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))

# NumPy's linear algebra starts a thread for each core when it is imported and lets them wait in a busy loop. The
# matrices here are small: with a second thread, on two cores that others use too, a reading took 46 ms of a processor
# instead of 16 ms.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
