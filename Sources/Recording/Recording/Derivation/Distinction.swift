// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiSecrets

/// The matchers that tell the requests of one sender from the same of another, with nothing in them that is a secret.
struct Distinction {
    /// The word for it in the names of files.
    var word: String
    /// The description of it for reports.
    var note: String
    /// The placeholder that a client is to send, if nothing else distinguishes it from others.
    var placeholder: String?
    /// Whether it asks for a placeholder.
    private(set) var asksPlaceholder = false
    var headers: [Named] = []
    var cookies: [Named] = []
    var parameters: [Named] = []
    var patterns: [BodyMatcher] = []

    typealias Named = RequestPattern.Named<ValueMatcher>

    /// Whether it has no more conditions than the stub for the others, which it has to go before.
    var needsPriority: Bool {
        !headers.isEmpty || !parameters.isEmpty
            || cookies.contains { if case .equalTo = $0.matcher { true } else { false } }
    }

    /// The same request, asked for of this sender alone.
    func applied(to request: DerivedRequest, origin: String) -> DerivedRequest {
        var pattern = request.pattern
        for header in headers {
            pattern.ask(.header(header.several)) { known in
                guard case .header(let line) = known, line.name.lowercased() == header.name.lowercased() else {
                    return nil
                }
                return .header(.init(line.name, .single(header.matcher)))
            }
        }
        for parameter in parameters {
            pattern.ask(.queryParameter(parameter.several)) { known in
                guard case .queryParameter(let other) = known, other.name == parameter.name else { return nil }
                return .queryParameter(.init(other.name, .single(parameter.matcher)))
            }
        }
        for cookie in cookies {
            pattern.ask(.cookie(cookie)) { known in
                guard case .cookie(let other) = known, other.name == cookie.name else { return nil }
                return .cookie(.init(other.name, cookie.matcher))
            }
        }
        pattern.conditions += patterns.map { .body($0) }
        var request = request
        request.ask(pattern, origin: origin)
        request.distinction = self
        request.priority = needsPriority ? 4 : nil
        return request
    }

    // MARK: By a credential

    /// For requests whose credential has a text in it: in a header line at its end, else as a whole.
    static func having(_ text: String, as credential: Credential, word: String, note: String) -> Distinction? {
        var found = Distinction(word: word, note: note)
        found.asksPlaceholder = true
        // A token is given as a pattern with the name inside, a UUID as a pattern made of the name.
        let token = Placeholders.formPattern(text, like: credential.value)
        let pattern = token.map { "(\(PatternText.escaped(text))|\($0))" } ?? PatternText.escaped(text)
        let whole = token == nil ? ValueMatcher.equal(to: text) : .matching(pattern)
        switch credential.place {
        case .header:
            // After the scheme, if there is one.
            found.headers = [.init(credential.name, .matching("(.* )?" + pattern))]
        case .cookie(let name): found.cookies = [.init(name, whole)]
        case .parameter(let name): found.parameters = [.init(name, whole)]
        case .field(let name): found.patterns = [field(name, pattern)]
        case .member(let path):
            found.patterns = member(path, .string(token == nil ? text : "${json-unit.regex}" + pattern))
        case .elsewhere: return nil
        }
        return found
    }

    /// For requests whose credential has a word in it that says it is made up.
    static func saying(_ word: String, in credential: Credential) -> Distinction? {
        // The whole word may be the value itself, which is written nowhere.
        let pattern = "(?i).*\(word.dropLast())[\(word.suffix(1))].*"
        let matcher = ValueMatcher.matching(pattern)
        var found = Distinction(word: word, note: "\"\(word)\" in \(credential.name)")
        switch credential.place {
        case .header: found.headers = [.init(credential.name, matcher)]
        case .cookie: return nil
        case .parameter(let name): found.parameters = [.init(name, matcher)]
        case .field(let name):
            found.patterns = [field(name, "(?i:[^&]*\(word.dropLast())[\(word.suffix(1))][^&]*)")]
        case .member(let path): found.patterns = member(path, .string("${json-unit.regex}" + pattern))
        case .elsewhere: return nil
        }
        return found
    }

    private static func field(_ name: String, _ pattern: String) -> BodyMatcher {
        .value(.matching("(.*&)?\(PatternText.escaped(name))=\(pattern)(&.*)?"))
    }

    /// None for a place that no document of names alone has.
    private static func member(_ place: JSONPlace, _ value: JSONNode) -> [BodyMatcher] {
        place.document(having: value).map { node in
            [.value(.equalToJSON(node, ignoreArrayOrder: false, ignoreExtraElements: true))]
        } ?? []
    }
}

extension RequestPattern.Named<ValueMatcher> {
    /// The same for a name that may have several values: one of them has to match.
    fileprivate var several: RequestPattern.Named<MultiValueMatcher> { .init(name, .single(matcher)) }
}
