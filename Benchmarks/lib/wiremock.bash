# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# The same mappings served by mockapi and by WireMock.

# Writes a WireMock root of COUNT mappings of a KIND: plain, jsonpath or template.
write_mappings() { # write_mappings DIRECTORY KIND COUNT
    mkdir -p "$1/mappings" "$1/__files"
    awk -v kind="$2" -v count="$3" 'BEGIN {
        print "{\"mappings\": ["
        for (number = 0; number < count; number++) {
            if (number) print ","
            if (kind == "jsonpath") {
                request = "\"method\": \"POST\", \"urlPath\": \"/graph\", \"bodyPatterns\": [{\"matchesJsonPath\": " \
                    "{\"expression\": \"$.operation.name\", \"equalTo\": \"" sprintf("op-%06d", number) "\"}}]"
                response = sprintf("\"jsonBody\": {\"id\": %d}", number)
            } else if (kind == "template") {
                request = sprintf("\"method\": \"GET\", \"urlPath\": \"/items/%06d\"", number)
                response = "\"body\": \"{\\\"path\\\": \\\"{{request.path}}\\\", \\\"agent\\\": \\\"{{request.headers.Host}}\\\", " \
                    "\\\"last\\\": \\\"{{request.pathSegments.[1]}}\\\"}\", \"transformers\": [\"response-template\"]"
            } else {
                request = sprintf("\"method\": \"GET\", \"urlPath\": \"/items/%06d\"", number)
                response = sprintf("\"jsonBody\": {\"id\": \"%06d\", \"name\": \"item %06d\"}", number, number)
            }
            printf "{\"request\": {%s}, \"response\": {\"headers\": {\"Content-Type\": \"application/json\"}, %s}}", request, response
        }
        print "\n]}"
    }' >"$1/mappings/all.json"
}

start_wiremock() { # start_wiremock DIRECTORY
    start_peer WireMock "$1/wiremock.err" become_wiremock "$1"
}

become_wiremock() { # become_wiremock DIRECTORY PORT
    exec taskset -c "$server_cores" java -jar "$WIREMOCK" --root-dir "$1" --port "$2" --disable-banner --disable-gzip --local-response-templating \
        --max-request-journal-entries 1000
}

bench_wiremock() {
    local name kind count script file growth entry
    local -a cases=("plain plain 10" "1,000-stubs plain 1000" "JSON-path jsonpath 100" "templated template 10")
    if [ -z "${WIREMOCK:-}" ]; then
        echo
        echo "wiremock: skipped; WIREMOCK names its standalone jar (pip download wiremock has one in its wheel)"
        return
    fi
    need java openjdk-17-jre-headless
    echo
    echo "CPU per request in µs and rate beside WireMock's, the same mappings, journal on (WireMock's of 1,000 entries)"
    printf '%-22s %-22s %-22s %7s  %-24s %-24s\n' case 'CPU of mockapi' 'CPU of WireMock' times 'rate of mockapi' 'rate of WireMock'
    for entry in "${cases[@]}"; do
        read -r name kind count <<<"$entry"
        file=$scratch/wiremock-$name
        write_mappings "$file-root" "$kind" "$count"
        if [ "$kind" = jsonpath ]; then
            script="-s $here/lib/bodies.lua -- /graph $count"
        else
            script="-s $here/lib/targets.lua -- /items/ $count $count"
        fi
        start_mockapi "$file-root"
        local ours="$server_pid $server_url $script" our_pid=$server_pid
        start_wiremock "$file-root"
        alternate "$file" "$ours" "$server_pid $server_url $script"
        growth=$(ratio "$file.2" "$file.1" 1)
        printf '%-22s %-22s %-22s %7s  %-24s %-24s\n' "${name/-/ }" "$(spread "$file.1" 1 %.2f)" "$(spread "$file.2" 1 %.2f)" \
            "$growth" "$(spread "$file.1" 2 %.0f)" "$(spread "$file.2" 2 %.0f)"
        bars+=("${name/-/ }: WireMock takes at least 10 times the CPU: $growth$(verdict "$growth" at-least 10)")
        end_server "$our_pid"
        end_server "$server_pid"
    done
    wiremock_startup
    wiremock_growth
    print_bars
}

# From exec to the first answer, on 10 plain mappings.
wiremock_startup() {
    local file=$scratch/wiremock-start root=$scratch/wiremock-plain-root run times
    local -a options=("$server_cores" "$load_cores" /items/000001 -)
    for ((run = 1; run <= (startup_runs < 5 ? startup_runs : 5); run++)); do
        python3 "$here/lib/startup.py" 1 "${options[@]}" "$mockapi" serve "$root" --port @PORT@ --loops "$loops" --quiet >>"$file.1"
        python3 "$here/lib/startup.py" 1 "${options[@]}" "$(command -v java)" -jar "$WIREMOCK" --root-dir "$root" --port @PORT@ --disable-banner \
            >>"$file.2" 2>/dev/null
    done
    times=$(ratio "$file.2" "$file.1" 1)
    printf '%-22s %-22s %-22s %7s\n' 'first answer, ms' "$(spread "$file.1" 1 %.1f)" "$(spread "$file.2" 1 %.0f)" "$times"
    bars+=("start: WireMock takes at least 40 times as long: $times$(verdict "$times" at-least 40)")
}

# What the number of stubs that one JSON path tells apart costs mockapi.
wiremock_growth() {
    local count pid file=$scratch/wiremock-growth growth
    local -a entries=() pids=()
    for count in 10 "$json_path_stubs"; do
        write_mappings "$file-$count" jsonpath "$count"
        start_mockapi "$file-$count"
        pids+=("$server_pid")
        entries+=("$server_pid $server_url -s $here/lib/bodies.lua -- /graph $count")
    done
    alternate "$file" "${entries[@]}"
    growth=$(ratio "$file.2" "$file.1" 1)
    printf '%-22s %-22s %-22s %7s\n' "JSON path, $json_path_stubs of 10" "$(spread "$file.2" 1 %.2f)" "$(spread "$file.1" 1 %.2f)" "$growth"
    bars+=("$json_path_stubs stubs told apart by a JSON path cost at most 1.20 times 10: $growth$(verdict "$growth" at-most 1.20)")
    for pid in "${pids[@]}"; do end_server "$pid"; done
}
