// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiUpstream

/// The spellings of media types that the stubs of a directory ask for.
///
/// The key of a request is made of texts. So that all spellings of a type (RFC 9110 §8.3.1) have one key, a request is recorded with the one form
/// of all, and with that of its stub if there is one already.
struct MediaTypeSpellings {
    /// Those that are not the form of all, by that form.
    private var others: [[UInt8]: Set<String>] = [:]

    /// Takes note of the type that the `request` of a stub asks for.
    mutating func note(_ request: JSONNode) {
        for header in request["headers"]?.object?.members ?? [] where header.name.lowercased() == "content-type" {
            guard let text = header.value[KeyName.equalTo.rawValue]?.string, let form = MediaType.form(of: text),
                form != text
            else { continue }
            others[Array(form.utf8), default: []].insert(text)
        }
    }

    /// An exchange whose request names the type of its content in the form of all spellings, and then in those that stubs have.
    func spelled(_ exchange: Exchange) -> (first: Exchange, others: [Exchange]) {
        guard let index = exchange.requestFields.firstIndex(where: { $0.name.lowercased() == "content-type" }),
            let form = exchange.requestFields[index].bytes.withUnsafeBufferPointer({ MediaType.form(of: $0) })
        else { return (exchange, []) }
        func spelled(_ bytes: [UInt8]) -> Exchange {
            var exchange = exchange
            exchange.requestFields[index].bytes = bytes
            return exchange
        }
        return (spelled(form), (others[form] ?? []).sorted().map { spelled(Array($0.utf8)) })
    }
}
