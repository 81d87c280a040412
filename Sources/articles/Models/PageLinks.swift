// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Which page comes next: the first, the one that the last page names, or none.
struct PageLinks {
    /// How many pages are followed.
    static let limit = 1_000

    private enum Next {
        case first
        case link(URL)
        case none
    }

    private var next = Next.first
    private var followed: Set<URL> = []

    var isAtEnd: Bool {
        if case .none = next { true } else { false }
    }

    /// The request for the next page; nil behind the last.
    func request(of api: URL) -> PageRequest? {
        switch next {
        case .first: PageRequest(firstOf: api)
        case .link(let url): PageRequest(link: url)
        case .none: nil
        }
    }

    /// Goes on to what a page names as the next.
    ///
    /// - Throws: `ReadingError` where that page has been read before or is one too many.
    mutating func advance(to link: URL?, from page: URL) throws(ReadingError) {
        guard let link = link.flatMap({ URL(string: $0.relativeString, relativeTo: page)?.absoluteURL }) else {
            next = .none
            return
        }
        guard followed.insert(link).inserted, link != page else { throw .pagesInACircle(link) }
        guard followed.count < Self.limit else { throw .tooManyPages(Self.limit) }
        next = .link(link)
    }
}
