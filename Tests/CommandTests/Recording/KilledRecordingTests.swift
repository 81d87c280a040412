// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension RecordingEndToEnd {
    /// Recordings that are killed while they write.
    @Suite(.supervised) struct KilledRecordingTests {
        /// Documents that say what they are, so that half a file, or one of two mixed, is seen.
        private enum Document {
            static let count = 60
            private static let targets: [String] = (0..<count).map { number in
                switch number % 4 {
                case 0: "/docs/\(number)"
                case 1: "/images/\(number).png"
                case 2: "/flip/\(number)"
                default: "/docs/list?page=\(number)"
                }
            }

            static func target(_ number: Int) -> String { targets[number] }

            /// What the upstream has of a document in a round; another kind of file in every other round for some.
            static func content(_ number: Int, round: Int) -> [UInt8] {
                let noise = SampleFiles.noise(200 + number * 10, seed: UInt64(round * 1000 + number))
                if number % 4 == 1 {
                    let mark = [UInt8(number), UInt8(round >> 8), UInt8(round & 0xFF)]
                    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + mark + noise
                }
                let words = noise.map { String($0) }.joined(separator: number % 4 == 2 && round % 2 == 1 ? " " : ",")
                if number % 4 == 2, round % 2 == 1 { return Array("\(number) \(round) \(words)\n".utf8) }
                return Array("[\(number), \(round), [\(words)]]".utf8)
            }

            /// Whether these are the bytes of a document in one of the rounds.
            static func isWhole(_ bytes: [UInt8], upTo round: Int) -> Bool {
                guard let (number, of) = mark(bytes), (0..<count).contains(number), (0...round).contains(of) else {
                    return false
                }
                return content(number, round: of) == bytes
            }

            /// When a document of a round was changed last, in seconds since 1970: nginx makes the entity tag of it.
            static func time(_ number: Int, round: Int) -> Int { 1_500_000_000 + round * 1000 + number }

            /// Whether an entity tag is that of the document that these are the bytes of.
            static func isTag(_ tag: String, of bytes: [UInt8]) -> Bool {
                guard let (number, round) = mark(bytes) else { return false }
                return tag.drop { $0 == "W" || $0 == "/" || $0 == "\"" }.hasPrefix(
                    String(time(number, round: round), radix: 16) + "-")
            }

            private static func mark(_ bytes: [UInt8]) -> (number: Int, round: Int)? {
                if bytes.first == 0x89 {
                    return bytes.count > 10 ? (Int(bytes[8]), Int(bytes[9]) << 8 | Int(bytes[10])) : nil
                }
                let numbers = bytes.prefix(20).split { !($0 >= 0x30 && $0 <= 0x39) }.prefix(2)
                    .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
                return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
            }
        }

        /// An upstream whose documents are others in each round.
        private static func nginx() async throws -> ForeignServer {
            let directory = try TemporaryDirectory(["www/none": ""])
            return try await .nginx(
                directory,
                """
                access_log \(directory.path)/asked.log;
                default_type application/json;
                location = /docs/list { try_files /docs/list-$arg_page.json =404; }
                location /docs/ { try_files $uri.json =404; }
                location /flip/ { try_files $uri.txt $uri.json =404; }
                """)
        }

        private static func publish(_ server: ForeignServer, round: Int) throws {
            for number in 0..<Document.count {
                let file =
                    switch number % 4 {
                    case 0: "www/docs/\(number).json"
                    case 1: "www/images/\(number).png"
                    case 2: "www/flip/\(number).\(round % 2 == 1 ? "txt" : "json")"
                    default: "www/docs/list-\(number).json"
                    }
                if number % 4 == 2 {
                    server.directory.remove("www/flip/\(number).txt")
                    server.directory.remove("www/flip/\(number).json")
                }
                try server.directory.write(file, Document.content(number, round: round))
                let time = timeval(tv_sec: Document.time(number, round: round), tv_usec: 0)
                guard utimes("\(server.directory.path)/\(file)", [time, time]) == 0 else {
                    throw ForeignServer.Failure(text: file)
                }
            }
        }

        /// What is wrong in a directory that a killed recording has left.
        private static func faults(in directory: TemporaryDirectory, upTo round: Int) throws -> [String] {
            let set = try FixtureLoader.load(root: directory.path)
            // A stub that names no file is an error.
            var faults = set.findings.filter { $0.severity == .error }.map(\.description)
            faults += set.files.map { "\($0.path) is served without its head" }
            for stub in set.stubs {
                for response in stub.responses {
                    let tag = response.headers.first { $0.name == "ETag" }?.value ?? ""
                    guard case .bytes(let bytes) = response.body, Document.isWhole(bytes, upTo: round),
                        Document.isTag(tag, of: bytes)
                    else {
                        faults.append("\(stub.place.path) has the head \(tag) and another body")
                        continue
                    }
                }
            }
            for (path, bytes) in directory.snapshot() where !path.hasPrefix(".") && !path.hasSuffix(".stub.json") {
                if !Document.isWhole(bytes, upTo: round) { faults.append("\(path) is half: \(bytes.count) bytes") }
            }
            return faults
        }

        /// What Git would commit of what a killed recording has left.
        private static func committed(_ directory: TemporaryDirectory) async throws -> [Substring] {
            try await GitDirectory(directory).commit()
            let end = try await Command(line: ["/usr/bin/env", "git", "-C", directory.path, "ls-files"]).end()
            directory.remove(".git")
            return end.output.split(separator: "\n")
        }

        /// How much the upstream has written of requests.
        private static func asked(_ server: ForeignServer) -> Int {
            var status = stat()
            return stat("\(server.directory.path)/asked.log", &status) == 0 ? Int(status.st_size) : 0
        }

        /// What it writes of all documents, about. 6 kB.
        private static let asking = 6_000

        @Test(arguments: 0..<Thoroughness.rounds(1, thorough: 10))
        func `killed at random moments, what is served are whole responses, and nothing else is committed`(
            part: Int
        ) async throws {
            let server = try await Self.nginx()
            let into = try TemporaryDirectory()
            let seed = UInt64.random(in: 0 ... .max)
            var random = SplitMix(seed: seed)
            let rounds = Thoroughness.rounds(30, thorough: 100)
            var interrupted = 0
            for round in 0..<rounds {
                try Self.publish(server, round: round)
                let isProxied = round % 2 == 0
                let moment = Self.asked(server) + Int.random(in: 0...Self.asking, using: &random)
                let targets = (0..<Document.count).map { Document.target($0) }.shuffled(using: &random)
                let direct = isProxied ? ["--port", "0"] : targets.flatMap { ["--get", $0] }
                let recording = try Command(["record", server.base, "--into", into.path] + direct)
                // Its first line says that it took the directory as the last one left it.
                try await until({ recording.output }, { !$0.isEmpty || recording.hasEnded })
                #expect(recording.errors.isEmpty, "seed \(seed), round \(round): \(recording.errors)")
                let client = try await isProxied ? Self.client(of: recording, targets) : nil
                try await until(
                    { Self.asked(server) >= moment || recording.hasEnded || client?.hasEnded == true }, is: true)
                recording.send(SIGKILL)
                try await recording.ended()
                let files = into.snapshot().keys
                if files.contains(where: { $0.hasPrefix(".mockapi-") }) {
                    interrupted += 1
                    if interrupted < 4 {
                        let committed = try await Self.committed(into)
                        #expect(!committed.isEmpty || files.allSatisfy { $0.hasPrefix(".") })
                        #expect(committed.filter { $0.hasPrefix(".") }.isEmpty, "seed \(seed), round \(round)")
                    }
                }
                _ = try await client?.exitCode()
                let faults = try Self.faults(in: into, upTo: round)
                #expect(faults.isEmpty, "seed \(seed), round \(round)")
                if !faults.isEmpty { return }
            }
            // Otherwise nothing was proved.
            #expect(interrupted > 0, "seed \(seed)")
            try Self.publish(server, round: rounds)
            let targets = (0..<Document.count).flatMap { ["--get", Document.target($0)] }
            let end = try await Command.run(["record", server.base, "--into", into.path] + targets)
            #expect(end.code == 0, "seed \(seed): \(end)")
            #expect(try Self.faults(in: into, upTo: rounds).isEmpty, "seed \(seed)")
            let files = into.snapshot()
            #expect(files.keys.filter { $0.hasPrefix(".") }.isEmpty, "seed \(seed)")
            for number in 0..<Document.count {
                let content = Document.content(number, round: rounds)
                #expect(files.values.contains(content), "seed \(seed), document \(number)")
            }
            let check = try await Command.run("check", into.path)
            #expect(check.code == 0 && check.output.isEmpty, "seed \(seed): \(check)")
        }

        #if os(Linux)
            /// Time alone seldom hits the moment between two renames; here each such moment has its turn.
            @Test(arguments: [false, true])
            func `killed before each of its calls to the file system, what is served are whole responses`(
                isParallel: Bool
            ) async throws {
                let server = try await Self.nginx()
                let library = try await KillPoint()
                let into = try TemporaryDirectory()
                let targets = (0..<4).map { Document.target($0) }
                let direct = isParallel ? ["--port", "0"] : targets.flatMap { ["--get", $0] }
                // Each call has its turn in the end; together they take their time.
                let stride = isParallel ? Thoroughness.rounds(4, thorough: 1) : 1
                for round in 0..<250 {
                    try Self.publish(server, round: round)
                    let recording = try Command(
                        ["record", server.base, "--into", into.path] + direct,
                        environment: library.environment(call: round * stride + 1))
                    if isParallel {
                        try await until({ recording.output }, { !$0.isEmpty || recording.hasEnded })
                        if !recording.hasEnded {
                            _ = try await Self.client(of: recording, targets).exitCode()
                            recording.send(SIGTERM)
                        }
                    }
                    try await recording.ended()
                    let faults = try Self.faults(in: into, upTo: round)
                    #expect(faults.isEmpty, "call \(round + 1)")
                    // On a busy machine there is something to write still when it is to end, which it says.
                    let errors = recording.errors.split(separator: "\n").filter { !$0.hasPrefix("writing ") }
                    #expect(errors.isEmpty, "call \(round + 1): \(recording.errors)")
                    // It made fewer calls than that.
                    if recording.output.hasSuffix(" failed\n") {
                        #expect(round * stride > 40, "the calls were not counted")
                        #expect(into.snapshot().keys.filter { $0.hasPrefix(".") }.isEmpty)
                        return
                    }
                }
                Issue.record("it never came to its end")
            }
        #endif

        /// curl, with sixteen requests under way.
        private static func client(of recording: Command, _ targets: [String]) async throws -> Command {
            let proxy = "http://127.0.0.1:\(try await recording.port())"
            var line = ["/usr/bin/env", "curl", "--silent", "--noproxy", "*", "--max-time", "60", "--parallel"]
            line += ["--parallel-max", "16"]
            for target in targets { line += ["--output", "/dev/null", proxy + target] }
            return try Command(line: line)
        }
    }
}
