// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering

/// A path and a document with a line end between them: nothing traps, what RFC 9535 has Jayway's dialect reads too, and each node stands where
/// it is said to. The document's bytes are paid for where it is read (StubFileFuzz), here the values that are looked at.
enum JSONPathFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let cut = bytes.firstIndex(of: 10), let text = String(validating: bytes[..<cut], as: UTF8.self),
            let root = try? JSONParser.parse(Array(bytes[(cut + 1)...]))
        else { return }
        let path = try? JSONPath(parsing: text)
        if let strict = try? JSONPath(parsing: text, dialect: .rfc9535) {
            precondition(path != nil, "Jayway's dialect lacks a path of RFC 9535")
            var allowance = Allowance(steps: 100_000)
            _ = try? strict.result(in: root, allowance: &allowance)
        }
        guard let path else { return }
        var allowance = Allowance(steps: 100_000)
        _ = (try? path.result(in: root, allowance: &allowance)).map { ($0.isPresent, $0.texts) }
        allowance = Allowance(steps: 100_000)
        if let nodes = try? path.nodes(in: root, allowance: &allowance) {
            precondition(nodes.count <= 1 + 100_000 - allowance.steps, "a path selects what it does not pay for")
        }
        allowance = Allowance(steps: 100_000)
        guard let located = try? path.located(in: root, allowance: &allowance) else { return }
        for (location, node) in located.prefix(100) {
            var allowance = Allowance(steps: JSONPathLimits.steps)
            let way = try? JSONPath(parsing: location.normalizedPath, dialect: .rfc9535)
            precondition(way?.steps == location, "a normalized path is read as another")
            precondition((try? way?.nodes(in: root, allowance: &allowance)) == [node], "a node stands elsewhere")
        }
    }
}
