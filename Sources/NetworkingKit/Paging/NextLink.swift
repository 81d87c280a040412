// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// How a page says where the next one is.
///
/// A link may be relative. It is followed to the host and the port of the page only, and never from https to http, so that no
/// credentials go where they are not meant to, and no test leaves its server by a link that was recorded elsewhere.
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

    /// - Parameter read: gives the link in the answer that is a page, its fields for instance; nil on the last.
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
