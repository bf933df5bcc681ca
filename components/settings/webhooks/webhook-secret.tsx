import { CommandLine } from "#components/page/command-line.tsx";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";

/** A newly generated secret, shown once. */
export function WebhookSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Alert>
      <AlertTitle>Copy the secret now</AlertTitle>
      <AlertDescription>
        It is not shown again. For the next 24 hours, requests are also signed with the previous secret, if there was
        one.
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
