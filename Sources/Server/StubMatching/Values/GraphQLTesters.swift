// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiGraphQLText
import MockapiJSONText
import MockapiMetering

/// A part of a GraphQL request.
enum GraphQLPart: String {
    /// In the form that equal queries share.
    case query
    case operationName, variables
}

/// Takes a part out of a GraphQL request: JSON with `query`, `operationName` and `variables` (GraphQL over HTTP).
struct GraphQLExtractor: ValueExtractor {
    let part: GraphQLPart

    func extract(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Extraction {
        guard let tree = state.json(value, isBody: isBody) else {
            return state.jsonProblem(isBody: isBody)
        }
        guard let query = tree["query"]?.string else { return Extraction(problem: ", which is not a GraphQL request") }
        var found = Extraction(isPresent: true)
        switch part {
        case .query:
            guard state.budget.meter.pay(query.utf8.count * 4) else { return .givenUp }
            do throws(GraphQLError) {
                found.texts = [Array(try GraphQLDocument(parsing: query).normalizedText.utf8)]
            } catch {
                found.problem =
                    ", whose query is broken at its line \(error.line), column \(error.column): \(error.message)"
            }
        case .operationName: found.texts = tree["operationName"]?.string.map { [Array($0.utf8)] } ?? []
        case .variables: found.json = tree["variables"].map { JSONWriter.compact($0) }
        }
        return found
    }
}

extension GraphQLPattern {
    /// The query in the form that equal queries share.
    func normalizedQuery() throws(BrokenOperand) -> String {
        do throws(GraphQLError) {
            return try GraphQLDocument(parsing: query.text).normalizedText
        } catch {
            let text = "the GraphQL query is broken at its line \(error.line), column \(error.column): \(error.message)"
            throw BrokenOperand(text: text, place: query.place)
        }
    }
}
