// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

/// `mockapi ca`: prints the place of the development CA, so that clients can trust it.
struct CA: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Print the path of the development CA's certificate.",
        discussion: """
            The CA signs the certificates that serve shows TLS clients. It is made on first use and kept in \
            $XDG_STATE_HOME/mockapi or ~/.local/state/mockapi; its key never leaves that directory.

              curl --cacert "$(mockapi ca)" https://localhost:8080/

            For every client of a Debian machine, URLSession included:

              mockapi ca --pem | sudo tee /usr/local/share/ca-certificates/mockapi.crt
              sudo update-ca-certificates
            """)

    @Flag(help: "Print the certificate itself, in PEM.")
    var pem = false

    func run() throws {
        do throws(MockServerError) {
            let authority = try DevelopmentAuthority()
            Output.result(pem ? authority.pem.trimmingLineFeed : authority.certificatePath)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }
}
