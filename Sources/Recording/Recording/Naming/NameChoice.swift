// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The names that a recording may have: the readable one, then with words that tell it from others, at last with the
/// request's key, and then without folders.
struct NameChoice {
    let all: [FixtureName]
    /// The name that no other request has.
    let last: FixtureName
    /// Without its content.
    let request: DerivedRequest
    private let fileExtension: String
    private let contentExtension: String?

    /// - Parameters:
    ///   - fileExtension: of the first body; empty if there is none.
    ///   - known: the `request` objects of other stubs, by their files.
    init(_ request: DerivedRequest, fileExtension: String, beside known: [String: JSONNode] = [:]) {
        self.init(request, fileExtension, request.content?.fileExtension, known)
    }

    private init(
        _ request: DerivedRequest, _ fileExtension: String, _ contentExtension: String?, _ known: [String: JSONNode]
    ) {
        self.fileExtension = fileExtension
        self.contentExtension = contentExtension
        self.request = request.withoutContent
        let plain = FixtureName(request, fileExtension: fileExtension)
        let further = Self.distinctions(request, from: known[plain.stub])
        let key = [String(request.key.prefix(8))]
        last = FixtureName(request, fileExtension: fileExtension, further: key)
        all =
            [plain] + further.map { FixtureName(request, fileExtension: fileExtension, further: $0) }
            + [last, FixtureName(request, fileExtension: fileExtension, further: key, isFlat: true)]
    }

    /// The names of the same recording beside other stubs, or as that of another request.
    func beside(_ known: [String: JSONNode] = [:], as other: DerivedRequest? = nil) -> NameChoice {
        NameChoice(other ?? request, fileExtension, contentExtension, known)
    }

    /// The words that may stand in a name besides method, path and query before the key: the header fields that another
    /// does not match alike, then the content's parameters.
    private static func distinctions(_ request: DerivedRequest, from other: JSONNode?) -> [[String]] {
        [
            [request.distinction(from: other)].filter { !$0.isEmpty } + request.apart.map { FileNameText.word($0) },
            FileNameText.joined(request.contentItems.map { "\($0.name)-\($0.value)" }),
        ]
    }

    /// The request's matchers of header fields, in words.
    private var distinction: String { request.distinction(from: nil) + request.apart.joined() }

    /// Texts by which requests have the first choice: a request without conditions on header lines before others, then by path, small letters before
    /// others, then by its difference from others.
    var rank: [[UInt8]] {
        let plain = all[0].stub
        return [
            [distinction.isEmpty ? 0 : 1], Array(plain.lowercased().utf8), plain.utf8.map { ~$0 },
            Array(all.map(\.stub).joined(separator: "\n").utf8),
        ]
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

extension DerivedRequest {
    /// The parts of the request from which names are made.
    fileprivate var withoutContent: DerivedRequest {
        var request = self
        request.content = nil
        request.credentials = []
        request.left = [:]
        return request
    }
}
