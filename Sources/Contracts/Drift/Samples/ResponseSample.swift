// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response as it was recorded, or as it came.
package struct ResponseSample: Sendable {
    package var status: Int
    /// The field lines in order, repeats too.
    package var headers: [(name: String, value: String)]
    /// The content without its coding.
    package var body: [UInt8]
    /// Which of the recorded samples it is.
    package var index: Int
    /// Whether the body is not part of the response, as to a HEAD request.
    package var isWithoutBody = false
    /// Whether all lines of the response are here: of one written by hand those that matter are.
    package var hasAllHeaders = true
    /// Whether the media type was taken from a file's name, and nobody has written it.
    package var impliesContentType = false
    /// Whether the status is made for each request, so that any is its.
    package var isStatusOpen = false
    /// Whether the body is made for each request, and nothing of it is known.
    package var isBodyOpen = false
    /// The content coding that the body is said to have and that no client can undo; nil for none.
    package var brokenCoding: String?
    /// The content coding that is not known here; nil for none.
    package var unknownCoding: String?
    /// Scheme, host and port that it came from; nil if that is unknown.
    package var origin: String?

    /// The index of the first sample that is not one of the fixture's own, but learnt from live responses.
    package static let firstLearnt = 10_000

    /// Whether a header line is compared by its value, and does not depend on the moment or the transfer alone.
    package static func isLasting(_ name: String) -> Bool {
        switch HeaderClass.of(name.lowercased()) {
        case .framing, .momentary: false
        default: true
        }
    }

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

    /// Whether it may go on for ever (HTML Living Standard §9.2).
    package var isStream: Bool { ["text/event-stream", "multipart/x-mixed-replace"].contains(mediaType) }

    /// The charset of the media type; nil if it names none.
    var charset: String? {
        values(of: "content-type").first.flatMap { HeaderValues.parameters($0).parameters["charset"] }
    }

    /// The media type without its parameters, in lower case; empty if there is none.
    package var mediaType: String {
        values(of: "content-type").first.map { HeaderValues.parameters($0).head.lowercased() } ?? ""
    }
}
