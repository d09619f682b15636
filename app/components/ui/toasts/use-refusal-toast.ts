import { useEffect } from "react";
import type { Fetcher } from "react-router";
import { toast } from "./toast.ts";

/** Shows why the server refused a button's request, once for each answer. */
export function useRefusalToast(fetcher: Fetcher<{ message?: string | null }>): void {
  const refusal = fetcher.state === "idle" ? fetcher.data?.message : undefined;
  useEffect(() => {
    if (refusal) toast.error(refusal);
  }, [refusal]);
}
