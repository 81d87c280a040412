# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# A request's cost among 10 stubs and among 100,000, and the memory of these.

# Writes COUNT stubs, a thousand a file, told apart by `path` or by `query`, each with a small answer of its own.
write_stubs() { # write_stubs DIRECTORY KIND COUNT
    mkdir -p "$1"
    awk -v directory="$1" -v kind="$2" -v count="$3" 'BEGIN {
        for (number = 0; number < count; number++) {
            if (number % 1000 == 0) {
                if (file != "") { print "\n]}" > file; close(file) }
                file = sprintf("%s/items-%03d.stub.json", directory, number / 1000)
                printf "{\"stubs\": [\n" > file
            } else {
                print "," > file
            }
            if (kind == "path")
                request = sprintf("\"urlPath\": \"/items/%06d\"", number)
            else
                request = sprintf("\"urlPath\": \"/items\", \"queryParameters\": {\"id\": {\"equalTo\": \"%06d\"}}", number)
            body = sprintf("{\"id\": \"%06d\", \"name\": \"item %06d\"}", number, number)
            printf "{\"request\": {\"method\": \"GET\", %s}, \"response\": {\"jsonBody\": %s}}", request, body > file
        }
        print "\n]}" > file
    }'
}

# The peer: a hash of targets to answers, nginx's own way to hold many.
write_maps() { # write_maps DIRECTORY KIND COUNT
    mkdir -p "$1"
    awk -v kind="$2" -v count="$3" 'BEGIN {
        prefix = kind == "path" ? "/items/" : ""
        print "map_hash_max_size 524288;"
        print "map_hash_bucket_size 128;"
        print "map " (kind == "path" ? "$uri" : "$arg_id") " $answer {"
        for (number = 0; number < count; number++)
            printf "    %s%06d \"{\\\"id\\\":\\\"%06d\\\",\\\"name\\\":\\\"item %06d\\\"}\";\n", prefix, number, number, number
        print "}"
    }' >"$1/map"
    nginx_configuration "$1" "$1/map" >"$1/template" <<'CONF'
location /items {
    default_type application/json;
    if ($answer = "") { return 404; }
    return 200 $answer;
}
CONF
}

resident() { awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"; } # resident PID, in KiB

bench_stubs() {
    local kind count prefix asked file growth memory
    echo
    echo "CPU per request in µs and rate of $stubs_many stubs against 10, small JSON answers, $stubs_targets different" \
        "targets in random order"
    printf '%-22s %-22s %-22s %6s  %-26s %-26s\n' \
        'case' 'CPU of 10' "CPU of $stubs_many" ratio 'rate of 10' "rate of $stubs_many"
    for kind in path query; do
        prefix=/items/
        [ "$kind" = path ] || prefix='/items?id='
        local -a entries=() pids=()
        for count in 10 "$stubs_many"; do
            asked=$((count < stubs_targets ? count : stubs_targets))
            write_stubs "$scratch/stubs-$kind-$count" "$kind" "$count"
            say "… $count stubs by $kind"
            start_mockapi "$scratch/stubs-$kind-$count"
            pids+=("$server_pid")
            entries+=("$server_pid $server_url -s $here/lib/targets.lua -- $prefix $asked $count")
        done
        memory=$(resident "${pids[1]}")
        echo "resident with $stubs_many stubs by $kind, loaded: $memory KiB"
        # A smoke has fewer, and what the server takes without any counts all the more.
        [ "$stubs_many" -lt 100000 ] \
            || bars+=("by $kind: $stubs_many stubs under 100 MB (97656 KiB) resident: $memory KiB$(verdict "$memory" at-most 97656)")
        for count in 10 "$stubs_many"; do
            asked=$((count < stubs_targets ? count : stubs_targets))
            write_maps "$scratch/maps-$kind-$count" "$kind" "$count"
            start_nginx "$scratch/maps-$kind-$count" "$scratch/maps-$kind-$count/template"
            pids+=("$server_pid")
            entries+=("$server_pid $server_url -s $here/lib/targets.lua -- $prefix $asked $count")
        done
        file=$scratch/stubs-$kind
        alternate "$file" "${entries[@]}"
        growth=$(ratio "$file.2" "$file.1" 1)
        stubs_row "mockapi, by $kind" "$file.1" "$file.2"
        stubs_row "nginx map, by $kind" "$file.3" "$file.4"
        bars+=("by $kind: $stubs_many stubs cost at most 1.05 times what 10 cost: $growth$(verdict "$growth" at-most 1.05)")
        for pid in "${pids[@]}"; do end_server "$pid"; done
        rm -rf "$scratch"/stubs-"$kind"-* "$scratch"/maps-"$kind"-*
    done
    print_bars
}

stubs_row() { # stubs_row NAME FILE-OF-FEW FILE-OF-MANY
    printf '%-22s %-22s %-22s %6s  %-26s %-26s\n' "$1" "$(spread "$2" 1 %.2f)" "$(spread "$3" 1 %.2f)" \
        "$(ratio "$3" "$2" 1)" "$(spread "$2" 2 %.0f)" "$(spread "$3" 2 %.0f)"
}
