// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// Finds the schemas of a document for one place in a value.
package struct SchemaPlaces {
    /// Schemas for one place. 256.
    private static let limit = 256

    private let document: OpenAPIDocument

    package init(_ document: OpenAPIDocument) {
        self.document = document
    }

    /// A schema with those that it refers to and is composed of.
    package func all(_ schemas: [JSONNode]) -> [JSONNode] {
        var found: [JSONNode] = []
        var seen: Set<Int> = []
        var open = Array(schemas.reversed())
        while let schema = open.popLast(), found.count < Self.limit {
            guard schema.object != nil, seen.insert(schema.offset).inserted else { continue }
            found.append(schema)
            if let reference = schema["$ref"]?.string, let target = document.target(of: reference) {
                open.append(target)
                if document.isOld { continue }
            }
            for keyword in ["allOf", "anyOf", "oneOf", "then", "else"] {
                open += (schema[keyword]?.array ?? schema[keyword].map { [$0] } ?? []).reversed()
            }
        }
        return found
    }

    /// A schema with those that hold wherever it does: those it refers to, and `allOf`.
    private func parts(of schema: JSONNode) -> [JSONNode] {
        var found: [JSONNode] = []
        var seen: Set<Int> = []
        var open = [schema]
        while let schema = open.popLast(), found.count < Self.limit {
            guard schema.object != nil, seen.insert(schema.offset).inserted else { continue }
            let target = schema["$ref"]?.string.flatMap(document.target)
            if let target { open.append(target) }
            // 3.0 knows nothing beside a reference.
            if target != nil, document.isOld { continue }
            found.append(schema)
            open += schema["allOf"]?.array ?? []
        }
        return found
    }

    /// Where it says that a member is write-only (`writeOnly`); nil if it does not, or another of `oneOf` or `anyOf` lets a response have it.
    package func writeOnly(_ name: String, of schemas: [JSONNode]) -> Int? {
        func mark(_ schema: JSONNode) -> Int? {
            guard let property = schema["properties"]?[name] else { return nil }
            let marks = parts(of: property).flatMap { $0.object?.members ?? [] }
            return marks.first { $0.name == "writeOnly" && $0.value.bool == true }?.nameOffset
        }
        let naming = schemas.filter { $0["properties"]?[name] != nil }
        guard let place = naming.lazy.compactMap(mark).first else { return nil }
        let open = Set(naming.filter { mark($0) == nil }.map(\.offset))
        if open.isEmpty { return place }
        // A part of `allOf` says it for the others.
        let isSaid = schemas.contains { schema in
            let parts = parts(of: schema)
            return parts.contains { mark($0) != nil } && open.isSubset(of: parts.map(\.offset))
        }
        return isSaid ? place : nil
    }

    /// The schemas of a member.
    package func member(_ name: String, of schemas: [JSONNode]) -> [JSONNode] {
        all(
            schemas.flatMap { schema -> [JSONNode] in
                if let property = schema["properties"]?[name] { return [property] }
                return schema["additionalProperties"].flatMap { $0.object == nil ? nil : [$0] } ?? []
            })
    }

    /// The schemas of an item.
    package func item(_ index: Int, of schemas: [JSONNode]) -> [JSONNode] {
        all(
            schemas.flatMap { schema -> [JSONNode] in
                if let first = schema["prefixItems"]?.array, first.indices.contains(index) { return [first[index]] }
                return schema["items"].map { [$0] } ?? []
            })
    }

    /// Where a keyword for a place in a value stands.
    ///
    /// - Parameters:
    ///   - pointer: the place (RFC 6901).
    ///   - value: the whole value.
    package func offset(of keyword: String, at pointer: String, in value: JSONNode, schema: JSONNode) -> Int {
        var (schemas, node) = (all([schema]), value)
        for name in JSONPointer.tokens(pointer) {
            let inner: [JSONNode]
            if let array = node.array, let index = Int(name), array.indices.contains(index) {
                inner = item(index, of: schemas)
                node = array[index]
            } else {
                inner = member(name, of: schemas)
                node = node[name] ?? .null
            }
            if inner.isEmpty { break }
            schemas = inner
        }
        for schema in schemas {
            if let place = schema.object?.members.first(where: { $0.name == keyword }) { return place.nameOffset }
        }
        return schemas.first?.offset ?? schema.offset
    }
}
