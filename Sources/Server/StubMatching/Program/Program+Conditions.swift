// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMetering

extension Program {
    /// Whether one condition of a stub holds.
    func satisfies(_ condition: Condition, of entry: Entry, _ state: inout RequestState) -> Bool {
        guard state.budget.look(through: names(for: condition, of: entry, &state)) else {
            state.givenUp.insert(.text)
            return false
        }
        return switch condition.kind {
        case .query: querySatisfies(condition, &state)
        case .header: headersSatisfy(condition, &state)
        case .onlyNamedQuery: hasOnlyNamedQuery(entry, &state)
        case .host: state.matchesAnyHost || passes(condition.test, state.readHost(), &state)
        case .pathParameter: passes(condition.test, pathParameter(condition, &state), &state)
        case .port: state.readPort() == Int(condition.nameHash)
        case .scheme: condition.nameHash == (state.isSecure ? 1 : 0)
        case .clientIP: passes(condition.test, state.readClient(), &state)
        case .form: formSatisfies(condition, &state)
        case .multipart: state.readParts().map { satisfies(multiparts[Int(condition.test)], $0, &state) } ?? false
        case .cookie: cookiesSatisfy(condition, &state)
        case .basicAuth: hasCredentials(condition, &state)
        case .body: passes(condition.test, state.body.isEmpty ? nil : state.body, isBody: true, &state)
        }
    }

    /// How many names of the request a condition is looked for among.
    private func names(for condition: Condition, of entry: Entry, _ state: inout RequestState) -> Int {
        switch condition.kind {
        case .query:
            state.readQuery()
            return state.query.count
        case .onlyNamedQuery:
            state.readQuery()
            return state.query.count * Int(entry.conditionCount)
        case .cookie:
            state.readCookies()
            return state.cookies.count
        case .header, .basicAuth, .clientIP: return state.fields.count
        case .form, .multipart, .host, .pathParameter, .port, .scheme, .body: return 0
        }
    }

    private func formSatisfies(_ condition: Condition, _ state: inout RequestState) -> Bool {
        guard state.readForm() else { return false }
        guard state.budget.meter.pay(state.form.count) else {
            state.givenUp.insert(.form)
            return false
        }
        let values = self.values(condition, &state)
        if condition.quantifier != .single { return passes(condition, values, &state) }
        if values.isEmpty { return passes(condition.test, nil, &state) }
        for value in values where passes(condition.test, value, &state) { return true }
        return false
    }

    private func satisfies(_ test: MultipartTest, _ parts: [MultipartBody.Part], _ state: inout RequestState) -> Bool {
        if !test.pattern.asksAll {
            for part in parts where satisfies(test, part, &state) { return true }
            return false
        }
        for part in parts where !satisfies(test, part, &state) { return false }
        return !parts.isEmpty
    }

    /// Units of a header line of a part that is looked at for a name. 4.
    private static let lineUnits = 4

    /// Whether one part meets all conditions.
    func satisfies(_ test: MultipartTest, _ part: MultipartBody.Part, _ state: inout RequestState) -> Bool {
        let lines = part.headers.count * test.headers.count
        guard state.budget.meter.pay(Meter.step * (1 + test.headers.count) + Self.lineUnits * lines) else {
            state.givenUp.insert(.parts)
            return false
        }
        if let name = test.pattern.name, part.name != Array(name.utf8) { return false }
        if let name = test.pattern.fileName, part.fileName != Array(name.utf8) { return false }
        for header in test.headers {
            let values = part.values(of: pool.slice(header.nameStart, header.nameEnd))
            if header.quantifier != .single {
                if !passes(header, values, &state) { return false }
            } else if values.isEmpty {
                if !passes(header.test, nil, &state) { return false }
            } else {
                var isMet = false
                for value in values where passes(header.test, value, &state) {
                    isMet = true
                    break
                }
                if !isMet { return false }
            }
        }
        for body in test.body where !passes(body, part.content, &state) { return false }
        return true
    }

    private func querySatisfies(_ condition: Condition, _ state: inout RequestState) -> Bool {
        state.readQuery()
        if condition.quantifier != .single {
            let values = self.values(condition, &state)
            return passes(condition, values, &state)
        }
        let name = pool.slice(condition.nameStart, condition.nameEnd)
        var isPresent = false
        for index in 0..<state.query.count {
            guard state.query.has(index, name, hash: condition.nameHash) else { continue }
            isPresent = true
            if passes(condition.test, state.query.value(index), &state) { return true }
        }
        return !isPresent && passes(condition.test, nil, &state)
    }

    private func headersSatisfy(_ condition: Condition, _ state: inout RequestState) -> Bool {
        if condition.quantifier != .single {
            let values = self.values(condition, &state)
            return passes(condition, values, &state)
        }
        let name = pool.slice(condition.nameStart, condition.nameEnd)
        var isPresent = false
        for field in state.fields where state.isName(field, name) {
            isPresent = true
            if passes(condition.test, state.bytes(field.value), &state) { return true }
        }
        return !isPresent && passes(condition.test, nil, &state)
    }

    /// All values that the request has under a condition's name, in their order.
    func values(_ condition: Condition, _ state: inout RequestState) -> [Bytes] {
        let name = pool.slice(condition.nameStart, condition.nameEnd)
        var values: [Bytes] = []
        switch condition.kind {
        case .query:
            state.readQuery()
            for index in 0..<state.query.count where state.query.has(index, name, hash: condition.nameHash) {
                values.append(state.query.value(index))
            }
        case .form:
            guard state.readForm() else { break }
            for index in 0..<state.form.count where state.form.has(index, name, hash: condition.nameHash) {
                values.append(state.form.value(index))
            }
        case .header:
            for field in state.fields where state.isName(field, name) { values.append(state.bytes(field.value)) }
        case .cookie:
            state.readCookies()
            for index in 0..<state.cookies.count {
                let cookie = state.cookies[index]
                guard state.head.slice(Int(cookie.nameStart), Int(cookie.nameEnd)).equals(name) else { continue }
                values.append(state.head.slice(Int(cookie.valueStart), Int(cookie.valueEnd)))
            }
        case .host, .port, .scheme, .clientIP, .pathParameter, .onlyNamedQuery, .basicAuth, .body, .multipart: break
        }
        return values
    }

    private func hasOnlyNamedQuery(_ entry: Entry, _ state: inout RequestState) -> Bool {
        state.readQuery()
        for index in 0..<state.query.count where !isNamed(index, by: entry, state) { return false }
        return true
    }

    /// Whether a stub asks anything of the query parameter at a place.
    func isNamed(_ parameter: Int, by entry: Entry, _ state: RequestState) -> Bool {
        for index in entry.conditionStart..<(entry.conditionStart + entry.conditionCount) {
            let condition = conditions[index]
            let name = pool.slice(condition.nameStart, condition.nameEnd)
            if condition.kind == .query, state.query.has(parameter, name, hash: condition.nameHash) { return true }
        }
        return false
    }

    /// The value of a template's variable, percent-decoded except in a WireMock root, valid until the next call; nil if the template has no
    /// variable of that name.
    func pathParameter(_ condition: Condition, _ state: inout RequestState) -> Bytes? {
        guard Int(condition.nameHash) < state.captures.count else { return nil }
        let range = state.captures[Int(condition.nameHash)]
        let raw = state.path.slice(range.start, range.end)
        if dialect == .wireMock || raw.firstPlace(of: ASCII.percent) == nil { return raw }
        state.value.removeAll()
        state.value.appendDecoded(raw, plusIsSpace: false)
        return state.value.all
    }

    private func cookiesSatisfy(_ condition: Condition, _ state: inout RequestState) -> Bool {
        let values = self.values(condition, &state)
        if values.isEmpty { return acceptsMissingCookie(condition.test) }
        for value in values where passes(condition.test, value, &state) { return true }
        return false
    }

    /// Whether an `Authorization` line has the credentials (RFC 7617); the scheme's case does not matter.
    private func hasCredentials(_ condition: Condition, _ state: inout RequestState) -> Bool {
        let test = tests[condition.test]
        let expected = pool.slice(test.first, test.second)
        for field in state.fields where state.isName(field, "authorization") {
            let value = state.bytes(field.value)
            guard value.count > 6, value.slice(0, 6).equalsIgnoringCase(Self.basicScheme) else { continue }
            let start = value.count - expected.count
            guard start >= 6, value.slice(start, value.count).equals(expected) else { continue }
            if value.slice(6, start).allSatisfy({ $0 == ASCII.space }) { return true }
        }
        return false
    }

    private static var basicScheme: Bytes {
        let text: StaticString = "basic "
        return Bytes(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
