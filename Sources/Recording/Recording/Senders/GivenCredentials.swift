// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// The credentials that a response gives its client to show from then on: cookies, and replaced values of JSON.
enum GivenCredentials {
    /// - Parameter response: derived of the exchange.
    static func all(
        in exchange: Exchange, _ response: RecordedResponse, _ redactor: Redactor
    ) -> [(value: [UInt8], placeholder: String)] {
        let isLatin1 = exchange.isLatin1
        let sent = exchange.head.fields.filter { $0.name.lowercased() == "set-cookie" }
            .map { exchange.text($0.bytes, isLatin1: isLatin1) }
        let written = response.values(of: "set-cookie")
        var found: [(value: [UInt8], placeholder: String)] = []
        if sent.count == written.count {
            for (sent, written) in zip(sent, written) {
                guard let value = cookie(sent), let placeholder = cookie(written), value != placeholder else {
                    continue
                }
                found.append((Array(value.utf8), placeholder))
            }
        }
        // Most responses give nothing: one without a placeholder need not be parsed.
        guard response.isText, case .bytes(let bytes) = exchange.content.storage,
            case .bytes(let stored) = response.body,
            Placeholders.stand(in: stored), let before = try? JSONParser.parse(bytes),
            let after = try? JSONParser.parse(stored)
        else { return found }
        return found
            + ReplacedValue.all(in: before, replaced: after).compactMap { replaced in
                redactor.name(of: replaced.placeholder).map { (Array(replaced.value.utf8), $0) }
            }
    }

    /// The secrets that a response hands out beside cookies: values of JSON and of queries in its URLs, and those of the URLs in its lines.
    static func handed(
        in exchange: Exchange, _ response: RecordedResponse, _ redactor: Redactor
    ) -> [(value: [UInt8], placeholder: String)] {
        var found: [(value: [UInt8], placeholder: String)] = []
        for line in response.headers where FieldNames.urls.contains(line.name.lowercased()) {
            guard Placeholders.stand(in: line.value) else { continue }
            let written = response.values(of: line.name.lowercased())
            let sent = exchange.head.fields.filter { $0.name.lowercased() == line.name.lowercased() }
            guard sent.count == written.count, let place = written.firstIndex(of: line.value) else { continue }
            found += parameters(String(decoding: sent[place].bytes, as: UTF8.self), line.value, redactor)
        }
        guard response.isText, case .bytes(let bytes) = exchange.content.storage,
            let stored = response.body.text, Placeholders.stand(in: stored),
            let before = try? JSONParser.parse(bytes), let after = try? JSONParser.parse(stored)
        else { return found }
        for replaced in ReplacedValue.all(in: before, replaced: after) {
            if let name = redactor.name(of: replaced.placeholder) {
                found.append((Array(replaced.value.utf8), name))
            } else {
                found += parameters(replaced.value, replaced.placeholder, redactor)
            }
        }
        return found
    }

    /// The values of parameters that were replaced in the URLs of a text.
    private static func parameters(
        _ sent: String, _ written: String, _ redactor: Redactor
    ) -> [(value: [UInt8], placeholder: String)] {
        func parts(_ text: String) -> [Substring] { text.split { "?&;#<>\"\\ ,".utf8.contains($0.asciiValue ?? 0) } }
        let (sent, written) = (parts(sent), parts(written))
        guard sent.count == written.count else { return [] }
        return zip(sent, written).compactMap { sent, written in
            guard sent != written, let sign = sent.firstIndex(ascii: "="),
                let name = written.firstIndex(ascii: "=").flatMap({
                    redactor.name(of: String(written.suffix(behind: $0)))
                })
            else { return nil }
            return (PercentCoding.decode(sent.suffix(behind: sign).utf8, plusIsSpace: true), name)
        }
    }

    /// The value in front of the attributes (RFC 6265 §4.1.1), without quotes.
    private static func cookie(_ line: String) -> String? {
        let pair = line.prefix(before: ";")
        guard let sign = pair.firstIndex(ascii: "=") else { return nil }
        return pair.suffix(behind: sign).filter { $0 != " " && $0 != "\"" }
    }
}
