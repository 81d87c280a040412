# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# Tools, processors and arithmetic that every benchmark uses.

die() { echo "run: $*" >&2; exit 4; }
say() { echo "$*" >&2; }

need() { # need COMMAND DEBIAN-PACKAGE
    command -v "$1" >/dev/null || die "$1 is missing; on Debian: apt-get install $2"
}

check_tools() {
    need wrk wrk
    need curl curl
    need h2load nghttp2-client
    need nghttpd nghttp2-server
    need openssl openssl
    need taskset util-linux
    need python3 python3
    [ -x "$nginx" ] || die "nginx is missing; on Debian: apt-get install nginx-light"
    [ -x "$mockapi" ] || die "$mockapi is missing; build it (swift build -c release --product mockapi) or set MOCKAPI"
    ticks_per_second=$(getconf CLK_TCK)
}

# Sets `server_cores`, `load_cores` (lists for taskset) and `loops`, `load_threads` (how many each has), from the
# processors that this process may run on.
choose_cores() {
    local -a cores
    mapfile -t cores < <(awk '/^Cpus_allowed_list:/ {
        count = split($2, parts, ",")
        for (i = 1; i <= count; i++) {
            ends = split(parts[i], range, "-")
            for (core = range[1]; core <= range[ends]; core++) print core
        }
    }' /proc/self/status)
    case ${#cores[@]} in
        1) server_cores=${cores[0]} load_cores=${cores[0]} loops=1 load_threads=1 ;;
        2) server_cores=${cores[0]} load_cores=${cores[1]} loops=1 load_threads=1 ;;
        *)
            server_cores=${cores[0]},${cores[1]} loops=2
            load_cores=$(IFS=,; echo "${cores[*]:2}") load_threads=$((${#cores[@]} - 2))
            ;;
    esac
    if [ "$server_cores" = "$load_cores" ]; then
        say "note: one processor only; server and load share it, rates mean little"
    fi
}

print_machine() {
    local model
    model=$(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
    echo "machine: ${model:-unknown processor}, Linux $(uname -r); server on cores $server_cores, load on cores $load_cores"
    echo "peers:   $("$nginx" -v 2>&1 | sed 's/.*: //'), $(wrk -v 2>&1 | awk 'NR == 1 { print $1, $2 }'), $(nghttpd --version), $(openssl version | cut -d ' ' -f 1,2)"
    echo "load:    $connections keep-alive connections, $rounds rounds of $seconds s each, median (range)"
}

# Sets `program` to a benchmark's own program: the one beside the command, if docker/build has put it there, or one that is built now. In the
# package's own build folder, or older than the command, it may be of other sources.
build_program() { # build_program PRODUCT
    program=${mockapi%/*}/$1
    if [ -x "$program" ] && [ ! "$program" -ot "$mockapi" ] && [ ! "${mockapi%/*}" -ef "$package/.build/release" ]; then
        return 0
    fi
    program=$package/.build/release/$1
    swift build --package-path "$package" -c release --product "$1" >"$scratch/build" 2>&1 || {
        tail -n 20 "$scratch/build" >&2
        return 1
    }
}

# The process and its children: nginx's master with its workers.
processes() { # processes PID
    echo "$1"
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '{
        pid = $1
        sub(/^.*\) /, "")
        if ($2 == parent) print pid
    }' || true
}

# User and system time of a server, in clock ticks.
ticks() { # ticks PID
    local pid
    for pid in $(processes "$1"); do
        cat "/proc/$pid/stat" 2>/dev/null || true
    done | awk '{ sub(/^.*\) /, ""); total += $12 + $13 } END { print total + 0 }'
}

# Column N of a file: its median, and "median (least-greatest)".
median() { # median FILE COLUMN
    awk -v column="$2" '{ print $column }' "$1" | sort -n \
        | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
spread() { # spread FILE COLUMN FORMAT
    local middle
    middle=$(median "$1" "$2")
    awk -v column="$2" -v middle="$middle" -v format="$3" '
        NR == 1 || $column < least { least = $column }
        NR == 1 || $column > most { most = $column }
        END {
            if (NR == 1) printf format "\n", middle
            else printf format " (" format "-" format ")\n", middle, least, most
        }' "$1"
}

# The median of what the rounds of A were to their neighbours of B: a machine that slows down during the run slows both.
ratio() { # ratio FILE-A FILE-B COLUMN
    paste -d ' ' "$1" "$2" >"$scratch/pairs"
    awk -v column="$3" '{ a = $column; b = $(NF / 2 + column); print (b > 0 ? a / b : 0) }' "$scratch/pairs" \
        >"$scratch/ratios"
    printf '%.2f\n' "$(median "$scratch/ratios" 1)"
}

# "met" or "missed"; nothing after a smoke test, which is too short to tell.
verdict() { # verdict VALUE at-most|at-least LIMIT
    [ "$short" = no ] || return 0
    awk -v value="$1" -v side="$2" -v limit="$3" 'BEGIN {
        print (side == "at-most" ? value <= limit : value >= limit) ? ", met" : ", missed"
    }'
}
