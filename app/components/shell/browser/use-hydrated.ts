import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and in the first render, true once JavaScript runs. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
