#!/usr/bin/env python3
"""Sends requests with ambiguous framing through nginx and HAProxy to a receiving server.

    soak_framing.py --program PATH --python PATH --dir DIR [--nginx PATH] [--haproxy PATH]

--python is an interpreter with h11. The proxies keep connections to the server, over which they send requests of other
clients, too: if proxy and server divided the same bytes differently, one of these clients would get a wrong answer. A proxy
that is not installed is left out and named. Exits with status 1 after a failure, or if no proxy is installed.
"""

import argparse
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
NGINX = """
daemon off; pid {dir}/nginx.pid; error_log {dir}/nginx.log; worker_processes 1;
events {{ worker_connections 200; }}
http {{
    access_log off; client_body_temp_path {dir}/b; proxy_temp_path {dir}/p; fastcgi_temp_path {dir}/f;
    uwsgi_temp_path {dir}/u; scgi_temp_path {dir}/s; client_max_body_size 10m; ignore_invalid_headers {ignores};
    upstream server {{ server 127.0.0.1:{server}; keepalive 1; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost;
            proxy_request_buffering {buffers};
        }}
    }}
}}
"""
HAPROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 10s
    timeout server 30s
    option http-keep-alive
    http-reuse always
{relaxed}
frontend in
    bind 127.0.0.1:{port}
    {frontend}
    default_backend server
backend server
    {backend}
    server one 127.0.0.1:{server} maxconn 1
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")


def variants(options, folder, server):
    """Yields name, port and command of each proxy, strict and tolerant."""
    if options.nginx:
        for ignores, buffers in (("on", "on"), ("off", "off")):
            port, path = free_port(), folder / f"nginx {ignores}.conf"
            path.write_text(NGINX.format(dir=folder, server=server, port=port, ignores=ignores, buffers=buffers))
            yield f"nginx, buffering {buffers}", port, [options.nginx, "-c", path, "-e", folder / "nginx.log", "-p", folder]
    if options.haproxy:
        for name, frontend, backend in (("strict", "", ""), ("tolerant", "option accept-invalid-http-request", "option accept-invalid-http-response")):
            port, path = free_port(), folder / f"haproxy {name}.conf"
            path.write_text(HAPROXY.format(port=port, server=server, frontend=frontend, backend=backend, relaxed=""))
            yield f"HAProxy, {name}", port, [options.haproxy, "-q", "-db", "-f", path]


def run(program, python, command, name, folder, port, server):
    proxy = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=open(folder / "proxy.log", "a"))
    try:
        wait_for(port)
        done = subprocess.run([python, "-B", HERE / "probe_framing.py", "--port", str(port), "--through-proxy"],
                              capture_output=True, text=True)
        print(f"{name}: {done.stdout.strip()}{done.stderr.strip()[-2000:]}", flush=True)
        return done.returncode == 0
    finally:
        proxy.terminate()
        proxy.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("program", "python", "dir"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--nginx", default=shutil.which("nginx"))
    parser.add_argument("--haproxy", default=shutil.which("haproxy"))
    options = parser.parse_args()
    folder = pathlib.Path(options.dir).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("nginx", "haproxy"):
        if not getattr(options, name):
            print(f"{name} is not installed")
    server = subprocess.Popen(
        [options.program, "serve", "--port", "0", "--store", f"sqlite:{folder}/received.db"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(folder)})
    try:
        number = int(server.stdout.readline().rsplit(":", 1)[1])
        outcomes = [run(options.program, options.python, command, name, folder, port, number)
                    for name, port, command in variants(options, folder, number)]
    finally:
        server.terminate()
        server.wait()
    return 0 if outcomes and all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
