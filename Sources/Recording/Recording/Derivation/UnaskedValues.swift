// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// Digests of the values that a request had where no stub may ask: lines of one request, secrets, and values with a client's clock in them; in memory only.
///
/// A secret that could be guessed has a digest in memory alone, and no content with such a secret has one.
struct UnaskedValues {
    typealias Place = SentDigests.Place

    private var digests: [Place: [UInt8]] = [:]
    /// The places of secrets, which count for more than others.
    private(set) var secrets: Set<Place> = []
    /// The places of the target and of the content at which a value that was not recorded may be another request.
    private(set) var decidable: Set<Place> = []
    /// The places of values that differ from request to request by themselves: the client's clock, and a signature.
    var moving: Set<Place> = []
    /// The places of secrets that could be guessed: no digest of them is written.
    private var withheld: Set<Place> = []
    /// Those of them that are left out since there are too many.
    private var omitted: Set<Place> = []

    /// Places of a request that get a digest. 256.
    private static let limit = 256
    private static let nothing = SentDigests.content(of: [])
    /// Lines that say how a message comes, beside those of the connection.
    private static let framing = FieldNames.neverTrailers.union(["expect", "accept-encoding"])
    /// Lines that are made of the content, in lower case.
    private static let ofContent: Set<String> = [
        "content-md5", "digest", "content-digest", "repr-digest", "x-amz-content-sha256", "signature",
    ]

    /// - Parameters:
    ///   - request: derived of the exchange.
    ///   - ruledHeaders: names of header lines that are secrets by the user's word, in lower case.
    init(_ exchange: Exchange, _ request: DerivedRequest, ruledHeaders: Set<String>) {
        let left = request.left.keys.compactMap(\.digestPlace)
        let message = SentDigests.Message(
            fields: exchange.requestFields.filter { !exchange.addedFields.contains($0.name.lowercased()) }
                .map { ($0.name, $0.bytes) }, target: Array(exchange.target.utf8), content: exchange.requestBody,
            readsContent: (left + request.credentials.compactMap(\.digestPlace)).contains(where: \.isInContent))
        add(.target, of: message, if: !request.isTargetGuessable)
        if !message[.scheme].isEmpty { add(.scheme, of: message, if: true) }
        add(
            .content, of: message,
            if: !request.isContentGuessable && message.content.count <= SentDigests.contentLimit)
        for name in Set(message.fields.map(\.name)).sorted() {
            let isSecret = RequestHeaders.credentials.contains(name) || ruledHeaders.contains(name)
            if Self.framing.contains(name) || RequestHeaders.cookies.contains(name) { continue }
            if isSecret { secrets.insert(.header(name)) }
            // A stub asks for a line that may decide, unless a secret stands in it.
            let mayHide = isSecret || RequestHeaders.mayDecide(name)
            let isGuessable = mayHide && message[.header(name)].contains(where: SecretScan.isGuessable(line:))
            add(
                .header(name), of: message,
                if: !isGuessable && !(request.isContentGuessable && Self.ofContent.contains(name)))
        }
        for place in left {
            add(place, of: message, if: true)
            decidable.insert(place)
        }
        for credential in request.credentials {
            guard let place = credential.digestPlace, place.isNamed else { continue }
            secrets.insert(place)
            // Items of a list share a place, which has been read as a whole.
            if credential.isGuessable || digests[place] == nil {
                add(place, of: message, if: !credential.isGuessable)
            }
            if UnsteadyValues.isSignature(credential.name) { moving.insert(place) }
            // The code of a sign-in and the like are another each time.
            if !Credential.opens(credential.name) { decidable.insert(place) }
        }
        for (name, value) in message.cookies {
            if Credential.isSession(name) { secrets.insert(.cookie(name)) }
            add(.cookie(name), of: message, if: !SecretScan.isGuessable(value))
        }
    }

    private mutating func add(_ place: Place, of message: SentDigests.Message, if isKept: Bool) {
        if isKept, !withheld.contains(place) {
            guard digests.count < Self.limit else {
                withheld.insert(place)
                omitted.insert(place)
                return
            }
            digests[place] = SentDigests.content(of: message[place])
        } else {
            let isCompared = place != .target && place != .content && digests.count < Self.limit
            digests[place] = isCompared ? SentDigests.content(of: message[place]) : nil
            withheld.insert(place)
        }
    }

    /// nil for a place that is left out.
    subscript(place: Place) -> [UInt8]? { withheld.contains(place) ? nil : compared(place) }

    /// The same with secrets that could be guessed, which is written nowhere.
    func compared(_ place: Place) -> [UInt8]? { digests[place] ?? (withheld.contains(place) ? nil : Self.nothing) }

    /// The same values with the secrets of the target and of the content that could be guessed, to be compared.
    var comparing: UnaskedValues {
        var values = self
        values.withheld = withheld.filter { !$0.isNamed || digests[$0] == nil }
        return values
    }

    var places: Set<Place> { Set(digests.keys).subtracting(withheld) }

    /// Leaves out the places whose values vary by the user's word.
    mutating func settle(_ unsteady: UnsteadyValues) { decidable = decidable.filter { !unsteady.names($0) } }

    /// The places at which none of other requests had the same value, though requests are told apart there.
    func deciding(beside others: [UnaskedValues]) -> [Place] {
        decidable.filter { place in
            guard let own = digests[place] else { return false }
            return !others.isEmpty && others.allSatisfy { $0.compared(place).map { $0 != own } ?? false }
        }.sorted { $0.text < $1.text }
    }

    /// Whether the value of a place could be guessed.
    func isGuessable(_ place: Place) -> Bool { withheld.contains(place) && !omitted.contains(place) }

    /// Whether a stub of an earlier recording knows each of the secrets that it notes.
    func isKnown(to stub: SentDigests) -> Bool {
        let told = stub.places.filter { secrets.contains($0.place) && places.contains($0.place) }
        return !told.isEmpty
            && told.allSatisfy { told in
                let digest = digests[told.place].map { SentDigests.text(of: $0, at: told.place, in: stub.group) }
                return digest.map { told.steps[$0] != nil } ?? false
            }
    }

    /// The steps of a stub of an earlier recording that were responses to these values; none if they are not known.
    func steps(in stub: SentDigests) -> [Int] {
        var found: Set<Int> = []
        for told in stub.places {
            // A value without a digest is that of steps without one.
            let digest = self[told.place].map { SentDigests.text(of: $0, at: told.place, in: stub.group) }
            guard let steps = digest.map({ told.steps[$0] }) ?? told.undigested else { continue }
            // A place that contradicts an earlier one is ignored.
            let common = found.isEmpty ? Set(steps) : found.intersection(steps)
            if !common.isEmpty { found = common }
        }
        return found.sorted()
    }

    /// Bytes that this takes in memory, about.
    var size: Int { digests.keys.reduce(64) { $0 + 160 + $1.text.utf8.count } }
}

extension Credential {
    /// Whether somebody who has a digest of it could find it out by trying: a word, a password, Basic credentials.
    var isGuessable: Bool {
        if isBasic { return true }
        return switch place {
        case .header, .cookie: SecretScan.isGuessable(value)
        case .parameter(let name): SecretScan.isGuessable(value, of: name)
        case .field, .member, .elsewhere: SecretScan.isGuessable(value, of: nil)
        }
    }
}

extension SentPlace {
    /// The same among those whose values have digests; nil for one that has no name in the target or the content.
    var digestPlace: SentDigests.Place? {
        switch self {
        case .parameter(let name): .parameter(name)
        case .field(let name): .field(QueryText.decoded(name.utf8))
        case .member(let place): .member(place)
        default: nil
        }
    }
}

extension UnsteadyValues {
    /// Whether the user has said that the values of a place vary.
    func names(_ place: SentDigests.Place) -> Bool {
        switch place {
        case .parameter(let name): parameters.contains(name)
        case .field(let name): fields.contains(name)
        case .member(let place): members.contains { $0.matches(place) }
        case .path: hasPaths
        case .header, .cookie, .scheme, .target, .content: false
        }
    }
}
