// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// How a page links to the next.
///
/// A link may be relative. It is followed to the host and the port of the page only, and never from https to http, so that no
/// credentials go if they are not meant to, and no test leaves its server by a link that was recorded elsewhere.
public struct NextLink: Sendable {
    /// `links.next` of a JSON:API document: a string, or an object with `href`; null or nothing on the last page.
    public static let jsonAPI = NextLink { (data: Data) in
        try JSONDecoder().decode(LinkedDocument.self, from: data).links?.next?.href
    }

    private let read: @Sendable (DataResponse) throws -> String?

    /// - Parameter read: gives the link in the content of a page; nil on the last.
    public init(_ read: @escaping @Sendable (Data) throws -> String?) {
        self.read = { try read($0.data) }
    }

    /// - Parameter read: gives the link in the response that is a page, its fields for instance; nil on the last.
    public init(response read: @escaping @Sendable (DataResponse) throws -> String?) {
        self.read = read
    }

    func url(in response: DataResponse, of page: URL) throws -> URL? {
        guard let link = try read(response) else { return nil }
        guard let url = URL(string: link, relativeTo: page)?.absoluteURL else { throw RequestError.link(link) }
        return url
    }
}

/// The links of a JSON:API document (JSON:API 1.1, "Document Links").
private struct LinkedDocument: Decodable {
    struct Links: Decodable {
        let next: Link?
    }

    struct Link: Decodable {
        let href: String

        enum CodingKeys: CodingKey {
            case href
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                href = text
            } else {
                href = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .href)
            }
        }
    }

    let links: Links?
}

/// Fetches pages.
struct PageSource<Element: Sendable>: Sendable {
    struct Page: Sendable {
        let url: URL
        let elements: [Element]
        let next: URL?
    }

    private let load: @Sendable (URL?) async throws -> Page

    init<R: Request>(
        _ first: R, _ networking: any Networking, _ link: NextLink,
        _ elements: @escaping @Sendable (R.Output) throws -> [Element]
    ) {
        load = { url in
            let request: any Request = url.map { first.linked(to: $0) } ?? first
            let response = try await networking.successfulResponse(for: request)
            let here = try url ?? networking.coders.use { try first.urlRequest().url } ?? first.url
            let next = try link.url(in: response, of: here)
            let output = try first.output(of: response, by: networking.coders)
            return Page(url: here, elements: try elements(output), next: next)
        }
    }

    /// - Parameters:
    ///   - url: the URL of the page; nil for the first.
    ///   - seen: the pages before it, in their order; the last links to it.
    /// - Throws: `RequestError` if that link must not be followed.
    func page(at url: URL?, seen: [URL]) async throws -> Page {
        if let url, let page = seen.last {
            guard url.isOnServer(of: page) else { throw RequestError.elsewhere(link: url, page: page) }
            guard !seen.contains(url) else { throw RequestError.loop(url) }
        }
        return try await load(url)
    }
}

extension URL {
    /// Whether host and port are those of another URL, or the default port of https is in the place of that of http.
    fileprivate func isOnServer(of other: URL) -> Bool {
        guard host?.lowercased() == other.host?.lowercased(), host != nil else { return false }
        switch (other.scheme?.lowercased(), scheme?.lowercased()) {
        case ("http", "http"): return (port ?? 80) == (other.port ?? 80)
        case ("https", "https"): return (port ?? 443) == (other.port ?? 443)
        case ("http", "https"): return (port ?? 443) == 443 && (other.port ?? 80) == 80
        default: return false
        }
    }
}

extension Request {
    /// The same request to another URL, which already has its query.
    fileprivate func linked(to url: URL) -> any Request {
        ChangedRequest(original: self, url: url) {
            var request = try urlRequest()
            request.url = url
            return request
        }
    }
}
