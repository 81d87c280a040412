// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The secrets in the header lines of a request.
enum RequestSecrets {
    struct Secret {
        var value: [UInt8]
        var place: String
        var spread = SecretSpread.everywhere
    }

    static func secrets(in name: String, _ value: String, rules: RedactionRules) -> [Secret] {
        let lowered = name.lowercased()
        let place = "header.\(FieldName.shown(name))"
        return Array(value.utf8).withUnsafeBufferPointer { text in
            if lowered == "cookie" { return cookies(text) }
            if lowered == "authorization" || lowered == "proxy-authorization" { return credentials(text, place) }
            if rules.headers.contains(where: { $0.lowercased() == lowered })
                || SecretNames.rule(for: name, use: .header)?.matches(text) ?? false
            {
                return [Secret(value: Array(text), place: place)] + schemeless(text, place)
            }
            return TextScanner.matches(in: text, strictness: .redaction).map {
                Secret(value: $0.value, place: $0.place(in: place, base: place))
            }
        }
    }

    private static func cookies(_ text: Bytes) -> [Secret] {
        text.split(separator: UInt8(ascii: ";")).compactMap { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = CookieText.name(CookieText.trimmed(pair.startIndex..<equals, in: text), in: text)
            let value = CookieText.trimmed(equals + 1..<pair.endIndex, in: text)
            if CookieText.isHarmless(name, text.slice(value)) { return nil }
            return Secret(value: Array(text[value]), place: "cookie.\(name)", spread: CookieText.spread(of: name))
        }
    }

    /// The credentials behind the scheme (RFC 9110 §11.4), and the secrets in them.
    private static func credentials(_ text: Bytes, _ place: String) -> [Secret] {
        guard let space = text.firstIndex(of: UInt8(ascii: " ")) else {
            return [Secret(value: Array(text), place: place)]
        }
        var start = space
        while start < text.count, text[start] == UInt8(ascii: " ") { start += 1 }
        let rest = text.slice(start..<text.count)
        if text.hasInAnyCase("basic", at: 0) { return basic(rest, place) }
        let parameters = FieldParameters.all(in: rest).filter { !$0.value.isEmpty && !isAddressing($0.name) }
        let isOne = rest.allSatisfy(ByteClass.token68.contains) && !rest.dropLast(2).contains(UInt8(ascii: "="))
        let hasName = rest.prefix { $0 != UInt8(ascii: "=") }.allSatisfy(ByteClass.name.contains)
        if isOne || !hasName || parameters.isEmpty { return [Secret(value: Array(rest), place: place)] }
        return parameters.flatMap { parameter in
            // `Credential=` of AWS: the key's name, then date, region and service.
            let value = rest[parameter.value].split(separator: UInt8(ascii: "/")).first.map { Array($0) } ?? []
            let isScoped = parameter.name == "Credential"
            return [
                Secret(
                    value: isScoped ? value : Array(rest[parameter.value]), place: "\(place).\(parameter.name)",
                    spread: parameter.name == "token" || isScoped ? .everywhere : .ifOwn)
            ]
        }
    }

    /// Parameters that name the subject of a request, not its sender.
    private static func isAddressing(_ name: String) -> Bool {
        ["uri", "realm", "algorithm", "qop", "nc", "username", "signedheaders", "headers", "keyid"].contains(
            name.lowercased())
    }

    /// Basic authentication (RFC 7617): as it is sent, user and password, and the password.
    private static func basic(_ text: Bytes, _ place: String) -> [Secret] {
        var secrets = [Secret(value: Array(text), place: place)]
        guard let plain = Base64.decode(text, .found) else { return secrets }
        secrets.append(Secret(value: plain, place: "\(place).credentials"))
        if let colon = plain.firstIndex(of: UInt8(ascii: ":")) {
            secrets.append(Secret(value: Array(plain[(colon + 1)...]), place: "\(place).password"))
        }
        return secrets
    }

    /// The token of a value such as `Bearer x` in a field of its own.
    private static func schemeless(_ text: Bytes, _ place: String) -> [Secret] {
        guard let space = text.lastIndex(of: UInt8(ascii: " ")) else { return [] }
        return [Secret(value: Array(text[(space + 1)...]), place: place)]
    }
}
