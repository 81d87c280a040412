// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The kinds of changes that are told apart; `docs/drift.md` has an example of each and why a client breaks.
package enum DriftID: String, Sendable, CaseIterable {
    case statusChanged = "status-changed"

    // A fixture as a whole.
    case fixtureRemoved = "fixture-removed"
    case fixtureAdded = "fixture-added"
    case fixtureStale = "fixture-stale"

    case placeUnknown = "place-unknown"

    // A fixture that is held against a document of OpenAPI.
    case pathUndocumented = "path-undocumented"
    case methodUndocumented = "method-undocumented"
    case statusUndocumented = "status-undocumented"
    case parameterUndocumented = "parameter-undocumented"
    case parameterMissing = "parameter-missing"
    case mediaTypeUndocumented = "media-type-undocumented"
    case bodyUndocumented = "body-undocumented"
    case headerMissing = "header-missing"
    case schemaType = "schema-type"
    case schemaRequired = "schema-required"
    case schemaEnum = "schema-enum"
    case schemaFormat = "schema-format"
    case schemaLimit = "schema-limit"
    case schemaAdditional = "schema-additional"
    case schemaChoice = "schema-choice"
    case schemaWriteOnly = "schema-write-only"
    case propertyUndocumented = "property-undocumented"
    case operationUnrecorded = "operation-unrecorded"
    case statusUnrecorded = "status-unrecorded"
    case propertyUnrecorded = "property-unrecorded"
    case enumValueUnrecorded = "enum-value-unrecorded"

    // JSON, and formats that are compared as JSON is.
    case propertyRemoved = "property-removed"
    case propertyAdded = "property-added"
    case typeChanged = "type-changed"
    case typeLearned = "type-learned"
    case becameNullable = "became-nullable"
    case integerBecameNumber = "integer-became-number"
    case numberBecameInteger = "number-became-integer"
    case numberLiteralChanged = "number-literal-changed"
    case numberOutOfRange = "number-out-of-range"
    case epochUnitChanged = "epoch-unit-changed"
    case formatChanged = "format-changed"
    case enumValueAdded = "enum-value-added"
    case enumValueRemoved = "enum-value-removed"
    case valueChanged = "value-changed"
    case itemsLearned = "items-learned"
    case itemsEmpty = "items-empty"
    case itemsTooFew = "items-too-few"
    case tupleLengthChanged = "tuple-length-changed"
    case variantAdded = "variant-added"
    case duplicateKey = "duplicate-key"
    case graphQLErrors = "graphql-errors"

    // The body as a whole.
    case bodyMissing = "body-missing"
    case bodyAdded = "body-added"
    case bodyMalformed = "body-malformed"
    case encodingChanged = "encoding-changed"
    case byteOrderMarkAdded = "byte-order-mark-added"
    case mediaTypeMismatch = "media-type-mismatch"
    case columnRemoved = "column-removed"
    case columnAdded = "column-added"
    case columnsReordered = "columns-reordered"
    case delimiterChanged = "delimiter-changed"
    case imageFormatChanged = "image-format-changed"
    case imageDimensionsChanged = "image-dimensions-changed"
    case imageAnimationChanged = "image-animation-changed"
    case imageAlphaChanged = "image-alpha-changed"

    // Header lines.
    case headerRemoved = "header-removed"
    case headerAdded = "header-added"
    case headerChanged = "header-changed"
    case contentTypeChanged = "content-type-changed"
    case charsetChanged = "charset-changed"
    case contentEncodingChanged = "content-encoding-changed"
    case contentLanguageChanged = "content-language-changed"
    case contentDispositionChanged = "content-disposition-changed"
    case cookieRemoved = "cookie-removed"
    case cookieAdded = "cookie-added"
    case cookieAttributeChanged = "cookie-attribute-changed"
    case etagWeakened = "etag-weakened"
    case locationChanged = "location-changed"
    case authSchemeRemoved = "auth-scheme-removed"
    case authSchemeAdded = "auth-scheme-added"
    case methodRemoved = "method-removed"
    case methodAdded = "method-added"
    case linkRelationRemoved = "link-relation-removed"
    case linkRelationAdded = "link-relation-added"
    case varyChanged = "vary-changed"
    case cacheControlChanged = "cache-control-changed"
    case corsChanged = "cors-changed"
    case apiVersionChanged = "api-version-changed"
    case deprecationAdded = "deprecation-added"

    /// The change in words.
    var words: String {
        switch self {
        case .headerRemoved: "is gone"
        case .headerAdded: "is new"
        case .headerChanged: "is another"
        case .graphQLErrors: "errors beside data"
        default: rawValue.split(ascii: "-").joined(separator: " ")
        }
    }
}
