import { useEffect } from "react";
import { useRevalidator } from "react-router";

const DELAY_MS = 2_000;
/** A person waits about a minute in front of the page; then the link on it asks again. */
const PATIENT_RELOADS = 30;

/** Reads the page again every two seconds while `isMoving`, for a minute at most. */
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
