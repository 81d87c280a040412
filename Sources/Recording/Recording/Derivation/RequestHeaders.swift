// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets

/// The treatment of the header fields of a request.
enum RequestHeaders {
    /// Matched where the response says by Vary that they decide; names in lower case.
    static let kept: Set<String> = [
        "accept", "accept-language", "content-type", "content-language", "prefer", "api-version", "x-api-version",
    ]

    /// Whether a field, named in lower case, is matched only where the response's Vary names it.
    static func mayVary(_ name: String) -> Bool {
        kept.contains(name) && name != "content-type"
    }

    /// Whether a field, named in lower case, is written beside the recording, so that the request can be made again as it was.
    ///
    /// It is what a client says to the service: no credential, and nothing of the connection, of the client itself or of the moment.
    static func isOfRequest(_ name: String) -> Bool {
        if kept.contains(name) { return true }
        if credentials.contains(name) || cookies.contains(name) || CredentialNames.isHeader(name) { return false }
        return !FieldNames.hopByHop.contains(name) && !FieldNames.framing.contains(name) && !others.contains(name)
            && !prefixes.contains(where: name.hasPrefix) && !endings.contains(where: name.hasSuffix)
    }

    /// Bytes of a value that is written. 1 KiB.
    static let valueLimit = 1024

    /// Of the connection, the client, the cache and the moment.
    private static let others: Set<String> = [
        "host", "content-length", "expect", "te", "trailer", "date", "accept-encoding", "accept-charset", "user-agent",
        "origin", "referer", "dnt", "priority", "cache-control", "pragma", "range", "via", "forwarded", "from",
        "traceparent", "tracestate", "baggage", "b3", "sentry-trace", "idempotency-key", "upgrade-insecure-requests",
        "save-data", "http2-settings", "content-encoding", "content-md5", "digest", "content-digest", "age",
        "x-real-ip", "x-amz-date", "x-amz-content-sha256", "x-requested-with", "x-correlationid", "cdn-loop",
        "x-ms-date", "device-memory", "downlink", "ect", "rtt",
    ]
    private static let prefixes = [
        "if-", "sec-", "proxy-", "x-forwarded-", "x-b3-", "x-datadog-", "x-envoy-", "cf-", "x-amzn-trace",
        "access-control-", "x-cloud-trace", "x-mockapi-",
    ]
    private static let endings = [
        "-request-id", "-requestid", "-correlation-id", "-trace-id", "-span-id", "-session-id", "-nonce", "-timestamp",
        "-signature", "-idempotency-key",
    ]

    /// Fields whose values are never written: they are matched as present.
    static let credentials = CredentialNames.headers

    /// Fields that a request is sent with and that say nothing of the response: reported as redacted, and neither
    /// written nor matched.
    static let cookies = CredentialNames.cookies
}
