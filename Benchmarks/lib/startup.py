# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""Times a server from exec to its first answer, and reads the memory it then holds.

startup.py RUNS SERVER-CORES LOAD-CORES TARGET CONFIGURATION COMMAND...

`@PORT@` in COMMAND, and in the file CONFIGURATION (its copy's path stands for `@CONF@` in COMMAND; `-` for none), is a
port found free. A connection is tried again and again without a pause, some 20 microseconds a try, so that the figure is
the server's.

Prints one line a run: milliseconds, resident KiB of the process and its children, proportional KiB of the same.
"""

import os
import random
import signal
import socket
import sys
import time


def cores(text):
    return {int(core) for core in text.split(",")}


def free_port():
    # Below the ephemeral range: there, a connection to a closed port may meet itself.
    while True:
        port = random.randint(20000, 30000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def first_answer(port, request, deadline):
    while time.perf_counter() < deadline:
        client = socket.socket()
        try:
            client.connect(("127.0.0.1", port))
            client.settimeout(5)
            client.sendall(request)
            answer = client.recv(65536)
            if answer:
                return time.perf_counter(), answer
        except (ConnectionRefusedError, ConnectionResetError):
            pass
        finally:
            client.close()
    return None, b""


def family(pid):
    members = [pid]
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    if int(stat.read().rpartition(")")[2].split()[1]) == pid:
                        members.append(int(entry))
            except OSError:
                continue
    return members


def kibibytes(path, key):
    try:
        with open(path) as lines:
            return next((int(line.split()[1]) for line in lines if line.startswith(key)), 0)
    except OSError:
        return 0


def end(pid):
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def main():
    runs, server_cores, load_cores, target, configuration, *command = sys.argv[1:]
    for _ in range(int(runs)):
        port = free_port()
        copy = ""
        if configuration != "-":
            copy = configuration + ".started"
            with open(configuration) as source, open(copy, "w") as destination:
                destination.write(source.read().replace("@PORT@", str(port)))
        words = [word.replace("@PORT@", str(port)).replace("@CONF@", copy) for word in command]
        request = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        # The child inherits the cores; after that this process leaves them.
        os.sched_setaffinity(0, cores(server_cores))
        began = time.perf_counter()
        pid = os.posix_spawn(words[0], words, os.environ, file_actions=quiet)
        os.sched_setaffinity(0, cores(load_cores))
        try:
            answered, answer = first_answer(port, request, began + 10)
            if answered is None or b" 200 " not in answer.split(b"\r\n")[0]:
                sys.exit(f"startup.py: {words[0]} did not answer {target} with 200 within 10 s")
            members = family(pid)
            resident = sum(kibibytes(f"/proc/{member}/status", "VmRSS:") for member in members)
            proportional = sum(kibibytes(f"/proc/{member}/smaps_rollup", "Pss:") for member in members)
        finally:
            end(pid)
        print(f"{(answered - began) * 1000:.3f} {resident} {proportional}", flush=True)


main()
