import { useEffect } from "react";
import type { Fetcher } from "react-router";
import { toast } from "sonner";

/** Says why the server refused what a button asked for in place, once for each answer. */
export function useRefusalToast(fetcher: Fetcher<{ message?: string | null }>): void {
  const refusal = fetcher.state === "idle" ? fetcher.data?.message : undefined;
  useEffect(() => {
    if (refusal) toast.error(refusal);
  }, [refusal]);
}
