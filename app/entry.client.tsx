import { StrictMode, startTransition, useEffect } from "react";
import type { ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { watchEarlyTyping } from "#app/lib/early-typing.ts";

const restoreEarlyTyping = watchEarlyTyping(document);

/** Restores what the reader typed before the page's script ran. */
function WithEarlyTyping({ children }: { children: ReactNode }) {
  useEffect(restoreEarlyTyping, []);
  return children;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <WithEarlyTyping>
        <HydratedRouter />
      </WithEarlyTyping>
    </StrictMode>,
  );
});
