// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The name of a key that `StubWriter` writes: the table of keys and the reader take it from here, as does all code that writes a part
/// of a stub.
package enum KeyName: String, CaseIterable, Sendable {
    // A stub.
    case priority, request, response, responses, afterLast, recorded
    case scenarioName, requiredScenarioState, newScenarioState, hold

    // A request.
    case method, url, urlPath, urlPattern, urlPathPattern, urlPathTemplate
    case pathParameters, host, queryParameters, otherQueryParameters, headers, cookies, basicAuthCredentials
    case bodyPatterns, formParameters, multipartPatterns, port, scheme, clientIp
    case username, password
    case matchingType, name, fileName

    // A matcher.
    case equalTo, caseInsensitive, contains, doesNotContain, matches, doesNotMatch, absent
    case equalToJson, ignoreArrayOrder, ignoreExtraElements
    case and, or, not, anything
    case matchesJsonPath, matchesXPath, xPathNamespaces, expression
    case hasExactly, includes
    case binaryEqualTo, graphqlQuery, operationName, variables
    case equalToFile, equalToJsonFile, equalToXmlFile
    case equalToNumber, greaterThanNumber, greaterThanEqualNumber, lessThanNumber, lessThanEqualNumber
    case matchesPathTemplate, matchesIgnoringCase, sha256
    case before, after, equalToDateTime, actualFormat, expectedOffset, expectedOffsetUnit
    case truncateExpected, truncateActual, applyTruncationLast
    case matchesJsonSchema, schemaVersion
    case equalToXml, enablePlaceholders, placeholderOpeningDelimiterRegex, placeholderClosingDelimiterRegex
    case exemptedComparisons, ignoreOrderOfSameNode, namespaceAwareness

    // A response.
    case status, reason, headerCharset, bodyFile, body, jsonBody, base64Body
    case contentEncoding, defaultContentType, contentLength, trailers, rewriteOrigins, ranges, transformers
    case fixedDelayMilliseconds, delayDistribution, chunkedDribbleDelay
    case type, milliseconds, lower, upper, median, sigma, maxValue
    case numberOfChunks, totalDuration
    case fault, afterBytes, bytesPerSecond, errorCode, afterThisStream, scope

    // Where a response came from.
    case from, key, base, by, selects, varies, beside, sent, at, `protocol`, pretty, volatile
    case header, path, kind, place, placeholder, decides, digests
}
