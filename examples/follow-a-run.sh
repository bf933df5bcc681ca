#!/usr/bin/env bash
# Starts a run, follows it and prints the answer, with curl and jq: ERRAND_TOKEN=errand_… examples/follow-a-run.sh "What to do"
set -euo pipefail
base=${ERRAND_URL:-http://127.0.0.1:3000}
ask() { curl --silent --show-error --fail --header "Authorization: Bearer $ERRAND_TOKEN" "$@"; }

runs=$base/v1/organizations/$(ask "$base/v1/organizations" | jq '.items[0].id')/agent/run
run=$(jq --null-input --arg prompt "${1:-Survey this repository}" '{prompt: $prompt, agent: "steps"}' |
  ask --header "Content-Type: application/json" --data @- "$runs")
jq --raw-output .web_url <<< "$run"

# Where the connection is lost, ask again with `?after=` and the last seq.
ask --no-buffer "$runs/$(jq .id <<< "$run")/logs/stream" | while IFS=" " read -r field value; do
  case $field:${event:-} in
    event:*) event=$value ;;
    data:*entry) jq --raw-output '"\(.seq) \(.message_type) \(.tool_name // "")"' <<< "$value" ;;
    data:*end) jq --raw-output '"\(.status): \(.result)"' <<< "$value" ;;
  esac
done
