#!/usr/bin/env python3
"""Puts a client that does right, and others that each differ from it at one place, to the contract.

    Tests/Drivers/deviating/play.py MOCKAPI [--each N K | NAME …]   all that deviations.tsv has, every Nth of them from the Kth on, or those named

Each has to fail a requirement that is about its deviation, and the client without one none. Ends with 1 if one does not.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# What a server cannot see, or what nothing asks: bytes behind a request's content that a server passes over, the Host of a request to a proxy,
# and the fields that a client reports of a redirection.
UNSEEN = {
    "CRLF behind content", "says the proxy in Host", "tells the fields of the first response",
    # curl and Python's http.client hand them on, too.
    "keeps tabs",
    # The client reports an error for both orders, so that the order cannot be seen.
    "codings in their order",
    # Small letters are asked by one status.
    "keeps small cookie by 302",
}
# Asked of each, so that one that can do nothing is seen to be that.
PLAINEST = ["method.get", "answer.json"]


def failures(mockapi, name, has, only):
    """The requirements that are not met; None if there is no report."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        options = ["--only", *dict.fromkeys(PLAINEST + only)] if only else []
        # 1,760 requests that are cancelled are no business of these.
        command = [mockapi, "contract", "--json", str(report), "--timeout", "120s", *options, "--except", "cancel.pool"]
        subprocess.run([*command, "--", sys.executable, "-B", str(HERE / "driver.py"), name, *has], capture_output=True, timeout=300)
        if not report.exists():
            return None
        return [verdict["id"] for verdict in json.loads(report.read_text())["verdicts"] if verdict["verdict"] == "fail"]


def play(mockapi, line):
    name, groups, about, *has = line
    seen = failures(mockapi, name, has[0].split() if has else [], groups.split())
    if seen is None:
        return name, "no report", []
    found = any(re.fullmatch(about, id) for id in seen)
    return name, "found" if found else "found by others" if seen else "missed", seen


def main():
    mockapi, *names = sys.argv[1:]
    lines = [line.split("\t") for line in (HERE / "deviations.tsv").read_text().splitlines() if line and not line.startswith("#")]
    if names[:1] == ["--each"]:
        lines, names = lines[int(names[2])::int(names[1])], []
    lines = [line for line in lines if not names or line[0] in names]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("PLAYERS", "4"))) as pool:
        right = [] if names else [pool.submit(failures, mockapi, "", has, []) for has in ([], ["cookies"], ["cache"])]
        results = list(pool.map(lambda line: play(mockapi, line), lines))
        blamed = [client.result() for client in right if client.result() != []]
    wrong = [result for result in results if result[1] != "found" and result[0] not in UNSEEN]
    for name, verdict, seen in wrong:
        print(f"{verdict}: {name}: {' '.join(seen)}")
    for seen in blamed:
        print(f"the right client: {seen}")
    print(f"{len(results)} deviations, {sum(result[1] == 'found' for result in results)} found")
    return 1 if wrong or blamed else 0


sys.exit(main())
