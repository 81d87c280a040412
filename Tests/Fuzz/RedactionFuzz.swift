// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets

private let types = [
    "text/plain", "application/json", "application/x-www-form-urlencoded", "text/html",
    "multipart/form-data; boundary=b", "text/event-stream", "",
]

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// What was redacted stays as it is: in the same recording, and in one that reads it again.
///
/// - Parameter learnt: what the request authenticated with; empty for nothing.
private func check(_ what: String, _ value: [UInt8], _ learnt: [UInt8], _ redact: (Redactor, [UInt8]) -> [UInt8]) {
    let redactor = Redactor()
    if !learnt.isEmpty { redactor.learn([("Authorization", text(learnt)), ("Cookie", text(learnt))]) }
    let once = redact(redactor, value)
    for again in [redactor, Redactor()] {
        let twice = redact(again, once)
        if once != twice {
            fatalError("\(what): \(text(once).debugDescription) becomes \(text(twice).debugDescription)")
        }
    }
}

/// Redacting goes to its end with any bytes, and once is enough.
///
/// The first byte says what the others are, what stands before a NUL is learnt before.
///
/// Nothing is paid for here: a recording is the user's own, and no client waits for it.
enum RedactionFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let input = Array(bytes)
        guard let first = input.first else { return }
        let parts = input.dropFirst().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let value = Array(parts.last ?? [])
        let learnt = parts.count == 2 ? Array(parts[0]) : []
        _ = SecretScan.findings(in: value, isText: SecretScan.isText(value))
        let kind = Int(first) % (types.count + 4)
        switch kind {
        case 0..<types.count:
            let side: MessageSide = first < 128 ? .request : .response
            check(types[kind], value, learnt) { $0.text($1, mediaType: types[kind], of: side).value }
        case types.count: check("path", value, learnt) { Array($0.path(segment: text($1)).value.utf8) }
        case types.count + 1: check("query", value, learnt) { Array($0.query("token", text($1)).value.utf8) }
        case types.count + 2: check("Set-Cookie", value, learnt) { Array($0.header("Set-Cookie", text($1)).value.utf8) }
        default: check("Location", value, learnt) { Array($0.header("Location", text($1)).value.utf8) }
        }
    }
}
