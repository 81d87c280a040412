# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# The recording proxy beside nginx's proxy_pass, in front of the same upstream.

bench_record() {
    local peer=$scratch/upstream proxy=$scratch/proxy upstream_url name target
    local nginx_pid nginx_url passing_pid passing_url recording_pid recording_url
    # The most that passing through and recording may take of a processor, times what nginx takes.
    local -a cases=("small answer|/small.json|1.9|2.1" "article page|/article.json|2.0|2.2" "1 MiB image|/image.png|1.2|2.2")
    local passing_bar recording_bar passing recording
    mkdir "$peer" "$proxy" "$scratch/passed" "$scratch/recorded"
    printf '{"text": "%s"}' "$(printf 'plain words %.0s' {1..80})" >"$peer/small.json"
    cp "$fixtures/api/contents/page-1.json" "$peer/article.json"
    cp "$fixtures/uploads/2026/aurora.png" "$peer/image.png"

    # The upstream has the processors of the load: what it costs is no part of a proxy's figures.
    echo "root $peer; types { application/json json; image/png png; }" | nginx_configuration "$peer" >"$peer/template"
    start_peer nginx "$peer/errors" become_upstream "$peer" "$peer/template"
    upstream_url=$server_url

    echo "upstream recorded { server ${upstream_url#http://}; keepalive 256; }" >"$proxy/http"
    echo 'location / { proxy_pass http://recorded; proxy_http_version 1.1; proxy_set_header Connection ""; }' \
        | nginx_configuration "$proxy" "$proxy/http" >"$proxy/template"
    start_peer nginx "$proxy/errors" become_nginx "$proxy" "$proxy/template"
    nginx_pid=$server_pid nginx_url=$server_url
    start_recorder passthrough "$upstream_url" "$scratch/passed"
    passing_pid=$server_pid passing_url=$server_url
    start_recorder all "$upstream_url" "$scratch/recorded"
    recording_pid=$server_pid recording_url=$server_url

    for entry in "${cases[@]}"; do
        IFS='|' read -r name target passing_bar recording_bar <<<"$entry"
        for url in "$upstream_url" "$nginx_url" "$passing_url" "$recording_url"; do
            curl -fsS -o "$proxy/answer" "$url$target" || die "$url$target was not answered"
            cmp -s "$peer$target" "$proxy/answer" || die "$url$target has other bytes than the upstream's"
        done
    done

    echo
    echo "one connection: median time of an answer in µs, and what a proxy adds to it"
    local -a urls=("$upstream_url" "$nginx_url" "$passing_url" "$recording_url")
    printf '%-13s %-20s %-28s %-28s %s\n' case direct 'nginx proxy_pass' 'mockapi passthrough' 'mockapi record'
    for entry in "${cases[@]}"; do
        IFS='|' read -r name target passing_bar recording_bar <<<"$entry"
        say "… $name, one connection"
        local file="$scratch/latency-${name// /-}" round index
        for ((round = 1; round <= rounds; round++)); do
            for index in "${!urls[@]}"; do latency "$file.$index" "${urls[$index]}$target"; done
        done
        local direct
        direct=$(median "$file.0" 1)
        printf '%-13s %-20s' "$name" "$(spread "$file.0" 1 %.0f)"
        for index in 1 2 3; do
            printf ' %-28s' "$(spread "$file.$index" 1 %.0f), +$(awk -v a="$(median "$file.$index" 1)" -v b="$direct" 'BEGIN { printf "%.0f", a - b }')"
        done
        echo
    done

    echo
    echo "CPU per request in µs (user + system, all of the proxy's processes), requests per second"
    printf '%-13s %-22s %-22s %-22s %-20s %-20s %s\n' \
        case 'CPU nginx' 'CPU passthrough' 'CPU record' 'rate nginx' 'rate passthrough' 'rate record'
    for entry in "${cases[@]}"; do
        IFS='|' read -r name target passing_bar recording_bar <<<"$entry"
        say "… $name"
        local file="$scratch/record-${name// /-}"
        alternate "$file" "$nginx_pid $nginx_url$target" "$passing_pid $passing_url$target" \
            "$recording_pid $recording_url$target"
        printf '%-13s' "$name"
        for index in 1 2 3; do printf ' %-22s' "$(spread "$file.$index" 1 %.1f)"; done
        for index in 1 2 3; do printf ' %-20s' "$(spread "$file.$index" 2 %.0f)"; done
        echo
        passing=$(ratio "$file.2" "$file.1" 1) recording=$(ratio "$file.3" "$file.1" 1)
        echo "ratio:   $name, passthrough to nginx: CPU $passing (bar $passing_bar$(verdict "$passing" at-most "$passing_bar"))," \
            "rate $(ratio "$file.2" "$file.1" 2); record to nginx: CPU $recording" \
            "(bar $recording_bar$(verdict "$recording" at-most "$recording_bar")), rate $(ratio "$file.3" "$file.1" 2)"
    done
    for pid in "$nginx_pid" "$passing_pid" "$recording_pid"; do end_server "$pid"; done
}

become_upstream() { # become_upstream DIRECTORY CONFIGURATION-TEMPLATE PORT
    sed "s/@PORT@/$3/" "$2" >"$1/nginx.conf"
    exec taskset -c "$load_cores" "$nginx" -p "$1" -c "$1/nginx.conf"
}

become_recorder() { # become_recorder MODE UPSTREAM DIRECTORY PORT
    exec taskset -c "$server_cores" "$mockapi" record "$2" --mode "$1" --into "$3" --port "$4" --quiet
}

start_recorder() { # start_recorder MODE UPSTREAM DIRECTORY
    start_peer "$mockapi record" "$3.errors" become_recorder "$@"
}

# Appends the median time of an answer in microseconds to FILE: one connection, one request after the other.
latency() { # latency FILE URL
    local output
    output=$(taskset -c "$load_cores" wrk -t 1 -c 1 -d "${seconds}s" --latency "$2" 2>&1) \
        || { echo "$output" >&2; die "wrk failed on $2"; }
    awk '/^ *50%/ {
        time = $2
        print time * (time ~ /us$/ ? 1 : time ~ /ms$/ ? 1000 : 1000000)
    }' <<<"$output" >>"$1"
}
