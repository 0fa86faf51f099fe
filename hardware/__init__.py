"""The physical table: every device driver, real and simulated. Imports none of the other rooms."""

import os

MAX_PIXELS = 100_000_000  # of a picture to decode: twice any camera's. A small file can claim to hold many gigabytes.

# OpenCV reads this variable when it is imported. Only modules that import this package import OpenCV.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))

# When NumPy is imported, OpenBLAS starts one thread per core, and idle threads busy-wait. The matrices here are small:
# with a second thread on two shared cores, a reading took 46 ms of CPU time instead of 16 ms.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
