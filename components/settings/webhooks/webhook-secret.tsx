import { CommandLine } from "#components/page/command-line.tsx";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";

/** `replaces`: the previous secret is also used for signing for another 24 hours. */
type WebhookSecretProps = { secret: string; replaces: boolean; onDone: () => void };

/** A newly generated secret, shown once. */
export function WebhookSecret({ secret, replaces, onDone }: WebhookSecretProps) {
  return (
    <Alert>
      <AlertTitle>Copy the secret now</AlertTitle>
      <AlertDescription>
        It will not be shown again.
        {replaces && " For the next 24 hours, requests are also signed with the previous secret."}
      </AlertDescription>
      <CommandLine command={secret} label="Copy the secret" className="my-1" />
      <div>
        <Button variant="outline" size="sm" onClick={onDone}>
          I have copied it
        </Button>
      </div>
    </Alert>
  );
}
