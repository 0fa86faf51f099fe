"""An HTTP server on this machine, for a program of ours that calls another's."""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Asked(BaseHTTPRequestHandler):
    """A request to a `Serving`."""

    server: "_Server"

    def do_GET(self):
        self.server.serving.get(self)

    def do_POST(self):
        self.server.serving.post(self, self.rfile.read(int(self.headers["Content-Length"])))

    def say(self, status, body=b""):
        """Answer it."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    serving: "Serving"


class Serving:
    """Listens until it is closed. `certificate`: a file with its key, over https."""

    def __init__(self, port=0, certificate=None):
        self._server = _Server(("127.0.0.1", port), Asked)
        self._server.serving = self
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self.address = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        serve = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        serve.start()

    def get(self, asked):
        raise NotImplementedError

    def post(self, asked, body):
        raise NotImplementedError

    def close(self):
        self._server.shutdown()
        self._server.server_close()
