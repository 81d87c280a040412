// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension DataResponse {
    /// A response that no service has sent, for doubles in tests.
    public init(
        to request: any Request, status: Int = 200, headers: [String: String] = [:], data: Data = Data()
    ) throws(URLError) {
        self.init(data: data, http: try .plain(request.url, status: status, headers: headers))
    }
}
