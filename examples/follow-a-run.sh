#!/usr/bin/env bash
# Starts a run, follows it and prints the answer, with curl and jq: ERRAND_TOKEN=errand_… examples/follow-a-run.sh "What to do"
# It works in the organization's first repository, or in the one whose id is in ERRAND_REPO.
set -euo pipefail
base=${ERRAND_URL:-http://127.0.0.1:3000}
ask() {
  local answer
  answer=$(curl --silent --show-error --fail-with-body --header "Authorization: Bearer $ERRAND_TOKEN" "$@") || {
    jq --raw-output '"\(.status): \(.detail)"' <<< "$answer" >&2
    return 1
  }
  printf '%s\n' "$answer"
}

organization=$base/v1/organizations/$(ask "$base/v1/organizations" | jq '.items[0].id')
runs=$organization/agent/run
# Without a repository the run works in an empty one.
repo=${ERRAND_REPO:-$(ask "$organization/repos?limit=1" | jq '.items[0].id')}
run=$(jq --null-input --arg prompt "${1:-Survey this repository}" --argjson repo "$repo" \
  '{prompt: $prompt, agent: "steps", repo_id: $repo}' | ask --header "Content-Type: application/json" --data @- "$runs")
jq --raw-output .web_url <<< "$run"

# If the connection is lost, ask again with `?after=` and the last seq.
curl --silent --show-error --fail --no-buffer --header "Authorization: Bearer $ERRAND_TOKEN" \
  "$runs/$(jq .id <<< "$run")/logs/stream" | while IFS=" " read -r field value; do
  case $field:${event:-} in
    event:*) event=$value ;;
    data:*entry) jq --raw-output '"\(.seq) \(.message_type) \(.tool_name // "")"' <<< "$value" ;;
    data:*end) jq --raw-output '"\(.status): \(.result)"' <<< "$value" ;;
  esac
done
