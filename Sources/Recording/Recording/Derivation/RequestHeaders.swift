// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets

/// The treatment of the header fields of a request: none is written but those named here, and those that tell its response from another.
enum RequestHeaders {
    /// Written beside the recording; names in lower case.
    static func isKept(_ name: String) -> Bool {
        forms.contains(name) || name == "content-type" || name == "content-language" || isMatched(name)
    }

    /// Whether a field, named in lower case, says in which form, language or version a response is wanted: earlier recordings matched it if
    /// the response's Vary named it.
    static func mayVary(_ name: String) -> Bool { forms.contains(name) || name == "content-language" }

    private static let forms: Set<String> = ["accept", "accept-language", "prefer", "api-version", "x-api-version"]

    /// Whether a field, named in lower case, is a part of each request that has it: it names the operation, the version of the
    /// interface, or whose data are asked for.
    static func isMatched(_ name: String) -> Bool {
        operations.contains(name) || accounts.contains(name) || versions.contains(name)
    }

    private static let operations: Set<String> = [
        "x-amz-target", "soapaction", "x-http-method-override", "x-http-method", "x-method-override", "depth",
        "git-protocol", "x-goog-upload-command", "dropbox-api-arg",
    ]

    private static let versions: Set<String> = [
        "stripe-version", "notion-version", "anthropic-version", "x-github-api-version", "x-ms-version",
        "square-version", "accept-version", "intercom-version", "linkedin-version", "api-version", "x-api-version",
        "x-amz-api-version", "revision", "odata-version", "odata-maxversion", "mcp-protocol-version",
    ]

    private static let accounts: Set<String> = [
        "x-tenant", "x-tenant-id", "x-tenantid", "tenant", "tenant-id", "xero-tenant-id", "stripe-account",
        "stripe-context", "openai-organization", "openai-project", "x-organization", "x-organization-id", "x-org-id",
        "x-account", "x-account-id", "account-id", "x-workspace-id", "x-project-id", "x-goog-user-project",
        "x-scope-orgid", "accept-profile", "content-profile",
    ]

    /// Whether a field, named in lower case, selects the response by its nature.
    static func selects(_ name: String) -> Bool {
        isMatched(name) || forms.contains(name) || conditions.contains(name)
            || ["-version", "-tenant", "-tenant-id", "-account", "-account-id"].contains(where: name.hasSuffix)
                && !tellsOfClient(name)
    }

    private static let conditions: Set<String> = [
        "if-match", "if-none-match", "if-unmodified-since", "if-modified-since", "range", "overwrite", "lock-token",
        "hx-request", "hx-target", "x-requested-with", "x-inertia", "turbo-frame", "content-language", "content-type",
    ]

    /// Whether a field, named in lower case, says which client asks and how it came to ask.
    static func tellsOfClient(_ name: String) -> Bool {
        clients.contains(name) || clientPrefixes.contains(where: name.hasPrefix)
    }

    private static let clients: Set<String> = [
        "user-agent", "referer", "origin", "cache-control", "pragma", "priority", "dnt", "upgrade-insecure-requests",
        "from", "via", "forwarded", "save-data", "x-client-version", "x-app-version", "x-sdk-version",
    ]

    private static let clientPrefixes = ["sec-", "x-forwarded-", "x-stainless-", "x-client-", "x-sdk-", "x-datadog-"]

    /// Whether a field, named in lower case, may decide about the response at all: not those of the connection and the coding, of one request or of the
    /// moment, of credentials, and of the type of the content, which is matched anyway.
    ///
    /// - Parameter hasContent: whether the request has content: without, the type that it names is a line like others.
    static func mayDecide(_ name: String, hasContent: Bool = true) -> Bool {
        if name == "content-type" { return !hasContent }
        if ofRequest.contains(name) || credentials.contains(name) || cookies.contains(name) { return false }
        if ofRequestPrefixes.contains(where: name.hasPrefix) { return false }
        return name.hasPrefix("x-goog-") || ResponseHeaders.treatment(of: name) != .dropped
    }

    private static let ofRequest: Set<String> = [
        "host", "content-length", "content-encoding", "content-md5", "content-digest", "repr-digest",
        "digest", "accept-encoding", "expect", "te", "x-amz-date", "x-amz-content-sha256", "x-ms-date",
        "x-ms-client-request-id", "idempotency-key", "x-idempotency-key", "signature", "signature-input",
        "proxy-authorization", "x-request-start", "x-timestamp", "x-nonce",
    ]

    private static let ofRequestPrefixes = ["amz-sdk-"]

    /// Fields whose values are never written: they are matched as present.
    static let credentials = CredentialNames.headers

    /// Fields that a request is sent with and that say nothing of the response: reported as redacted, and neither
    /// written nor matched.
    static let cookies = CredentialNames.cookies
}
