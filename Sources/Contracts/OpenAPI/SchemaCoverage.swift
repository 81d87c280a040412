// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// Holds values and the schemas of their places against each other both ways: members that no schema names, and members and values of sets that no
/// value has.
package struct SchemaCoverage {
    /// Values that are looked at. 200,000.
    private static let stepLimit = 200_000
    /// Levels that are looked at. 64.
    private static let depthLimit = 64

    /// Something of the document, and whether a fixture has it.
    private struct Entry {
        /// The place of it that was met first.
        let name: String
        var isSeen = false
        var values: [(value: JSONNode, isSeen: Bool)] = []
    }

    private struct Place: Hashable {
        let offset: Int
        var isSet = false
    }

    /// A member of a response that the document does not have.
    package struct Stranger: Sendable {
        /// Whether the document says that it is only written; no schema names it otherwise.
        package let isWriteOnly: Bool
        package let pointer: String
        package let value: JSONNode
        package let offset: Int
        /// Where in the document that stands, or the members that there are.
        package let schemaOffset: Int
    }

    private let places: SchemaPlaces
    private let isForgiven: (JSONNode) -> Bool
    /// Keyed by the place in the document, and whether it is a set.
    private var entries: [Place: Entry] = [:]
    private var steps = 0
    private var strangers: [Stranger] = []
    private var known: Set<String> = []

    /// - Parameter isForgiven: whether a value stands for any other.
    package init(_ document: OpenAPIDocument, isForgiven: @escaping (JSONNode) -> Bool) {
        places = SchemaPlaces(document)
        self.isForgiven = isForgiven
    }

    /// Takes a value of a response.
    ///
    /// - Parameter name: tells the response from others; the places of one name are the same.
    /// - Returns: the members that no schema names, and those that are only written.
    package mutating func take(_ value: JSONNode, schema: JSONNode, name: String) -> [Stranger] {
        strangers = []
        known = []
        walk(value, places.all([schema]), name, "", 0)
        return strangers
    }

    private mutating func walk(
        _ value: JSONNode, _ schemas: [JSONNode], _ name: String, _ pointer: String, _ depth: Int
    ) {
        steps += 1
        guard steps < Self.stepLimit, depth < Self.depthLimit, !schemas.isEmpty else { return }
        switch value.value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                walk(element, places.item(index, of: schemas), name, pointer + "/*", depth + 1)
            }
        case .object(let object): walk(object, schemas, name, pointer, depth)
        case .null: break
        default: note(value, schemas, name + pointer)
        }
    }

    private mutating func walk(
        _ object: JSONObject, _ schemas: [JSONNode], _ name: String, _ pointer: String, _ depth: Int
    ) {
        // A member that is not allowed is a violation, and reported as one.
        let isOpen = schemas.contains { schema in
            ["patternProperties", "additionalProperties", "unevaluatedProperties"].contains { schema[$0] != nil }
        }
        let isListed = schemas.contains { $0["properties"] != nil }
        for schema in schemas {
            for property in schema["properties"]?.object?.members ?? [] {
                let place = Place(offset: property.nameOffset)
                if entries[place] == nil, property.value["deprecated"]?.bool != true,
                    places.writeOnly(property.name, of: [schema]) == nil
                {
                    entries[place] = Entry(name: name + JSONPointer.appending(property.name, to: pointer))
                }
                if object[property.name] != nil { entries[place]?.isSeen = true }
            }
        }
        for member in object.members {
            let place = JSONPointer.appending(member.name, to: pointer)
            let inner = places.member(member.name, of: schemas)
            if let offset = places.writeOnly(member.name, of: schemas), known.insert(place).inserted {
                strangers.append(
                    Stranger(
                        isWriteOnly: true, pointer: place, value: member.value, offset: member.value.offset,
                        schemaOffset: offset))
            }
            if inner.isEmpty, isListed, !isOpen, !schemas.contains(where: { $0["properties"]?[member.name] != nil }),
                known.insert(place).inserted
            {
                strangers.append(
                    Stranger(
                        isWriteOnly: false, pointer: place, value: member.value, offset: member.value.offset,
                        schemaOffset: schemas.first { $0["properties"] != nil }?.offset ?? 0))
            }
            walk(member.value, inner, name, place, depth + 1)
        }
    }

    /// Takes note of a value of a set.
    private mutating func note(_ value: JSONNode, _ schemas: [JSONNode], _ place: String) {
        guard let schema = schemas.first(where: { $0["enum"]?.array != nil }), let list = schema["enum"]?.array,
            list.count <= 64, !isForgiven(value)
        else { return }
        let key = Place(offset: schema["enum"]?.offset ?? 0, isSet: true)
        if entries[key] == nil {
            entries[key] = Entry(name: place, values: list.filter { !$0.isNull }.map { ($0, false) })
        }
        for index in entries[key]?.values.indices ?? 0..<0 where entries[key]?.values[index].value == value {
            entries[key]?.values[index].isSeen = true
        }
    }

    /// The parts of the document that no fixture has: members, and values of sets.
    package var unseen: [(name: String, offset: Int, values: [JSONNode]?)] {
        var unseen: [(name: String, offset: Int, values: [JSONNode]?)] = []
        for (place, entry) in entries {
            if place.isSet {
                let values = entry.values.filter { !$0.isSeen }.map(\.value)
                if !values.isEmpty { unseen.append((entry.name, place.offset, values)) }
            } else if !entry.isSeen {
                unseen.append((entry.name, place.offset, nil))
            }
        }
        return unseen.sorted { ($0.offset, $0.name) < ($1.offset, $1.name) }
    }
}
