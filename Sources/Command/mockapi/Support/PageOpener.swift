// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRunning

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Opens a page with the system's own program for pages.
enum PageOpener {
    /// The system's command for it, which asks for the user's browser.
    private static var command: String {
        #if canImport(Darwin)
            "open"
        #else
            "xdg-open"
        #endif
    }

    /// Opens a URL and does not wait for that; says so if it cannot.
    static func open(_ url: String) {
        Task {
            do throws(ChildProcess.Failure) {
                let child = try ChildProcess([command, url], environment: [:], streams: .output(STDERR_FILENO))
                let code = await child.wait()
                if code != 0 { Output.note("error: \(command) \(url) ended with \(code)") }
            } catch {
                Output.note("error: \(command) cannot be run: \(error.text); open \(url) yourself")
            }
        }
    }
}
