// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Presentables

/// The reason in the response to a request that was not accepted, in a few lines.
///
/// It reads the errors of JSON:API, problem details (RFC 9457) with the nearest stub if a mock server sends it, and plain text.
struct FailureResponse {
    /// How many lines are shown.
    private static let shownLines = 12
    /// How many characters of each.
    private static let shownCharacters = 240

    private struct Errors: Decodable {
        struct Failure: Decodable {
            let title: String?
            let detail: String?
        }

        let errors: [Failure]
    }

    private struct Problem: Decodable {
        struct Stub: Decodable {
            struct Difference: Decodable {
                let text: String
            }

            let file: String
            let differences: [Difference]
        }

        let title: String?
        let detail: String?
        let nearest: [Stub]?
    }

    let lines: [String]

    init(_ error: ResponseError) {
        let said = Self.said(error).filter { $0.contains { !$0.isWhitespace } }
        let shown = said.prefix(Self.shownLines).map { line in
            TerminalRenderer.plain.styled(String(line.prefix(Self.shownCharacters)), TextStyle())
        }
        lines = said.count > shown.count ? shown + ["…"] : shown
    }

    private static func said(_ error: ResponseError) -> [String] {
        let response = error.response.http.net
        if response.mediaType == "text/plain" {
            return String(decoding: error.body, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        guard response.isJSON else { return [] }
        let decoder = JSONDecoder()
        if let document = try? decoder.decode(Errors.self, from: error.body) {
            return document.errors.map { [$0.title, $0.detail].compactMap(\.self).joined(separator: ": ") }
        }
        guard let problem = try? decoder.decode(Problem.self, from: error.body) else { return [] }
        let nearest = problem.nearest?.first.map { stub in
            ["nearest: \(stub.file)"] + stub.differences.map { "  \($0.text)" }
        }
        return [problem.detail ?? problem.title ?? ""] + (nearest ?? [])
    }
}
