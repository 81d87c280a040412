// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The requirements that only a networking can be put to.
enum NetworkingRequirements {
    static let all = request + response + publication + decoding + delegate + transformation + cancellation
}
