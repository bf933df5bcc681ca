/** Sample responses other than JSON, by media type. */
export const otherAnswers: Partial<Record<string, string>> = {
  "text/event-stream": `retry: 1000

event: run
data: {"id":1,"status":"running","total_logs":1,…}

event: entry
id: 1
data: {"agent_run_id":1,"seq":1,"message_type":"USER_MESSAGE",…}

event: progress
data: {"thought":"","text":"I'll look at the test first","tools":[],…}

: a comment every 15 seconds keeps the connection open

event: entry
id: 2
data: {"agent_run_id":1,"seq":2,"message_type":"FINAL_ANSWER",…}

event: end
id: end-2
data: {"id":1,"status":"completed","total_logs":2,…}`,
  "text/x-diff": `diff --git a/src/date.ts b/src/date.ts
index 3b18e51..a5c8f1d 100644
--- a/src/date.ts
+++ b/src/date.ts
@@ -1,3 +1,3 @@
 export function day(date: Date): string {
-  return date.toLocaleDateString();
+  return date.toISOString().slice(0, 10);
 }`,
};
