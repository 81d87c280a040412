// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPSyntax
import JSONText

extension StubFileReader {
    /// A response's body and the key that it was written with.
    struct WrittenBody {
        var key: String
        var cursor: Cursor
        var content: Content
        /// The Content-Type line where the stub has none.
        var mediaType: String?
        /// Relative to the fixture directory; nil for a body that is in no file.
        var file: String?
    }

    /// The body that a response names; nil where it names none or it cannot be had.
    mutating func body(of cursor: Cursor) -> WrittenBody? {
        if isWireMock, let foreign = cursor["bodyFile"] {
            report(.error, "in a WireMock root write \"bodyFileName\", relative to \"__files\"", at: foreign)
        }
        // In the order in which WireMock takes the first.
        let keys = ["body", "jsonBody", "base64Body", isWireMock ? "bodyFileName" : "bodyFile"]
        let written = keys.compactMap { key in
            cursor[key].flatMap { value in
                isWireMock && value.node.isNull ? nil : (key: key, value: value)
            }
        }
        guard let first = written.first else { return nil }
        for other in written.dropFirst() {
            report(
                isWireMock ? .warning : .error,
                "\"\(other.key)\" beside \"\(first.key)\"; "
                    + (isWireMock ? "it is not looked at, as in WireMock" : "leave one of them out"), at: other.value)
        }
        return body(first.key, first.value)
    }

    private mutating func body(_ key: String, _ cursor: Cursor) -> WrittenBody? {
        switch key {
        case "jsonBody":
            // Without the room that was left for more.
            let bytes = JSONWriter.compact(cursor.node).withUnsafeBufferPointer { Array($0) }
            return WrittenBody(key: key, cursor: cursor, content: Content(bytes: bytes), mediaType: "application/json")
        case "body":
            guard let text = cursor.node.string else { return nil }
            return WrittenBody(
                key: key, cursor: cursor, content: Content(bytes: Array(text.utf8)),
                mediaType: "text/plain; charset=utf-8")
        case "base64Body":
            guard let text = cursor.node.string else { return nil }
            guard let bytes = Base64.decode(text, .written) else {
                report(.error, "this is no Base64", at: cursor)
                return nil
            }
            return WrittenBody(key: key, cursor: cursor, content: Content(bytes: bytes), mediaType: nil)
        default:
            return bodyFile(key, cursor)
        }
    }

    private mutating func bodyFile(_ key: String, _ cursor: Cursor) -> WrittenBody? {
        guard let name = cursor.node.string else { return nil }
        let found =
            isWireMock
            ? bodies.find(name, in: "__files", within: "__files") : bodies.find(name, in: String(path.directory))
        switch found {
        case .found(let file, let content):
            return WrittenBody(key: key, cursor: cursor, content: content, mediaType: MediaType.of(file), file: file)
        case .failed(let why):
            report(.error, why, at: cursor)
            return nil
        }
    }

    /// Finds the file of a request's content, which is then no plain file.
    mutating func checkRecorded(_ cursor: Cursor?) {
        guard let cursor = cursor?["bodyFile"], let name = cursor.node.string else { return }
        if case .failed(let why) = bodies.find(name, in: String(path.directory)) { report(.warning, why, at: cursor) }
    }
}
