// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension ObjectKey {
    static let request = [
        ObjectKey(
            "method", .string,
            "A method token, case-sensitive, or `ANY`, the default. A stub for `GET` answers `HEAD` as well."),
        ObjectKey(
            "url", .string, "The raw path and query, byte for byte. At most one of the `url…` keys may be there."),
        ObjectKey("urlPath", .string, "The raw path, byte for byte, whatever the query."),
        ObjectKey("urlPattern", .string, "A pattern (PCRE2, full match) over the raw path and query."),
        ObjectKey("urlPathPattern", .string, "A pattern (PCRE2, full match) over the raw path."),
        ObjectKey(
            "urlPathTemplate", .string,
            "A path with variables: `/articles/{id}`. A variable is one segment, `**` is any rest."),
        ObjectKey("pathParameters", .map(.object(.matcher)), "Matchers of the variables of `urlPathTemplate`."),
        ObjectKey(
            "host", .object(.matcher), "A matcher of the host without its port, in lower case."),
        ObjectKey(
            "queryParameters", .map(.object(.multiMatcher)),
            "Matchers of query parameters; names and values are compared decoded."),
        ObjectKey(
            "otherQueryParameters", .choice(["allow", "refuse"]),
            "Whether the query may hold parameters that `queryParameters` does not name; `allow` is the default."),
        ObjectKey("headers", .map(.object(.multiMatcher)), "Matchers of header lines; names in any case."),
        ObjectKey("cookies", .map(.object(.matcher)), "Matchers of cookies; names are case-sensitive."),
        ObjectKey("basicAuthCredentials", .object(.credentials), "The name and password of Basic authentication."),
        ObjectKey("bodyPatterns", .list(.object(.bodyMatcher), minimum: 0), "Matchers of the body; all must match."),
        wireMock("basicAuth", .object(.credentials), insteadOf: "basicAuthCredentials"),
        notYet("formParameters", "\"bodyPatterns\" with \"contains\" looks for a field"),
        notYet("multipartPatterns", "\"bodyPatterns\" with \"contains\" looks into the parts"),
        notYet("port", "serve another directory on that port"), notYet("scheme", "a stub answers http and https alike"),
        notYet("clientIp", "tell clients apart by a header"),
        notYet("customMatcher", "\"bodyPatterns\" and \"headers\" say most of it"),
    ]

    static let credentials = [
        ObjectKey("username", .string, "The name, as it is before Base64."),
        ObjectKey("password", .string, "The password, as it is before Base64."),
    ]

    private static let json = "\"equalToJson\" with \"ignoreExtraElements\" and placeholders looks for a part"
    private static let xml = "\"contains\" or \"matches\" looks for a part of the text"
    private static let dates = "\"matches\" with a pattern takes dates of a form"
    private static let pattern = "\"matches\" with a pattern does it"
    private static let numbers = "\"matches\" with a pattern takes numbers of a form"

    static let matcher = [
        ObjectKey("equalTo", .string, "The whole value."),
        ObjectKey("caseInsensitive", .boolean, "Beside `equalTo`: letters match in any case."),
        ObjectKey("contains", .string, "A part of the value."),
        ObjectKey("doesNotContain", .string, "No part of the value; a missing value matches."),
        ObjectKey("matches", .string, "A pattern (PCRE2) that the whole value matches; the dot matches line ends too."),
        ObjectKey(
            "doesNotMatch", .string, "A pattern (PCRE2) that the whole value does not match; a missing value does."),
        ObjectKey("absent", .boolean, "`true`: the value is not there."),
        ObjectKey(
            "equalToJson", .anything,
            "JSON that the value equals, numbers by value: as JSON, or as a string that holds the JSON text. A string in it may be a placeholder: "
                + "`${json-unit.any-string}`, `any-number`, `any-boolean`, `ignore`, `ignore-element`, or `${json-unit.regex}` and a pattern."
        ),
        ObjectKey("ignoreArrayOrder", .boolean, "Beside `equalToJson`: elements of arrays in any order."),
        ObjectKey(
            "ignoreExtraElements", .boolean,
            "Beside `equalToJson`: members of objects beyond those named; in a WireMock root elements of arrays too."),
        ObjectKey("and", .list(.object(.matcher), minimum: 1), "Matchers that all match."),
        ObjectKey("or", .list(.object(.matcher), minimum: 1), "Matchers of which one matches."),
        ObjectKey("not", .object(.matcher), "A matcher that does not match."),
        wireMock("anything", .anything),
        notYet("matchesJsonPath", json),
        notYet("matchesJsonSchema", json),
        notYet("schemaVersion", json),
        notYet("equalToXml", xml),
        notYet("enablePlaceholders", xml),
        notYet("placeholderOpeningDelimiterRegex", xml),
        notYet("placeholderClosingDelimiterRegex", xml),
        notYet("exemptedComparisons", xml),
        notYet("ignoreOrderOfSameNode", xml),
        notYet("namespaceAwareness", xml),
        notYet("matchesXPath", xml),
        notYet("xPathNamespaces", xml),
        notYet("before", dates),
        notYet("after", dates),
        notYet("equalToDateTime", dates),
        notYet("actualFormat", dates),
        notYet("expectedOffset", dates),
        notYet("expectedOffsetUnit", dates),
        notYet("truncateExpected", dates),
        notYet("truncateActual", dates),
        notYet("applyTruncationLast", dates),
        notYet("matchesPathTemplate", pattern),
        notYet("equalToNumber", numbers),
        notYet("greaterThanNumber", numbers),
        notYet("greaterThanEqualNumber", numbers),
        notYet("lessThanNumber", numbers),
        notYet("lessThanEqualNumber", numbers),
    ]

    static let multiMatcher = [
        ObjectKey(
            "hasExactly", .list(.object(.matcher), minimum: 1),
            "As many values as matchers, and each matcher met by some value."),
        ObjectKey("includes", .list(.object(.matcher), minimum: 1), "Each matcher met by some value."),
    ]

    static let bodyMatcher = [
        ObjectKey("binaryEqualTo", .string, "The body's bytes, in Base64.")
    ]
}
