"""A server at an https address that cannot be trusted, or does not speak TLS as it should.

    with TLSFault("expired", folder) as server:
        ...                         # send requests to https://127.0.0.1:{server.port}
    server.connections, server.received

`received` is what a client sent after a handshake. `openssl` writes the certificates to the folder."""

import ssl
import subprocess
import warnings

from evil_proxy import Listener

# Of each certificate: host, first and last day.
CERTIFICATES = {
    "self-signed": ("127.0.0.1", "20200101000000Z", "20400101000000Z"),
    "expired": ("127.0.0.1", "20200101000000Z", "20210101000000Z"),
    "not yet valid": ("127.0.0.1", "20390101000000Z", "20400101000000Z"),
    "of another host": ("example.org", "20200101000000Z", "20400101000000Z"),
}
FAULTS = [*CERTIFICATES, "TLS 1.0", "plain HTTP", "an alert", "closed in the handshake", "random bytes"]


def write_certificate(fault, folder):
    """Returns the paths of a new certificate and its key."""
    host, first, last = CERTIFICATES.get(fault, CERTIFICATES["self-signed"])
    name = fault.replace(" ", "-")
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    alternative = f"IP:{host}" if host[0].isdigit() else f"DNS:{host}"
    request = folder / f"{name}.csr"
    run = lambda *words: subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
    run("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={host}", "-addext",
        f"subjectAltName={alternative}")
    database = folder / f"{name}.index"
    database.write_text("")
    configuration = folder / f"{name}.cnf"
    configuration.write_text(
        f"[ca]\ndefault_ca = own\n[own]\ndatabase = {database}\nnew_certs_dir = {folder}\nrand_serial = yes\n"
        "default_md = sha256\npolicy = any\ncopy_extensions = copy\n[any]\ncommonName = supplied\n")
    run("ca", "-batch", "-selfsign", "-config", configuration, "-in", request, "-keyfile", key, "-out", certificate, "-notext",
        "-startdate", first, "-enddate", last)
    return certificate, key


class TLSFault(Listener):
    def __init__(self, fault, folder):
        self.fault, self.connections, self.received = fault, 0, b""
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*write_certificate(fault, folder))
        if fault == "TLS 1.0":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                self.context.minimum_version = self.context.maximum_version = ssl.TLSVersion.TLSv1
        super().__init__()

    def serve(self, client):
        with self.lock:
            self.connections += 1
        client.settimeout(1200)
        if self.fault == "plain HTTP":
            client.recv(1 << 16)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        elif self.fault == "an alert":
            client.recv(1 << 16)
            client.sendall(b"\x15\x03\x03\x00\x02\x02\x28")
        elif self.fault == "closed in the handshake":
            client.recv(100)
        elif self.fault == "random bytes":
            client.recv(1 << 16)
            client.sendall(bytes(range(256)) * 16)
        else:
            with self.context.wrap_socket(client, server_side=True) as secure:
                data = secure.recv(1 << 16)
                with self.lock:
                    self.received += data
