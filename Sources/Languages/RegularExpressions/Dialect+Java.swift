// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension RegularExpression.Dialect {
    /// Java's regular expressions, for the patterns of WireMock's mappings.
    package static let java = Self(.stubs, translation: JavaTranslation.translated)

    /// The same, ignoring case.
    package static let javaIgnoringCase = Self(.stubsIgnoringCase, translation: JavaTranslation.translated)

    /// Java's regular expressions for the helpers of templates in WireMock's mappings.
    package static let javaTemplates = Self(.templates, translation: JavaTranslation.translated)
}
