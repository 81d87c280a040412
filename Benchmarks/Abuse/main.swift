// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Abuses a server by all means at once, and says what ordinary requests and the server's process made of it.
//
//     abuse write DIRECTORY                   the fixtures that the server is to serve, with --watch
//     abuse run PORT PID DIRECTORY SECONDS
//     abuse attack PORT DIRECTORY SECONDS     the part of a run that abuses, by itself
//
// The last line is for the caller: the 99th percentile of all ordinary requests in milliseconds, the most resident memory in MiB, the
// descriptors and the load of the process before and behind, and how many answers were wrong or unexpected.

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments.dropFirst().map { $0 }
switch (arguments.first, arguments.count) {
case ("write", 2):
    for file in AbuseFixtures.files(isFull: true) {
        try AbuseFixtures.write(file.bytes, to: "\(arguments[1])/\(file.name)", inPlace: true)
    }
case ("run", 5):
    guard let port = Int(arguments[1]), let identifier = Int(arguments[2]), let seconds = Int(arguments[4]) else {
        fallthrough
    }
    AbuseReport.print(port: port, ServerProcess(identifier: identifier), directory: arguments[3], seconds: seconds)
case ("attack", 4):
    guard let port = Int(arguments[1]), let seconds = Int(arguments[3]) else { fallthrough }
    for line in AbuseRun.attack(port: port, directory: arguments[2], seconds: seconds).lines { print(line) }
default:
    fputs(
        "usage: abuse write DIRECTORY | abuse run PORT PID DIRECTORY SECONDS | abuse attack PORT DIRECTORY SECONDS\n",
        stderr)
    exit(64)
}
