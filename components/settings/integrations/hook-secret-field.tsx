import { TextField } from "#components/form/fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { ConnectWords } from "./connect-words.ts";

type HookSecretFieldProps = {
  words: ConnectWords;
  value: string;
  isKept: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** Secret for signed events. If people choose it, it can be generated here, in the browser: the server never returns it. */
export function HookSecretField({ words, isKept, ...field }: HookSecretFieldProps) {
  const { value, onChange } = field;
  return (
    <div className="grid gap-1.5">
      <TextField
        {...field}
        label={words.hookSecret}
        hint={words.hookHint}
        // A generated secret must be visible to be copied.
        type={words.givesHookSecret ? "password" : "text"}
        placeholder={isKept ? "Saved. Enter a new one to replace it" : undefined}
        isCode
      />
      {!words.givesHookSecret && (
        <div className="flex items-center gap-1">
          <Button variant="outline" size="sm" onClick={() => onChange(newSecret())}>
            Generate
          </Button>
          {value !== "" && <CopyButton text={value} label="Copy the webhook secret" />}
        </div>
      )}
    </div>
  );
}

/** 32 random bytes in hexadecimal. */
function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
