// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The names that a recording may have: the readable one, then with what tells it from others in words, at last with the request's key, and
/// then without folders.
struct NameChoice {
    let all: [FixtureName]
    /// The one that no other request has.
    let last: FixtureName
    /// What the request asks of header lines, in words.
    private let distinction: String
    private let fileExtension: String
    private let contentExtension: String?

    /// - Parameters:
    ///   - fileExtension: of the first body; empty where there is none.
    ///   - opposites: what tells a request without header lines from that of a stub file, where that matches some.
    init(_ request: DerivedRequest, fileExtension: String, opposites: [String: String]) {
        self.fileExtension = fileExtension
        distinction = request.distinction
        contentExtension = request.content?.fileExtension
        let distinctions = Self.distinctions(request, fileExtension, opposites)
        let key = distinctions.last ?? []
        all =
            distinctions.map { FixtureName(request, fileExtension: fileExtension, further: $0) }
            + [FixtureName(request, fileExtension: fileExtension, further: key, isFlat: true)]
        last = FixtureName(request, fileExtension: fileExtension, further: key)
    }

    /// What may stand in a name besides method, path and query: nothing, then the header lines, then the content's
    /// parameters, then the key.
    private static func distinctions(
        _ request: DerivedRequest, _ fileExtension: String, _ opposites: [String: String]
    ) -> [[String]] {
        var all: [[String]] = [[]]
        if !request.distinction.isEmpty {
            all.append([request.distinction])
        } else if let word = opposites[FixtureName(request, fileExtension: fileExtension).stub] {
            all.append([word])
        }
        all.append(FileNameText.joined(request.contentItems.map { "\($0.name)-\($0.value)" }))
        return all + [[String(request.key.prefix(8))]]
    }

    /// Whether its request has the first choice: one that asks nothing of header lines before one that does, then by path, small letters before
    /// others, then by what tells it from others.
    func precedes(_ other: NameChoice) -> Bool {
        guard distinction.isEmpty == other.distinction.isEmpty else { return distinction.isEmpty }
        let (plain, otherPlain) = (all[0].stub, other.all[0].stub)
        guard plain.lowercased() == otherPlain.lowercased() else {
            return plain.lowercased().utf8.lexicographicallyPrecedes(otherPlain.lowercased().utf8)
        }
        guard plain == otherPlain else { return otherPlain.utf8.lexicographicallyPrecedes(plain.utf8) }
        return all.map(\.stub).joined(separator: "\n").utf8.lexicographicallyPrecedes(
            other.all.map(\.stub).joined(separator: "\n").utf8)
    }

    /// The first name whose files are all free.
    func first(in names: TakenNames) -> FixtureName? {
        all.first { name in files(of: name).allSatisfy(names.isFree) }
    }

    /// The files that a new recording of a name has.
    func files(of name: FixtureName) -> [String] {
        let body = fileExtension.isEmpty ? nil : name.body(step: 1, fileExtension: fileExtension)
        return [name.stub, body, contentExtension.map { name.request(fileExtension: $0) }].compactMap { $0 }
    }
}
