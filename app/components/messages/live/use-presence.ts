import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { readShape } from "#app/lib/json-shape.ts";
import { isSignedOut } from "./signed-out.ts";

/** What `/messages/:id/presence` answers. */
export type PresenceAnswer = { isPresent: boolean };

const ASK_MS = 30_000;
const TYPING_MS = 3_000;

/**
 * Asks every 30 s whether the other side is here, while the page is visible. `sendTyping` says that
 * the person is typing, at most every 3 s. Both do nothing where one of the two hides it. An ended
 * session is noticed so while the person reads or types: the page then leads to the sign-in.
 */
export function usePresence(id: string, isShown: boolean) {
  const [isPresent, setIsPresent] = useState(false);
  const { revalidate } = useRevalidator();
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isShown) return;
    let isGone = false;
    const ask = async () => {
      if (document.visibilityState === "hidden") return;
      const present = await presenceOf(id);
      if (isGone) return;
      if (present === "signed out") void revalidate();
      else setIsPresent(present);
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [id, isShown, revalidate]);
  const sendTyping = useCallback(() => {
    const now = performance.now();
    if (!isShown || now - sentAt.current < TYPING_MS) return;
    sentAt.current = now;
    fetch(`/messages/${id}/presence`, { method: "POST" }).then(
      (answer) => (isSignedOut(answer) ? void revalidate() : undefined),
      () => undefined,
    );
  }, [id, isShown, revalidate]);
  return { isPresent: isShown && isPresent, sendTyping };
}

async function presenceOf(id: string): Promise<boolean | "signed out"> {
  try {
    const answer = await fetch(`/messages/${id}/presence`, {
      headers: { Accept: "application/json" },
    });
    if (isSignedOut(answer)) return "signed out";
    return answer.ok && readShape(await answer.json(), { isPresent: "boolean" }).isPresent === true;
  } catch {
    return false;
  }
}
