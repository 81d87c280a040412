// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// The matchers that tell the requests of one sender from the same of another, with nothing in them that is a secret.
struct Distinction {
    /// The word for it in the names of files.
    var word: String
    /// The description of it for reports.
    var note: String
    /// The placeholder that a client is to send, where nothing else tells it from others.
    var placeholder: String?
    var headers: [JSONObject.Member] = []
    var cookies: [JSONObject.Member] = []
    var parameters: [JSONObject.Member] = []
    var patterns: [JSONNode] = []

    /// Whether it asks for no more things than the stub that answers the others, which it has to go before.
    var needsPriority: Bool {
        !headers.isEmpty || !parameters.isEmpty || cookies.contains { $0.value["equalTo"] != nil }
    }

    /// The same request, asked for of this sender alone.
    func applied(to request: DerivedRequest, origin: String) -> DerivedRequest {
        var members = request.node.object?.members ?? []
        set(headers, in: "headers", of: &members, ignoringCase: true)
        set(parameters, in: "queryParameters", of: &members, ignoringCase: false)
        set(cookies, in: "cookies", of: &members, ignoringCase: false)
        if !patterns.isEmpty {
            let known = members.first { $0.name == "bodyPatterns" }?.value.array ?? []
            members.removeAll { $0.name == "bodyPatterns" }
            members.append(.init(name: "bodyPatterns", value: .array(known + patterns)))
        }
        var request = request
        request.node = JSONNode(.object(JSONObject(members)))
        request.key = RequestKey.of(request.node, origin: origin)
        request.sender = word
        request.priority = needsPriority ? 4 : nil
        return request
    }

    private func set(
        _ matchers: [JSONObject.Member], in key: String, of members: inout [JSONObject.Member], ignoringCase: Bool
    ) {
        if matchers.isEmpty { return }
        var inner = members.first { $0.name == key }?.value.object?.members ?? []
        for matcher in matchers {
            let place = inner.firstIndex {
                ignoringCase ? $0.name.lowercased() == matcher.name.lowercased() : $0.name == matcher.name
            }
            if let place {
                inner[place] = .init(name: inner[place].name, value: matcher.value)
            } else {
                inner.append(matcher)
            }
        }
        let value = JSONNode(.object(JSONObject(inner)))
        if let place = members.firstIndex(where: { $0.name == key }) {
            members[place] = .init(name: key, value: value)
        } else {
            // In front of the content, as stubs are written.
            let place = members.firstIndex { $0.name == "bodyPatterns" } ?? members.endIndex
            members.insert(.init(name: key, value: value), at: place)
        }
    }

    // MARK: Of a credential

    /// Of requests whose credential has a text in it: for a header line at its end, else as a whole.
    static func having(_ text: String, as credential: Credential, word: String, note: String) -> Distinction? {
        var found = Distinction(word: word, note: note)
        let whole = JSONNode.object(["equalTo": .string(text)])
        switch credential.place {
        case .header:
            // After the scheme, where there is one.
            let pattern = "(.* )?" + PatternText.escaped(text)
            found.headers = [.init(name: credential.name, value: .object(["matches": .string(pattern)]))]
        case .cookie(let name): found.cookies = [.init(name: name, value: whole)]
        case .parameter(let name): found.parameters = [.init(name: name, value: whole)]
        case .field(let name): found.patterns = [field(name, PatternText.escaped(text))]
        case .member(let path): found.patterns = [member(path, .string(text))]
        case .elsewhere: return nil
        }
        return found
    }

    /// Of requests whose credential has a word in it that says it is made up.
    static func saying(_ word: String, in credential: Credential) -> Distinction? {
        // The whole word may be the value itself, which is written nowhere.
        let pattern = "(?i).*\(word.dropLast())[\(word.suffix(1))].*"
        let matcher = JSONNode.object(["matches": .string(pattern)])
        var found = Distinction(word: word, note: "\"\(word)\" in \(credential.name)")
        switch credential.place {
        case .header: found.headers = [.init(name: credential.name, value: matcher)]
        case .cookie: return nil
        case .parameter(let name): found.parameters = [.init(name: name, value: matcher)]
        case .field(let name):
            found.patterns = [field(name, "(?i:[^&]*\(word.dropLast())[\(word.suffix(1))][^&]*)")]
        case .member(let path): found.patterns = [member(path, .string("${json-unit.regex}" + pattern))]
        case .elsewhere: return nil
        }
        return found
    }

    private static func field(_ name: String, _ pattern: String) -> JSONNode {
        .object(["matches": .string("(.*&)?\(PatternText.escaped(name))=\(pattern)(&.*)?")])
    }

    private static func member(_ path: [String], _ value: JSONNode) -> JSONNode {
        let node = path.reversed().reduce(value) { inner, name in
            JSONNode(.object(JSONObject([.init(name: name, value: inner)])))
        }
        return .object(["equalToJson": node, "ignoreExtraElements": .bool(true)])
    }
}
