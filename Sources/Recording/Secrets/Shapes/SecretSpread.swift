// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How far a secret is looked for.
enum SecretSpread: Sendable {
    /// It was a credential: everywhere; a phrase as words of their own, and a single word only if it has the same role.
    case everywhere
    /// It may be anything: wherever it looks like nothing else.
    case ifOwn
}
