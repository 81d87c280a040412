// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiUpstream

/// The spellings of media types that the stubs of a directory ask for.
///
/// The key of a request is made of texts. So that all spellings of a type (RFC 9110 §8.3.1) have one key, a request is recorded with that of the
/// directory, and with the one form of all in a directory that has none.
struct MediaTypeSpellings {
    /// By the form of each, in the order of the stubs.
    private var known: [String: [String]] = [:]

    /// Takes note of the type that the `request` of a stub asks for.
    mutating func note(_ request: JSONNode) {
        for header in request["headers"]?.object?.members ?? [] where header.name.lowercased() == "content-type" {
            guard let text = header.value[KeyName.equalTo.rawValue]?.string, let form = MediaType.form(of: text),
                known[form]?.contains(text) != true
            else { continue }
            known[form, default: []].append(text)
        }
    }

    /// An exchange whose request names the type of its content as the directory does.
    func spelled(_ exchange: Exchange) -> Exchange {
        var exchange = exchange
        for (index, field) in exchange.requestFields.enumerated() where field.name.lowercased() == "content-type" {
            guard let form = MediaType.form(of: field.value), known[form]?.contains(field.value) != true else {
                continue
            }
            exchange.requestFields[index] = UpstreamField(field.name, known[form]?.first ?? form)
        }
        return exchange
    }
}
