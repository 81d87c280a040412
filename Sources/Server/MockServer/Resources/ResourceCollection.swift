// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import Synchronization

/// A request for a resource, apart from how it came.
struct ResourceRequest: Sendable {
    var method: String
    /// The id of an item, decoded; nil for the collection.
    var id: String?
    var query = ""
    /// Nil if there is none.
    var contentType: String?
    var ifMatch: String?
    var ifNoneMatch: String?
    var body: [UInt8] = []
    /// The seed that new ids are drawn from if they are not numbers.
    var seed: UInt64 = 0
}

/// A collection that a stub serves, with the changes by requests: the rules of the service; it knows nothing of connections.
final class ResourceCollection: Sendable {
    /// Items of a list that is made on an event loop. 200.
    private static let shortList = 200
    /// Items of a collection that is changed on an event loop, which may have to copy the list of them. 10,000.
    private static let shortChange = 10_000
    /// Bytes of a collection whose list is made on an event loop. 64 KiB.
    private static let shortCollection = 64 * 1024
    /// Bytes of content, or of an item, that are worked on by an event loop. 16 KiB.
    private static let shortText = 16 * 1024

    let resource: Resource
    private let initial: ResourceItems

    /// The items, and data derived from them.
    struct State {
        var items: ResourceItems
        /// How many ids have been made that are not numbers.
        var made: UInt64 = 0
        /// The whole list as it was last asked for.
        private(set) var list: List?
        /// Counts the changes.
        private(set) var version: UInt64 = 0

        init(items: ResourceItems) {
            self.items = items
        }

        /// Takes the list away: it does not match the items any more.
        mutating func change() {
            version += 1
            list = nil
        }

        /// Keeps a list that was made of an earlier state, if nothing has changed since.
        mutating func keep(_ list: List, of version: UInt64) {
            if self.version == version { self.list = list }
        }

        mutating func reset(to items: ResourceItems) {
            self.items = items
            made = 0
            change()
        }
    }

    /// A list as text, and its tag.
    struct List {
        let text: [UInt8]
        let entityTag: String
        let count: Int
    }

    let state: Mutex<State>
    /// The writer of changes to the file of the items; nil if they stay here.
    let writer: ResourceWriter?

    init(_ resource: Resource) {
        self.resource = resource
        writer = resource.file.map { ResourceWriter($0, hash: resource.hash) }
        initial = ResourceItems(
            resource.items.map { ResourceItem(id: $0.id, isInteger: $0.isInteger, node: $0.node) })
        state = Mutex(State(items: initial))
    }

    /// Resets the collection to the content of its file when it was read.
    ///
    /// - Parameter tell: called if the file cannot be brought back.
    func reset(tell: @escaping @Sendable (String) -> Void) {
        let old = state.withLock { state in
            let old = state.items
            state.reset(to: initial)
            return old
        }
        writeBack(tell)
        // Letting go of many items takes longer than an event loop has.
        if old.count > Self.shortChange { DispatchQueue.global().async { withExtendedLifetime(old) {} } }
    }

    /// Makes the file follow the items, soon.
    private func writeBack(_ tell: @escaping @Sendable (String) -> Void) {
        writer?.write({ [self] in state.withLock { $0.items.slots }.compactMap { $0?.node } }, tell: tell)
    }

    /// Whether a file that was read with a hash has the content that this collection was made of, or has written last: its earlier content
    /// is another state.
    func isOf(_ hash: UInt64) -> Bool { writer?.hasWritten(hash) ?? (hash == resource.hash) }

    /// Whether a request takes no longer than an event loop has.
    func isShort(_ request: ResourceRequest) -> Bool {
        if request.body.count > Self.shortText { return false }
        if let writer, Self.isChange(request.method), !writer.isShort { return false }
        switch (request.method, request.id) {
        case ("GET", nil), ("HEAD", nil):
            return state.withLock { state in
                state.list != nil && request.query.isEmpty
                    || state.items.count <= Self.shortList && state.items.size <= Self.shortCollection
            }
        case ("PATCH", let id?):
            return !ResourceContent.isPatch(request)
                && state.withLock { state in
                    state.items.count <= Self.shortChange && (state.items[id]?.text.count ?? 0) <= Self.shortText
                }
        case ("POST", nil):
            return request.ifMatch == nil && request.ifNoneMatch == nil
                && state.withLock { $0.items.count <= Self.shortChange }
        case ("PUT", _), ("DELETE", _): return state.withLock { $0.items.count <= Self.shortChange }
        default: return true
        }
    }

    private static func isChange(_ method: String) -> Bool { ["POST", "PUT", "PATCH", "DELETE"].contains(method) }

    /// - Parameters:
    ///   - meter: pays for all work of the request.
    ///   - tell: called with the reason why a change could not be written, if that is new.
    func respond(
        to request: ResourceRequest, meter: Meter = Meter(), tell: @escaping @Sendable (String) -> Void = { _ in }
    ) -> ResourceResponse {
        let methods =
            request.id == nil
            ? ["GET", "HEAD", "OPTIONS", "POST"] : ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "PUT"]
        var response: ResourceResponse
        let isChange = Self.isChange(request.method)
        if isChange, let refusal = writer?.refusal() {
            // A change that could not be written once may be written now: the change after this one finds it done.
            if refusal.status == 500 { writeBack(tell) }
            response = ResourceError(refusal.status, refusal.text).response
            response.reason = refusal.text
            return response
        }
        do throws(ResourceError) {
            switch (request.method, request.id) {
            case ("GET", nil), ("HEAD", nil): response = try list(request, meter)
            case ("POST", nil): response = try create(request)
            case ("GET", let id?), ("HEAD", let id?): response = try read(id, request)
            case ("PUT", let id?): response = try put(id, request)
            case ("PATCH", let id?): response = try patch(id, request, meter)
            case ("DELETE", let id?): response = try delete(id, request)
            case ("OPTIONS", _): response = ResourceResponse(204)
            default:
                throw ResourceError(
                    405,
                    "\(request.method) is not for \(request.id == nil ? "a collection" : "an item"): it answers "
                        + methods.joined(separator: ", "))
            }
        } catch {
            response = error.response
        }
        if response.status == 405 || request.method == "OPTIONS" {
            response.fields.append(WireField("Allow", methods.joined(separator: ", ")))
        }
        if response.status == 415 || request.method == "OPTIONS", request.id != nil {
            response.fields.append(WireField("Accept-Patch", ResourceContent.patchTypes.joined(separator: ", ")))
        }
        if isChange, response.status < 300 { writeBack(tell) }
        response.isHead = request.method == "HEAD"
        return response
    }

    // MARK: Reading

    private func list(_ request: ResourceRequest, _ meter: Meter) throws(ResourceError) -> ResourceResponse {
        let query: ResourceQuery
        do throws(ResourceQuery.Failure) {
            query = try ResourceQuery(request.query)
        } catch {
            throw ResourceError(400, error.text)
        }
        if !query.isPlain {
            let (slots, formerNames) = state.withLock { ($0.items.slots, $0.items.formerNames) }
            let items = slots.compactMap(\.self)
            if let failure = query.unknownName(among: items, formerNames: formerNames, meter), meter.refusals == 0 {
                throw ResourceError(400, failure.text)
            }
        }
        let list = query.isPlain ? wholeList() : self.list(of: query, state.withLock { $0.items.slots }, meter)
        guard meter.refusals == 0 else {
            throw ResourceError(
                422, "the list takes more steps than a request may: ask for less, or by fewer conditions")
        }
        var fields = [WireField("ETag", list.entityTag), WireField("X-Total-Count", "\(list.count)")]
        if let links = query.links(resource.collection, count: list.count) { fields.append(WireField("Link", links)) }
        if let response = try ResourceConditions(request).response(reading: list.entityTag, fields) { return response }
        return ResourceResponse(200, list.text, fields)
    }

    func wholeList() -> List {
        let (known, slots, version) = state.withLock { ($0.list, $0.items.slots, $0.version) }
        if let known { return known }
        let list = self.list(of: nil, slots, Meter())
        state.withLock { $0.keep(list, of: version) }
        return list
    }

    private func list(of query: ResourceQuery?, _ slots: [ResourceItem?], _ meter: Meter) -> List {
        let items = slots.compactMap(\.self)
        let fitting = query?.select(items, meter) ?? items
        let shown = query?.pageOf(fitting) ?? fitting[...]
        var text: [UInt8] = []
        text.reserveCapacity(shown.reduce(32) { $0 + $1.text.count + 1 })
        if let wrap = resource.wrap {
            text.append(UInt8(ascii: "{"))
            JSONWriter.writeString(wrap, to: &text)
            text.append(UInt8(ascii: ":"))
        }
        text.append(UInt8(ascii: "["))
        for (place, item) in shown.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text += item.text
        }
        text.append(UInt8(ascii: "]"))
        if resource.wrap != nil { text.append(UInt8(ascii: "}")) }
        return List(text: text, entityTag: "\"\(ContentHash.of(text).hexadecimal)\"", count: fitting.count)
    }

    private func read(_ id: String, _ request: ResourceRequest) throws(ResourceError) -> ResourceResponse {
        let item = try item(id)
        let fields = [WireField("ETag", item.entityTag)]
        if let response = try ResourceConditions(request).response(reading: item.entityTag, fields) { return response }
        return ResourceResponse(200, item.text, fields)
    }

    func item(_ id: String) throws(ResourceError) -> ResourceItem {
        guard let item = state.withLock({ $0.items[id] }) else { throw missing(id) }
        return item
    }

    func missing(_ id: String) -> ResourceError {
        ResourceError(404, "\(resource.collection) has no item with the \(resource.idName) \(id)")
    }
}
