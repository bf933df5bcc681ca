# Starts a run, follows it and prints the answer: ERRAND_TOKEN=errand_… python3 examples/follow-a-run.py "What to do"
# It works in the organization's first repository, or in the one whose id is in ERRAND_REPO.
import http.client, json, os, sys, time, urllib.error, urllib.request

base = os.environ.get("ERRAND_URL", "http://127.0.0.1:3000")
headers = {"Authorization": f"Bearer {os.environ['ERRAND_TOKEN']}", "Content-Type": "application/json"}


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    try:
        return urllib.request.urlopen(urllib.request.Request(base + path, data, headers), timeout=60)
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {json.load(error)['detail']}")


organization = json.load(ask("/v1/organizations"))["items"][0]["id"]
runs = f"/v1/organizations/{organization}/agent/run"
prompt = sys.argv[1] if len(sys.argv) > 1 else "Survey this repository"
repositories = json.load(ask(f"/v1/organizations/{organization}/repos?limit=1"))["items"]
# Without a repository the run works in an empty one.
repository = os.environ.get("ERRAND_REPO") or (repositories[0]["id"] if repositories else None)
run = json.load(ask(runs, {"prompt": prompt, "agent": "steps", "repo_id": repository and int(repository)}))
print(run["web_url"], flush=True)

seq, event = 0, ""
while event != "end":
    try:
        for line in ask(f"{runs}/{run['id']}/logs/stream?after={seq}"):
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                event = value
            elif field == "data" and event == "entry":
                entry = json.loads(value)
                seq = entry["seq"]
                print(seq, entry["message_type"], entry["tool_name"] or "", flush=True)
            elif field == "data" and event == "end":
                run = json.loads(value)
    except (OSError, http.client.HTTPException):
        time.sleep(1)  # The connection was lost: continue after the last entry.

print(f"{run['status']}: {run['result']}")
