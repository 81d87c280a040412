// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// One thing that a stub asks of a request beside method and target.
struct Condition: BitwiseCopyable {
    enum Kind: UInt8 {
        case host, port, scheme, clientIP, pathParameter, query, onlyNamedQuery, header, cookie, basicAuth, form, body,
            multipart

        /// Whether the records' tests stand among the program's.
        var hasTests: Bool {
            switch self {
            case .port, .scheme, .onlyNamedQuery, .multipart: false
            default: true
            }
        }
    }

    enum Quantifier: UInt8 {
        case single, hasExactly, includes
    }

    var kind: Kind
    var quantifier = Quantifier.single
    /// The name in the pool.
    var nameStart: UInt32 = 0
    var nameEnd: UInt32 = 0
    /// The lower half of the name's hash; for a path parameter the number of its variable, `.max` if the template has none; a port;
    /// 1 for the scheme https, 0 for http.
    var nameHash: UInt32 = 0
    /// The first of the tests, which stand side by side; for a multipart body the number of the tests of its parts.
    var test: UInt32 = 0
    var testCount: UInt32 = 1
}
