// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The schema resources that references can lead to: those of the document, and metaschemas.
struct Resources {
    /// A schema in its document.
    struct Location: Hashable {
        let document: Int
        private let name: ExactName

        var pointer: String { name.text }

        init(document: Int, pointer: String) {
            self.document = document
            name = ExactName(pointer)
        }
    }

    /// A schema that begins with an identifier, or a document's root.
    struct Resource {
        var uri: String
        var version: JSONSchemaVersion
        var location: Location
        var node: JSONNode
        var anchors: [String: (location: Location, node: JSONNode)] = [:]
        var dynamicAnchors: Set<String> = []
        var isRecursive = false
    }

    /// The target of a reference.
    struct Target {
        var location: Location
        var node: JSONNode
        var resource: Int
        /// The name of the dynamic anchor that led there.
        var dynamicAnchor: String?
    }

    private(set) var all: [Resource] = []
    private var byURI: [String: Int] = [:]
    private var byLocation: [Location: Int] = [:]
    /// The schemas that were found, with the resource each is in.
    private var found: [Location: (node: JSONNode, resource: Int)] = [:]
    private var documents = 0

    /// Takes in a document and finds the identifiers in it.
    @discardableResult
    mutating func add(_ document: JSONNode, uri: String, version: JSONSchemaVersion) throws(JSONSchemaError) -> Int {
        let location = Location(document: documents, pointer: "")
        documents += 1
        let root = all.count
        let version = try self.version(of: document, at: location, otherwise: version)
        begin(document, at: location, uri: uri, version: version)
        try scan(document, at: location, in: root)
        return root
    }

    private mutating func begin(_ node: JSONNode, at location: Location, uri: String, version: JSONSchemaVersion) {
        if byURI[uri] == nil { byURI[uri] = all.count }
        byLocation[location] = all.count
        all.append(Resource(uri: uri, version: version, location: location, node: node))
    }

    private func version(
        of node: JSONNode, at location: Location, otherwise version: JSONSchemaVersion
    ) throws(JSONSchemaError) -> JSONSchemaVersion {
        guard let uri = node["$schema"]?.string else { return version }
        guard let named = JSONSchemaVersion(metaschema: uri) else {
            throw JSONSchemaError(
                pointer: location.pointer + "/$schema",
                message: "\"\(uri)\" is not a draft of JSON Schema that is known: there are draft-04, draft-06, "
                    + "draft-07, 2019-09 and 2020-12",
                offset: node["$schema"]?.offset ?? 0)
        }
        return named
    }

    /// Finds identifiers and anchors in a schema and in those within it.
    private mutating func scan(
        _ node: JSONNode, at location: Location, in current: Int
    ) throws(JSONSchemaError) {
        guard let object = node.object else { return }
        var current = current
        var version = all[current].version
        if let id = node[version == .draft4 ? "id" : "$id"]?.string,
            version >= .draft2019 || node["$ref"]?.string == nil
        {
            let (uri, fragment) = SchemaURI.split(id)
            if !uri.isEmpty {
                let absolute = SchemaURI.resolve(uri, base: all[current].uri)
                if location == all[current].location {
                    // The root of a document: it is known by both names.
                    all[current].uri = absolute
                    byURI[absolute] = current
                } else {
                    version = try self.version(of: node, at: location, otherwise: version)
                    current = all.count
                    byURI[absolute] = nil
                    begin(node, at: location, uri: absolute, version: version)
                }
            }
            if version < .draft2019, let fragment, !fragment.isEmpty {
                all[current].anchors[fragment] = (location, node)
            }
        }
        if version >= .draft2019 {
            if let anchor = node["$anchor"]?.string { all[current].anchors[anchor] = (location, node) }
            if version == .draft2020, let anchor = node["$dynamicAnchor"]?.string {
                all[current].anchors[anchor] = (location, node)
                all[current].dynamicAnchors.insert(anchor)
            }
            if version == .draft2019, node["$recursiveAnchor"]?.bool == true, location == all[current].location {
                all[current].isRecursive = true
            }
        }
        guard location.pointer.utf8.count <= JSONSchemaLimits.pointerBytes else {
            throw JSONSchemaError.tooFar(location.pointer, offset: node.offset)
        }
        found[location] = (node, current)
        for member in object.members {
            guard let shape = Vocabulary.shape(of: member.name, in: version) else { continue }
            let inner = Location(
                document: location.document, pointer: JSONPointer.appending(member.name, to: location.pointer))
            switch shape {
            case .schema, .schemas, .schemaOrSchemas:
                try scan(member.value, at: inner, in: current)
                for (position, element) in (member.value.array ?? []).enumerated() {
                    try scan(element, at: inner.child("\(position)"), in: current)
                }
            case .schemaMap, .dependencies:
                for entry in member.value.object?.members ?? [] {
                    try scan(entry.value, at: inner.child(entry.name), in: current)
                }
            default: break
            }
        }
    }

    /// Finds the target of a reference.
    ///
    /// - Throws: if it leads nowhere.
    mutating func target(
        of reference: String, from resource: Int, at pointer: String, offset: Int
    ) throws(JSONSchemaError) -> Target {
        let (relative, fragment) = SchemaURI.split(reference)
        let uri = SchemaURI.resolve(relative, base: all[resource].uri)
        let root: Int
        if relative.isEmpty {
            root = resource
        } else if let known = byURI[uri] {
            root = known
        } else if let version = JSONSchemaVersion(metaschema: uri) {
            if let known = byURI[version.metaschema] {
                root = known
            } else {
                root = try add(Vocabulary.metaschema(of: version), uri: version.metaschema, version: version)
            }
        } else {
            let message =
                "\"\(reference)\" is not in this document, and nothing is fetched: put that schema into "
                + (all[resource].version < .draft2019 ? "definitions" : "$defs")
            throw JSONSchemaError(pointer: pointer, message: message, offset: offset)
        }
        let begin = all[root]
        let name = SchemaURI.decoded(fragment ?? "")
        if name.isEmpty { return Target(location: begin.location, node: begin.node, resource: root) }
        if !name.hasPrefix("/") {
            if let anchor = begin.anchors[name] {
                let isDynamic = begin.dynamicAnchors.contains(name)
                return Target(
                    location: anchor.location, node: anchor.node, resource: root,
                    dynamicAnchor: isDynamic ? name : nil)
            }
            throw JSONSchemaError(pointer: pointer, message: "there is no anchor \"\(name)\" here", offset: offset)
        }
        let direct = Location(document: begin.location.document, pointer: begin.location.pointer + name)
        if let known = found[direct] { return Target(location: direct, node: known.node, resource: known.resource) }
        var target = Target(location: begin.location, node: begin.node, resource: root)
        for token in JSONPointer.tokens(name) {
            guard let inner = target.node.child(token) else {
                throw JSONSchemaError(pointer: pointer, message: "\"\(reference)\" leads nowhere", offset: offset)
            }
            target.node = inner
            target.location = target.location.child(token)
            if let begun = byLocation[target.location] { target.resource = begun }
        }
        return target
    }

    /// The resource of a schema within another.
    func resource(at location: Location, within resource: Int) -> Int { byLocation[location] ?? resource }
}

extension JSONSchemaError {
    /// For a schema whose place is too long to be kept.
    static func tooFar(_ pointer: String, offset: Int) -> JSONSchemaError {
        JSONSchemaError(
            pointer: String(String.UnicodeScalarView(pointer.unicodeScalars.prefix(60))) + "…",
            message: "the JSON Pointer to this schema has more than \(JSONSchemaLimits.pointerBytes) bytes",
            offset: offset)
    }
}

extension Resources.Location {
    func child(_ token: String) -> Resources.Location {
        Resources.Location(document: document, pointer: JSONPointer.appending(token, to: pointer))
    }
}
