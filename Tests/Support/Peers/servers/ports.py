"""Ports for servers that start later, or start again."""

import socket


def reserve_port(add_cleanup):
    """Returns a free port of 127.0.0.1. Until the cleanup, a server can listen on it, and the system gives it to no other
    program even while no server runs."""
    reserved = socket.socket()
    add_cleanup(reserved.close)
    # Servers set this option, too; else they could not listen on the address of another socket.
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved.getsockname()[1]
