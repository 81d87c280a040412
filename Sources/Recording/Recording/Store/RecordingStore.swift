// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiStubMatching

/// The recorded stubs of a directory, by the keys of their requests.
struct RecordingStore {
    let root: String
    /// The files that recordings replace; nil if nothing will be undone.
    let earlier: EarlierFiles?
    var names: TakenNames
    private var stubs: [String: RecordedStub] = [:]
    /// The upstreams of requests that are the same but for the upstream, by the requests' keys without one.
    private var origins: [String: Set<String>] = [:]
    /// The `request` objects of the recorded stubs, by their files.
    private(set) var requests: [String: JSONNode] = [:]
    /// The keys of the stubs of a family, by its own.
    private var families: [String: [String]] = [:]
    /// The keys of stubs, by the shapes of their requests, which leave out random-looking values; the first of each.
    private var shapes: [String: String] = [:]
    /// How many stubs name a body file.
    private var references: [String: Int] = [:]
    private(set) var mediaTypes = MediaTypeSpellings()
    private let widened: WidenedStubs
    let foreign: ForeignFixtures

    /// - Throws: if the fixtures cannot be read, or have errors.
    init(root: String, beside earlier: EarlierFiles?) throws(RecordingError) {
        let set: FixtureSet
        do throws(FixtureError) {
            set = try FixtureLoader.load(root: root)
        } catch {
            throw RecordingError(error.description)
        }
        guard set.dialect == .mockapi else {
            throw RecordingError("\(root) is a WireMock root; record into a directory of its own")
        }
        let errors = set.findings.filter { $0.severity == .error }
        if let first = errors.first {
            let others = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
            throw RecordingError(
                "the fixtures in \(root) have errors, which come first: \(first)\(others); mockapi check \(root) prints all"
            )
        }
        self.root = root
        self.earlier = earlier
        names = TakenNames(FixtureLoader.paths(of: root))
        widened = WidenedStubs(set)
        foreign = ForeignFixtures(set)
        for stub in set.stubs {
            countReferences(of: stub.source, path: stub.place.path, 1)
            let ordinal = stub.place.pointer.split(ascii: "/").last.flatMap { Int($0) }
            guard let recorded = RecordedStub(stub.source, path: stub.place.path, ordinal: ordinal, root: root) else {
                continue
            }
            insert(recorded)
        }
    }

    var isEmpty: Bool { stubs.isEmpty }

    func stub(_ key: String) -> RecordedStub? { stubs[key] }

    /// The places whose values vary by the user's word.
    var varying: UnsteadyValues {
        let texts = stubs.values.flatMap { $0.node["recorded"]?[KeyName.varies.rawValue]?.array ?? [] }
        let places = texts.compactMap(\.string).unique.filter { UnsteadyValues([$0]) != nil }
        return UnsteadyValues(places) ?? UnsteadyValues()
    }

    /// The stubs of the requests that differ from one in the values that the response may depend on, and in nothing else.
    func family(of request: DerivedRequest) -> [RecordedStub] {
        (families[request.base] ?? []).compactMap { stubs[$0] }
    }

    /// A recorded stub whose request differs in random-looking values only.
    func like(_ shape: RequestShape) -> RecordedStub? { shapes[shape.key].flatMap { stubs[$0] } }

    /// The recorded stub whose matching was widened by hand so that it matches a request of another key.
    func covering(_ exchange: Exchange) -> RecordedStub? {
        widened.key(matching: exchange).flatMap { stubs[$0] }
    }

    /// The stubs that were recorded for the same request to other upstreams.
    func stubs(of request: JSONNode, otherThan origin: String) -> [RecordedStub] {
        let others = (origins[RequestKey.of(request, origin: "")] ?? []).subtracting([origin])
        return others.sorted().compactMap { stubs[RequestKey.of(request, origin: $0)] }
    }

    /// The hexadecimal digits behind a text in the matchers of stubs with a request's method and path, sorted.
    func words(behind text: String, of request: DerivedRequest) -> [String] {
        let texts = [text, PatternText.escaped(text)]
        var words: Set<String> = []
        func collect(_ node: JSONNode) {
            if let string = node.string {
                for text in texts {
                    guard let range = string.firstRange(of: text) else { continue }
                    let word = string[range.upperBound...].prefix { $0.isHexDigit }
                    if !word.isEmpty { words.insert(String(word)) }
                }
            }
            for element in node.array ?? [] { collect(element) }
            for member in node.object?.members ?? [] { collect(member.value) }
        }
        let places = ["method", "url", "urlPath", "urlPattern", "urlPathPattern"]
        for node in requests.values where places.allSatisfy({ node[$0] == request.node[$0] }) { collect(node) }
        return words.sorted()
    }

    /// Whether a body file is named by no stub but one, and of those that recordings write: a hidden one stays as it is.
    func isOwn(_ path: String) -> Bool { references[path, default: 0] <= 1 && UnfinishedRecording.isFixture(path) }

    /// Notes a stub that was written.
    mutating func replace(_ old: RecordedStub?, with new: RecordedStub) {
        stage(old, as: new)
        if let old { countReferences(of: old.node, path: old.path, -1) }
        countReferences(of: new.node, path: new.path, 1)
    }

    /// Notes a stub that is about to be written.
    mutating func stage(_ old: RecordedStub?, as new: RecordedStub) {
        if let old, old.key != new.key || old.path != new.path { remove(old) }
        names.insert(new.path)
        insert(new)
    }

    /// Forgets a stub that could not be written.
    mutating func unstage(_ new: RecordedStub, as old: RecordedStub?) {
        if stubs[new.key]?.path == new.path { remove(new) }
        requests[new.path] = nil
        if let old { insert(old) }
    }

    /// Takes note of a stub's being in another file and of another request.
    mutating func move(_ old: RecordedStub, to new: RecordedStub) {
        requests[old.path] = nil
        names.remove(old.path)
        replace(old, with: new)
    }

    /// Forgets a stub that is recorded of another request now, or from another upstream.
    private mutating func remove(_ stub: RecordedStub) {
        stubs[stub.key] = nil
        families[stub.base]?.removeAll { $0 == stub.key }
        if let request = stub.request { origins[RequestKey.of(request, origin: "")]?.remove(stub.origin) }
    }

    private mutating func insert(_ stub: RecordedStub) {
        // If two have one key, the first is the recorder's.
        if let other = stubs[stub.key], other.path != stub.path || other.ordinal != stub.ordinal { return }
        stubs[stub.key] = stub
        guard let request = stub.request else { return }
        origins[RequestKey.of(request, origin: ""), default: []].insert(stub.origin)
        requests[stub.path] = request
        mediaTypes.note(request)
        if let shape = RequestShape(request, origin: stub.origin), shapes[shape.key] == nil {
            shapes[shape.key] = stub.key
        }
        if families[stub.base]?.contains(stub.key) != true { families[stub.base, default: []].append(stub.key) }
    }

    private mutating func countReferences(of node: JSONNode, path: String, _ change: Int) {
        let steps = node["responses"]?.array ?? node["response"].map { [$0] } ?? []
        let names = steps.compactMap { $0["bodyFile"]?.string }
        for file in Set(names.compactMap { RecordedStub.resolved($0, from: path) }) {
            references[file, default: 0] += change
        }
    }
}
