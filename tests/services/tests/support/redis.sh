# Starts a private redis server in a directory of its own, says where, and stops it when standard input
# ends: that is when the test process has gone, however it went.
#
# Says "missing" where there is nothing to start.
set -eu
cd /

command -v redis-server >/dev/null || { echo missing; exit 0; }

# Short, because the path of a socket must be.
dir=$(mktemp -d /tmp/stormless-redis.XXXXXX)
server=
finish() {
    if [ -n "$server" ]; then
        kill -9 "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# No TCP, so no port to collide with another's; nothing is written to disk.
mkfifo "$dir/log"
redis-server --port 0 --unixsocket "$dir/socket" --dir "$dir" --save '' --appendonly no \
    --databases 64 >"$dir/log" </dev/null 2>&1 &
server=$!
ready=
{
    while read -r line; do
        case $line in *"eady to accept connections"*) ready=yes && break ;; esac
        printf '%s\n' "$line" >>"$dir/start"
    done
    if [ -z "$ready" ]; then cat "$dir/start" >&2; exit 1; fi
    echo "$dir"
    # The pipe stays open, or the server's next line would end it.
    cat >/dev/null <&3
} 3<&0 <"$dir/log"
