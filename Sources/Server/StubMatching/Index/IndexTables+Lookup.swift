// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension IndexTables {
    /// Puts a cursor for every list of stubs that may match the request.
    @inline(__always)
    func collect(_ program: Program, method: UInt16, _ state: inout RequestState) {
        state.cursors.removeAll()
        if hasPaths { expand(find(state.path, seeds.path, program), program, method, &state) }
        if hasURLs { expand(find(state.full, seeds.url, program), program, method, &state) }
        if hasTemplates { followTemplates(program, method, &state) }
        if !patterns.isEmpty { expand(patterns, program, method, &state) }
        if !any.isEmpty { expand(any, program, method, &state) }
    }

    /// The set of stubs that a text of the request leads to.
    @inline(__always)
    private func find(_ text: Bytes, _ seed: UInt64, _ program: Program) -> NodeTable.Found {
        table.find(ByteHash.hash(text, seed: seed), text, in: program.pool)
    }

    /// Puts cursors for the entries that a text or number leads to.
    @inline(__always)
    private func expand(
        _ found: NodeTable.Found, _ program: Program, _ method: UInt16, _ state: inout RequestState
    ) {
        if found.settled.isOne {
            state.cursors.append(Cursor(rank: found.node.first, next: 0, end: 0, settled: found.settled))
        } else {
            expand(found.node, program, method, &state)
        }
    }

    /// Puts cursors for a set of stubs, following its splits by the request's values.
    @inline(__always)
    private func expand(_ node: NodeReference, _ program: Program, _ method: UInt16, _ state: inout RequestState) {
        if node.isEmpty { return }
        if node.isSplit { return follow(node, program, method, &state) }
        put(node, &state)
    }

    @inline(__always)
    private func put(_ node: NodeReference, _ state: inout RequestState) {
        if node.count == 1 {
            state.cursors.append(Cursor(rank: node.first, next: 0, end: 0))
        } else {
            let cursor = Cursor(rank: ranks[node.first], next: node.first &+ 1, end: node.first &+ node.count)
            state.cursors.append(cursor)
        }
    }

    private func follow(_ node: NodeReference, _ program: Program, _ method: UInt16, _ state: inout RequestState) {
        var node = node
        while node.isSplit {
            let split = splits[node.first]
            let seed = seeds.split(node.first)
            switch split.key {
            case .method:
                expand(table.find(ByteHash.combine(seed, UInt64(method))), program, method, &state)
            case .prefix:
                let length = Int(split.nameHash)
                if state.full.count >= length {
                    expand(find(state.full.slice(0, length), seed, program), program, method, &state)
                }
            case .query:
                let name = program.pool.slice(split.nameStart, split.nameEnd)
                state.readQuery()
                guard state.budget.look(through: state.query.count) else { return }
                for index in 0..<state.query.count where state.query.has(index, name, hash: split.nameHash) {
                    expand(find(state.query.value(index), seed, program), program, method, &state)
                }
            case .host:
                if state.matchesAnyHost { return expand(split.all, program, method, &state) }
                if let host = state.readHost() {
                    expand(find(host, seed, program), program, method, &state)
                }
            case .part:
                if !state.body.isEmpty {
                    let found = program.extraction(split.nameHash, state.body, isBody: true, &state)
                    // An extraction that was given up leads nowhere; the near miss says so.
                    for text in found.texts {
                        let found = text.withUnsafeBufferPointer { find($0, seed, program) }
                        expand(found, program, method, &state)
                    }
                }
            case .header:
                let name = program.pool.slice(split.nameStart, split.nameEnd)
                guard state.budget.look(through: state.fields.count) else { return }
                for field in state.fields where state.isName(field, name) {
                    expand(find(state.bytes(field.value), seed, program), program, method, &state)
                }
            case .cookie:
                let name = program.pool.slice(split.nameStart, split.nameEnd)
                state.readCookies()
                guard state.budget.look(through: state.cookies.count) else { return }
                for index in 0..<state.cookies.count {
                    let cookie = state.cookies[index]
                    guard state.head.slice(Int(cookie.nameStart), Int(cookie.nameEnd)).equals(name) else { continue }
                    let value = state.head.slice(Int(cookie.valueStart), Int(cookie.valueEnd))
                    expand(find(value, seed, program), program, method, &state)
                }
            }
            node = split.rest
        }
        if !node.isEmpty { put(node, &state) }
    }

    /// Puts cursors for the templates that the path leads to.
    private func followTemplates(_ program: Program, _ method: UInt16, _ state: inout RequestState) {
        state.steps.removeAll()
        walk(0, from: 0, path: state.path, &state.steps)
        for index in 0..<state.steps.count {
            let step = state.steps[index]
            expand(step.isEnd ? trie[step.number].ends : trie[step.number].rests, program, method, &state)
        }
    }

    /// Follows the path through the templates' trie from a step and a place in the path on, and notes every step where templates may end
    /// and every step that a `**` may follow: a list rather than a closure, which would count references for each.
    func walk(_ number: UInt32, from place: Int, path: Bytes, _ found: inout Growable<TrieStep>) {
        let node = trie[number]
        if !node.rests.isEmpty, place <= path.count { found.append(TrieStep(number: number, isEnd: false)) }
        if place > path.count {
            if !node.ends.isEmpty { found.append(TrieStep(number: number, isEnd: true)) }
            return
        }
        let end = path.firstPlace(of: ASCII.slash, from: place) ?? path.count
        if node.hasLiterals {
            let next = table.find(ByteHash.hash(path.slice(place, end), seed: seeds.trie(number))).node
            if !next.isEmpty { walk(next.first, from: end + 1, path: path, &found) }
        }
        if node.wild != 0, end > place { walk(node.wild, from: end + 1, path: path, &found) }
    }

    /// The plain file that is served at a percent-decoded path.
    func file(_ path: Bytes) -> Int? {
        if files.count == 0 { return nil }
        let node = table.find(ByteHash.hash(path, seed: seeds.file)).node
        if node.isEmpty { return nil }
        let record = files[node.first]
        return paths.slice(record.start, record.end).equals(path) ? Int(record.ordinal) : nil
    }
}
