# Starts a private MariaDB server in a directory of its own, says where, and stops it when standard input
# ends: that is when the test process has gone, however it went.
#
# Says "missing" where there is nothing to start.
set -eu
cd /
PATH=$PATH:/usr/sbin

if ! command -v mariadbd >/dev/null || ! command -v mariadb-install-db >/dev/null; then
    echo missing
    exit 0
fi

# Short, because the path of a socket must be.
dir=$(mktemp -d /tmp/stormless-my.XXXXXX)
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

user=$(id -un)
mariadb-install-db --no-defaults --datadir="$dir/data" --user="$user" --skip-test-db \
    --auth-root-authentication-method=normal >"$dir/start" 2>&1 ||
    { cat "$dir/start" >&2; exit 1; }
# No TCP, so no port to collide with another's; nothing here outlives a crash, so nothing is flushed.
mkfifo "$dir/log"
mariadbd --no-defaults --datadir="$dir/data" --user="$user" --socket="$dir/socket" --skip-networking \
    --pid-file="$dir/pid" --innodb-flush-log-at-trx-commit=0 >"$dir/log" </dev/null 2>&1 &
server=$!
ready=
{
    while read -r line; do
        case $line in *"ready for connections"*) ready=yes && break ;; esac
        printf '%s\n' "$line" >>"$dir/start"
    done
    if [ -z "$ready" ]; then cat "$dir/start" >&2; exit 1; fi
    echo "$dir"
    # The pipe is read to the end, or the server would wait for somebody to read its next line.
    cat <"$dir/log" >/dev/null &
    cat >/dev/null <&3
} 3<&0 <"$dir/log"
