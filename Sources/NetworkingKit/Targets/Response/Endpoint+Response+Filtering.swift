// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Endpoint.Response {
    /// This response, where its status is one of these.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filter(statusCodes: some RangeExpression<Int>) throws(ProviderError) -> Self {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// This response, where its status is this one.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filter(statusCode: Int) throws(ProviderError) -> Self {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// This response, where its status is 200 to 299.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filterSuccessfulStatusCodes() throws(ProviderError) -> Self {
        try filter(statusCodes: 200...299)
    }

    /// This response, where its status is 200 to 399.
    ///
    /// - Throws: `ProviderError.statusCode`.
    public func filterSuccessfulStatusAndRedirectCodes() throws(ProviderError) -> Self {
        try filter(statusCodes: 200...399)
    }
}
