import { useCallback, useEffect, useRef, useState } from "react";
import { readShape } from "#app/lib/json-shape.ts";

/** What `/messages/:id/presence` answers. */
export type PresenceAnswer = { isPresent: boolean };

const ASK_MS = 30_000;
const TYPING_MS = 3_000;

/**
 * Asks every 30 s whether the other side is here, while the page is visible. `sendTyping` says that
 * the person is typing, at most every 3 s. Both do nothing where one of the two hides it.
 */
export function usePresence(id: string, isShown: boolean) {
  const [isPresent, setIsPresent] = useState(false);
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isShown) return;
    let isGone = false;
    const ask = async () => {
      if (document.visibilityState === "hidden") return;
      const present = await presenceOf(id);
      if (!isGone) setIsPresent(present);
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [id, isShown]);
  const sendTyping = useCallback(() => {
    const now = performance.now();
    if (!isShown || now - sentAt.current < TYPING_MS) return;
    sentAt.current = now;
    void fetch(`/messages/${id}/presence`, { method: "POST" }).catch(() => undefined);
  }, [id, isShown]);
  return { isPresent: isShown && isPresent, sendTyping };
}

async function presenceOf(id: string): Promise<boolean> {
  try {
    const answer = await fetch(`/messages/${id}/presence`, {
      headers: { Accept: "application/json" },
    });
    return answer.ok && readShape(await answer.json(), { isPresent: "boolean" }).isPresent === true;
  } catch {
    return false;
  }
}
