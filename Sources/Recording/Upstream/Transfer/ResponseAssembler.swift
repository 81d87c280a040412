// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Makes heads and trailers of the lines that libcurl hands out.
struct ResponseAssembler {
    enum Event: Equatable {
        case none
        /// The head of the final response is whole.
        case head
        /// The line does not belong to HTTP.
        case malformed
        /// The head says two lengths of the content; one is a lie (RFC 9112 §6.3).
        case twoLengths
    }

    /// Bytes of all lines so far.
    private(set) var size = 0
    /// The heads that are whole; the last is the final one if `isFinal`.
    private(set) var heads: [UpstreamHead] = []
    private(set) var trailers: [UpstreamField] = []
    private(set) var isFinal = false
    private var current: UpstreamHead?

    mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
        size += line.count
        var line = line[...]
        if line.last == 10 { line.removeLast() }
        if line.last == 13 { line.removeLast() }
        if isFinal {
            if !line.isEmpty { Self.add(line, to: &trailers) }
            return .none
        }
        guard var head = current else {
            if line.isEmpty { return .none }
            current = Self.statusLine(line)
            return current == nil ? .malformed : .none
        }
        guard line.isEmpty else {
            current = nil  // Else the fields are copied for each line.
            Self.add(line, to: &head.fields)
            current = head
            return .none
        }
        current = nil
        heads.append(head)
        isFinal = head.status >= 200
        guard isFinal else { return .none }
        return Self.hasTwoLengths(head) ? .twoLengths : .head
    }

    /// Whether a head has begun and not ended: its present part may lack lines.
    var isCut: Bool { current != nil }

    /// Content has come, or the end: an interim response that nothing follows, such as a switch of protocols, was the final one.
    ///
    /// - Returns: false if there is no head at all.
    mutating func finish() -> Bool {
        if isFinal { return true }
        if isCut { return false }
        isFinal = !heads.isEmpty
        return isFinal
    }

    private static func hasTwoLengths(_ head: UpstreamHead) -> Bool {
        var lengths: Set<String> = []
        for field in head.fields {
            switch field.name.lowercased() {
            // If the transfer is coded, its length is not of weight.
            case "transfer-encoding": return false
            case "content-length":
                for value in field.value.split(ascii: ",") {
                    let digits = value.filter { $0 != " " && $0 != "\t" }
                    lengths.insert(String(digits.drop { $0 == "0" }))
                }
            default: break
            }
        }
        return lengths.count > 1
    }

    private static func statusLine(_ line: Slice<UnsafeRawBufferPointer>) -> UpstreamHead? {
        let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let status = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        let version: UpstreamVersion
        switch String(decoding: words[0], as: UTF8.self) {
        case "HTTP/1.0": version = .http10
        case "HTTP/2", "HTTP/2.0": version = .http2
        case let word where word.hasPrefix("HTTP/1."): version = .http11
        default: return nil
        }
        var head = UpstreamHead(version: version, status: status)
        head.reasonBytes = words.dropFirst(2).flatMap { Array($0) }
        return head
    }

    private static func add(_ line: Slice<UnsafeRawBufferPointer>, to fields: inout [UpstreamField]) {
        // A folded line goes on with the value before it (RFC 9112 §5.2).
        if isBlank(line.first), let last = fields.indices.last {
            fields[last].bytes += [0x20] + trimmed(line)
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let name = String(decoding: line[..<colon], as: UTF8.self)
        fields.append(UpstreamField(name, bytes: Array(trimmed(line[colon...].dropFirst()))))
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes.drop { isBlank($0) }
        while isBlank(bytes.last) { bytes.removeLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
}
