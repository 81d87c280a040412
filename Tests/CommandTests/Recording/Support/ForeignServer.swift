// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server that is not ours, on ports of its own; ended when the last reference goes.
final class ForeignServer {
    let directory: TemporaryDirectory
    private let command: Command
    /// With a slash at the end of none.
    let base: String
    /// Over TLS, where it speaks that too.
    let secureBase: String
    /// The certificate of TLS.
    let authority: String

    struct Failure: Error {
        let text: String
    }

    private init(_ directory: TemporaryDirectory, _ command: Command, ports: [Int], _ identity: ServerIdentity) {
        self.directory = directory
        self.command = command
        base = "http://127.0.0.1:\(ports[0])"
        secureBase = "https://127.0.0.1:\(ports[1])"
        authority = identity.certificate
    }

    /// nginx as one process, with gzip, over TLS by HTTP/2 too.
    ///
    /// - Parameters:
    ///   - directory: what it serves is in `www`.
    ///   - locations: lines of the server's block.
    static func nginx(_ directory: TemporaryDirectory, _ locations: String) async throws -> ForeignServer {
        let identity = try await ServerIdentity(directory)
        return try await start(directory, identity) { ports in
            try directory.write("nginx.conf", configuration(directory.path, ports, identity, locations))
            return ["/usr/bin/env", "nginx", "-p", directory.path, "-c", "\(directory.path)/nginx.conf"]
        } isReady: { _ in
            // It is written once the ports are taken.
            !directory.text("nginx.pid").isEmpty
        }
    }

    /// nghttpd, which speaks HTTP/2 over TLS and nothing else.
    static func nghttpd(_ directory: TemporaryDirectory) async throws -> ForeignServer {
        let identity = try await ServerIdentity(directory)
        return try await start(directory, identity) { ports in
            [
                "/usr/bin/env", "nghttpd", "--address=127.0.0.1", "--htdocs=\(directory.path)/www",
                "--mime-types-file=\(directory.path)/mime.types", "\(ports[1])", identity.key, identity.certificate,
            ]
        } isReady: { ports in
            (try? WireClient(port: ports[1])) != nil
        }
    }

    /// Starts it on free ports, on others where these were taken in the meantime.
    private static func start(
        _ directory: TemporaryDirectory, _ identity: ServerIdentity, _ line: ([Int]) throws -> [String],
        isReady: ([Int]) -> Bool
    ) async throws -> ForeignServer {
        var failure = ""
        for _ in 0..<10 {
            // Below those that the system gives to clients.
            let ports = [Int.random(in: 20_000..<26_000), Int.random(in: 26_000..<32_000)]
            guard ports.allSatisfy({ (try? WireClient(port: $0)) == nil }) else { continue }
            let command = try Command(line: try line(ports))
            var hasEnded = false
            try await until({ (command.hasEnded, isReady(ports)) }) {
                hasEnded = $0
                return $0 || $1
            }
            if !hasEnded { return ForeignServer(directory, command, ports: ports, identity) }
            failure = command.errors
        }
        throw Failure(text: failure)
    }

    private static func configuration(
        _ path: String, _ ports: [Int], _ identity: ServerIdentity, _ locations: String
    ) -> String {
        """
        \(getuid() == 0 ? "user root;" : "")
        daemon off;
        master_process off;
        pid \(path)/nginx.pid;
        error_log stderr crit;
        events {}
        http {
            access_log off;
            client_body_temp_path \(path)/t1;
            proxy_temp_path \(path)/t2;
            fastcgi_temp_path \(path)/t3;
            uwsgi_temp_path \(path)/t4;
            scgi_temp_path \(path)/t5;
            types {
                application/json json;
                text/plain txt;
                image/png png; image/jpeg jpg; image/gif gif; image/webp webp; image/avif avif; image/svg+xml svg; image/x-icon ico;
                font/woff2 woff2; application/pdf pdf; application/octet-stream bin;
            }
            charset utf-8;
            gzip on;
            gzip_min_length 20;
            gzip_types application/json text/plain image/svg+xml;
            gzip_vary on;
            server {
                listen 127.0.0.1:\(ports[0]);
                listen 127.0.0.1:\(ports[1]) ssl http2;
                ssl_certificate \(identity.certificate);
                ssl_certificate_key \(identity.key);
                root \(path)/www;
                \(locations)
            }
        }

        """
    }
}
