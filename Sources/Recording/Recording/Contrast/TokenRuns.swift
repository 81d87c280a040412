// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The runs of bytes in a text that look like tokens: a service may write one in the clear that a request has to hide.
enum TokenRuns {
    /// Bytes of a run, and of the text in front of it that distinguishes it from others.
    private static let limit = (shortest: 20, longest: 4096, front: 48)

    /// - Returns: each run, and its mark among the others of the text: the text in front of it, and how often that came.
    static func all(in text: [UInt8]) -> [(token: [UInt8], mark: String)] {
        var found: [(token: [UInt8], mark: String)] = []
        var counts: [[UInt8]: Int] = [:]
        var index = 0
        while index < text.count {
            guard isOfRun(text[index]) else {
                index += 1
                continue
            }
            var end = index + 1
            while end < text.count, isOfRun(text[end]) { end += 1 }
            let run = text[index..<end]
            // Behind the name of a parameter.
            let padding = run.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            let sign = run.dropLast(padding).lastIndex(of: UInt8(ascii: "="))
            let start = sign.map { $0 + 1 } ?? index
            let token = text[start..<end]
            index = end
            guard (limit.shortest...limit.longest).contains(token.count), looksRandom(token) else { continue }
            let front = front(of: start, in: text)
            counts[front, default: 0] += 1
            found.append((Array(token), String(decoding: front, as: UTF8.self) + "\(counts[front, default: 0])"))
        }
        return found
    }

    private static func front(of start: Int, in text: [UInt8]) -> [UInt8] {
        let least = max(0, start - limit.front)
        let begin = text[least..<start].lastIndex { "{,[?&\n".utf8.contains($0) }.map { $0 + 1 } ?? least
        return Array(text[begin..<start])
    }

    private static func looksRandom(_ token: ArraySlice<UInt8>) -> Bool {
        var (capitals, small, digits) = (0, 0, 0)
        for byte in token {
            if ASCII.isDigit(byte) { digits += 1 }
            if byte &- UInt8(ascii: "A") < 26 { capitals += 1 }
            if byte &- UInt8(ascii: "a") < 26 { small += 1 }
        }
        return digits > 0 && capitals + small > 0 && (capitals > 0 && small > 0 || digits >= 4)
    }

    private static func isOfRun(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.lowercased(byte) &- UInt8(ascii: "a") < 26 || "-_.~+/=".utf8.contains(byte)
    }
}
