#!/usr/bin/env bash
# The real karrio, for tests, on a port and in a folder of its own, so that several may run. Prints
# "karrio ready on http://127.0.0.1:PORT key_…" once it answers, and ends with its standard input, as it does with whoever
# started it; the folder goes again. It has one carrier, "post", of its own kind "generic", which asks nobody: it draws its
# labels itself, offers what server.mjs does, and cannot say where parcels are.
#   end2end/peers/karrio/real.sh
# `.ci/tools peers` installs it. The first start makes its tables, which takes more than a minute; they are kept.
set -euo pipefail
home=$(cd "$(dirname "$0")" && pwd)
source "$home/../../../.ci/env" # which goes to the clone's folder
karrio="$tools/karrio/bin/karrio"
[ -x "$karrio" ] || die "karrio is missing: .ci/tools peers"

folder=$(mktemp -d "${TMPDIR:-/tmp}/retour-karrio.$$.XXXXXX")
server= input=
end() {
  trap - EXIT
  trap '' INT TERM HUP # a second Ctrl-C must not leave half of it standing
  # Nothing of it is kept, so it need not end in order.
  for process in $server $input; do kill -KILL "$process" 2>/dev/null || true; done
  wait $server $input 2>/dev/null || true # quietly: Bash has something to say about the killed
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# --- what it is told. Its settings are all from the environment, and the caller's are none of its business.
export DATABASE_ENGINE=sqlite3 DATABASE_NAME="$folder/db.sqlite3" WORK_DIR="$folder" LOG_DIR="$folder" DEBUG_MODE=False
export SECRET_KEY=only-for-tests  # it listens to this machine alone
export WORKER_IMMEDIATE_MODE=True # webhooks are sent within the request: there is no other process to do it
export CARRIER_REQUEST_RATE_LIMIT=100000/minute USER_RATE_LIMIT=100000/minute # else it refuses tests that ask much: 429
unset DATABASE_URL REDIS_URL REDIS_HOST SENTRY_DSN POSTHOG_KEY

run_karrio() { (cd "$folder" && "$karrio" "$@") >>"$folder/log" 2>&1 </dev/null; }
fail() {
  tail -n 30 "$folder/log" >&2
  die "$*"
}

# --- the database: made once for this installation and this file
template="$tools/karrio/template-$(cksum <"$home/real.sh" | cut -d ' ' -f 1)"
if [ ! -d "$template" ]; then
  say "making karrio's tables, this once (more than a minute)…" >&2
  run_karrio migrate || fail "karrio's migrations failed"
  # Its commands come from its standard input, which run_karrio leaves empty.
  (cd "$folder" && "$karrio" shell) >"$folder/made" 2>>"$folder/log" <<'PYTHON' || fail "karrio could not be filled"
from django.contrib.auth import get_user_model
from karrio.server.providers.models import CarrierConnection, RateSheet, ServiceLevel
from karrio.server.user.models import Token

user = get_user_model().objects.create(email="tests@example.com", is_staff=True, is_superuser=True, is_active=True)
post = CarrierConnection.objects.create(
    carrier_code="generic", carrier_id="post", test_mode=False, active=True, created_by=user, capabilities=["rating", "shipping"],
    credentials=dict(display_name="Post", custom_carrier_name="post", account_country_code="DE"),
)
sheet = RateSheet.objects.create(name="Post", slug="post", carrier_name="generic", created_by=user, zones=[dict(id="all", label="all")])
for code, name, days, price in (("standard_service", "Standard", 3, 4.5), ("express_service", "Express", 1, 9.9)):
    service = ServiceLevel.objects.create(
        service_code=code, service_name=name, currency="EUR", transit_days=days, weight_unit="KG", max_weight=31.5,
        domicile=True, international=True, zone_ids=["all"], created_by=user,
    )
    sheet.services.add(service)
    sheet.service_rates.append(dict(service_id=service.id, zone_id="all", rate=price))
sheet.save()
post.rate_sheet = sheet
post.save()
print(Token.objects.create(user=user).key)
PYTHON
  made=$(mktemp -d "$tools/karrio/making.XXXXXX")
  grep -o 'key_[0-9a-f]*' "$folder/made" >"$made/key" || fail "karrio made no key"
  mv "$DATABASE_NAME" "$made/db.sqlite3"
  # Several may have made one: the first to be here is kept. What earlier versions of this file made is not.
  find "$tools/karrio" -maxdepth 1 -name 'template-*' ! -path "$template" -exec rm -rf {} +
  mv -T "$made" "$template" 2>/dev/null || rm -rf "$made"
fi
cp "$template/db.sqlite3" "$DATABASE_NAME"
key=$(cat "$template/key")

# --- the server
for attempt in 1 2 3; do
  port=$("$tools/karrio/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  (cd "$folder" && exec "$karrio" runserver "127.0.0.1:$port" --noreload) >>"$folder/log" 2>&1 </dev/null &
  server=$!
  ready=
  for _ in $(seq 300); do # a minute
    if curl -sf -o "$folder/answer" -H "Authorization: Token $key" "http://127.0.0.1:$port/v1/connections"; then ready=1 && break; fi
    kill -0 "$server" 2>/dev/null || break # the port was taken meanwhile
    sleep 0.2
  done
  [ -z "$ready" ] || break
  kill -KILL "$server" 2>/dev/null || true
  [ "$attempt" -lt 3 ] || fail "karrio did not start"
done
grep -q '"carrier_id":"post"' "$folder/answer" || fail "another server answers on port $port"

# Beside this script, so that karrio ends with its standard input even if the script itself is killed.
{
  while read -r _; do :; done
  touch "$folder/wanted"
  kill -KILL "$server"
  rm -rf "$folder"
} <&0 >/dev/null 2>&1 &
input=$!
echo "karrio ready on http://127.0.0.1:$port $key"
wait "$server" 2>/dev/null || true
[ ! -e "$folder" ] || [ -e "$folder/wanted" ] || fail "karrio ended by itself"
