# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# From exec to the first answer on the sample fixtures, and what is resident then.

bench_startup() {
    local peer=$scratch/startup file=$scratch/startup-times
    mkdir "$peer"
    cp "$fixtures/api/contents/domain-5.json" "$peer/article"
    nginx_configuration "$peer" >"$peer/template" <<CONF
location = ${article%%\?*} { alias $peer/article; default_type application/vnd.api+json; }
CONF
    echo
    echo "From exec to the first answer (the article page) and memory then, median (range) of $startup_runs runs"
    if ldd "$mockapi" 2>/dev/null | grep -q libswiftCore; then
        echo "note: $mockapi loads the Swift runtime dynamically; the bars are for what docker/build makes"
    fi
    say "… start"
    # One run of each warms the page cache; then they take turns.
    startup_run 1 "$file.warm" mockapi
    startup_run 1 "$file.warm" nginx
    for ((run = 1; run <= startup_runs; run++)); do
        startup_run 1 "$file.1" mockapi
        startup_run 1 "$file.2" nginx
    done
    printf '%-22s %-26s %-28s %s\n' case 'first answer ms' 'resident KiB' 'proportional KiB'
    startup_row mockapi "$file.1"
    startup_row "nginx, $((loops + 1)) processes" "$file.2"
    local time memory
    time=$(printf '%.2f' "$(median "$file.1" 1)") memory=$(printf '%.0f' "$(median "$file.1" 2)")
    bars+=("first answer within 10 ms: $time ms$(verdict "$time" at-most 10)")
    bars+=("under 16 MB (15625 KiB) resident: $memory KiB$(verdict "$memory" at-most 15625)")
    print_bars
}

startup_row() { # startup_row NAME FILE
    printf '%-22s %-26s %-28s %s\n' "$1" "$(spread "$2" 1 %.2f)" "$(spread "$2" 2 %d)" "$(spread "$2" 3 %d)"
}

startup_run() { # startup_run RUNS FILE mockapi|nginx
    local -a command=("$mockapi" serve "$fixtures" --port @PORT@ --loops "$loops" --quiet)
    local template=-
    if [ "$3" = nginx ]; then
        command=("$nginx" -p "$peer" -c @CONF@)
        template=$peer/template
    fi
    python3 "$here/lib/startup.py" "$1" "$server_cores" "$load_cores" "$article" "$template" "${command[@]}" \
        >>"$2" 2>"$scratch/startup.err" \
        || { cat "$scratch/startup.err" >&2; die "$3 could not be timed"; }
}
