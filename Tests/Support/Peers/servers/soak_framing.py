#!/usr/bin/env python3
"""Sends requests with ambiguous framing through nginx, HAProxy and Caddy to a receiving server.

    soak_framing.py --program PATH --python PATH --dir DIR [--nginx PATH] [--haproxy PATH] [--caddy PATH] [--sample N]

--python is an interpreter with h11. The proxies keep connections to the server, over which they send requests of other
clients, too: if proxy and server divided the same bytes differently, one of these clients would get a wrong answer. A proxy
that is not installed is left out and named. With --sample only every Nth request is sent, and tolerant settings of a
proxy are left out. Exits with status 1 after a failure, or if no proxy is installed.
"""

import argparse
import atexit
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

from ports import reserve_port

PROXIES = ("nginx", "haproxy", "caddy")
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
    timeout connect 1200s
    timeout client 1200s
    timeout queue 1200s
    timeout server 1200s
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

CADDY = """
{{
    admin off
    auto_https off
    storage file_system {dir}/caddy
}}
http://:{port} {{
    bind 127.0.0.1
    reverse_proxy 127.0.0.1:{server} {{
        header_up Host localhost
        transport http {{
            versions 1.1
            keepalive_idle_conns 1
            max_conns_per_host 1
        }}
    }}
}}
"""

# How many seconds only a test that hangs waits.
PATIENCE = 1200


def wait_for(port):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")


def variants(options, folder, server):
    """Yields name, port and command of each proxy, strict and tolerant."""
    if options.nginx:
        for ignores, buffers in (("on", "on"), ("off", "off"))[:1 if options.sample > 1 else 2]:
            port, path = reserve_port(atexit.register), folder / f"nginx {ignores}.conf"
            path.write_text(NGINX.format(dir=folder, server=server, port=port, ignores=ignores, buffers=buffers))
            yield f"nginx, buffering {buffers}", port, [options.nginx, "-c", path, "-e", folder / "nginx.log", "-p", folder]
    if options.haproxy:
        tolerant = ("tolerant", "option accept-invalid-http-request", "option accept-invalid-http-response")
        for name, frontend, backend in [("strict", "", ""), tolerant][:1 if options.sample > 1 else 2]:
            port, path = reserve_port(atexit.register), folder / f"haproxy {name}.conf"
            path.write_text(HAPROXY.format(port=port, server=server, frontend=frontend, backend=backend, relaxed=""))
            yield f"HAProxy, {name}", port, [options.haproxy, "-q", "-db", "-f", path]
    if options.caddy:
        port, path = reserve_port(atexit.register), folder / "Caddyfile"
        path.write_text(CADDY.format(dir=folder, port=port, server=server))
        yield "Caddy", port, [options.caddy, "run", "--config", path, "--adapter", "caddyfile"]


def run(options, command, name, folder, port):
    proxy = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=open(folder / "proxy.log", "a"),
                             env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
    try:
        wait_for(port)
        done = subprocess.run(
            [options.python, "-B", HERE / "probe_framing.py", "--port", str(port), "--through-proxy", "--sample", str(options.sample)],
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
    # Debian installs servers where only root looks for programs.
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    for name in PROXIES:
        parser.add_argument(f"--{name}", default=shutil.which(name, path=path))
    parser.add_argument("--sample", type=int, default=1)
    options = parser.parse_args()
    folder = pathlib.Path(options.dir).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in PROXIES:
        if not getattr(options, name):
            print(f"{name} is not installed")
    server = subprocess.Popen(
        [options.program, "serve", "--port", "0", "--store", f"sqlite:{folder}/received.db"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(folder)})
    try:
        number = int(server.stdout.readline().rsplit(":", 1)[1])
        outcomes = [run(options, command, name, folder, port) for name, port, command in variants(options, folder, number)]
    finally:
        server.terminate()
        server.wait()
    return 0 if outcomes and all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
