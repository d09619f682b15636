import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Skeleton } from "#app/components/ui/skeleton.tsx";
import { loadClerkBrowser } from "./clerk-browser.ts";
import type { ClerkScreenName } from "./browser.client.ts";

type ClerkScreenProps = { publishableKey: string; name: ClerkScreenName; to: string };

/** One of Clerk's screens. The server renders only a placeholder: Clerk never runs there. */
export function ClerkScreen({ publishableKey, name, to }: ClerkScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const router = useRef(navigate);
  const [state, setState] = useState<"waiting" | "shown" | "failed">("waiting");
  useEffect(() => {
    router.current = navigate;
  }, [navigate]);
  useEffect(() => {
    const node = place.current;
    if (!node) return;
    const closing = new AbortController();
    void showScreen(
      {
        publishableKey,
        name,
        to,
        node,
        navigate: (path, replace) => void router.current(path, { replace }),
      },
      closing.signal,
    ).then(setState, () => setState("failed"));
    return () => closing.abort();
  }, [publishableKey, name, to]);
  return (
    <>
      {state === "failed" ? <CannotOpen /> : null}
      {state === "waiting" ? <Skeleton className="h-96 w-full" /> : null}
      <div ref={place} />
      <noscript>
        <p>Para entrar e cuidar da sua conta, ligue o JavaScript do navegador.</p>
      </noscript>
    </>
  );
}

type Shown = ClerkScreenProps & {
  node: HTMLDivElement;
  navigate: (path: string, replace: boolean) => void;
};

async function showScreen(
  { publishableKey, ...screen }: Shown,
  closing: AbortSignal,
): Promise<"waiting" | "shown"> {
  const { mountScreen } = await loadClerkBrowser();
  if (closing.aborted) return "waiting";
  const unmount = await mountScreen(publishableKey, screen);
  if (closing.aborted) unmount();
  else closing.addEventListener("abort", unmount);
  return closing.aborted ? "waiting" : "shown";
}

/** Notice that sign-in is unavailable. The rest of the product works. */
function CannotOpen() {
  return (
    <div className="flex flex-col gap-4">
      <FormMessage message="O serviço que confirma quem você é não respondeu. Tente de novo em alguns instantes." />
      <Button variant="outline" onClick={() => window.location.reload()}>
        Tentar de novo
      </Button>
    </div>
  );
}
