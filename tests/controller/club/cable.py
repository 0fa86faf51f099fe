"""The cable between a table and its hub, which somebody may pull."""

import selectors
import socket
import threading
from contextlib import suppress

CHUNK = 65_536  # bytes
LOOK = 0.1  # s


class Cable:
    """Carries what comes at its port to another one and back."""

    def __init__(self, port):
        self._far = port
        self._near = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._near.getsockname()[1])
        self.whole = True
        self._ended = False
        self._ends = {}
        self._thread = threading.Thread(target=self._run, name="cable", daemon=True)
        self._thread.start()

    def close(self):
        self._ended = True
        self._thread.join()
        self._near.close()

    def _run(self):
        with selectors.DefaultSelector() as ready:
            ready.register(self._near, selectors.EVENT_READ)
            while not self._ended:
                found = ready.select(LOOK)
                if not self.whole:
                    self._pull(ready)
                for key, _ in found:
                    if key.fileobj is self._near:
                        self._accept(ready)
                    elif key.fileobj in self._ends:
                        self._carry(ready, key.fileobj)
            self._pull(ready)

    def _accept(self, ready):
        near, _ = self._near.accept()
        try:
            if not self.whole:
                raise OSError
            far = socket.create_connection(("127.0.0.1", self._far), 1.0)
        except OSError:
            near.close()
            return
        for end, other in ((near, far), (far, near)):
            end.settimeout(5.0)
            self._ends[end] = other
            ready.register(end, selectors.EVENT_READ)

    def _carry(self, ready, end):
        other = self._ends[end]
        with suppress(OSError):
            if some := end.recv(CHUNK):
                other.sendall(some)
                return
        for one in (end, other):
            ready.unregister(one)
            one.close()
            del self._ends[one]

    def _pull(self, ready):
        for end in list(self._ends):
            ready.unregister(end)
            end.close()
        self._ends.clear()
