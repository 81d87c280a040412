// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension RegularExpression.Dialect {
    /// Java's own language, for the patterns of WireMock's mappings.
    package static let java = Self(.stubs, translation: JavaTranslation.translated)

    /// The same, letters in any case.
    package static let javaIgnoringCase = Self(.stubsIgnoringCase, translation: JavaTranslation.translated)

    /// That of templates' helpers in Java's language, for the templates of WireMock's mappings.
    package static let javaTemplates = Self(.templates, translation: JavaTranslation.translated)
}
