// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// Masks the parts of requests and stubs that are named but not shown: not every reader of a miss or a log may know
/// them.
package struct Confidential {
    /// The text that takes the place of a value.
    private static let mask = "***"

    private let redactor = Redactor()
    private let mediaType: String

    /// The confidential parts of one request.
    ///
    /// - Parameter fields: the header lines of the request, whose credentials are not shown anywhere else either.
    package init(fields: [(name: String, value: String)]) {
        mediaType = fields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        redactor.learn(fields.map { ($0.name, $0.value) })
    }

    /// The value of a header line, or how long it is.
    package func value(of name: String, _ value: String) -> String {
        guard !Self.isHeader(name) else { return value.isEmpty ? "" : "(\(value.utf8.count) bytes)" }
        return redactor.header(name, value).value
    }

    /// Content with names in place of everything that looks like a secret.
    package func content(_ bytes: [UInt8]) -> String {
        String(decoding: redactor.text(bytes, mediaType: mediaType, of: .request).value, as: UTF8.self)
    }

    /// A target, or a pattern for one, without the values of the parameters that are named like secrets.
    package static func target(_ target: String) -> String {
        guard let question = target.utf8.firstIndex(of: ASCII.question) else { return target }
        let start = target.utf8.index(after: question)
        var isMasked = false
        let parameters = target[start...].split(ascii: "&", omittingEmptySubsequences: false).map { parameter in
            let name = parameter.prefix(before: "=")
            let value = Substring(parameter[name.endIndex...].utf8.dropFirst())
            guard !value.isEmpty, isParameter(decoded(name), values: [decoded(value)]) else { return parameter }
            isMasked = true
            return name + "=" + mask
        }
        return isMasked ? target[..<start] + parameters.joined(separator: "&") : target
    }

    /// The words of a command in one line, without the values of header lines, parameters, options and variables that are named like secrets.
    package static func command(_ words: [String]) -> String {
        var isValue = false
        return words.map { word in
            defer { isValue = isCredentialOption(word) }
            return isValue ? mask : shown(word)
        }.joined(separator: " ")
    }

    /// Whether the next word of a command is a user's name and password, or a secret.
    private static func isCredentialOption(_ word: String) -> Bool {
        if ["-u", "--user", "-U", "--proxy-user", "--password", "--token", "--oauth2-bearer"].contains(word) {
            return true
        }
        return word.hasPrefix("--") && !word.utf8.contains(ASCII.equals) && isNamed(word.dropFirst(2))
    }

    private static func isNamed(_ name: Substring) -> Bool {
        isParameter(String(name).lowercased().replacing(bytesOf: "-", with: "_"), values: [])
    }

    private static func shown(_ word: String) -> String {
        let name = word.prefix(before: ":")
        if name.utf8.count < word.utf8.count, !name.isEmpty, !name.utf8.contains(0x20), isHeader(String(name)) {
            return "\(name): \(mask)"
        }
        let variable = word.prefix(before: "=")
        let isVariable = variable.utf8.allSatisfy(ASCII.isToken)
        if variable.utf8.count < word.utf8.count, isVariable, isNamed(variable.drop { $0 == "-" }) {
            return "\(variable)=\(mask)"
        }
        let masked = target(word)
        let redacted = Redactor().text(Array(masked.utf8), mediaType: "text/plain", of: .request).value
        return String(decoding: redacted, as: UTF8.self)
    }

    /// Whether the values of a query parameter, named decoded, are not shown.
    package static func isParameter(_ name: String, values: [String]) -> Bool {
        CredentialNames.isParameter(name, values: values)
    }

    /// Whether the values of a header line are not shown.
    static func isHeader(_ name: String) -> Bool { CredentialNames.isHeader(name) }

    /// Matchers of a request's content for a stub that is shown: they take any value in the place of a secret.
    ///
    /// - Returns: no patterns for content that is not text, or whose form differs each time: a multipart body.
    package static func bodyPatterns(_ body: [UInt8], mediaType: String) -> [BodyMatcher] {
        guard let text = String(validating: body, as: UTF8.self), !mediaType.lowercased().hasPrefix("multipart/")
        else { return [] }
        let redaction = Redactor().text(body, mediaType: mediaType, of: .request)
        if let node = document(body) {
            guard redaction.isRedacted else { return [.equalToJSON(node)] }
            guard let replaced = document(redaction.value) else { return [] }
            return [.equalToJSON(JSONPlaceholder.standing(in: node, for: replaced))]
        }
        guard redaction.isRedacted else { return [.value(.equalTo(text, caseInsensitive: false))] }
        var pieces = [redaction.value[...]]
        // A longer placeholder goes first: a shorter one may be its beginning.
        for placeholder in redaction.placeholders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            pieces = pieces.flatMap { $0.split(separator: Array(placeholder.utf8)) }
        }
        return pieces.map { .value(.contains(String(decoding: $0, as: UTF8.self))) }
    }

    private static func document(_ bytes: [UInt8]) -> JSONNode? {
        guard let node = try? JSONParser.parse(bytes), node.object != nil || node.array != nil else { return nil }
        return node
    }

    private static func decoded(_ text: Substring) -> String {
        QueryText.decoded(text.utf8)
    }
}
