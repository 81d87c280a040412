// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiStubMatching

/// The stub that would match an unmatched request, and a free name for its file.
struct StubSuggestion {
    /// How many query parameters a stub is suggested with. 20.
    private static let parameterLimit = 20
    /// The highest number that is tried behind a name that is taken, before a hash is. 9.
    private static let numberLimit = 9
    /// How many segments a name mirrors by folders; of a deeper path the last of them are one name. 32.
    private static let depthLimit = 32

    private let miss: Miss
    /// Each query parameter once, as many as there may be, with its first value; nil if that is a secret.
    private var parameters: [(name: String, value: String?)] = []
    private var parameterCount = 0

    init(_ miss: Miss) {
        self.miss = miss
        guard let question = miss.target.utf8.firstIndex(of: ASCII.question) else { return }
        var names: Set<String> = []
        for (name, value) in QueryText.decodedPairs(of: String(miss.target[miss.target.utf8.index(after: question)...]))
        where names.insert(name).inserted && parameters.count < Self.parameterLimit {
            parameters.append((name, Confidential.isParameter(name, values: [value]) ? nil : value))
        }
        parameterCount = names.count
    }

    /// The plain file that would match, for a path such as that of an image or a script: its content is not JSON that a stub could have; nil for
    /// any other.
    var plainFile: String? {
        guard ["GET", "HEAD"].contains(miss.method), MediaType.isOfPage(path: miss.path) else {
            return nil
        }
        let names = miss.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { String(decoding: PercentCoding.decode($0), as: UTF8.self) }
        guard names.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
            return nil
        }
        let path = (miss.fixtures.dialect == .wireMock ? ["__files"] : []) + names
        return path.joined(separator: "/").printable
    }

    /// The file's name, the conditions that the stub leaves out, and the stub.
    var text: String {
        let patterns = bodyPatterns
        var note = ""
        if parameterCount > parameters.count {
            note += ", here with \(parameters.count) of the \(parameterCount) query parameters"
        }
        if patterns.isEmpty, miss.content.count > 0 {
            note += ", here without a matcher of the request's content (\(Counts.count(miss.content.count, "byte")))"
        }
        let lines = String(decoding: JSONWriter.pretty(stub(patterns)), as: UTF8.self).printableJSON
            .split(ascii: "\n").map { "    " + $0 }
        return "\(file)\(note):\n\n" + lines.joined(separator: "\n")
    }

    /// The stub as a test has it in code, without a matcher of the request's content.
    var code: String {
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        let path = miss.path.debugDescription
        let request =
            known.contains(miss.method)
            ? "RequestMatch.\(miss.method.lowercased())(\(path))"
            : "RequestMatch(\(miss.method.debugDescription), \(path))"
        let query = parameters.map { name, value in
            ".query(\(name.debugDescription), \(value?.debugDescription ?? ".matches(\".+\")"))"
        }
        return "\(request)\(query.joined()).respond(json: \"{}\")".printable
    }

    // MARK: The stub

    private var bodyPatterns: [BodyMatcher] {
        miss.content.bytes.isEmpty
            ? [] : Confidential.bodyPatterns(miss.content.bytes, mediaType: miss.content.mediaType)
    }

    private func stub(_ bodyPatterns: [BodyMatcher]) -> JSONNode {
        let query = parameters.map { name, value in
            RequestPattern.Named<MultiValueMatcher>(
                name, .single(value.map { .equalTo($0, caseInsensitive: false) } ?? .matches(Pattern(".+"))))
        }
        let request = RequestPattern(
            method: miss.method, url: .path(miss.path), queryParameters: query, body: bodyPatterns)
        let response = ResponseDefinition(content: .json(.object([:])))
        return StubWriter.stub(request: StubWriter.request(request), steps: [StubWriter.response(response)])
    }

    // MARK: Its file

    /// A name as a recording of the request would have, with a number behind it if that is taken.
    private var file: String {
        let segments = miss.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        let isDeep = segments.count > Self.depthLimit
        let words = segments.suffix(Self.depthLimit).map { String(decoding: PercentCoding.decode($0), as: UTF8.self) }
        let last = words.last ?? ""
        let base = last.isEmpty ? "index" : FileNameText.safe(last)
        let folder = words.dropLast().map { $0.isEmpty ? "_/" : "\(FileNameText.safe($0))/" }.joined()
        if !isDeep, let path = free("\(folder)\(stem(base))") { return path }
        // Too many folders, or a file that stands where one would.
        return free(stem(FileNameText.word(words.joined(separator: "-")))) ?? name("stub-\(hash)")
    }

    private func stem(_ base: String) -> String {
        let method = miss.method == "GET" ? [] : [FileNameText.word(miss.method)]
        let query = FileNameText.joined(parameters.map { "\($0.name)-\($0.value ?? "")" })
        return FileNameText.stem(([base] + method + query).filter { !$0.isEmpty })
    }

    /// The path, or one with a number behind it, under which a file can be made.
    private func free(_ stem: String) -> String? {
        let root = miss.fixtures.root
        let stems = [stem] + (2...Self.numberLimit).map { "\(stem)-\($0)" } + ["\(stem)-\(hash)"]
        return stems.lazy.map(name).first { root.isEmpty || FixtureLoader.isFree($0, in: root) }
    }

    private func name(_ stem: String) -> String {
        miss.fixtures.dialect == .wireMock ? "mappings/\(stem).json" : "\(stem).stub.json"
    }

    private var hash: Substring {
        ContentHash.of(Array("\(miss.method) \(miss.target) ".utf8) + miss.content.bytes).hexadecimal.prefix(8)
    }
}
