// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Recorded answers, live ones, and what the change between them is: a case a line, in JSON.
///
/// A response is its JSON body, `{"$": body, "h": [lines], "s": status}`, `{"text": …}` for a body that is not JSON, `{"image": name}`, or
/// `{"samples": [answers]}`.
enum DriftCases {
    static let text = ##"""
        {"case":"a member that was always there is gone","recorded":{"id":1,"name":"a"},"live":{"id":1},"level":"breaking","id":"property-removed"}
        {"case":"a member's accent stands by itself","recorded":{"caf\u00e9":1},"live":{"cafe\u0301":1},"level":"breaking","id":"property-removed"}
        {"case":"a column's accent stands by itself","recorded":{"text":"caf\u00e9,b\nx,y\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"cafe\u0301,b\nx,y\n","h":["Content-Type: text/csv"],"s":200},"level":"breaking","id":"column-removed"}
        {"case":"an element's accent stands by itself","recorded":{"text":"<r><caf\u00e9>a</caf\u00e9></r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<r><cafe\u0301>a</cafe\u0301></r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"an end tag in another form than its start","recorded":{"text":"<r><caf\u00e9>a</caf\u00e9></r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<r><caf\u00e9>a</cafe\u0301></r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"a line's accent stands by itself","recorded":{"$":{"a":1},"h":["Content-Type: application/json","X-Name: caf\u00e9"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json","X-Name: cafe\u0301"],"s":200},"level":"info","id":"header-changed"}
        {"case":"a value's accent stands by itself","recorded":{"a":"caf\u00e9"},"live":{"a":"cafe\u0301"}}
        {"case":"a nested member is gone","recorded":{"a":{"b":{"c":1,"d":2}}},"live":{"a":{"b":{"d":2}}},"level":"breaking","id":"property-removed"}
        {"case":"an item lost a member that all had","recorded":[{"id":1,"n":"a"},{"id":2,"n":"b"}],"live":[{"id":1,"n":"a"},{"id":2}],"level":"breaking","id":"property-removed"}
        {"case":"a member that another sample had, too","recorded":{"samples":[{"a":1,"b":2},{"a":2,"b":3}]},"live":{"a":1},"level":"breaking","id":"property-removed"}
        {"case":"a number became a string","recorded":{"id":1},"live":{"id":"1"},"level":"breaking","id":"type-changed"}
        {"case":"a string became a number","recorded":{"id":"a1"},"live":{"id":7},"level":"breaking","id":"type-changed"}
        {"case":"a boolean became a number","recorded":{"on":true},"live":{"on":1},"level":"breaking","id":"type-changed"}
        {"case":"a boolean became a string","recorded":{"on":true},"live":{"on":"true"},"level":"breaking","id":"type-changed"}
        {"case":"an object became a list","recorded":{"a":{"b":1}},"live":{"a":[{"b":1}]},"level":"breaking","id":"type-changed"}
        {"case":"a list became an object","recorded":{"a":[{"b":1}]},"live":{"a":{"b":1}},"level":"breaking","id":"type-changed"}
        {"case":"a string became an object","recorded":{"author":"Ann"},"live":{"author":{"name":"Ann"}},"level":"breaking","id":"type-changed"}
        {"case":"the root became a list","recorded":{"a":1},"live":[{"a":1}],"level":"breaking","id":"type-changed"}
        {"case":"an item of another type","recorded":{"tags":["a","b"]},"live":{"tags":["a",1]},"level":"breaking","id":"type-changed"}
        {"case":"a null among items","recorded":{"n":[1,2]},"live":{"n":[1,null]},"level":"breaking","id":"became-nullable"}
        {"case":"a value became null","recorded":{"a":"x"},"live":{"a":null},"level":"breaking","id":"became-nullable"}
        {"case":"a value became null in one item","recorded":[{"a":1},{"a":2}],"live":[{"a":1},{"a":null}],"level":"breaking","id":"became-nullable"}
        {"case":"an object became null","recorded":{"user":{"id":1}},"live":{"user":null},"level":"breaking","id":"became-nullable"}
        {"case":"an integer got a fraction","recorded":{"n":1366},"live":{"n":1366.5},"level":"breaking","id":"integer-became-number"}
        {"case":"an integer beyond 2^53","recorded":{"n":12},"live":{"n":9007199254740993},"level":"breaking","id":"integer-became-number"}
        {"case":"an integer beyond Int64","recorded":{"n":9007199254740993},"live":{"n":9223372036854775808},"level":"breaking","id":"integer-became-number"}
        {"case":"an integer among items got a fraction","recorded":[{"p":1},{"p":2}],"live":[{"p":1},{"p":2.25}],"level":"breaking","id":"integer-became-number"}
        {"case":"a negative integer below -2^53","recorded":{"n":-12},"live":{"n":-9007199254740993},"level":"breaking","id":"integer-became-number"}
        {"case":"a fraction as an exponent","recorded":{"n":5},"live":{"n":5e-1},"level":"breaking","id":"integer-became-number"}
        {"case":"a number that no double holds","recorded":{"n":1.5},"live":{"n":1e400},"level":"breaking","id":"number-out-of-range"}
        {"case":"a date-time without its zone","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"2026-11-20T10:00:00"},"level":"breaking","id":"format-changed"}
        {"case":"a date-time that is a date only","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"2026-11-20"},"level":"breaking","id":"format-changed"}
        {"case":"a date-time with a space and no zone","recorded":{"at":"2026-11-20T10:00:00+01:00"},"live":{"at":"2026-11-20 10:00:00"},"level":"breaking","id":"format-changed"}
        {"case":"a date-time that is a number","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":1763632800},"level":"breaking","id":"type-changed"}
        {"case":"another status of the class","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json"],"s":201},"level":"breaking","id":"status-changed"}
        {"case":"a status of an error","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"error":"x"},"h":["Content-Type: application/json"],"s":500},"level":"breaking","id":"status-changed"}
        {"case":"a status of none of the steps","recorded":{"samples":[{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},{"$":{"a":1},"h":["Content-Type: application/json"],"s":202}]},"live":{"$":{"a":1},"h":["Content-Type: application/json"],"s":404},"level":"breaking","id":"status-changed"}
        {"case":"a list of objects whose second kind lost a member","recorded":[{"type":"text","body":"x"},{"type":"image","url":"https://a/b"}],"live":[{"type":"text","body":"x"},{"type":"image"}],"level":"breaking","id":"property-removed"}
        {"case":"a value of a map of another type","recorded":{"rates":{"EUR":1.5,"USD":1.25}},"live":{"rates":{"EUR":"1.5","USD":"1.25"}},"level":"breaking","id":"type-changed"}
        {"case":"a value of a map lost a member","recorded":{"users":{"17":{"name":"a"},"18":{"name":"b"}}},"live":{"users":{"19":{"nick":"c"}}},"level":"breaking","id":"property-removed"}
        {"case":"a tuple in another order","recorded":{"t":[["a",1],["b",2]]},"live":{"t":[[1,"a"],[2,"b"]]},"level":"breaking","id":"type-changed"}
        {"case":"a shorter tuple","recorded":{"t":[["a",1],["b",2]]},"live":{"t":[["a"],["b"]]},"level":"breaking","id":"tuple-length-changed"}
        {"case":"JSON that is none","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"{\"a\":1","h":["Content-Type: application/json"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"a page in the place of JSON","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"<html>Sorry</html>","h":["Content-Type: application/json"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"NaN","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"{\"a\":NaN}","h":["Content-Type: application/json"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"a comma too many","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"{\"a\":1,}","h":["Content-Type: application/json"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"an empty body","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"","h":["Content-Type: application/json"],"s":200},"level":"breaking","id":"body-missing"}
        {"case":"UTF-16","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"\ufeffU16","h":["Content-Type: application/json"],"s":200},"level":"breaking","id":"encoding-changed"}
        {"case":"errors beside data","recorded":{"data":{"user":{"id":1}}},"live":{"data":{"user":{"id":1}},"errors":[{"message":"slow"}]},"level":"breaking","id":"graphql-errors"}
        {"case":"another media type","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/vnd.api+json"],"s":200},"level":"breaking","id":"content-type-changed"}
        {"case":"a media type of pages","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: text/html"],"s":200},"level":"breaking","id":"content-type-changed"}
        {"case":"no media type any more","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"breaking","id":"header-removed"}
        {"case":"a redirect to another route","recorded":{"text":"","h":["Location: /users/17"],"s":302},"live":{"text":"","h":["Location: /login"],"s":302},"level":"breaking","id":"location-changed"}
        {"case":"a redirect without a place","recorded":{"text":"","h":["Location: /users/17"],"s":302},"live":{"text":"","h":[],"s":302},"level":"breaking","id":"header-removed"}
        {"case":"a scheme of authentication is gone","recorded":{"text":"","h":["WWW-Authenticate: Basic realm=\"a\", Bearer realm=\"b\""],"s":401},"live":{"text":"","h":["WWW-Authenticate: Basic realm=\"a\""],"s":401},"level":"breaking","id":"auth-scheme-removed"}
        {"case":"a method is not allowed any more","recorded":{"text":"","h":["Allow: GET, HEAD, POST"],"s":405},"live":{"text":"","h":["Allow: GET, HEAD"],"s":405},"level":"breaking","id":"method-removed"}
        {"case":"a line without a member","recorded":{"text":"{\"a\":1,\"b\":2}\n{\"a\":2,\"b\":3}\n","h":["Content-Type: application/x-ndjson"],"s":200},"live":{"text":"{\"a\":1,\"b\":2}\n{\"a\":2}\n","h":["Content-Type: application/x-ndjson"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"a line that is not JSON","recorded":{"text":"{\"a\":1}\n","h":["Content-Type: application/x-ndjson"],"s":200},"live":{"text":"{\"a\":1}\noops\n","h":["Content-Type: application/x-ndjson"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"a key of a form is gone","recorded":{"text":"a=1&b=2","h":["Content-Type: application/x-www-form-urlencoded"],"s":200},"live":{"text":"a=1","h":["Content-Type: application/x-www-form-urlencoded"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"an element is gone","recorded":{"text":"<u><id>1</id><n>a</n></u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<u><id>1</id></u>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"an attribute is gone","recorded":{"text":"<u id=\"1\"><n>a</n></u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<u><n>a</n></u>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"XML that is none","recorded":{"text":"<u><id>1</id></u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<u><id>1</u>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"another root","recorded":{"text":"<u><id>1</id></u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<user><id>1</id></user>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"another namespace","recorded":{"text":"<u xmlns=\"urn:a\"><id>1</id></u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<u xmlns=\"urn:b\"><id>1</id></u>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"value-changed"}
        {"case":"a column is gone","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"id\n1\n","h":["Content-Type: text/csv"],"s":200},"level":"breaking","id":"column-removed"}
        {"case":"another delimiter","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"id;name\n1;a\n","h":["Content-Type: text/csv"],"s":200},"level":"breaking","id":"delimiter-changed"}
        {"case":"a page in the place of an image","recorded":{"image":"png","h":["Content-Type: image/png"]},"live":{"text":"<html>x</html>","h":["Content-Type: image/png"],"s":200},"level":"breaking","id":"media-type-mismatch"}
        {"case":"an image of another type under the old name","recorded":{"image":"png","h":["Content-Type: image/png"]},"live":{"image":"gif","h":["Content-Type: image/png"]},"level":"breaking","id":"media-type-mismatch"}
        {"case":"another image format","recorded":{"image":"png","h":["Content-Type: application/octet-stream"]},"live":{"image":"gif","h":["Content-Type: application/octet-stream"]},"level":"breaking","id":"image-format-changed"}
        {"case":"a needed format that is lost","recorded":{"id":"a"},"live":{"id":"b"},"level":"breaking","id":"format-changed","contract":{"/id":{"format":"uuid"}}}
        {"case":"a needed value of no list","recorded":{"s":"open"},"live":{"s":"shut"},"level":"breaking","id":"enum-value-added","contract":{"/s":{"enum":["open","closed"]}}}
        {"case":"a value that must be another","recorded":{"v":1},"live":{"v":2},"level":"breaking","id":"value-changed","contract":{"/v":{"equals":1}}}
        {"case":"a type that is asked for","recorded":{"v":1},"live":{"v":1.5},"level":"breaking","id":"type-changed","contract":{"/v":{"type":"integer"}}}
        {"case":"a header that is needed","recorded":{"$":{"a":1},"h":["ETag: \"a\""],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"breaking","id":"header-removed","contract":{"header:ETag":{"needed":true}}}
        {"case":"a needed member in a list is gone","recorded":{"data":[{"id":1,"x":2}]},"live":{"data":[{"x":2}]},"level":"breaking","id":"property-removed","contract":{"/data/*/id":{"needed":true}}}
        {"case":"the list around what is needed is gone","recorded":{"data":[{"id":1,"x":2}]},"live":{"items":[{"x":2}]},"level":"breaking","id":"property-removed","contract":{"/data/*/id":{"needed":true}}}
        {"case":"a UUID that is none","recorded":[{"id":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},{"id":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}],"live":[{"id":"a-17"}],"level":"warning","id":"format-changed"}
        {"case":"a URL that is relative","recorded":[{"u":"https://a.example/1"},{"u":"https://a.example/2"}],"live":[{"u":"/1"}],"level":"warning","id":"format-changed"}
        {"case":"an address of mail that is none","recorded":[{"m":"a@example.com"},{"m":"b@example.com"}],"live":[{"m":"hidden"}],"level":"warning","id":"format-changed"}
        {"case":"a date that is written otherwise","recorded":[{"d":"2026-11-20"},{"d":"2026-11-21"}],"live":[{"d":"20.11.2026"}],"level":"warning","id":"format-changed"}
        {"case":"a date-time that is words","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"yesterday"},"level":"warning","id":"format-changed"}
        {"case":"a numeric string that is none","recorded":[{"z":"12345"},{"z":"54321"}],"live":[{"z":"SW1A"}],"level":"warning","id":"format-changed"}
        {"case":"a color that is a name","recorded":[{"c":"#ff0000"},{"c":"#00ff00"}],"live":[{"c":"red"}],"level":"warning","id":"format-changed"}
        {"case":"seconds that are milliseconds","recorded":{"created":1763632800},"live":{"created":1763632800000},"level":"warning","id":"epoch-unit-changed"}
        {"case":"milliseconds that are seconds","recorded":{"created_at":1763632800000},"live":{"created_at":1763632800},"level":"warning","id":"epoch-unit-changed"}
        {"case":"one more value of a set","recorded":[{"s":"open"},{"s":"closed"},{"s":"open"},{"s":"open"},{"s":"closed"}],"live":[{"s":"open"},{"s":"archived"}],"level":"warning","id":"enum-value-added"}
        {"case":"one more value of a set that is words","recorded":[{"s":"open"},{"s":"closed"},{"s":"open"},{"s":"open"},{"s":"closed"}],"live":[{"s":"not open"}],"level":"warning","id":"enum-value-added"}
        {"case":"a sixth of one kind","recorded":[{"type":"a"},{"type":"a"},{"type":"b"},{"type":"b"},{"type":"a"}],"live":[{"type":"a"},{"type":"c"}],"level":"warning","id":"enum-value-added"}
        {"case":"a member that was always null is gone","recorded":{"a":1,"b":null},"live":{"a":1},"level":"warning","id":"property-removed"}
        {"case":"a name twice","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"{\"a\":1,\"a\":2}","h":["Content-Type: application/json"],"s":200},"level":"warning","id":"duplicate-key"}
        {"case":"a byte order mark","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"text":"\ufeff{\"a\":1}","h":["Content-Type: application/json"],"s":200},"level":"warning","id":"byte-order-mark-added"}
        {"case":"no ETag any more","recorded":{"$":{"a":1},"h":["ETag: \"a\""],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"a weak ETag","recorded":{"$":{"a":1},"h":["ETag: \"a\""],"s":200},"live":{"$":{"a":1},"h":["ETag: W/\"a\""],"s":200},"level":"warning","id":"etag-weakened"}
        {"case":"another charset","recorded":{"text":"x","h":["Content-Type: text/plain; charset=utf-8"],"s":200},"live":{"text":"x","h":["Content-Type: text/plain; charset=iso-8859-1"],"s":200},"level":"warning","id":"charset-changed"}
        {"case":"no charset any more","recorded":{"$":{"a":1},"h":["Content-Type: application/json; charset=utf-8"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"level":"warning","id":"charset-changed"}
        {"case":"a cookie is gone","recorded":{"$":{"a":1},"h":["Set-Cookie: a=1; Path=/", "Set-Cookie: b=2"],"s":200},"live":{"$":{"a":1},"h":["Set-Cookie: a=3; Path=/"],"s":200},"level":"warning","id":"cookie-removed"}
        {"case":"all cookies are gone","recorded":{"$":{"a":1},"h":["Set-Cookie: a=1; Path=/"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"cookie-removed"}
        {"case":"a cookie for every script","recorded":{"$":{"a":1},"h":["Set-Cookie: a=1; HttpOnly; Secure"],"s":200},"live":{"$":{"a":1},"h":["Set-Cookie: a=2; Secure"],"s":200},"level":"warning","id":"cookie-attribute-changed"}
        {"case":"one more thing it varies by","recorded":{"$":{"a":1},"h":["Vary: Accept"],"s":200},"live":{"$":{"a":1},"h":["Vary: Accept, Origin"],"s":200},"level":"warning","id":"vary-changed"}
        {"case":"it varies by nothing","recorded":{"$":{"a":1},"h":["Vary: Accept"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"vary-changed"}
        {"case":"not to be stored any more","recorded":{"$":{"a":1},"h":["Cache-Control: max-age=60"],"s":200},"live":{"$":{"a":1},"h":["Cache-Control: no-store"],"s":200},"level":"warning","id":"cache-control-changed"}
        {"case":"no caching any more","recorded":{"$":{"a":1},"h":["Cache-Control: max-age=60"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"pages of other origins are shut out","recorded":{"$":{"a":1},"h":["Access-Control-Allow-Origin: *"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"a header is not exposed any more","recorded":{"$":{"a":1},"h":["Access-Control-Expose-Headers: Link, X-Total"],"s":200},"live":{"$":{"a":1},"h":["Access-Control-Expose-Headers: Link"],"s":200},"level":"warning","id":"cors-changed"}
        {"case":"not HTTPS alone any more","recorded":{"$":{"a":1},"h":["Strict-Transport-Security: max-age=1"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"no ranges any more","recorded":{"$":{"a":1},"h":["Accept-Ranges: bytes"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"another version of the API","recorded":{"$":{"a":1},"h":["API-Version: 2026-01-01"],"s":200},"live":{"$":{"a":1},"h":["API-Version: 2026-06-01"],"s":200},"level":"warning","id":"api-version-changed"}
        {"case":"it will be switched off","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json", "Sunset: Sat, 31 Dec 2027 23:59:59 GMT"],"s":200},"level":"warning","id":"deprecation-added"}
        {"case":"a relation is gone","recorded":{"$":{"a":1},"h":["Link: </a>; rel=\"describedby\""],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"link-relation-removed"}
        {"case":"an unknown header is gone","recorded":{"$":{"a":1},"h":["X-Total: 12"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"another language","recorded":{"$":{"a":1},"h":["Content-Language: en"],"s":200},"live":{"$":{"a":1},"h":["Content-Language: de"],"s":200},"level":"warning","id":"content-language-changed"}
        {"case":"no download any more","recorded":{"$":{"a":1},"h":["Content-Disposition: attachment; filename=\"a.pdf\""],"s":200},"live":{"$":{"a":1},"h":["Content-Disposition: inline"],"s":200},"level":"warning","id":"content-disposition-changed"}
        {"case":"columns in another order","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"name,id\na,1\n","h":["Content-Type: text/csv"],"s":200},"level":"warning","id":"columns-reordered"}
        {"case":"an image is opaque","recorded":{"image":"png-alpha","h":["Content-Type: image/png"]},"live":{"image":"png","h":["Content-Type: image/png"]},"level":"warning","id":"image-alpha-changed"}
        {"case":"a picture does not move","recorded":{"image":"gif-animated","h":["Content-Type: image/gif"]},"live":{"image":"gif","h":["Content-Type: image/gif"]},"level":"warning","id":"image-animation-changed"}
        {"case":"fewer items than are asked for","recorded":{"a":[1,2]},"live":{"a":[1]},"level":"warning","id":"items-too-few","contract":{"/a":{"minItems":2}}}
        {"case":"a new member","recorded":{"a":1},"live":{"a":1,"b":2},"level":"info","id":"property-added"}
        {"case":"a new member of items","recorded":[{"a":1}],"live":[{"a":1,"b":2},{"a":3,"b":4}],"level":"info","id":"property-added"}
        {"case":"a whole number with a point","recorded":{"n":1},"live":{"n":1.0},"level":"info","id":"number-literal-changed"}
        {"case":"a whole number with an exponent","recorded":{"n":100},"live":{"n":1e2},"level":"info","id":"number-literal-changed"}
        {"case":"fractions that happen to be none","recorded":{"n":1.5},"live":{"n":2},"level":"info","id":"number-became-integer"}
        {"case":"a value where there was null","recorded":{"a":null},"live":{"a":"x"},"level":"info","id":"type-learned"}
        {"case":"items where there were none","recorded":{"a":[]},"live":{"a":[{"b":1}]},"level":"info","id":"items-learned"}
        {"case":"no items where there were some","recorded":{"a":[{"b":1}]},"live":{"a":[]},"level":"info","id":"items-empty"}
        {"case":"an optional member is in no item","recorded":[{"a":1,"b":2},{"a":2}],"live":[{"a":1}],"level":"info","id":"property-removed"}
        {"case":"a set without one of its values","recorded":[{"s":"open"},{"s":"closed"},{"s":"open"},{"s":"open"},{"s":"closed"}],"live":[{"s":"open"},{"s":"open"},{"s":"open"},{"s":"open"},{"s":"open"}],"level":"info","id":"enum-value-removed"}
        {"case":"a next page that is null","recorded":{"links":{"next":"https://a/2"}},"live":{"links":{"next":null}},"level":"info","id":"became-nullable"}
        {"case":"a next page that is missing","recorded":{"links":{"self":"/1","next":"/2"}},"live":{"links":{"self":"/1"}},"level":"info","id":"property-removed"}
        {"case":"a cursor that is null","recorded":{"next_cursor":"abc"},"live":{"next_cursor":null},"level":"info","id":"became-nullable"}
        {"case":"a token of a page that is missing","recorded":{"items":[1],"nextPageToken":"x"},"live":{"items":[1]},"level":"info","id":"property-removed"}
        {"case":"no next page in Link","recorded":{"$":{"a":1},"h":["Link: </a?page=2>; rel=\"next\", </a>; rel=\"first\""],"s":200},"live":{"$":{"a":1},"h":["Link: </a>; rel=\"first\""],"s":200},"level":"info","id":"link-relation-removed"}
        {"case":"no Link on the last page","recorded":{"$":{"a":1},"h":["Link: </a?page=2>; rel=\"next\""],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"info","id":"link-relation-removed"}
        {"case":"one more relation","recorded":{"$":{"a":1},"h":["Link: </a>; rel=\"first\""],"s":200},"live":{"$":{"a":1},"h":["Link: </a>; rel=\"first\", </b>; rel=\"last\""],"s":200},"level":"info","id":"link-relation-added"}
        {"case":"one more kind of item","recorded":[{"type":"text","t":"a"},{"type":"image","u":"b"}],"live":[{"type":"text","t":"c"},{"type":"video","v":1}],"level":"info","id":"variant-added"}
        {"case":"a charset where there was none","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json; charset=utf-8"],"s":200},"level":"info","id":"charset-changed"}
        {"case":"one more scheme","recorded":{"text":"","h":["WWW-Authenticate: Basic realm=\"a\""],"s":401},"live":{"text":"","h":["WWW-Authenticate: Basic realm=\"a\", Bearer"],"s":401},"level":"info","id":"auth-scheme-added"}
        {"case":"one more method","recorded":{"text":"","h":["Allow: GET"],"s":405},"live":{"text":"","h":["Allow: GET, PUT"],"s":405},"level":"info","id":"method-added"}
        {"case":"one more cookie","recorded":{"$":{"a":1},"h":["Set-Cookie: a=1"],"s":200},"live":{"$":{"a":1},"h":["Set-Cookie: a=2", "Set-Cookie: b=1"],"s":200},"level":"info","id":"cookie-added"}
        {"case":"a longer life in caches","recorded":{"$":{"a":1},"h":["Cache-Control: max-age=60"],"s":200},"live":{"$":{"a":1},"h":["Cache-Control: max-age=90"],"s":200},"level":"info","id":"cache-control-changed"}
        {"case":"no server's name","recorded":{"$":{"a":1},"h":["Server: nginx"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"info","id":"header-removed"}
        {"case":"no request id","recorded":{"$":{"a":1},"h":["X-Request-Id: 17"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"info","id":"header-removed"}
        {"case":"no URL of a resumable upload","recorded":{"$":{"a":1},"h":["X-Goog-Upload-URL: https://a.test/u?id=1"],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"warning","id":"header-removed"}
        {"case":"another URL of a resumable upload","recorded":{"$":{"a":1},"h":["X-Goog-Upload-URL: https://a.test/u?id=1"],"s":200},"live":{"$":{"a":1},"h":["X-Goog-Upload-URL: https://a.test/u?id=2"],"s":200},"level":"none"}
        {"case":"another value of a header","recorded":{"$":{"a":1},"h":["X-Total: 12"],"s":200},"live":{"$":{"a":1},"h":["X-Total: 13"],"s":200},"level":"info","id":"header-changed"}
        {"case":"a new header","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json", "X-New: 1"],"s":200},"level":"info","id":"header-added"}
        {"case":"another coding","recorded":{"$":{"a":1},"h":["Content-Encoding: gzip"],"s":200},"live":{"$":{"a":1},"h":["Content-Encoding: br"],"s":200},"level":"info","id":"content-encoding-changed"}
        {"case":"a body where there was none","recorded":{"text":"","h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"level":"info","id":"body-added"}
        {"case":"one more column","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"id,name,age\n1,a,3\n","h":["Content-Type: text/csv"],"s":200},"level":"info","id":"column-added"}
        {"case":"a larger image","recorded":{"image":"png","h":["Content-Type: image/png"]},"live":{"image":"png-large","h":["Content-Type: image/png"]},"level":"info","id":"image-dimensions-changed"}
        {"case":"another attribute","recorded":{"text":"<u id=\"1\"/>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<u id=\"1\" n=\"2\"/>","h":["Content-Type: application/xml"],"s":200},"level":"info","id":"property-added"}
        {"case":"no elements in a list","recorded":{"text":"<l><i>1</i><i>2</i></l>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<l/>","h":["Content-Type: application/xml"],"s":200},"level":"info","id":"items-empty"}
        {"case":"what is not needed is gone","recorded":{"id":1,"x":2},"live":{"id":1},"level":"info","id":"property-removed","contract":{"/id":{"needed":true}}}
        {"case":"what is not needed became null","recorded":{"id":1,"x":2},"live":{"id":1,"x":null},"level":"info","id":"became-nullable","contract":{"/id":{"needed":true}}}
        {"case":"an ETag that nobody needs","recorded":{"$":{"a":1},"h":["ETag: \"a\""],"s":200},"live":{"$":{"a":1},"h":[],"s":200},"level":"info","id":"header-removed","contract":{"/a":{"needed":true}}}
        {"case":"what is optional is gone","recorded":{"id":1,"x":2},"live":{"id":1},"level":"info","id":"property-removed","contract":{"/x":{"optional":true}}}
        {"case":"the same","recorded":{"a":1,"b":[1,2]},"live":{"a":1,"b":[1,2]},"level":"none"}
        {"case":"members in another order","recorded":{"a":1,"b":2},"live":{"b":2,"a":1},"level":"none"}
        {"case":"items in another order","recorded":[{"a":1},{"a":2}],"live":[{"a":2},{"a":1}],"level":"none"}
        {"case":"other values","recorded":{"a":1,"b":"x","c":true},"live":{"a":7,"b":"y","c":false},"level":"none"}
        {"case":"more items","recorded":{"a":[1]},"live":{"a":[1,2,3]},"level":"none"}
        {"case":"fewer items","recorded":{"a":[1,2,3]},"live":{"a":[1]},"level":"none"}
        {"case":"white space","recorded":{"text":"{\"a\":1}","h":["Content-Type: application/json"],"s":200},"live":{"text":"{\n  \"a\" : 1\n}\n","h":["Content-Type: application/json"],"s":200},"level":"none"}
        {"case":"escapes","recorded":{"text":"{\"a\":\"\u00e9\"}","h":["Content-Type: application/json"],"s":200},"live":{"text":"{\"a\":\"\\u00e9\"}","h":["Content-Type: application/json"],"s":200},"level":"none"}
        {"case":"a null that was seen before","recorded":[{"a":1},{"a":null}],"live":[{"a":null}],"level":"none"}
        {"case":"an optional member that some items have","recorded":[{"a":1,"b":2},{"a":2}],"live":[{"a":1,"b":2},{"a":2}],"level":"none"}
        {"case":"an optional member in one sample","recorded":{"samples":[{"a":1},{"a":1,"b":2}]},"live":{"a":1,"b":3},"level":"none"}
        {"case":"an integer where there were fractions, too","recorded":[1,1.5],"live":[2],"level":"none"}
        {"case":"a fraction where there was a point","recorded":{"n":1.0},"live":{"n":1.5},"level":"none"}
        {"case":"a large integer where there was one","recorded":{"n":9007199254740993},"live":{"n":9007199254740999},"level":"none"}
        {"case":"a date-time in another zone","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"2026-11-20T12:00:00+02:00"},"level":"warning","id":"format-changed"}
        {"case":"a date-time with parts of a second","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"2026-11-20T10:00:00.123Z"},"level":"warning","id":"format-changed"}
        {"case":"a UUID that was seen once","recorded":{"id":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},"live":{"id":"a-17"},"level":"none"}
        {"case":"a date that was seen once","recorded":{"d":"2026-11-20"},"live":{"d":"20.11.2026"},"level":"none"}
        {"case":"four values are no set","recorded":[{"s":"a"},{"s":"b"},{"s":"a"},{"s":"b"}],"live":[{"s":"c"}],"level":"none"}
        {"case":"values that do not repeat are no set","recorded":[{"s":"a"},{"s":"b"},{"s":"c"},{"s":"d"},{"s":"e"}],"live":[{"s":"f"}],"level":"none"}
        {"case":"sentences are no set","recorded":[{"s":"a b"},{"s":"a b"},{"s":"a b"},{"s":"a b"},{"s":"a b"}],"live":[{"s":"c d"}],"level":"none"}
        {"case":"a map with another key","recorded":{"rates":{"EUR":1.5,"USD":1.25}},"live":{"rates":{"EUR":1.5,"GBP":1.75}},"level":"none"}
        {"case":"a map of identifiers","recorded":{"u":{"17":{"n":"a"}}},"live":{"u":{"18":{"n":"b"},"19":{"n":"c"}}},"level":"none"}
        {"case":"a map of UUIDs","recorded":{"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01":1},"live":{"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53":2},"level":"none"}
        {"case":"a map of dates","recorded":{"2026-11-20":1,"2026-11-21":2},"live":{"2026-11-22":3},"level":"none"}
        {"case":"a map of languages","recorded":{"title":{"en":"a","de":"b"}},"live":{"title":{"en":"a","fr":"c"}},"level":"none"}
        {"case":"only one kind of item","recorded":[{"type":"text","t":"a"},{"type":"image","u":"b"}],"live":[{"type":"image","u":"c"}],"level":"none"}
        {"case":"kinds of items in another order","recorded":[{"type":"text","t":"a"},{"type":"image","u":"b"}],"live":[{"type":"image","u":"b"},{"type":"text","t":"a"}],"level":"none"}
        {"case":"tuples with other values","recorded":[["a",1],["b",2]],"live":[["c",3]],"level":"none"}
        {"case":"an identifier that is longer","recorded":{"id":1763632800},"live":{"id":1763632800123},"level":"none"}
        {"case":"times of the same unit","recorded":{"at":1763632800},"live":{"at":1763719200},"level":"none"}
        {"case":"a placeholder that is a number","recorded":{"token":"redacted.body.token"},"live":{"token":17},"level":"none"}
        {"case":"a placeholder that is an object","recorded":{"token":"redacted.body.token"},"live":{"token":{"a":1}},"level":"none"}
        {"case":"a step of a sequence","recorded":{"samples":[{"$":{"s":"a"},"h":["Content-Type: application/json"],"s":202},{"$":{"s":"b","r":1},"h":["Content-Type: application/json"],"s":200}]},"live":{"$":{"s":"c","r":2},"h":["Content-Type: application/json"],"s":200},"level":"none"}
        {"case":"framing","recorded":{"$":{"a":1},"h":["Content-Length: 7", "Connection: keep-alive"],"s":200},"live":{"$":{"a":1},"h":["Transfer-Encoding: chunked"],"s":200},"level":"none"}
        {"case":"another date","recorded":{"$":{"a":1},"h":["Date: Fri, 20 Nov 2026 10:00:00 GMT"],"s":200},"live":{"$":{"a":1},"h":["Date: Sat, 21 Nov 2026 10:00:00 GMT"],"s":200},"level":"none"}
        {"case":"another ETag","recorded":{"$":{"a":1},"h":["ETag: \"a\""],"s":200},"live":{"$":{"a":1},"h":["ETag: \"b\""],"s":200},"level":"none"}
        {"case":"a name in another case","recorded":{"$":{"a":1},"h":["ETAG: \"a\""],"s":200},"live":{"$":{"a":1},"h":["etag: \"a\""],"s":200},"level":"none"}
        {"case":"another server","recorded":{"$":{"a":1},"h":["Server: a"],"s":200},"live":{"$":{"a":1},"h":["Server: b"],"s":200},"level":"none"}
        {"case":"a cookie of another value","recorded":{"$":{"a":1},"h":["Set-Cookie: a=1; Path=/; Expires=Fri, 20 Nov 2026 10:00:00 GMT"],"s":200},"live":{"$":{"a":1},"h":["Set-Cookie: a=2; path=/; Expires=Sat, 21 Nov 2026 10:00:00 GMT"],"s":200},"level":"none"}
        {"case":"a redirect to another identifier","recorded":{"text":"","h":["Location: /users/17"],"s":201},"live":{"text":"","h":["Location: /users/18"],"s":201},"level":"none"}
        {"case":"a charset in capitals","recorded":{"text":"x","h":["Content-Type: text/plain; charset=UTF-8"],"s":200},"live":{"text":"x","h":["Content-Type: text/plain;charset=utf-8"],"s":200},"level":"none"}
        {"case":"what it varies by in another order","recorded":{"$":{"a":1},"h":["Vary: Accept, Origin"],"s":200},"live":{"$":{"a":1},"h":["vary: origin, accept"],"s":200},"level":"none"}
        {"case":"other text","recorded":{"text":"a b","h":["Content-Type: text/plain"],"s":200},"live":{"text":"c d e","h":["Content-Type: text/plain"],"s":200},"level":"none"}
        {"case":"other lines","recorded":{"text":"{\"a\":1}\n{\"a\":2}\n","h":["Content-Type: application/x-ndjson"],"s":200},"live":{"text":"{\"a\":3}\n","h":["Content-Type: application/x-ndjson"],"s":200},"level":"none"}
        {"case":"keys of a form in another order","recorded":{"text":"a=1&b=2","h":["Content-Type: application/x-www-form-urlencoded"],"s":200},"live":{"text":"b=x&a=y","h":["Content-Type: application/x-www-form-urlencoded"],"s":200},"level":"none"}
        {"case":"elements in another order","recorded":{"text":"<u><id>1</id><n>a</n></u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<u><n>b</n><id>2</id></u>","h":["Content-Type: application/xml"],"s":200},"level":"none"}
        {"case":"another prefix","recorded":{"text":"<a:u xmlns:a=\"urn:a\"><a:id>1</a:id></a:u>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<b:u xmlns:b=\"urn:a\"><b:id>1</b:id></b:u>","h":["Content-Type: application/xml"],"s":200},"level":"none"}
        {"case":"other rows","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"id,name\n2,b\n3,\"c, d\"\n","h":["Content-Type: text/csv"],"s":200},"level":"none"}
        {"case":"the same image","recorded":{"image":"png","h":["Content-Type: image/png"]},"live":{"image":"png","h":["Content-Type: image/png"]},"level":"none"}
        {"case":"another page","recorded":{"text":"<p>a</p>","h":["Content-Type: text/html"],"s":200},"live":{"text":"<h1>b</h1>","h":["Content-Type: text/html"],"s":200},"level":"none"}
        {"case":"errors of JSON:API where there were some","recorded":{"data":null,"errors":[{"title":"x"}]},"live":{"data":null,"errors":[{"title":"y"}]},"level":"none"}
        {"case":"a volatile format","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"2026-11-20"},"level":"none","volatile":["$.at"]}
        {"case":"a volatile set","recorded":[{"s":"open"},{"s":"closed"},{"s":"open"},{"s":"open"},{"s":"closed"}],"live":[{"s":"gone"}],"level":"none","volatile":["$[*].s"]}
        {"case":"what is ignored","recorded":{"a":1,"debug":{"x":1}},"live":{"a":1,"debug":{"y":"z"}},"level":"none","contract":{"/debug":{"ignore":true}}}
        {"case":"a type that is allowed","recorded":{"v":1},"live":{"v":1.5},"level":"none","contract":{"/v":{"type":"number"}}}
        {"case":"a null that is allowed","recorded":{"v":"a"},"live":{"v":null},"level":"none","contract":{"/v":{"type":["string","null"]}}}
        {"case":"a status that is allowed","recorded":{"$":{"a":1},"h":["Content-Type: application/json"],"s":200},"live":{"$":{"a":1},"h":["Content-Type: application/json"],"s":201},"level":"none","contract":{"status":{"enum":[200,201]}}}
        {"case":"events with other data","recorded":{"text":"event: tick\ndata: {\"n\":1}\n\n","h":["Content-Type: text/event-stream"],"s":200},"live":{"text":"event: tick\ndata: {\"n\":2}\n\nevent: tick\ndata: {\"n\":3}\n\n","h":["Content-Type: text/event-stream"],"s":200},"level":"none"}
        {"case":"an event without a member","recorded":{"text":"event: tick\ndata: {\"n\":1,\"m\":2}\n\n","h":["Content-Type: text/event-stream"],"s":200},"live":{"text":"event: tick\ndata: {\"n\":2}\n\n","h":["Content-Type: text/event-stream"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"a map of one language and another","recorded":{"title":{"en":"a"}},"live":{"title":{"de":"b"}},"level":"none"}
        {"case":"a map with a member that is not a key","recorded":{"17":{"n":"a"},"18":{"n":"b"}},"live":{"17":{"n":"a"},"count":1},"level":"info","id":"property-added"}
        {"case":"an object in the place of a map","recorded":{"17":{"n":"a"},"18":{"n":"b"}},"live":{"error":"x"},"level":"breaking","id":"property-removed"}
        {"case":"a member that some items had is in none, and is needed","recorded":[{"a":1,"b":2},{"a":2}],"live":[{"a":1}],"level":"breaking","id":"property-removed","contract":{"/*/b":{"needed":true}}}
        {"case":"a redirect to the same route of this host","recorded":{"text":"","h":["Location: https://api.example.com/users/17"],"s":302},"live":{"text":"","h":["Location: /users/18"],"s":302},"level":"none"}
        {"case":"JSON that is called text","recorded":{"text":"{\"a\":1}","h":["Content-Type: text/plain"]},"live":{"text":"{\"a\":\"x\"}","h":["Content-Type: text/plain"]},"level":"breaking","id":"type-changed"}
        {"case":"another type of GraphQL","recorded":{"data":{"node":{"__typename":"A","x":1}}},"live":{"data":{"node":{"__typename":"B","y":1}}},"level":"info","id":"variant-added"}
        {"case":"elements in the place of a text","recorded":{"text":"<r><a>x</a></r>","h":["Content-Type: application/xml"]},"live":{"text":"<r><a><b>x</b></a></r>","h":["Content-Type: application/xml"]},"level":"breaking","id":"type-changed"}
        {"case":"no lines","recorded":{"text":"{\"a\":1}\n","h":["Content-Type: application/x-ndjson"]},"live":{"text":"","h":["Content-Type: application/x-ndjson"]},"level":"info","id":"items-empty"}
        {"case":"an empty list of elements that is filled","recorded":{"text":"<r><l/></r>","h":["Content-Type: application/xml"]},"live":{"text":"<r><l><i>1</i></l></r>","h":["Content-Type: application/xml"]},"level":"info","id":"property-added"}
        {"case":"a null in the second answer","recorded":{"a":1},"live":{"samples":[{"a":1},{"a":null}]},"level":"breaking","id":"became-nullable"}
        {"case":"a whole number that no integer holds","recorded":{"a":1000},"live":{"text":"{\"a\":1e25}","h":["Content-Type: application/json"]},"level":"breaking","id":"integer-became-number"}
        {"case":"a date that is a date-time","recorded":[{"v":"2026-11-20"},{"v":"2026-11-21"}],"live":[{"v":"2026-11-20T00:00:00Z"},{"v":"2026-11-20T00:00:00Z"}],"level":"warning","id":"format-changed"}
        {"case":"a date-time with a space in it","recorded":{"t":"2026-11-20T10:00:00Z"},"live":{"t":"2026-11-20 10:00:00Z"},"level":"warning","id":"format-changed"}
        {"case":"a zone without its colon","recorded":{"t":"2026-11-20T10:00:00+02:00"},"live":{"t":"2026-11-20T10:00:00+0200"},"level":"warning","id":"format-changed"}
        {"case":"a short text in base64 that is plain","recorded":[{"v":"aGVsbG8="},{"v":"d29ybGQ="}],"live":[{"v":"hello!"},{"v":"world"}],"level":"warning","id":"format-changed"}
        {"case":"milliseconds in a list","recorded":{"ts":[1763632800,1763632801]},"live":{"ts":[1763632800000]},"level":"warning","id":"epoch-unit-changed"}
        {"case":"six values of ten are no set","recorded":[{"s":"a"},{"s":"b"},{"s":"c"},{"s":"d"},{"s":"e"},{"s":"f"},{"s":"a"},{"s":"b"},{"s":"c"},{"s":"d"}],"live":[{"s":"zz"}],"level":"none"}
        {"case":"five values of ten are a set","recorded":[{"s":"a"},{"s":"b"},{"s":"c"},{"s":"d"},{"s":"e"},{"s":"a"},{"s":"b"},{"s":"c"},{"s":"d"},{"s":"e"}],"live":[{"s":"zz"}],"level":"warning","id":"enum-value-added"}
        {"case":"a set of words in lists","recorded":{"t":["a","b","a","b","a"]},"live":{"t":["a","c"]},"level":"warning","id":"enum-value-added"}
        {"case":"a set over several samples","recorded":{"samples":[{"s":"on"},{"s":"off"},{"s":"on"},{"s":"off"},{"s":"on"}]},"live":{"s":"auto"},"level":"warning","id":"enum-value-added"}
        {"case":"a null in the place of a word","recorded":[{"s":"open"},{"s":"closed"},{"s":"open"},{"s":"open"},{"s":"closed"}],"live":[{"s":null}],"level":"breaking","id":"became-nullable"}
        {"case":"names in capitals are no map","recorded":{"m":{"URL":"x","KEY":"y"}},"live":{"m":{"URL":"x"}},"level":"breaking","id":"property-removed"}
        {"case":"a new kind without what all kinds had","recorded":[{"type":"text","body":"x","id":1},{"type":"image","url":"u","id":2}],"live":[{"type":"text","body":"x","id":1},{"type":"image","url":"u","id":2},{"type":"video","src":"x"}],"level":"breaking","id":"property-removed"}
        {"case":"a member of one kind of another type","recorded":[{"type":"text","body":"x","id":1},{"type":"image","url":"u","id":2}],"live":[{"type":"image","url":5,"id":2}],"level":"breaking","id":"type-changed"}
        {"case":"the second response lacks a column","recorded":{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"]},"live":{"samples":[{"text":"id,name\n1,a\n","h":["Content-Type: text/csv"]},{"text":"id\n1\n","h":["Content-Type: text/csv"]}]},"level":"breaking","id":"column-removed"}
        {"case":"an ETag where there was none","recorded":{"a":1},"live":{"text":"{\"a\":1}","h":["Content-Type: application/json","ETag: \"b\""]},"level":"info","id":"header-added"}
        {"case":"another nonce","recorded":{"text":"{\"a\":1}","h":["Content-Type: application/json","Content-Security-Policy: script-src 'nonce-abc'"]},"live":{"text":"{\"a\":1}","h":["Content-Type: application/json","Content-Security-Policy: script-src 'nonce-def'"]},"level":"none"}
        {"case":"what one of two samples varied by","recorded":{"samples":[{"text":"{\"a\":1}","h":["Content-Type: application/json","Vary: A"]},{"text":"{\"a\":1}","h":["Content-Type: application/json","Vary: A, B"]}]},"live":{"text":"{\"a\":1}","h":["Content-Type: application/json","Vary: A, B"]},"level":"none"}
        {"case":"a line that one of two samples had","recorded":{"samples":[{"text":"{\"a\":1}","h":["Content-Type: application/json","X-O: 1"]},{"a":1}]},"live":{"a":1},"level":"info","id":"header-removed"}
        {"case":"a line that the second response lacks","recorded":{"text":"{\"a\":1}","h":["Content-Type: application/json","ETag: \"a\""]},"live":{"samples":[{"text":"{\"a\":1}","h":["Content-Type: application/json","ETag: \"a\""]},{"a":1}]},"level":"warning","id":"header-removed"}
        {"case":"a step without a member","recorded":{"samples":[{"text":"{\"state\": \"pending\"}","h":["Content-Type: application/json"],"s":202},{"state":"done","r":1}]},"live":{"state":"done"},"level":"breaking","id":"property-removed"}
        {"case":"a cursor that is empty","recorded":{"samples":[{"next":"https://a.example/2"},{"next":"https://a.example/3"}]},"live":{"next":""},"level":"none"}
        {"case":"formats that differ between two answers","recorded":{"v":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01","w":[{"k":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},{"k":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}]},"live":{"samples":[{"v":"a","w":[{"k":"x"}]},{"v":"b","w":[{"k":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"}]}]},"level":"none"}
        {"case":"a format that two answers lack","recorded":{"w":[{"k":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},{"k":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}]},"live":{"samples":[{"w":[{"k":"x"}]},{"w":[{"k":"y"}]}]},"level":"warning","id":"format-changed"}
        {"case":"a date-time that lost its zone in two answers","recorded":{"now":"2026-01-01T00:00:00Z"},"live":{"samples":[{"now":"2026-01-01T00:00:01"},{"now":"2026-01-01T00:00:02"}]},"level":"breaking","id":"format-changed"}
        {"case":"a member that the second response lacks","recorded":{"v":1,"w":2},"live":{"samples":[{"v":1,"w":2},{"v":3}]},"level":"breaking","id":"property-removed"}
        {"case":"a volatile value of another type","recorded":{"v":1},"live":{"v":"x"},"level":"breaking","id":"type-changed","volatile":["$.v"]}
        {"case":"a volatile value that is null","recorded":{"v":"x"},"live":{"v":null},"level":"breaking","id":"became-nullable","volatile":["$.v"]}
        {"case":"another type where nobody needs it","recorded":{"id":1,"x":1},"live":{"id":1,"x":"1"},"level":"info","id":"type-changed","contract":{"/id":{"needed":true}}}
        {"case":"a needed format that is lost by all","recorded":[{"id":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},{"id":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}],"live":[{"id":"1"}],"level":"breaking","id":"format-changed","contract":{"/*/id":{"needed":true}}}
        {"case":"a needed set that grows","recorded":[{"s":"open"},{"s":"closed"},{"s":"open"},{"s":"open"},{"s":"closed"}],"live":[{"s":"pending"}],"level":"breaking","id":"enum-value-added","contract":{"/*/s":{"needed":true}}}
        {"case":"another status beside what is needed","recorded":{"id":1},"live":{"text":"{\"id\": 1}","h":["Content-Type: application/json"],"s":404},"level":"breaking","id":"status-changed","contract":{"/id":{"needed":true}}}
        {"case":"a pin that is elsewhere","recorded":{"id":1,"x":1},"live":{"x":1},"level":"breaking","id":"property-removed","contract":{"/x":{"optional":true}}}
        {"case":"a pin that says nothing of need","recorded":{"id":1,"x":1},"live":{"id":1},"level":"breaking","id":"property-removed","contract":{"/id":{"type":"integer"}}}
        {"case":"what nobody needs says nothing of the rest","recorded":{"id":1,"x":1},"live":{"id":1},"level":"breaking","id":"property-removed","contract":{"/id":{"needed":false}}}
        {"case":"what is told not to be needed","recorded":{"id":1,"x":1,"y":1},"live":{"id":1,"y":1},"level":"info","id":"property-removed","contract":{"/id":{"needed":true},"/x":{"needed":false}}}
        {"case":"a pinned value beside what is needed","recorded":{"id":1,"x":"a"},"live":{"id":1,"x":"b"},"level":"breaking","id":"value-changed","contract":{"/id":{"needed":true},"/x":{"equals":"a"}}}
        {"case":"what holds the needed is null","recorded":{"d":{"id":1}},"live":{"d":null},"level":"breaking","id":"became-nullable","contract":{"/d/id":{"needed":true}}}
        {"case":"what is needed and optional is gone","recorded":{"id":1,"x":1},"live":{"id":1},"level":"info","id":"property-removed","contract":{"/x":{"needed":true,"optional":true}}}
        {"case":"a placeholder within a text","recorded":{"t":"Bearer redacted.response.t"},"live":{"t":"anything"},"level":"none"}
        {"case":"a number in the place of a text with a placeholder","recorded":{"t":"Bearer redacted.response.t"},"live":{"t":5},"level":"breaking","id":"type-changed"}
        {"case":"a format that two later answers lack","recorded":[{"v":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},{"v":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}],"live":{"samples":[[{"v":"a"}],[{"v":"a"}]]},"level":"warning","id":"format-changed"}
        {"case":"a tuple with a null in another order","recorded":{"t":[["a",1],["b",null]]},"live":{"t":[[1,"a"]]},"level":"breaking","id":"type-changed"}
        {"case":"a tuple with a null","recorded":{"t":[["a",1],["b",null]]},"live":{"t":[["c",null]]},"level":"none"}
        {"case":"a longer tuple","recorded":{"t":[["a",1],["b",2]]},"live":{"t":[["a",1,true]]},"level":"info","id":"tuple-length-changed"}
        {"case":"a redirect to another host","recorded":{"text":"","h":["Location: https://a.example/x"],"s":302},"live":{"text":"","h":["Location: https://evil.example/x"],"s":302},"level":"breaking","id":"location-changed"}
        {"case":"a redirect with other names in its query","recorded":{"text":"","h":["Location: /cb?code=abc"],"s":302},"live":{"text":"","h":["Location: /cb?error=x"],"s":302},"level":"breaking","id":"location-changed"}
        {"case":"a redirect to another version","recorded":{"text":"","h":["Location: /v1/a"],"s":302},"live":{"text":"","h":["Location: /v2/a"],"s":302},"level":"breaking","id":"location-changed"}
        {"case":"no Content-Range any more","recorded":{"text":"ab","h":["Content-Type: text/plain","Content-Range: bytes 0-1/5"],"s":206},"live":{"text":"cd","h":["Content-Type: text/plain"],"s":206},"level":"warning","id":"header-removed"}
        {"case":"a fault in the place of a response","recorded":{"text":"<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><ok/></s:Body></s:Envelope>","h":["Content-Type: text/xml"]},"live":{"text":"<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><s:Fault/></s:Body></s:Envelope>","h":["Content-Type: text/xml"]},"level":"breaking","id":"property-removed"}
        {"case":"a column of another form","recorded":{"text":"id,date\n1,2026-11-20\n2,2026-11-21\n","h":["Content-Type: text/csv"]},"live":{"text":"id,date\n1,20.11.2026\n","h":["Content-Type: text/csv"]},"level":"warning","id":"format-changed"}
        {"case":"a space in a URL","recorded":[{"v":"https://a.example/x"},{"v":"https://a.example/y"}],"live":[{"v":"https://a.example/x y"},{"v":"https://a.example/z z"}],"level":"warning","id":"format-changed"}
        {"case":"another shape of an error","recorded":{"text":"{\"error\": {\"code\": 1}}","h":["Content-Type: application/json"],"s":404},"live":{"text":"{\"error\": \"x\"}","h":["Content-Type: application/json"],"s":404},"level":"breaking","id":"type-changed"}
        {"case":"no cursor on the last page","recorded":{"paging":{"cursors":{"after":"a"}}},"live":{"paging":{"cursors":{}}},"level":"info","id":"property-removed"}
        {"case":"a map of one currency and another","recorded":{"r":{"EUR":1.5}},"live":{"r":{"USD":2.5}},"level":"none"}
        {"case":"an address that is none, where one is asked for","recorded":{"ip":"10.0.0.1"},"live":{"ip":"localhost"},"level":"breaking","id":"format-changed","contract":{"/ip":{"format":"ipv4"}}}
        {"case":"another address where one is asked for","recorded":{"ip":"10.0.0.1"},"live":{"ip":"10.0.0.2"},"level":"none","contract":{"/ip":{"format":"ipv4"}}}
        {"case":"a format that nobody knows","recorded":[{"id":"0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01"},{"id":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}],"live":[{"id":"5f0c8d6f-6a01-4f6e-9a59-0b2c7e3c6a53"}],"level":"warning","id":"place-unknown","contract":{"/*/id":{"format":"snowflake"}}}
        {"case":"lists whose lengths and order are volatile are no tuples","recorded":{"t":[["a",1],["b",2]]},"live":{"t":[["a"],[1,"b","c"]]},"level":"none","volatile":["$.t"]}
        {"case":"it will be switched off later","recorded":{"$":{"a":1},"h":["Content-Type: application/json","Sunset: Sat, 31 Dec 2027 23:59:59 GMT"]},"live":{"$":{"a":1},"h":["Content-Type: application/json","Sunset: Fri, 30 Jun 2028 23:59:59 GMT"]},"level":"info","id":"header-changed"}
        {"case":"a part of the sky lost one of its two angles","recorded":{"az":182.4,"el":33.1},"live":{"az":1.5},"level":"breaking","id":"property-removed"}
        {"case":"one of two hours is gone","recorded":{"o":{"AM":1,"PM":2}},"live":{"o":{"AM":1}},"level":"breaking","id":"property-removed"}
        {"case":"a day that no month has","recorded":[{"d":"2026-01-30"},{"d":"2026-01-31"}],"live":[{"d":"2026-02-30"}],"level":"warning","id":"format-changed"}
        {"case":"a date-time without its parts of a second","recorded":{"at":"2026-11-20T10:00:00.123Z"},"live":{"at":"2026-11-20T10:00:00Z"},"level":"warning","id":"format-changed"}
        {"case":"date-times with and without parts of a second","recorded":[{"at":"2026-11-20T10:00:00.123Z"},{"at":"2026-11-20T10:00:00Z"}],"live":[{"at":"2026-11-20T10:00:00Z"}],"level":"none"}
        {"case":"a date-time in small letters","recorded":{"at":"2026-11-20T10:00:00Z"},"live":{"at":"2026-11-20t10:00:00z"},"level":"warning","id":"format-changed"}
        {"case":"an offset of the last page that is a token","recorded":{"records":[1],"offset":"itrX"},"live":{"records":[1]},"level":"info","id":"property-removed"}
        {"case":"an offset that is a number","recorded":{"records":[1],"offset":20},"live":{"records":[1]},"level":"breaking","id":"property-removed"}
        {"case":"no more to continue with","recorded":{"continue":{"sroffset":10},"query":1},"live":{"query":1},"level":"info","id":"property-removed"}
        {"case":"no URL of further records","recorded":{"nextRecordsUrl":"/q/01g-2000","records":[1]},"live":{"records":[1]},"level":"info","id":"property-removed"}
        {"case":"no paging on the last page","recorded":{"data":[1],"paging":{"cursors":{"after":"MTAx"},"next":"https://a/b?after=MTAx"}},"live":{"data":[1]},"level":"info","id":"property-removed"}
        {"case":"a date whose name begins with next","recorded":{"nextBillingDate":"2026-01-01","a":1},"live":{"a":1},"level":"breaking","id":"property-removed"}
        {"case":"an element in another namespace","recorded":{"text":"<a:r xmlns:a=\"u\"><a:id>1</a:id></a:r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<a:r xmlns:a=\"u\"><id>1</id></a:r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"value-changed"}
        {"case":"elements that trade their namespaces","recorded":{"text":"<r xmlns:a=\"u\" xmlns:b=\"v\"><a:x>1</a:x><b:y>2</b:y></r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<r xmlns:a=\"u\" xmlns:b=\"v\"><b:x>1</b:x><a:y>2</a:y></r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"value-changed"}
        {"case":"other prefixes for the same namespaces","recorded":{"text":"<a:r xmlns:a=\"u\"><a:id>1</a:id></a:r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<r xmlns=\"u\"><id>1</id></r>","h":["Content-Type: application/xml"],"s":200},"level":"none"}
        {"case":"XML with a bare ampersand","recorded":{"text":"<r><a>x</a></r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<r><a>x & y</a></r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"XML with an entity of HTML","recorded":{"text":"<r><a>x</a></r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<r><a>&nbsp;</a></r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"XML behind a document type lost an element","recorded":{"text":"<!DOCTYPE r [<!ELEMENT r (a, b)>]><r><a>x</a><b>y</b></r>","h":["Content-Type: application/xml"],"s":200},"live":{"text":"<!DOCTYPE r [<!ELEMENT r (a)>]><r><a>x</a></r>","h":["Content-Type: application/xml"],"s":200},"level":"breaking","id":"property-removed"}
        {"case":"a table of years with other years","recorded":{"text":"country,2020,2021\nCH,1,2\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"country,2022,2023\nCH,1,2\n","h":["Content-Type: text/csv"],"s":200},"level":"breaking","id":"column-removed"}
        {"case":"a table with a name twice lost its names","recorded":{"text":"id,n,n\n1,a,b\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"x,y,z\n1,a,b\n","h":["Content-Type: text/csv"],"s":200},"level":"breaking","id":"column-removed"}
        {"case":"a table behind a comment lost a column","recorded":{"text":"# of 2026\nid,name\n1,a\n","h":["Content-Type: text/csv"],"s":200},"live":{"text":"# of 2026\nid\n1\n","h":["Content-Type: text/csv"],"s":200},"level":"breaking","id":"column-removed"}
        {"case":"a page in the place of a drawing","recorded":{"text":"<svg/>","h":["Content-Type: image/svg+xml"],"s":200},"live":{"text":"<html>x</html>","h":["Content-Type: image/svg+xml"],"s":200},"level":"breaking","id":"media-type-mismatch"}
        {"case":"a JSON error in the place of a stream","recorded":{"text":"data: {\"a\":1}\n\n","h":["Content-Type: text/event-stream"],"s":200},"live":{"text":"{\"error\":\"x\"}","h":["Content-Type: text/event-stream"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"a page in the place of text","recorded":{"text":"OK","h":["Content-Type: text/plain"],"s":200},"live":{"text":"<html>log in</html>","h":["Content-Type: text/plain"],"s":200},"level":"breaking","id":"body-malformed"}
        {"case":"a contract that names no place of the response","recorded":{"id":1},"live":{"id":2},"level":"warning","id":"place-unknown","contract":{"/idd":{"needed":true}}}
        {"case":"a contract that names no place hides nothing","recorded":{"id":1,"name":"x"},"live":{"name":"x"},"level":"breaking","id":"property-removed","contract":{"/idd":{"needed":true}}}
        {"case":"a place of a contract as a JSON path","recorded":{"a":{"id":1}},"live":{"a":{}},"level":"none","contract":{"$..id":{"ignore":true}}}
        {"case":"it will be switched off earlier","recorded":{"$":{"a":1},"h":["Content-Type: application/json","Sunset: Sat, 31 Dec 2027 23:59:59 GMT"]},"live":{"$":{"a":1},"h":["Content-Type: application/json","Sunset: Fri, 30 Jun 2023 23:59:59 GMT"]},"level":"warning","id":"header-changed"}
        {"case":"a warning of the service","recorded":{"$":{"a":1},"h":["Content-Type: application/json"]},"live":{"$":{"a":1},"h":["Content-Type: application/json","Warning: 299 - \"gone next year\""]},"level":"warning","id":"deprecation-added"}
        """##
}
