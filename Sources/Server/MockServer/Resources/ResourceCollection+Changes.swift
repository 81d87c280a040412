// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import Synchronization

/// The changes to a collection: each is made from one state and leaves the next, or is made again.
extension ResourceCollection {
    /// How often a change is made again whose item another request has changed meanwhile. 32.
    private static let attempts = 32

    func create(_ request: ResourceRequest) throws(ResourceError) -> ResourceResponse {
        let node = try ResourceContent.object(request)
        let conditions = ResourceConditions(request)
        if !conditions.isEmpty { try conditions.check(changing: wholeList().entityTag) }
        guard let written = node[resource.idName], !written.isNull else {
            return try createWithNewID(node, request.seed)
        }
        guard let id = Resource.id(written) else {
            throw ResourceError(
                422, "\"\(resource.idName)\": expected a string or a whole number, found a value of another kind")
        }
        let item = ResourceItem(id: id.text, isInteger: id.isInteger, node: node)
        guard try add(item) else {
            throw ResourceError(409, "\(resource.collection) has an item with the \(resource.idName) \(id.text)")
        }
        return created(item)
    }

    private func createWithNewID(_ node: JSONNode, _ seed: UInt64) throws(ResourceError) -> ResourceResponse {
        for _ in 0..<Self.attempts {
            let id = newID(seed)
            let item = ResourceItem(
                id: id.string ?? id.number?.literal ?? "", isInteger: id.number != nil,
                node: ResourceContent.with(id, as: resource.idName, in: node))
            if try add(item) { return created(item) }
        }
        throw ResourceError(503, "no new \(resource.idName) was found")
    }

    /// The next whole number if ids are whole numbers; else a UUID; each server makes the same ones in turn.
    private func newID(_ seed: UInt64) -> JSONNode {
        let (integer, count) = state.withLock { state -> (Int?, UInt64) in
            if state.items.hasIntegerIDs, let integer = state.items.reserveInteger() { return (integer, 0) }
            state.made += 1
            return (nil, state.made)
        }
        if let integer { return .integer(integer) }
        let text = Array("\(seed) \(resource.collection) \(count)".utf8)
        let digits = (ContentHash.of(text, seed: 1).hexadecimal + ContentHash.of(text, seed: 2).hexadecimal).utf8
        // Version 4 and the variant of RFC 9562 §5.4.
        var uuid = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { uuid += "-" }
            uuid.unicodeScalars.append(place == 12 ? "4" : place == 16 ? "a" : Unicode.Scalar(digit))
        }
        return .string(uuid)
    }

    private func created(_ item: ResourceItem) -> ResourceResponse {
        ResourceResponse(
            201, item.text,
            [
                WireField("Location", "\(resource.collection)/\(PercentCoding.segment(item.id))"),
                WireField("ETag", item.entityTag),
            ])
    }

    /// Adds an item; false if there is one with its id.
    private func add(_ item: ResourceItem) throws(ResourceError) -> Bool {
        let isAdded = state.withLock { state -> Bool? in
            if state.items[item.id] != nil { return false }
            guard state.items.hasRoom(for: item) else { return nil }
            state.items.append(item)
            state.change()
            return true
        }
        guard let isAdded else { throw full }
        return isAdded
    }

    private var full: ResourceError {
        ResourceError(
            507,
            "a resource has at most \(Resource.itemLimit) items, of \(Resource.sizeLimit / 1_048_576) MiB together")
    }

    /// Replaces an item, or makes one with the id of the path.
    func put(_ id: String, _ request: ResourceRequest) throws(ResourceError) -> ResourceResponse {
        let node = try ResourceContent.object(request)
        let conditions = ResourceConditions(request)
        return try changing(id) { (old) throws(ResourceError) in
            try conditions.check(changing: old?.entityTag)
            let isInteger = old?.isInteger ?? (Int(id).map { String($0) == id } ?? false && hasIntegerIDs)
            return try item(id, isInteger: isInteger, of: node)
        } response: { old, new in
            old == nil ? created(new) : ResourceResponse(200, new.text, [WireField("ETag", new.entityTag)])
        }
    }

    private var hasIntegerIDs: Bool { state.withLock { $0.items.hasIntegerIDs } }

    func patch(_ id: String, _ request: ResourceRequest, _ meter: Meter) throws(ResourceError) -> ResourceResponse {
        // Checked first: an item that does not exist has no content that could be wrong.
        _ = try item(id)
        let patch = try ResourceContent.patch(request)
        let conditions = ResourceConditions(request)
        return try changing(id) { (old) throws(ResourceError) in
            guard let old else { throw missing(id) }
            try conditions.check(changing: old.entityTag)
            let node = try patch.applied(to: old.node, meter)
            guard node.object != nil else {
                throw ResourceError(422, "the patch leaves a \(node.kindName), but an item is an object")
            }
            return try item(id, isInteger: old.isInteger, of: node)
        } response: { _, new in
            ResourceResponse(200, new.text, [WireField("ETag", new.entityTag)])
        }
    }

    /// An item of some content, which has the id of its path or none.
    private func item(_ id: String, isInteger: Bool, of node: JSONNode) throws(ResourceError) -> ResourceItem {
        guard let written = node[resource.idName] else {
            let value = isInteger ? JSONNode.integer(Int(id) ?? 0) : .string(id)
            return ResourceItem(
                id: id, isInteger: isInteger, node: ResourceContent.with(value, as: resource.idName, in: node))
        }
        guard let own = Resource.id(written), own.text.isExactly(id) else {
            throw ResourceError(409, "the \(resource.idName) of an item cannot be changed: the path says \(id)")
        }
        return ResourceItem(id: id, isInteger: own.isInteger, node: node)
    }

    /// Replaces an item, unless somebody else has done so meanwhile: then the new item is made again, from the present one.
    private func changing(
        _ id: String, _ make: (ResourceItem?) throws(ResourceError) -> ResourceItem,
        response: (ResourceItem?, ResourceItem) -> ResourceResponse
    ) throws(ResourceError) -> ResourceResponse {
        for _ in 0..<Self.attempts {
            let old = state.withLock { $0.items[id] }
            let new = try make(old)
            let hasRoom = state.withLock { state -> Bool? in
                guard state.items[id] === old else { return nil }
                guard state.items.hasRoom(for: new) else { return false }
                state.items.replace(with: new)
                state.change()
                return true
            }
            switch hasRoom {
            case true?: return response(old, new)
            case false?: throw full
            case nil: continue
            }
        }
        throw ResourceError(503, "the item was changed \(Self.attempts) times while this change of it was made")
    }

    func delete(_ id: String, _ request: ResourceRequest) throws(ResourceError) -> ResourceResponse {
        let conditions = ResourceConditions(request)
        for _ in 0..<Self.attempts {
            let old = try item(id)
            try conditions.check(changing: old.entityTag)
            let isDeleted = state.withLock { state in
                guard state.items[id] === old else { return false }
                state.items.remove(id)
                state.change()
                return true
            }
            if isDeleted { return ResourceResponse(204) }
        }
        throw ResourceError(503, "the item was changed \(Self.attempts) times while it was to be deleted")
    }
}
