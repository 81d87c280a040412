// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Replaces origins in the parts of a multipart content (RFC 2046 §5.1) that comes whole or piece by piece.
///
/// A part that is text is rewritten, as are the heads and contents of messages and parts within it; the length in a head stays right. Pictures
/// and similar content, and coded parts, pass as they are. Only a part whose head has a length, or that has messages or parts of its own, is held
/// back until it is whole.
package struct MultipartRewriter: Sendable {
    private enum State {
        /// In front of the first part, behind the last, and in a part that is not rewritten, with the bytes that its head says are left.
        case passing(Int)
        /// Behind the bytes of a delimiter, which may be text, or the beginning of another boundary.
        case undecided(isText: Bool)
        /// In the line of a delimiter.
        case delimiter
        case head
        case text(OriginRewriter)
        case whole(PartHead)
    }

    /// Bytes of a part that is held back; a longer one passes as it is. 1 MiB.
    private static let limit = 1024 * 1024
    /// Bytes of a part's head. 16 KiB.
    private static let headLimit = 16 * 1024
    /// How deep parts have parts. 8.
    fileprivate static let depthLimit = 8

    private let origins: OriginRewriter
    private let depth: Int
    /// A line feed, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private var state = State.passing(0)
    /// The bytes that are not sent. The line end in front of a content is always the first of them, since it may be that of a delimiter; a content that
    /// begins with its first delimiter gets a line feed, which is not sent.
    private var held: ArraySlice<UInt8> = [ASCII.lineFeed]
    /// How many of them need not be searched again for the end of the part or its head.
    private var scanned = 0
    private var hasBegun = false

    /// The boundary of a media type whose parts are rewritten; nil for any other.
    static func boundary(of mediaType: String) -> String? {
        let essence = MediaType.essence(of: mediaType)
        // Parts of a file, and pictures that follow each other.
        guard essence.hasPrefix("multipart/"), essence != "multipart/byteranges",
            essence != "multipart/x-mixed-replace",
            let boundary = FieldText.parameter("boundary", of: mediaType), (1...70).contains(boundary.utf8.count)
        else { return nil }
        // The type of the parts (RFC 2387 §3.1), as DICOM names it.
        if let type = FieldText.parameter("type", of: mediaType), !PartHead.isRead(type) { return nil }
        return boundary
    }

    init?(_ origins: OriginRewriter, mediaType: String, depth: Int = 0) {
        guard depth < Self.depthLimit, let boundary = Self.boundary(of: mediaType) else { return nil }
        self.origins = origins
        self.depth = depth
        delimiter = [ASCII.lineFeed] + Array("--\(boundary)".utf8)
    }

    package mutating func rewrite(_ bytes: [UInt8]) -> [UInt8] { run(bytes, isEnd: false) }

    package mutating func finish() -> [UInt8] { run([], isEnd: true) }

    private mutating func run(_ bytes: [UInt8], isEnd: Bool) -> [UInt8] {
        held += bytes
        var output: [UInt8] = []
        while step(&output, isEnd: isEnd) {}
        if isEnd { output += take(held.count) }
        if !hasBegun, !output.isEmpty {
            hasBegun = true
            output.removeFirst()
        }
        return output
    }

    /// - Returns: false if more has to come first.
    private mutating func step(_ output: inout [UInt8], isEnd: Bool) -> Bool {
        switch state {
        case .passing(let left) where left > 0:
            let count = min(left, held.count)
            output += take(count)
            state = .passing(left - count)
            return left == count
        case .passing, .text: return pass(&output, isEnd: isEnd)
        case .undecided(let isText):
            guard let isDelimiter = Self.isDelimiter(before: held, isEnd: isEnd) else { return false }
            if isDelimiter {
                // Nothing behind the last one is a part.
                state = held.starts(with: "--".utf8) ? .passing(.max) : .delimiter
            } else {
                state = isText ? .text(origins) : .passing(0)
            }
            return true
        case .delimiter:
            guard let end = held.firstIndex(of: ASCII.lineFeed) else {
                output += take(held.count)
                return false
            }
            output += take(end + 1 - held.startIndex)
            state = .head
            return true
        case .head: return beginPart(&output, isEnd: isEnd)
        case .whole(let head): return endPart(head, &output, isEnd: isEnd)
        }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = held.prefix(count)
        held = held.dropFirst(count)
        scanned = max(0, scanned - count)
        return taken
    }

    /// Sends the bytes that certainly stand before the next delimiter, and the delimiter.
    private mutating func pass(_ output: inout [UInt8], isEnd: Bool) -> Bool {
        let (count, isDelimiter) = next(isDecided: false, isEnd: isEnd)
        let bytes = take(count)
        var isText = false
        if case .text(var origins) = state {
            isText = true
            output += origins.rewrite(Array(bytes))
            if isDelimiter || isEnd { output += origins.finish() }
            state = .text(origins)
        } else {
            output += bytes
        }
        guard isDelimiter else { return false }
        output += take(held.first == ASCII.carriageReturn ? delimiter.count + 1 : delimiter.count)
        state = .undecided(isText: isText)
        return true
    }

    /// The bytes in front of the line end of the next delimiter, or of bytes that may become one.
    ///
    /// - Parameter isDecided: whether a delimiter counts only if the bytes behind it are known.
    private mutating func next(isDecided: Bool, isEnd: Bool) -> (count: Int, isDelimiter: Bool) {
        var index = held.startIndex + scanned
        while let place = held[index...].firstIndex(of: ASCII.lineFeed) {
            let isLong = place > held.startIndex && held[place - 1] == ASCII.carriageReturn
            scanned = place - held.startIndex - (isLong ? 1 : 0)
            let rest = held[place...]
            if rest.starts(with: delimiter) {
                guard isDecided else { return (scanned, true) }
                let isDelimiter = Self.isDelimiter(before: rest.dropFirst(delimiter.count), isEnd: isEnd)
                if isDelimiter != false { return (scanned, isDelimiter == true) }
            } else if !isEnd, delimiter.starts(with: rest) {
                return (scanned, false)
            }
            index = place + 1
        }
        scanned = !isEnd && held.last == ASCII.carriageReturn ? held.count - 1 : held.count
        return (scanned, false)
    }

    /// Whether the bytes of a delimiter are one, by those behind them; nil if more have to come first.
    ///
    /// A boundary may begin as another does: its line ends behind it, or it is the last.
    private static func isDelimiter(before rest: ArraySlice<UInt8>, isEnd: Bool) -> Bool? {
        guard let first = rest.first else { return isEnd ? true : nil }
        if " \t\r\n".utf8.contains(first) || rest.starts(with: "--".utf8) { return true }
        return !isEnd && rest.elementsEqual("-".utf8) ? nil : false
    }

    private mutating func beginPart(_ output: inout [UInt8], isEnd: Bool) -> Bool {
        // Without another line, the empty one has not come.
        let hasLine = held.dropFirst(scanned).contains(ASCII.lineFeed)
        scanned = held.count
        guard hasLine, let head = PartHead(held) else {
            guard isEnd || held.count > Self.headLimit else { return false }
            scanned = 0
            state = .passing(0)
            return true
        }
        scanned = 0
        let bytes = take(head.count - 1)
        if !head.isRewritten {
            output += bytes
            state = .passing(head.length.map { $0 + 1 } ?? 0)
        } else if head.isText, !head.tellsOfBytes {
            output += head.rewritten(by: origins).dropLast()
            state = .text(origins)
        } else {
            state = .whole(head)
        }
        return true
    }

    private mutating func endPart(_ head: PartHead, _ output: inout [UInt8], isEnd: Bool) -> Bool {
        var (count, isDelimiter) = next(isDecided: true, isEnd: isEnd)
        if let length = head.length, length < count {
            count = length + 1
        } else if !isDelimiter, !isEnd {
            guard held.count > Self.limit else { return false }
            output += head.bytes.dropLast()
            state = .passing(head.length.map { $0 + 1 } ?? 0)
            return true
        }
        let part = take(count)
        let content = Array(part.dropFirst())
        let rewritten = head.content(content, rewrittenBy: origins, depth: depth)
        output += head.rewritten(by: origins, from: content, to: rewritten).dropLast()
        output += part.prefix(1) + rewritten
        state = .passing(0)
        return true
    }
}

/// The head of a part, or of a message within one.
struct PartHead: Sendable {
    /// All lines, and the empty one behind them.
    private(set) var bytes: [UInt8] = []
    private(set) var mediaType = ""
    /// The length in its line.
    private(set) var length: Int?
    private var isCoded = false
    private var hasDigest = false
    /// The greatest length that is believed. 1 TiB.
    private static let longest = 1 << 40

    var count: Int { bytes.count }

    /// Nil if the empty line has not come.
    init?(_ text: ArraySlice<UInt8>) {
        var start = text.startIndex
        while let end = text[start...].firstIndex(of: ASCII.lineFeed) {
            let isLong = text[start..<end].last == ASCII.carriageReturn
            let line = text[start..<(isLong ? end - 1 : end)]
            start = end + 1
            if line.isEmpty {
                bytes = Array(text[..<start])
                return
            }
            read(line)
        }
        return nil
    }

    private mutating func read(_ line: ArraySlice<UInt8>) {
        let value = FieldText.trimmed(String(decoding: Self.value(of: line), as: UTF8.self))
        switch Self.name(of: line) {
        case "content-type": mediaType = value
        case "content-length": length = Int(value).flatMap { (0...Self.longest).contains($0) ? $0 : nil }
        case "content-encoding", "content-transfer-encoding", "transfer-encoding":
            isCoded = isCoded || !["", "identity", "7bit", "8bit", "binary"].contains(value.lowercased())
        case let name: hasDigest = hasDigest || FieldNames.isDigest(name)
        }
    }

    /// In lower case; empty for the first line of a message.
    private static func name(of line: ArraySlice<UInt8>) -> String {
        let name = line.prefix { $0 != ASCII.colon }
        guard name.count < line.count, name.allSatisfy(ASCII.isToken) else { return "" }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private static func value(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.drop { $0 != ASCII.colon }.dropFirst()
    }

    /// Without a type a part is text (RFC 2046 §5.1).
    var isText: Bool { mediaType.isEmpty || MediaType.isTextual(mediaType) }
    var isRewritten: Bool { !isCoded && (mediaType.isEmpty || Self.isRead(mediaType)) }
    /// Whether a line must change with the content.
    var tellsOfBytes: Bool { length != nil || hasDigest }
    private var isMessage: Bool { Self.isMessage(mediaType) }

    /// A whole request or response as a part (RFC 9112 §10.1), as OData's batches have them.
    private static func isMessage(_ mediaType: String) -> Bool {
        MediaType.essence(of: mediaType) == "application/http"
    }

    /// Whether parts of a media type are looked into.
    static func isRead(_ mediaType: String) -> Bool {
        isMessage(mediaType) || MediaType.isTextual(mediaType) || MultipartRewriter.boundary(of: mediaType) != nil
    }

    /// A content behind this head.
    func content(_ content: [UInt8], rewrittenBy origins: OriginRewriter, depth: Int) -> [UInt8] {
        guard isRewritten, depth < MultipartRewriter.depthLimit else { return content }
        if isText { return origins.rewritten(content) }
        guard isMessage else {
            guard var parts = MultipartRewriter(origins, mediaType: mediaType, depth: depth + 1) else { return content }
            return parts.rewrite(content) + parts.finish()
        }
        guard let inner = PartHead(content[...]) else { return origins.rewritten(content) }
        let rest = content[inner.count...]
        // The bytes behind the content of a message belong to the part.
        let text = Array(rest.prefix(inner.length ?? rest.count))
        let rewritten = inner.content(text, rewrittenBy: origins, depth: depth + 1)
        return inner.rewritten(by: origins, from: text, to: rewritten) + rewritten + rest.dropFirst(text.count)
    }

    /// The head of a content that has changed: its lines on the bytes are true of the new ones, or left out.
    func rewritten(by origins: OriginRewriter, from content: [UInt8] = [], to other: [UInt8] = []) -> [UInt8] {
        let isSame = content == other
        return bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).dropLast().flatMap { line in
            switch Self.name(of: line) {
            case "content-length" where !isSame && length == content.count:
                let end = line.last == ASCII.carriageReturn ? "\r\n" : "\n"
                return line.prefix { $0 != ASCII.colon } + Array(": \(other.count)\(end)".utf8)
            case let name where !isSame && FieldNames.isDigest(name): return []
            // The host of a message within the content.
            case "host": return Self.host(Array(line), rewrittenBy: origins) + [ASCII.lineFeed]
            default: return origins.rewritten(Array(line)) + [ASCII.lineFeed]
            }
        }
    }

    private static func host(_ line: [UInt8], rewrittenBy origins: OriginRewriter) -> [UInt8] {
        let value = value(of: line[...]).drop { $0 == ASCII.space || $0 == ASCII.tab }
        for scheme in ["http://", "https://"] {
            let url = Array(scheme.utf8) + value
            let rewritten = origins.rewritten(url)
            guard rewritten != url, let end = rewritten.firstRange(of: "://".utf8)?.upperBound else { continue }
            return Array(line[..<value.startIndex] + rewritten[end...])
        }
        return line
    }
}
