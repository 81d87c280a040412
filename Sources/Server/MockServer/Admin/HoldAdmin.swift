// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// The holds that responses wait for, as the admin API shows and releases them.
enum HoldAdmin {
    static func resource(_ path: ArraySlice<String>, _ core: ServerCore) -> AdminResource? {
        switch (path.count, path.last) {
        case (0, _): .get { _ in list(core) }
        case (2, "hold"):
            change(path.first ?? "", core) { name, _ in core.holds.hold(name) }
        case (2, "release"):
            change(path.first ?? "", core) { name, names in core.holds.release(name, of: names) }
        default: nil
        }
    }

    private static func list(_ core: ServerCore) -> AdminResource.Content {
        .report(isLong: core.current.set.stubs.count > CurrentFixtures.smallSet) {
            let names = core.holds.known(beside: core.current.set.holds)
            return .list(
                AdminList("holds", count: names.count) { number in
                    let status = core.holds.status(of: names[number])
                    return .object([
                        "name": .string(names[number]), "holds": .bool(status.holds),
                        "waiting": .integer(status.waiting),
                    ])
                })
        }
    }

    /// - Parameter change: is given the name, and those that stubs have.
    private static func change(
        _ written: String, _ core: ServerCore, _ change: @escaping @Sendable (String, [String]) -> Void
    ) -> AdminResource {
        .post { () throws(AdminError) in
            .attempt(isLong: core.current.set.stubs.count > CurrentFixtures.smallSet) { () throws(AdminError) in
                let name = String(decoding: PercentCoding.decode(written.utf8), as: UTF8.self)
                let names = core.current.set.holds
                if let objection = core.holds.objection(to: name, of: names) { throw AdminError(404, objection, 404) }
                change(name, names)
                return .response(AdminResponse.empty)
            }
        }
    }
}
