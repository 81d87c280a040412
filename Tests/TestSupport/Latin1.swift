// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The bytes of a text in ISO 8859-1, one for each scalar.
///
/// - Precondition: no scalar is above U+00FF.
public func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
