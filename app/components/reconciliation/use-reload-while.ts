import { useEffect } from "react";
import { useRevalidator } from "react-router";

const DELAY_MS = 2_000;
/** Reloads for about a minute; after that the link on the page asks again. */
const PATIENT_RELOADS = 30;

/** Reloads the page's data every two seconds while `isMoving`, for at most a minute. */
export function useReloadWhile(isMoving: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isMoving) return;
    let reloads = 0;
    const timer = setInterval(() => {
      reloads += 1;
      if (reloads >= PATIENT_RELOADS) clearInterval(timer);
      if (document.visibilityState === "visible") void revalidate();
    }, DELAY_MS);
    return () => clearInterval(timer);
  }, [isMoving, revalidate]);
}
