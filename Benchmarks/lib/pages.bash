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
    bench_misses "$ours_pid" "$ours_url"
    end_server "$ours_pid"
    end_server "$peer_pid"
    bench_many_pages "$peer/1" "$peer/1.head"
    print_bars
}

# A path that nothing matches, which a client polls, beside the article page of the same server.
bench_misses() { # bench_misses PID URL
    local file=$scratch/pages-misses cost
    say "… misses"
    missing=$2/api/missing alternate "$file" "$1 $2/api/missing" "$1 $2$article"
    cost=$(ratio "$file.1" "$file.2" 1)
    printf '%-13s %-22s %-22s %6s\n' "missing path" "$(spread "$file.1" 1 %.2f)" "(page $(spread "$file.2" 1 %.2f))" "$cost"
    bars+=("missing path: CPU per request at most 5.00 of the article page's: $cost$(verdict "$cost" at-most 5.00)")
}

# The article page at many targets, asked in random order: what is the same for each of two requests in a row is little.
bench_many_pages() { # bench_many_pages PAGE HEAD-FILE
    local peer=$scratch/many ours_pid ours_url cost rate file=$scratch/pages-many
    write_pages "$peer" "$1" "$2"
    start_mockapi "$peer/fixtures"
    ours_pid=$server_pid ours_url=$server_url
    nginx_configuration "$peer" >"$peer/template" <<LOCATION
location /pages/ {
    root $peer/root;
    types { }
    default_type "$(field "$2" content-type)";
$(extra_fields "$2")
}
LOCATION
    start_nginx "$peer" "$peer/template"
    say "… $page_targets targets"
    local load="-s $here/lib/targets.lua -- /pages/ $page_targets $page_targets"
    alternate "$file" "$ours_pid $ours_url $load" "$server_pid $server_url $load"
    cost=$(ratio "$file.1" "$file.2" 1)
    rate=$(ratio "$file.1" "$file.2" 2)
    printf '%-13s %-22s %-22s %6s  %-26s %-26s %6s  %s\n' "$page_targets pages" \
        "$(spread "$file.1" 1 %.2f)" "$(spread "$file.2" 1 %.2f)" "$cost" \
        "$(spread "$file.1" 2 %.0f)" "$(spread "$file.2" 2 %.0f)" "$rate" \
        "$(median "$file.1" 3)/$(median "$file.2" 3)"
    bars+=("article page at $page_targets targets: CPU per request at most 0.80 of nginx's: $cost$(verdict "$cost" at-most 0.80)")
    end_server "$ours_pid"
    end_server "$server_pid"
}

# Writes the page as stubs below `DIRECTORY/fixtures` and as files below `DIRECTORY/root`, both at `/pages/` and a number of six digits.
write_pages() { # write_pages DIRECTORY PAGE HEAD-FILE
    python3 - "$1" "$2" "$3" "$page_targets" <<'PAGES'
import json, os, sys
directory, page, head, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
with open(page, "rb") as file: content = file.read()
with open(head, encoding="latin-1") as file: lines = [line.strip() for line in file][1:]
made = ("date:", "content-length:", "connection:")
fields = [line for line in lines if line and not line.lower().startswith(made)]
for folder in ("fixtures/bodies", "root/pages"): os.makedirs(f"{directory}/{folder}")
stubs = []
for number in range(count):
    name = f"{number:06d}"
    for path in (f"fixtures/bodies/{name}.json", f"root/pages/{name}"):
        with open(f"{directory}/{path}", "wb") as file: file.write(content)
    stubs.append({"request": {"method": "GET", "urlPath": f"/pages/{name}"},
                  "response": {"headers": fields, "bodyFile": f"bodies/{name}.json"}})
with open(f"{directory}/fixtures/pages.stub.json", "w") as file: json.dump({"stubs": stubs}, file)
PAGES
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
