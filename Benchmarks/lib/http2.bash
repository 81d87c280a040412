# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# HTTP/2 beside nghttpd, and TLS beside nginx, both with the same bytes as files.

# Appends "microseconds-per-request requests-per-second busy-share" to FILE, after a load of SECONDS by h2load.
measure_h2load() { # measure_h2load FILE PID SECONDS URL [h2load arguments…]
    local file=$1 pid=$2 length=$3 url=$4 before after output
    shift 4
    before=$(ticks "$pid")
    output=$(taskset -c "$load_cores" h2load -t "$load_threads" -D "$length" "$@" "$url" 2>&1) \
        || { echo "$output" >&2; die "h2load failed on $url"; }
    after=$(ticks "$pid")
    awk -v ticks=$((after - before)) -v hertz="$ticks_per_second" -v loops="$loops" -v url="$url" -v time="$length" '
        /^requests:/ { done = $8; failed = $12 }
        /^status codes:/ { good = $3 }
        END {
            if (done < 1 || failed > 0 || good + 0 < done) {
                print "run: " url ": " done " answers, " failed " failures, " good " of status 2xx" > "/dev/stderr"
                exit 4
            }
            printf "%.4f %.1f %.3f\n", ticks / hertz * 1e6 / done, done / time, ticks / hertz / time / loops
        }' <<<"$output" >>"$file" || { echo "$output" >&2; die "$url could not be measured"; }
}

start_nghttpd() { # start_nghttpd DIRECTORY
    start_peer nghttpd "$1/../nghttpd.err" become_nghttpd "$1"
}

become_nghttpd() { # become_nghttpd DIRECTORY PORT
    exec taskset -c "$server_cores" nghttpd --no-tls --workers "$loops" --htdocs "$1" "$2"
}

print_comparison_head() { # print_comparison_head PEER
    echo
    printf '%-26s %-22s %-22s %6s  %-26s %-26s %6s  %s\n' \
        case 'CPU mockapi' "CPU $1" ratio 'rate mockapi' "rate $1" ratio "busy mockapi/$1"
}

# Measures a case, prints its line and sets `cost` and `rate`, the ratios.
compare() { # compare NAME OURS PEER, both as "PID URL [h2load arguments…]"
    local file="$scratch/compare-${1//[^a-z0-9]/-}"
    say "… $1"
    measure_with=measure_h2load alternate "$file" "$2" "$3"
    cost=$(ratio "$file.1" "$file.2" 1)
    rate=$(ratio "$file.1" "$file.2" 2)
    printf '%-26s %-22s %-22s %6s  %-26s %-26s %6s  %s\n' "$1" \
        "$(spread "$file.1" 1 %.2f)" "$(spread "$file.2" 1 %.2f)" "$cost" \
        "$(spread "$file.1" 2 %.0f)" "$(spread "$file.2" 2 %.0f)" "$rate" \
        "$(median "$file.1" 3)/$(median "$file.2" 3)"
}

image=/uploads/2026/aurora.png

bench_http2() {
    local root=$scratch/nghttpd/root ours_pid ours_url peer_pid peer_url cost rate
    start_mockapi "$fixtures"
    ours_pid=$server_pid ours_url=$server_url
    mkdir -p "$root/api" "$root/uploads/2026"
    # nghttpd looks at the path alone.
    curl -fsS -o "$root/${article%%\?*}" -D "$scratch/http2.head" "$ours_url$article"
    curl -fsS -o "$root$image" "$ours_url$image"
    start_nghttpd "$root"
    peer_pid=$server_pid peer_url=$server_url

    print_comparison_head nghttpd
    compare "article, 64 × 16 streams" "$ours_pid $ours_url$article -c 64 -m 16" "$peer_pid $peer_url$article -c 64 -m 16"
    bars+=("article page over HTTP/2: CPU per request at most nghttpd's: $cost of 1.00$(verdict "$cost" at-most 1.00)")
    compare "1 MiB image, 16 × 4" "$ours_pid $ours_url$image -c 16 -m 4" "$peer_pid $peer_url$image -c 16 -m 4"
    bars+=("1 MiB image over HTTP/2: rate no less than nghttpd's: $rate of 1.00$(verdict "$rate" at-least 1.00)")
    end_server "$ours_pid"
    end_server "$peer_pid"
    bench_many_streams "$root/${article%%\?*}" "$scratch/http2.head"
    print_bars
}

# The article page at many targets, asked in random order.
bench_many_streams() { # bench_many_streams PAGE HEAD-FILE
    local many=$scratch/nghttpd/many ours_pid ours_url
    write_pages "$many" "$1" "$2"
    start_mockapi "$many/fixtures"
    ours_pid=$server_pid ours_url=$server_url
    start_nghttpd "$many/root"
    seq -f '%06.0f' 0 $((page_targets - 1)) | shuf --random-source=<(yes) >"$many/order"
    sed "s|^|$ours_url/pages/|" "$many/order" >"$many/ours"
    sed "s|^|$server_url/pages/|" "$many/order" >"$many/peer"
    compare "$page_targets pages, 64 × 16" "$ours_pid $ours_url -c 64 -m 16 -i $many/ours" \
        "$server_pid $server_url -c 64 -m 16 -i $many/peer"
    bars+=("article page at $page_targets targets over HTTP/2: CPU per request at most 0.90 of nghttpd's: $cost$(verdict "$cost" at-most 0.90)")
    end_server "$ours_pid"
    end_server "$server_pid"
}

bench_tls() {
    local peer=$scratch/tls ours_pid ours_url peer_pid peer_url cost rate protocol
    mkdir "$peer"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout "$peer/key.pem" -out "$peer/certificate.pem" 2>/dev/null
    start_mockapi "$fixtures" --tls-cert "$peer/certificate.pem" --tls-key "$peer/key.pem"
    ours_pid=$server_pid ours_url=${server_url/http:/https:}
    curl -fsSk -o "$peer/article" "$ours_url$article"
    curl -fsSk -o "$peer/image" "$ours_url$image"
    nginx_configuration "$peer" >"$peer/template" <<LOCATIONS
ssl_certificate $peer/certificate.pem;
ssl_certificate_key $peer/key.pem;
ssl_protocols TLSv1.2 TLSv1.3;
http2_max_requests 1000000000;
location = ${article%%\?*} { alias $peer/article; types { } default_type application/vnd.api+json; }
location = $image { alias $peer/image; types { } default_type image/png; }
LOCATIONS
    sed -i 's/listen 127.0.0.1:@PORT@/& ssl http2/' "$peer/template"
    start_nginx "$peer" "$peer/template"
    peer_pid=$server_pid peer_url=${server_url/http:/https:}

    print_comparison_head nginx
    for protocol in h2 http/1.1; do
        local -a load=(--npn-list="$protocol" -c 64)
        [ "$protocol" = http/1.1 ] || load+=(-m 16)
        compare "article, $protocol over TLS" "$ours_pid $ours_url$article ${load[*]}" "$peer_pid $peer_url$article ${load[*]}"
        bars+=("article page, $protocol over TLS: CPU per request at most nginx's: $cost of 1.00$(verdict "$cost" at-most 1.00)")
        load=(--npn-list="$protocol" -c 16)
        compare "1 MiB image, $protocol, TLS" "$ours_pid $ours_url$image ${load[*]}" "$peer_pid $peer_url$image ${load[*]}"
        bars+=("1 MiB image, $protocol over TLS: CPU per request at most nginx's: $cost of 1.00$(verdict "$cost" at-most 1.00)")
    done
    print_bars
    end_server "$ours_pid"
    end_server "$peer_pid"
}
