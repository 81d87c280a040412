// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

extension Connection {
    /// Bytes sent in one turn before other connections have theirs. 2 MiB.
    private static let sentPerTurn = 2 * 1024 * 1024

    /// Sends what waits, as far as the client takes it, and goes on with what comes after.
    func flush(_ workspace: Workspace) {
        var total = 0
        while state != .closed {
            let transfer: Socket.Transfer
            switch workspace.output.front() {
            case .nothing:
                return sentAll(workspace)
            case .run(let bytes):
                transfer = Socket.send(descriptor, bytes, hasMore: workspace.output.hasMoreBehindFront)
            case .bytes(let bytes, let range):
                transfer = bytes.withUnsafeBufferPointer {
                    Socket.send(
                        descriptor, UnsafeBufferPointer(rebasing: $0[range]),
                        hasMore: workspace.output.hasMoreBehindFront)
                }
            case .file(let file, let range):
                transfer = Socket.sendFile(descriptor, file.descriptor, range)
            }
            switch transfer {
            case .bytes(let count):
                workspace.output.sent(count)
                total += count
                touch()
                if total >= Self.sentPerTurn, !workspace.output.isEmpty { return loop.resume(self) }
            case .wouldBlock:
                return
            // A file that has become shorter cannot give what its Content-Length promised.
            case .ended, .failed:
                return abort()
            }
        }
    }

    private func sentAll(_ workspace: Workspace) {
        switch state {
        case .open:
            if hasUnread {
                hasUnread = false
                loop.resume(self)
            } else if peerHasFinished || shard.isStopping, !workspace.parser.isMidRequest {
                close()
            } else {
                releaseWorkspace()
            }
        case .finishing:
            guard leavesUnread, !peerHasFinished else { return close() }
            Socket.finishSending(descriptor)
            state = .lingering
            deadline = loop.now + shard.lingerTimeout
            loop.schedule(self, at: deadline)
            workspace.input.removeAll()
            read()
        case .lingering, .closed:
            break
        }
    }
}
