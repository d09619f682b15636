import { useEffect } from "react";
import { forgetOutboxes } from "#app/components/messages/forget-outboxes.ts";

/** Deletes what the account wrote and did not send, when any form of the page signs it out. */
export function useSignOutCleanup(): void {
  useEffect(() => {
    const forget = ({ target }: SubmitEvent) => {
      // Without a connection nobody is signed out.
      if (!(target instanceof HTMLFormElement) || !navigator.onLine) return;
      if (new URL(target.action).pathname === "/auth/logout") forgetOutboxes();
    };
    document.addEventListener("submit", forget);
    return () => document.removeEventListener("submit", forget);
  }, []);
}
