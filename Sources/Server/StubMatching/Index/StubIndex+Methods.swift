// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

extension StubIndex {
    /// The methods that a request's target is known under, sorted, for Allow and for telling 405 from 404.
    ///
    /// A stub counts if its target, its host and its path parameters match, whatever its other conditions are. GET stands for HEAD too, as does a
    /// plain file for both. A stub for any method brings the request's own method, DELETE, GET, HEAD, OPTIONS, PATCH, POST and PUT.
    ///
    /// - Parameter scratch: the scratch that matched the request, or a new one.
    package func methods(
        for request: RequestHead, matchesAnyHost: Bool = true, scratch: MatchScratch
    ) -> [String] {
        let body = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        return withState(request, body: body, matchesAnyHost: matchesAnyHost, scratch, goesOn: true) { state in
            var names = Swift.Set<String>()
            for index in sequence(first: self, next: { $0.below }) {
                if below != nil { state.turn(to: index.identity) }
                index.addMethods(to: &names, &state)
            }
            if names.contains("GET") || root.tables.file(state.readFileName()) != nil {
                names.formUnion(["GET", "HEAD"])
            }
            return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    private func addMethods(to names: inout Swift.Set<String>, _ state: inout RequestState) {
        var numbers = Swift.Set<UInt16>()
        for group in matchingTargets(&state) {
            for rank in targets.groups[group].witnesses where !numbers.contains(program.entries[rank].method) {
                if matchesTarget(program.entries[rank], &state) { numbers.insert(program.entries[rank].method) }
            }
        }
        for number in numbers where number > 0 && Int(number) <= program.methods.count {
            names.insert(program.bytes(program.methods[Int(number) - 1]).text)
        }
        if numbers.contains(0) {
            names.formUnion(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", state.method.text])
        }
    }

    private func matchesTarget(_ entry: Entry, _ state: inout RequestState) -> Bool {
        guard program.matchesURL(entry, &state) else { return false }
        for index in entry.conditionStart..<(entry.conditionStart + entry.conditionCount) {
            let condition = program.conditions[index]
            guard condition.kind == .host || condition.kind == .pathParameter else { continue }
            if !program.satisfies(condition, of: entry, &state) { return false }
        }
        return true
    }

    /// The numbers of the targets that match the request's.
    func matchingTargets(_ state: inout RequestState) -> [Int] {
        var found: [Int] = []
        if let group = targets.exact[ByteHash.hash(state.path, seed: tables.seeds.path)] { found.append(group) }
        if let group = targets.exact[ByteHash.hash(state.full, seed: tables.seeds.url)] { found.append(group) }
        if tables.hasTemplates {
            state.steps.removeAll()
            tables.walk(0, from: 0, path: state.path, &state.steps)
            for index in 0..<state.steps.count { found += targets.templatesAtStep[state.steps[index].number] ?? [] }
        }
        found += targets.patterns.values.sorted()
        if let any = targets.any { found.append(any) }
        var seen = Swift.Set<Int>()
        return found.filter { group in
            guard seen.insert(group).inserted, let first = targets.groups[group].ranks.first else { return false }
            let matches = program.matchesURL(program.entries[first], &state)
            state.forgetGivenUp()
            return matches
        }
    }
}
