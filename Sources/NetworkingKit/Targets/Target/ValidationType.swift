// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which statuses a target takes for a success.
public enum ValidationType: Hashable, Sendable {
    /// Whatever comes.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    case customCodes([Int])

    /// The statuses; empty where all are taken.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Array(200..<300)
        case .successAndRedirectCodes: Array(200..<400)
        case .customCodes(let codes): codes
        }
    }

    func accepts(_ status: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(status)
        case .successAndRedirectCodes: (200..<400).contains(status)
        case .customCodes(let codes): codes.isEmpty || codes.contains(status)
        }
    }
}
