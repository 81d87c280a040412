# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# One round of load, and rounds of two servers in turn.

# Appends "microseconds-per-request requests-per-second busy-share" to FILE, after a load of SECONDS.
measure() { # measure FILE PID SECONDS URL [wrk arguments…]
    local file=$1 pid=$2 length=$3 url=$4 before after output
    shift 4
    before=$(ticks "$pid")
    # `-s SCRIPT` stands before the URL, `-- ARGUMENTS` of the script after it.
    output=$(taskset -c "$load_cores" wrk -t "$load_threads" -c "$connections" -d "${length}s" \
        "${@:1:2}" "$url" "${@:3}" 2>&1) \
        || { echo "$output" >&2; die "wrk failed on $url"; }
    after=$(ticks "$pid")
    if [ "${missing:-}" != "$url" ] && grep -q 'Non-2xx' <<<"$output"; then
        echo "$output" >&2
        die "$url gave other answers than 200"
    fi
    if grep -q 'Socket errors' <<<"$output"; then say "note: $url:$(grep 'Socket errors' <<<"$output")"; fi
    awk -v ticks=$((after - before)) -v hertz="$ticks_per_second" -v loops="$loops" -v url="$url" '
        / requests in / {
            requests = $1
            time = $4
            sub(/,$/, "", time)
            unit = time ~ /ms$/ ? 0.001 : time ~ /m$/ ? 60 : 1
            time = (time + 0) * unit
        }
        END {
            if (requests < 1) { print "run: no request of " url " was answered" > "/dev/stderr"; exit 4 }
            printf "%.4f %.1f %.3f\n", ticks / hertz * 1e6 / requests, requests / time, ticks / hertz / time / loops
        }' <<<"$output" >>"$file"
}

# Alternates between servers, `rounds` times; a short load warms each first, but not in a smoke test. The measurements
# of the N-th go to FILE.N.
alternate() { # [measure_with=FUNCTION] alternate FILE "PID URL [arguments of the load…]"…
    local file=$1 round entry index
    local -a words
    shift
    for entry in "$@"; do
        [ "$short" = no ] || break
        read -ra words <<<"$entry"
        "${measure_with:-measure}" "$scratch/warm" "${words[0]}" 1 "${words[@]:1}"
    done
    for ((round = 1; round <= rounds; round++)); do
        index=0
        for entry in "$@"; do
            index=$((index + 1))
            read -ra words <<<"$entry"
            "${measure_with:-measure}" "$file.$index" "${words[0]}" "$seconds" "${words[@]:1}"
        done
    done
}
