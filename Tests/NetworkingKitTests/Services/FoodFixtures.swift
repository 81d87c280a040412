// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

/// The fixtures of a small food service.
enum FoodFixtures {
    static func directory() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "foods.json": #"[{"id": 1, "name": "Ramen"}, {"id": 2, "name": "Falafel"}]"#,
            "changes.stub.json": #"""
            {"stubs": [
              {"name": "create",
               "request": {"method": "POST", "urlPath": "/foods", "headers": {"Content-Type": {"equalTo": "application/json"}},
                           "bodyPatterns": [{"equalToJson": {"name": "Pierogi"}}]},
               "response": {"status": 201, "jsonBody": {"id": 3, "name": "Pierogi"}}},
              {"name": "update",
               "request": {"method": "PUT", "urlPath": "/foods/2", "bodyPatterns": [{"equalToJson": {"id": 2, "name": "Hummus"}}]},
               "response": {"status": 200, "jsonBody": {"id": 2, "name": "Hummus"}}},
              {"name": "delete", "request": {"method": "DELETE", "urlPath": "/foods/1"}, "response": {"status": 204}},
              {"name": "an id with a slash",
               "request": {"method": "DELETE", "url": "/foods/a%2Fb%3Fc%20d"}, "response": {"status": 204}},
              {"name": "no JSON", "request": {"method": "GET", "urlPath": "/foods/broken"}, "response": {"status": 200, "body": "<p>"}}
            ]}
            """#,
        ])
    }
}
