// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The keys of a response that say when and how its bytes go out.
extension ObjectKey {
    static let milliseconds = ValueShape.integer(0...ResponseDelay.longest)

    static let delivery =
        [
            ObjectKey(.fixedDelayMilliseconds, milliseconds, "How long the response waits before its first byte."),
            ObjectKey(
                .delayDistribution, .object(.delayDistribution),
                "A random wait before the first byte, drawn from `serve --seed`; it is added to `fixedDelayMilliseconds`."
            ),
            ObjectKey(
                .chunkedDribbleDelay, .object(.chunkedDribbleDelay),
                "The body in equal parts over a time, with a pause in front of each."),
        ] + faultKeys

    /// The keys of faults, and of their details.
    static let faultKeys = [
        ObjectKey(
            .fault, .choice(Fault.Kind.allCases.map(\.rawValue)),
            "A fault in the response. It takes precedence over the other keys."),
        ObjectKey(
            .afterBytes, .integer(0...(.max)),
            "Bytes of the body that come before the fault: TRUNCATE_BODY, RST_STREAM, STALL."),
        ObjectKey(.bytesPerSecond, .integer(1...1_000_000_000), "How fast the body of SLOW_BODY comes."),
        ObjectKey(
            .errorCode, .either([.choice(HTTP2ErrorCode.names), .integer(0...0xFFFF_FFFF)]),
            "The error code of RST_STREAM (by default INTERNAL_ERROR) or GOAWAY (NO_ERROR), by name or number."
        ),
        ObjectKey(
            .afterThisStream, .boolean,
            "Whether the request that meets GOAWAY is still answered; true by default."),
        ObjectKey(
            .scope, .choice(["stream", "connection"]),
            "The target of WireMock's faults over HTTP/2: the stream (the default) or its connection."),
    ]

    static let delayDistribution = [
        ObjectKey(.type, .choice(["fixed", "uniform", "lognormal"]), "How it is drawn."),
        ObjectKey(.milliseconds, milliseconds, "`fixed`: always this."),
        ObjectKey(.lower, milliseconds, "`uniform`: the least, in milliseconds."),
        ObjectKey(.upper, milliseconds, "`uniform`: the most, in milliseconds."),
        ObjectKey(.median, .number, "`lognormal`: half of the delays are longer, in milliseconds."),
        ObjectKey(.sigma, .number, "`lognormal`: how far they spread."),
        ObjectKey(.maxValue, .number, "`lognormal`: the most, in milliseconds."),
    ]

    static let chunkedDribbleDelay = [
        ObjectKey(.numberOfChunks, .integer(1...1_000_000), "How many parts; at most as many as the body has bytes."),
        ObjectKey(.totalDuration, milliseconds, "From the first pause to the last part, in milliseconds."),
    ]
}
