// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// The option that says by which names the admin API is asked, of commands that have one.
struct AdminNames: ParsableArguments {
    @Option(
        name: .customLong("admin-host"),
        help: ArgumentHelp(
            """
            Answer /__admin under this name, too, such as the name of a service in Compose; repeatable (always: IP \
            addresses, localhost and names below it, the machine's name, that of --host).
            """, valueName: "name"))
    var hosts: [String] = []

    func validate() throws {
        for host in hosts {
            let isName = host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            guard isName, !host.isEmpty else {
                throw ValidationError("--admin-host takes a name such as mocks or mocks.test, without scheme and port")
            }
        }
    }
}
