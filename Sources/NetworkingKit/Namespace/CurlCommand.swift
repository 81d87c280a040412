// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A request as a line for a POSIX shell that has curl send it.
struct CurlCommand {
    /// The longest text that is put into the line as it is, in bytes; Linux takes no word of 128 KiB or more.
    private static let longestWord = 64 * 1024

    let request: URLRequest
    /// A file that is sent in the place of the request's body.
    private(set) var file: URL?

    init(request: URLRequest, file: URL? = nil) {
        self.request = request
        self.file = file
    }

    /// A request with its content; a form that is too large for memory and a stream are read from standard input.
    init(_ wire: WireRequest) throws {
        var request = wire.urlRequest
        switch wire.content.source {
        case .none, .data: break
        case .file(let url): file = url
        case .form(let form):
            let content = try form.content()
            defer { content.discard() }
            if case .data(let data) = content {
                request.httpBody = data
            } else {
                request.httpBodyStream = InputStream(data: Data())
            }
        case .stream: request.httpBodyStream = InputStream(data: Data())
        }
        self.request = request
    }

    var text: String {
        let method = request.httpMethod ?? "GET"
        var words = ["curl"]
        let url = request.url?.absoluteString ?? ""
        // Without these, curl reads brackets as a set of URLs and takes dot segments out.
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        if url.contains("/.") { words.append("--path-as-is") }
        let body = self.body
        switch method {
        case "GET" where body.words.isEmpty: break
        case "HEAD": words.append("--head")
        default: words += ["--request", method]
        }
        for header in headers { words += ["--header", header] }
        words += body.words
        words.append(url)
        return body.pipe + words.map(Self.quoted).joined(separator: " ")
    }

    /// Sorted by name; what could not be sent is left out, as is what curl writes itself.
    private var headers: [String] {
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        return fields.compactMap { name, value in
            guard !URLRequest.reservedHeaders.contains(name.lowercased()), HTTPMethod(name).isValid,
                !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 })
            else { return nil }
            // curl takes `Name:` for a wish to leave the field out.
            return value.allSatisfy(\.isWhitespace) ? "\(name);" : "\(name): \(value)"
        }
    }

    /// The words for the body, and what is to be piped in, where it cannot be a word.
    private var body: (pipe: String, words: [String]) {
        if let file { return ("", ["--data-binary", "@\(file.path)"]) }
        if request.httpBodyStream != nil { return ("", ["--data-binary", "@-"]) }
        guard let data = request.httpBody, !data.isEmpty else { return ("", []) }
        if data.count <= Self.longestWord, !data.contains(0), let text = String(data: data, encoding: .utf8) {
            return ("", ["--data-raw", text])
        }
        return ("printf %s \(data.base64EncodedString()) | base64 -d | ", ["--data-binary", "@-"])
    }

    /// A word as the shell reads it back: as it is, or in single quotes.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "%+,-./:=@_".utf8.contains(byte)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        // By scalars: a mark that combines with a quotation mark would hide it from a search by characters.
        let parts = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map { String($0) }.joined(separator: #"'\''"#) + "'"
    }
}
