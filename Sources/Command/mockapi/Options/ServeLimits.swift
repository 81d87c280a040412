// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// The options of `serve` that bound the requests of clients.
struct ServeLimits: ParsableArguments {
    @Option(
        help:
            "Bytes of a request's line and fields; more is answered 431. Sizes take KiB, MiB and GiB, and kB, MB and GB (default: 64KiB).",
        transform: ByteSize.parse)
    var maxHead = ByteSize(64 * 1024)

    @Option(help: "Bytes of a request's content; more is answered 413 (default: 16MiB).", transform: ByteSize.parse)
    var maxBody = ByteSize(16 * 1024 * 1024)

    @Option(help: "Connections at once; beyond that, the one that has waited longest is closed.")
    var maxConnections = 20_000

    @Option(
        help: "How long a connection may be idle. Times take ms, s, m and h (default: 60s).",
        transform: TimeSpan.parse)
    var idleTimeout = TimeSpan(.seconds(60))

    @Option(
        help: "How long responses under way may take after SIGINT or SIGTERM (default: 5s).",
        transform: TimeSpan.parse)
    var grace = TimeSpan(.seconds(5))

    @Option(help: "Bytes of the journal; 0 keeps none (default: 16MiB).", transform: ByteSize.parse)
    var journalLimit = ByteSize(16 * 1024 * 1024)

    mutating func validate() throws {
        guard maxHead.bytes >= 1024 else { throw ValidationError("--max-head must be at least 1KiB") }
        guard maxHead.bytes <= 1 << 30 else { throw ValidationError("--max-head must be at most 1GiB") }
        guard maxBody.bytes <= ByteSize.most else { throw ValidationError("--max-body must be at most 1TiB") }
        guard journalLimit.bytes <= ByteSize.most else {
            throw ValidationError("--journal-limit must be at most 1TiB")
        }
        guard maxConnections >= 1 else { throw ValidationError("--max-connections must be at least 1") }
        guard idleTimeout.duration > .zero else { throw ValidationError("--idle-timeout must be longer than 0") }
        guard journalLimit.bytes == 0 || journalLimit.bytes >= 1024 * 1024 else {
            throw ValidationError("--journal-limit must be 0 or at least 1MiB")
        }
    }
}
