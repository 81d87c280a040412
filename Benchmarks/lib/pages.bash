# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# The sample fixtures beside the same bytes as static files of nginx.

bench_pages() {
    local peer=$scratch/peer ours_pid ours_url peer_pid peer_url name target
    local -a cases=(
        "article page|$article"
        "64 KB image|/uploads/2026/dunes.jpg"
        "1 MiB image|/uploads/2026/aurora.png"
    )
    mkdir "$peer"
    start_mockapi "$fixtures"
    ours_pid=$server_pid ours_url=$server_url

    # nginx serves what mockapi answered, at the same targets, with the same media type and the same field lines on top
    # of its own (Date, Content-Type, Content-Length, Last-Modified, ETag, Accept-Ranges).
    local number=0
    for entry in "${cases[@]}"; do
        target=${entry#*|} number=$((number + 1))
        curl -fsS -o "$peer/$number" -D "$peer/$number.head" "$ours_url$target" || die "$ours_url$target was not answered"
        cat <<LOCATION
location = ${target%%\?*} {
    alias $peer/$number;
    types { }
    default_type "$(field "$peer/$number.head" content-type)";
$(extra_fields "$peer/$number.head")
}
LOCATION
    done >"$peer/locations"
    nginx_configuration "$peer" <"$peer/locations" >"$peer/template"
    start_nginx "$peer" "$peer/template"
    peer_pid=$server_pid peer_url=$server_url

    number=0
    for entry in "${cases[@]}"; do
        name=${entry%%|*} target=${entry#*|} number=$((number + 1))
        curl -fsS -o "$peer/again" -D "$peer/again.head" "$peer_url$target" || die "nginx did not answer $target"
        cmp -s "$peer/$number" "$peer/again" || die "nginx answers $target with other bytes than mockapi"
        echo "answer:  $name, $(size "$peer/$number") bytes; head $(size "$peer/$number.head") bytes" \
            "(nginx $(size "$peer/again.head"))"
    done

    echo
    echo "CPU per request in µs (user + system, all of the server's processes), requests per second, share of the" \
        "server's cores in use"
    printf '%-13s %-22s %-22s %6s  %-26s %-26s %6s  %s\n' \
        case 'CPU mockapi' 'CPU nginx' ratio 'rate mockapi' 'rate nginx' ratio 'busy mockapi/nginx'
    for entry in "${cases[@]}"; do
        name=${entry%%|*} target=${entry#*|}
        local file="$scratch/pages-${name// /-}"
        say "… $name"
        alternate "$file" "$ours_pid $ours_url$target" "$peer_pid $peer_url$target"
        local cost rate
        cost=$(ratio "$file.1" "$file.2" 1)
        rate=$(ratio "$file.1" "$file.2" 2)
        printf '%-13s %-22s %-22s %6s  %-26s %-26s %6s  %s\n' "$name" \
            "$(spread "$file.1" 1 %.2f)" "$(spread "$file.2" 1 %.2f)" "$cost" \
            "$(spread "$file.1" 2 %.0f)" "$(spread "$file.2" 2 %.0f)" "$rate" \
            "$(median "$file.1" 3)/$(median "$file.2" 3)"
        case "$name" in
            article*) bars+=("article page: CPU per request at most nginx's: $cost of 1.00$(verdict "$cost" at-most 1.00)") ;;
            1*) bars+=("1 MiB image: rate no less than nginx's: $rate of 1.00$(verdict "$rate" at-least 1.00)") ;;
        esac
    done
    print_bars
    end_server "$ours_pid"
    end_server "$peer_pid"
}

bars=()
print_bars() {
    [ ${#bars[@]} -eq 0 ] || printf 'bar:     %s\n' "${bars[@]}"
    bars=()
}

size() { wc -c <"$1"; }

field() { # field HEAD-FILE NAME
    awk -v name="$2" '{ sub(/\r$/, "") } tolower($0) ~ "^" name ":" { sub(/^[^:]*: */, ""); print; exit }' "$1"
}

# The field lines that nginx does not make by itself.
extra_fields() { # extra_fields HEAD-FILE
    local own='date|server|connection|keep-alive|content-type|content-length|transfer-encoding|last-modified|etag|accept-ranges'
    awk -v own="^($own)\$" '{ sub(/\r$/, "") }
        NR == 1 || $0 == "" { next }
        {
            name = $0
            sub(/:.*/, "", name)
            if (tolower(name) ~ own) next
            value = $0
            sub(/^[^:]*: */, "", value)
            gsub(/["\\$]/, "\\\\&", value)
            printf "    add_header %s \"%s\";\n", name, value
        }' "$1"
}
