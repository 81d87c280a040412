// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    /// A response's body and the key that it was written with.
    struct WrittenBody {
        var key: String
        var cursor: Cursor
        var content: Content
        /// The Content-Type line if the stub has none.
        var mediaType: String?
        /// Relative to the fixture directory; nil for a body that is in no file.
        var file: String?
    }

    /// The body that a response names; nil if it names none or it cannot be had.
    mutating func body(of cursor: Cursor) -> WrittenBody? {
        bodyKey(of: cursor).flatMap { body($0.key, $0.value) }
    }

    /// The content that a response names, its file by name.
    mutating func content(of cursor: Cursor) -> ResponseDefinition.Content {
        bodyKey(of: cursor).flatMap { content($0.key, $0.value) } ?? .none
    }

    /// The key that a response has its body under, and the value.
    private mutating func bodyKey(of cursor: Cursor) -> (key: String, value: Cursor)? {
        if isWireMock, let foreign = cursor[.bodyFile] {
            report(.error, "in a WireMock root write \"bodyFileName\", relative to \"__files\"", at: foreign)
        }
        // In the order in which WireMock takes the first.
        let keys = ["body", "jsonBody", "base64Body", isWireMock ? "bodyFileName" : "bodyFile"]
        let written = keys.compactMap { key in
            cursor[key].flatMap { value in
                let isNone = value.node.isNull || key == "bodyFileName" && value.node.string?.isEmpty == true
                return isWireMock && isNone ? nil : (key: key, value: value)
            }
        }
        guard let first = written.first else { return nil }
        for other in written.dropFirst() {
            report(
                isWireMock ? .warning : .error,
                "\"\(other.key)\" beside \"\(first.key)\"; "
                    + (isWireMock ? "it is ignored, as in WireMock" : "leave one of them out"), at: other.value)
        }
        return first
    }

    private mutating func content(_ key: String, _ cursor: Cursor) -> ResponseDefinition.Content? {
        if key == "jsonBody" { return .json(cursor.node) }
        guard let text = cursor.node.string else { return nil }
        switch key {
        case "body": return .text(text)
        case "base64Body":
            guard let bytes = Base64.decode(text, .written) else {
                report(.error, "this is not Base64", at: cursor)
                return nil
            }
            return .bytes(bytes)
        default: return .file(text)
        }
    }

    private mutating func body(_ key: String, _ cursor: Cursor) -> WrittenBody? {
        let bytes: [UInt8]
        var mediaType: String?
        switch content(key, cursor) {
        case .json(let node):
            // Without the room that was left for more.
            bytes = JSONWriter.compact(node).withUnsafeBufferPointer { Array($0) }
            mediaType = "application/json"
        case .text(let text):
            bytes = Array(text.utf8)
            mediaType = "text/plain; charset=utf-8"
        case .bytes(let decoded): bytes = decoded
        case .file(let name): return bodyFile(name, key, cursor)
        case .some(.none), nil: return nil
        }
        return WrittenBody(key: key, cursor: cursor, content: Content(bytes: bytes), mediaType: mediaType)
    }

    private mutating func bodyFile(_ name: String, _ key: String, _ cursor: Cursor) -> WrittenBody? {
        switch bodyContent(name) {
        case .found(let file, let content):
            return WrittenBody(
                key: key, cursor: cursor, content: content, mediaType: MediaType.of(file, content), file: file)
        case .failed(let why):
            reportFailure(why, at: cursor)
            return nil
        }
    }

    /// The content of the file that a stub names as a body.
    func bodyContent(_ name: String) -> BodyFiles.Lookup {
        isWireMock ? bodies.find(name, in: "__files", within: "__files") : bodies.find(name, in: String(path.directory))
    }

    /// Finds the file of a request's content, which then is not a plain file.
    mutating func checkRecorded(_ recorded: Cursor?) {
        guard let cursor = recorded?[.bodyFile], let name = cursor.node.string else { return }
        if case .failed(let why) = bodies.find(name, in: String(path.directory)) { report(.warning, why, at: cursor) }
    }
}
