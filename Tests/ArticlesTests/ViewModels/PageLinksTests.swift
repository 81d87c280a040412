// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Testing

@testable import articles

struct PageLinksTests {
    private let api = URL(fileURLWithPath: "/api")

    private func page(_ number: Int) throws -> URL {
        try #require(URL(string: "http://127.0.0.1/p?n=\(number)"))
    }

    @Test func aRelativeLinkIsOneOfItsPage() throws {
        var links = PageLinks()
        try links.advance(to: URL(string: "?n=2"), from: try page(1))
        #expect(links.request(of: api)?.url == (try page(2)))
        try links.advance(to: nil, from: try page(2))
        #expect(links.isAtEnd)
        #expect(links.request(of: api) == nil)
    }

    @Test func aPageThatComesAgainIsRefused() throws {
        var links = PageLinks()
        try links.advance(to: try page(2), from: try page(1))
        try links.advance(to: try page(3), from: try page(2))
        let error = try #require(throws: ReadingError.self) { try links.advance(to: try page(2), from: try page(3)) }
        #expect(error.description == "the pages go round in a circle: http://127.0.0.1/p?n=2 comes again")
        #expect(throws: ReadingError.self) { try links.advance(to: try page(1), from: try page(1)) }
    }

    @Test func aThousandPagesAreFollowed() throws {
        var links = PageLinks()
        for number in 2...1_000 { try links.advance(to: try page(number), from: try page(number - 1)) }
        #expect(links.request(of: api)?.url == (try page(1_000)))
        let error = try #require(throws: ReadingError.self) {
            try links.advance(to: try page(1_001), from: try page(1_000))
        }
        #expect(error.description == "there are more than 1000 pages; no more are followed")
    }
}
