// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
package import MockapiHTTPSyntax
package import MockapiJSONText

extension RequestHead {
    /// A head as the wire would read it from its text.
    package static func make(
        _ method: String = "GET", _ target: String, headers: [(String, String)] = [], host: String? = nil,
        isSecure: Bool = false
    ) -> RequestHead {
        var head = RequestHead()
        head.isSecure = isSecure
        func append(_ text: String) -> ByteRange {
            let start = head.bytes.count
            head.bytes.append(contentsOf: text.utf8)
            return ByteRange(start, head.bytes.count)
        }
        head.method = append(method)
        head.target = append(target)
        let target = head.target
        let bytes = head.bytes[target.range]
        var pathStart = Int(target.start)
        if target.count > 7, bytes.starts(with: "http://".utf8) {
            pathStart = bytes[(pathStart + 7)...].firstIndex(of: ASCII.slash) ?? bytes.endIndex
            head.authority = ByteRange(Int(target.start) + 7, pathStart)
        }
        let question = bytes[pathStart...].firstIndex(of: ASCII.question)
        head.path = ByteRange(pathStart, question ?? bytes.endIndex)
        head.query = question.map { ByteRange($0 + 1, bytes.endIndex) }
        if let host { head.authority = append(host) }
        for (name, value) in headers {
            let name = append(name)
            head.fields.append(Field(name: name, value: append(value)))
        }
        return head
    }
}

extension Stub {
    /// A stub that stands in a file of its own.
    package static func make(
        _ path: String, _ request: RequestPattern, priority: Int = 5, responses: Int = 1,
        afterLast: SequenceEnd = .repeatLast, source: JSONNode = .object([:]), isAdded: Bool = false
    ) -> Stub {
        Stub(
            uuid: .derived(from: path, ordinal: 0), place: Place(path: path, line: 1, column: 1), priority: priority,
            request: request,
            responses: Array(repeating: StubResponse(), count: responses), afterLast: afterLast,
            written: StubSource(source), isAdded: isAdded)
    }
}

extension PlainFile {
    package static func make(_ path: String, _ requestPaths: [String]) -> PlainFile {
        PlainFile(
            path: path, requestPaths: requestPaths, body: .empty, mediaType: "text/plain", entityTag: "\"1\"",
            lastModified: 0)
    }
}
