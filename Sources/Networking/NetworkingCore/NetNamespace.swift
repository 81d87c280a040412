// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// The members that this library adds to a type of somebody else, kept behind one name: `net`.
///
///     print(URLRequest(url: url).net.curlCommand)
///
/// A member is added by an extension for a base:
///
///     extension NetNamespace where Base == Data {
///         public var isJSON: Bool { (try? JSONSerialization.jsonObject(with: base)) != nil }
///     }
///
/// A `mutating` member changes the base: `request.net.authorize(token)`.
public struct NetNamespace<Base> {
    /// The value that the namespace extends.
    public var base: Base

    /// Makes the namespace of a value.
    public init(_ base: Base) {
        self.base = base
    }
}

extension NetNamespace: Sendable where Base: Sendable {}

/// A type that has `net`; to conform takes no more than an empty extension.
///
///     extension URLComponents: @retroactive NetCompatible {}
public protocol NetCompatible {}

extension NetCompatible {
    /// The members that this library adds to the value.
    public var net: NetNamespace<Self> {
        get { NetNamespace(self) }
        set { self = newValue.base }
    }

    /// The members that this library adds to the type.
    public static var net: NetNamespace<Self>.Type {
        get { NetNamespace<Self>.self }
        // For the form that the prefix is published in; there is nothing to change.
        set {}
    }
}

extension Data: NetCompatible {}
extension URLRequest: NetCompatible {}
extension HTTPURLResponse: NetCompatible {}

extension Request {
    /// The members that this library adds to the request beside those of its protocol.
    public var net: NetNamespace<Self> {
        get { NetNamespace(self) }
        set { self = newValue.base }
    }
}

extension NetNamespace where Base: HTTPURLResponse {
    /// Type and subtype of the content in lower case, without parameters: `application/json` (RFC 9110 §8.3.1).
    ///
    /// Nil if there is no `Content-Type` or it is not a media type.
    public var mediaType: String? {
        guard let field = base.value(forHTTPHeaderField: "Content-Type") else { return nil }
        let type = field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ HTTPMethod(String($0)).isValid }) else { return nil }
        return type
    }

    /// Whether the content says that it is JSON: `application/json`, or a type that ends with `+json` (RFC 6839 §3.1).
    public var isJSON: Bool {
        guard let mediaType else { return false }
        return mediaType == "application/json" || mediaType.hasSuffix("+json")
    }

    /// A response that no service has sent, for doubles in tests.
    ///
    ///     let response = try HTTPURLResponse.net.plain(url, status: 404)
    public static func plain(
        _ url: URL, status: Int, headers: [String: String] = [:]
    ) throws(URLError) -> HTTPURLResponse {
        try .plain(url, status: status, headers: headers)
    }
}

extension NetNamespace where Base == URLRequest {
    /// A line for a POSIX shell that makes curl send the request: method, headers by name, body.
    ///
    /// A body that is text of 64 KiB or less stands in the line, any other is piped in from base64; a stream is read from
    /// standard input. Redirects are not followed. The line has all of the request, credentials too.
    public var curlCommand: String { CurlCommand(request: base).text }
}

extension NetNamespace where Base: Request {
    /// A line for a POSIX shell that makes curl send the request, without the additions of a delegate.
    ///
    /// - Throws: `RequestError` if the parts make no request.
    public var curlCommand: String {
        get throws { try CurlCommand(base.wireRequest()).text }
    }

    /// A line for a POSIX shell that makes curl send the request as a networking would, with the headers of its delegate.
    ///
    /// - Throws: `RequestError` if the parts make no request.
    public func curlCommand(by networking: any Networking) throws -> String {
        try CurlCommand(base.wireRequest(by: networking)).text
    }
}

/// A request as a line for a POSIX shell that makes curl send it.
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
        var request = wire.content.completing(wire.urlRequest)
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

    /// Sorted by name; fields that could not be sent are left out, as are those that curl writes itself.
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

    /// The words for the body, and the bytes to be piped in, if it cannot be a word.
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
        let isPlain = word.isAlphanumeric(or: "%+,-./:=@_")
        guard !isPlain || word.isEmpty else { return word }
        // Split by scalars: a mark that combines with a quotation mark would hide it from a search by characters.
        let parts = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map { String($0) }.joined(separator: #"'\''"#) + "'"
    }
}
