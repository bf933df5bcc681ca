import { cva, type VariantProps } from "class-variance-authority";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names.ts";
import { RetryButton } from "./retry-button.tsx";

const alertVariants = cva(
  "grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 rounded-lg border bg-card px-3 py-2.5 text-sm [&>svg]:mt-0.5 [&>svg]:size-4",
  {
    variants: {
      variant: {
        info: "border-border [&>svg]:text-muted-foreground",
        warning: "border-status-waiting/40 [&>svg]:text-status-waiting",
        error: "border-destructive/40 [&>svg]:text-destructive",
      },
    },
    defaultVariants: { variant: "info" },
  },
);

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

/** A message in the flow of a page. Errors are announced when they appear. */
export function Alert({
  variant = "info",
  className,
  children,
  ...props
}: ComponentProps<"div"> & VariantProps<typeof alertVariants>) {
  const Icon = icons[variant ?? "info"];
  return (
    <div
      role={variant === "error" ? "alert" : undefined}
      className={cn(alertVariants({ variant }), className)}
      {...props}
    >
      <Icon aria-hidden />
      <div className="grid min-w-0 gap-1">{children}</div>
    </div>
  );
}

export function AlertTitle({ className, ...props }: ComponentProps<"p">) {
  return <p className={cn("font-medium", className)} {...props} />;
}

export function AlertDescription({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("text-muted-foreground", className)} {...props} />;
}

type ErrorAlertProps = {
  title: ReactNode;
  detail?: ReactNode;
  /** Request id, with which the operator finds the error in the log. */
  requestId?: string | null;
  onRetry?: () => void;
  className?: string;
};

/** A failure: title, explanation, the request's id, and a retry button. */
export function ErrorAlert({ title, detail, requestId, onRetry, className }: ErrorAlertProps) {
  return (
    <Alert variant="error" className={className}>
      <AlertTitle>{title}</AlertTitle>
      {detail !== undefined && <AlertDescription>{detail}</AlertDescription>}
      {requestId && <RequestId id={requestId} />}
      {onRetry !== undefined && (
        <div className="pt-1">
          <RetryButton onRetry={onRetry} size="sm" />
        </div>
      )}
    </Alert>
  );
}

export function RequestId({ id }: { id: string }) {
  return (
    <p className="text-muted-foreground text-xs">
      Request <code className="select-all break-all text-xs">{id}</code>
    </p>
  );
}
