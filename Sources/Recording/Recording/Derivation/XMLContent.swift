// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiXMLText

/// XML that was sent, as its stub asks for it: in any white space and order, and with anything in the places of varying values and of secrets.
struct XMLContent {
    /// A matcher of the whole.
    let matcher: BodyMatcher
    /// The content that distinguishes requests with different responses: without secrets, and without values that differ in each message.
    let told: [UInt8]

    /// Bytes of a document that is matched as XML; a longer one is matched as text. 1 MiB.
    private static let limit = 1024 * 1024
    private static let anything = "${xmlunit.ignore}"

    /// - Parameters:
    ///   - replaced: the same with placeholders for secrets.
    /// - Returns: nil if it is not XML, or cannot be read here, and if a secret is in the markup.
    init?(_ bytes: [UInt8], replaced: [UInt8], mediaType: String, unsteady: UnsteadyValues) {
        guard MediaType.isXML(MediaType.essence(of: mediaType)), bytes.count <= Self.limit,
            bytes.firstRange(of: Array("${xmlunit.".utf8)) == nil, let document = try? XMLDocument(parsing: bytes),
            let shown = replaced == bytes ? document : try? XMLDocument(parsing: replaced)
        else { return nil }
        let values = document.values
        let shownValues = shown.values
        guard values.count == shownValues.count,
            zip(values, shownValues).allSatisfy({ $0.name == $1.name && $0.owner == $1.owner }),
            document.normalised(replaced: { _ in "" }) == shown.normalised(replaced: { _ in "" })
        else { return nil }
        let isOpen = zip(values, shownValues).map { $0.text == $1.text && !Self.isOfMessage($0) }
        let isSteady = zip(values, isOpen).map { $1 && !unsteady.variesInXML($0.name.local, $0.text) }
        let text = Self.text(document, keeping: isSteady)
        matcher = Self.matcher(text)
        told =
            isOpen.contains(false)
            ? SentContent.xml(Self.text(document, keeping: isOpen)) : SentContent.value(of: bytes)
    }

    /// A matcher of XML in which `${xmlunit.ignore}` stands for anything.
    static func matcher(_ text: String) -> BodyMatcher {
        var pattern = XMLPattern(Expression(text))
        pattern.enablesPlaceholders = text.contains(anything)
        return .value(.leaf(pattern))
    }

    /// A matcher's XML with anything in the places of values for which this is so; nil if there are none.
    static func text(_ text: String, ignoring isIgnored: (String) -> Bool) -> String? {
        guard let document = try? XMLDocument(parsing: text) else { return nil }
        let kept = document.values.map { !isIgnored($0.text) }
        return kept.contains(false) ? Self.text(document, keeping: kept) : nil
    }

    private static func text(_ document: XMLDocument, keeping isKept: [Bool]) -> String {
        var rest = isKept[...]
        return document.normalised { _ in rest.popFirst() == false ? anything : nil }
    }

    // MARK: Values of one message

    /// Whether a value differs in each message by the standard that names it: times, nonces and ids of Web Services Security (WSS 1.1 §10, UsernameToken
    /// Profile §3.1), of signatures of XML (XML Signature §4), and the id of a message (WS-Addressing §3.2).
    private static func isOfMessage(_ value: XMLDocument.Value) -> Bool {
        let (namespace, local) = (value.name.namespace ?? "", value.name.local)
        if namespace.hasSuffix("wss-wssecurity-utility-1.0.xsd") {
            return ["Created", "Expires"].contains(local) || local == "Id" && value.owner != nil
        }
        if namespace.hasSuffix("wss-wssecurity-secext-1.0.xsd") { return local == "Nonce" }
        if namespace == signatures { return ["SignatureValue", "DigestValue"].contains(local) }
        if namespace.hasSuffix("/addressing") { return local == "MessageID" }
        // References to ids.
        let owner = value.owner?.namespace ?? ""
        return local == "URI" && (owner == signatures || owner.hasSuffix("wss-wssecurity-secext-1.0.xsd"))
            && value.text.hasPrefix("#")
    }

    private static let signatures = "http://www.w3.org/2000/09/xmldsig#"
}
