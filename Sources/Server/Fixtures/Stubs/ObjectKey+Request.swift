// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension ObjectKey {
    static let request = [
        ObjectKey(
            .method, .string,
            "A method token, case-sensitive, or `ANY`, the default. A stub for `GET` answers `HEAD` as well."),
        ObjectKey(
            .url, .string, "The raw path and query, byte for byte. At most one of the `url…` keys may be there."),
        ObjectKey(.urlPath, .string, "The raw path, byte for byte, whatever the query."),
        ObjectKey(.urlPattern, .string, "A pattern (PCRE2, full match) over the raw path and query."),
        ObjectKey(.urlPathPattern, .string, "A pattern (PCRE2, full match) over the raw path."),
        ObjectKey(
            .urlPathTemplate, .string,
            "A path with variables: `/articles/{id}`. A variable is one segment, `**` is any rest."),
        ObjectKey(.pathParameters, .map(.object(.matcher)), "Matchers of the variables of `urlPathTemplate`."),
        ObjectKey(
            .host, .object(.matcher), "A matcher of the host without its port, in lower case."),
        ObjectKey(
            .queryParameters, .map(.object(.multiMatcher)),
            "Matchers of query parameters; names and values are compared decoded."),
        ObjectKey(
            .otherQueryParameters, .choice(["allow", "refuse"]),
            "Whether the query may hold parameters that `queryParameters` does not name; `allow` is the default."),
        ObjectKey(.headers, .map(.object(.multiMatcher)), "Matchers of header lines; names in any case."),
        ObjectKey(.cookies, .map(.object(.matcher)), "Matchers of cookies; names are case-sensitive."),
        ObjectKey(.basicAuthCredentials, .object(.credentials), "The name and password of Basic authentication."),
        ObjectKey(.bodyPatterns, .list(.object(.bodyMatcher), minimum: 0), "Matchers of the body; all must match."),
        ObjectKey(
            .formParameters, .map(.object(.multiMatcher)),
            "Matchers of the fields of a form (application/x-www-form-urlencoded); names and values are compared decoded."
        ),
        ObjectKey(
            .multipartPatterns, .list(.object(.multipart), minimum: 0),
            "Matchers of the parts of a multipart body; all must match."),
        ObjectKey(.port, .integer(1...65535), "The port that the request names, else that of its scheme."),
        ObjectKey(.scheme, .choice(["http", "https"]), "Whether the request came encrypted."),
        ObjectKey(
            .clientIp, .object(.matcher),
            "A matcher of the first `X-Forwarded-For` line, else of the address that the request came from."),
        wireMock("basicAuth", .object(.credentials), insteadOf: "basicAuthCredentials"),
        notYet("customMatcher", "\"bodyPatterns\" and \"headers\" say most of it"),
    ]

    static let credentials = [
        ObjectKey(.username, .string, "The name, as it is before Base64."),
        ObjectKey(.password, .string, "The password, as it is before Base64."),
    ]

    static let multipart = [
        ObjectKey(
            .matchingType, .choice(["ANY", "ALL"]),
            "`ANY`, the default: one part matches all that is asked. `ALL`: every part does."),
        ObjectKey(.name, .string, "The name of the part, as its Content-Disposition says it."),
        ObjectKey(.fileName, .string, "The file name of the part, as its Content-Disposition says it."),
        ObjectKey(.headers, .map(.object(.multiMatcher)), "Matchers of the part's header lines; names in any case."),
        ObjectKey(
            .bodyPatterns, .list(.object(.bodyMatcher), minimum: 0), "Matchers of the part's content; all must match."),
    ]

    static let expression = [
        ObjectKey(.expression, .string, "The path; the matcher beside it gets the result.")
    ]

    static let matcher =
        [
            ObjectKey(.equalTo, .string, "The whole value."),
            ObjectKey(.caseInsensitive, .boolean, "Beside `equalTo`: letters match in any case."),
            ObjectKey(.contains, .string, "A part of the value."),
            ObjectKey(.doesNotContain, .string, "No part of the value; a missing value matches."),
            ObjectKey(
                .matches, .string, "A pattern (PCRE2) that the whole value matches; the dot matches line ends too."),
            ObjectKey(
                .doesNotMatch, .string, "A pattern (PCRE2) that the whole value does not match; a missing value does."),
            ObjectKey(.absent, .boolean, "`true`: the value is not there."),
            ObjectKey(
                .equalToJson, .anything,
                "JSON that the value equals, numbers by value: as JSON, or as a string that holds the JSON text. A string in it may be a placeholder: "
                    + "`${json-unit.any-string}`, `any-number`, `any-boolean`, `ignore`, `ignore-element`, or `${json-unit.regex}` and a pattern."
            ),
            ObjectKey(.ignoreArrayOrder, .boolean, "Beside `equalToJson`: elements of arrays in any order."),
            ObjectKey(
                .ignoreExtraElements, .boolean,
                "Beside `equalToJson`: members of objects beyond those named; in a WireMock root elements of arrays too."
            ),
            ObjectKey(.and, .list(.object(.matcher), minimum: 1), "Matchers that all match."),
            ObjectKey(.or, .list(.object(.matcher), minimum: 1), "Matchers; one must match."),
            ObjectKey(.not, .object(.matcher), "A matcher that does not match."),
            ObjectKey(.anything, .anything, "Any value, also a missing one; the value of this key does not count."),
            ObjectKey(
                .matchesJsonPath, .either([.string, .object(.expression)]),
                "A JSON path that finds something; or an object with the path as `expression` and a matcher of what it finds."
            ),
            ObjectKey(
                .matchesXPath, .either([.string, .object(.expression)]),
                "An XPath (1.0) that finds something; or an object with it as `expression` and a matcher of what it finds."
            ),
            ObjectKey(.xPathNamespaces, .map(.string), "Beside `matchesXPath`: the namespaces of its prefixes."),
        ] + LeafKind.all.flatMap(\.keys)

    static let multiMatcher = [
        ObjectKey(
            .hasExactly, .list(.object(.matcher), minimum: 1),
            "As many values as matchers, and each matcher met by some value."),
        ObjectKey(.includes, .list(.object(.matcher), minimum: 1), "Each matcher met by some value."),
    ]

    static let bodyMatcher = [
        ObjectKey(.binaryEqualTo, .string, "The body's bytes, in Base64."),
        ObjectKey(.equalToFile, .string, "A file beside the stub that holds the body's bytes."),
        ObjectKey(.equalToJsonFile, .string, "A file beside the stub that holds what `equalToJson` would."),
        ObjectKey(.equalToXmlFile, .string, "A file beside the stub that holds what `equalToXml` would."),
        ObjectKey(
            .graphqlQuery, .string,
            "A GraphQL request with this query, white space, commas, comments and the order of selections aside."),
        ObjectKey(.operationName, .string, "Beside `graphqlQuery`: the request's `operationName`."),
        ObjectKey(.variables, .freeObject, "Beside `graphqlQuery`: the request's `variables`, numbers by value."),
    ]
}
