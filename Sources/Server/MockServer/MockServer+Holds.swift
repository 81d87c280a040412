// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

extension MockServer {
    /// Holds the responses of stubs with this hold, from now on, until `release`.
    ///
    /// They wait from the start; this is for a second look, when they have been released.
    /// - Throws: `MockServerError` if no stub has it.
    public func hold(_ name: String) throws(MockServerError) {
        try check(name)
        core.holds.hold(name)
    }

    /// Lets the responses go that wait for this hold, and those of later requests.
    ///
    ///     try server.add(RequestMatch.get("/cart").respond(json: "[]").hold("cart"))
    ///     async let loading: Void = model.load()
    ///     try await server.expect(.get("/cart"), .once, within: .seconds(2), at: CallSite())
    ///     #expect(model.isLoading)
    ///     try server.release("cart")
    ///     try await loading
    ///
    /// - Throws: `MockServerError` if no stub has it, and no response waits for it whose stub is gone.
    public func release(_ name: String) throws(MockServerError) {
        core.holds.release(name, of: try check(name))
    }

    /// - Returns: the names that stubs have.
    @discardableResult
    private func check(_ name: String) throws(MockServerError) -> [String] {
        let names = core.current.set.holds
        if let objection = core.holds.objection(to: name, of: names) { throw MockServerError(.holdUnknown(objection)) }
        return names
    }
}
