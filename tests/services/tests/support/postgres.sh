# Starts a private PostgreSQL server in a directory of its own, says where, and stops it when standard
# input ends: that is when the test process has gone, however it went.
#
# Says "missing" where there is nothing to start. The script comes as text, because the server's user may
# not be allowed to read the project.
set -eu
cd /

if [ "$(id -u)" = 0 ] && [ -z "${SERVER_USER:-}" ]; then
    # The server refuses to run as root.
    id -u postgres >/dev/null 2>&1 || { echo missing; exit 0; }
    SERVER_USER=postgres exec setpriv --reuid=postgres --regid=postgres --init-groups sh -c "$SCRIPT"
fi

bin=
for pg_ctl in "$(command -v pg_ctl || true)" /usr/lib/postgresql/*/bin/pg_ctl; do
    if [ -x "$pg_ctl" ] && [ -x "${pg_ctl%/*}/initdb" ]; then bin=${pg_ctl%/*}; fi
done
if [ -z "$bin" ]; then echo missing; exit 0; fi

# Short, because the path of a socket must be.
dir=$(mktemp -d /tmp/stormless-pg.XXXXXX)
finish() {
    "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

"$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$dir/log" 2>&1 ||
    { cat "$dir/log" >&2; exit 1; }
# No TCP, so no port to collide with another's; nothing here outlives a crash, so nothing is flushed.
settings="-c listen_addresses='' -c unix_socket_directories='$dir' -c fsync=off -c max_connections=200"
"$bin/pg_ctl" -D "$dir/data" -w -l "$dir/log" -o "$settings" start >/dev/null 2>&1 </dev/null ||
    { cat "$dir/log" >&2; exit 1; }
echo "$dir"
cat >/dev/null
