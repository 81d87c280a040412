// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering
import Testing

/// Paths with what they select of one document, a line each: the path, ` => `, and the nodes as an array.
struct PathTable {
    var document: String
    var lines: String
    var dialect = JSONPath.Dialect.rfc9535

    /// The lines whose nodes are others than said, with what came instead.
    func differences() throws -> [String] {
        let root = try JSONParser.parse(document)
        return lines.split(separator: "\n").compactMap { line in
            let halves = line.split(separator: "=> ", maxSplits: 1, omittingEmptySubsequences: false)
            let path = halves[0].trimmingSpaces
            let actual = Self.text(of: path, in: root, dialect)
            guard halves.count == 2, let expected = try? JSONParser.parse(String(halves[1])),
                let nodes = try? JSONParser.parse(actual), nodes == expected
            else { return "\(line) but \(actual)" }
            return nil
        }
    }

    private static func text(of path: String, in root: JSONNode, _ dialect: JSONPath.Dialect) -> String {
        do {
            var allowance = Allowance(steps: JSONPathLimits.steps)
            let nodes = try JSONPath(parsing: path, dialect: dialect).nodes(in: root, allowance: &allowance)
            return String(decoding: JSONWriter.compact(.array(nodes)), as: UTF8.self)
        } catch {
            return "\(error)"
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

let bookstore = """
    {"store": {"book": [
        {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95},
        {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99},
        {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99},
        {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8", "price": 22.99}
    ], "bicycle": {"color": "red", "price": 399}}}
    """
