// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An answer as it was recorded, or as it came.
package struct AnswerSample: Sendable {
    package var status: Int
    /// The field lines in order, repeats too.
    package var headers: [(name: String, value: String)]
    /// The content without its coding.
    package var body: [UInt8]
    /// Which of the recorded samples it is.
    package var index: Int
    /// Whether the body is not part of the answer, as to a HEAD request.
    package var isWithoutBody = false
    /// Whether all lines of the answer are here: of one written by hand those that matter are.
    package var hasAllHeaders = true
    /// Whether the media type was taken from a file's name, and nobody has written it.
    package var impliesContentType = false
    /// Scheme, host and port that it came from; nil where that is unknown.
    package var origin: String?

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], index: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.index = index
    }

    /// The values of the lines of a name, in any case.
    func values(of name: String) -> [String] {
        let name = name.lowercased()
        return headers.compactMap { $0.name.lowercased() == name ? $0.value : nil }
    }

    /// The media type without its parameters, in lower case; empty where there is none.
    var mediaType: String {
        values(of: "content-type").first.map { HeaderValues.parameters($0).head.lowercased() } ?? ""
    }
}
