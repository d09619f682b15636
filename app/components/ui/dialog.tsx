import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

type DialogProps = {
  title: string;
  description?: string;
  trigger: ReactNode;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

/** What floats over the page: a sheet from below on a phone, a card in the middle elsewhere. */
export function Dialog({ title, description, trigger, children, open, onOpenChange }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          className="fixed inset-x-0 bottom-0 z-50 flex max-h-[85dvh] animate-float-in flex-col gap-4 overflow-y-auto rounded-t-card border border-line bg-card p-6 shadow-float sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[28rem] sm:-translate-1/2 sm:rounded-card"
        >
          <Radix.Title className="pr-10 font-display text-heading font-bold">{title}</Radix.Title>
          {description ? (
            <Radix.Description className="text-muted">{description}</Radix.Description>
          ) : null}
          {children}
          <Radix.Close
            aria-label="Fechar"
            className="absolute top-3 right-3 inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
