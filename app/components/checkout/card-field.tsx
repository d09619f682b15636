import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { z } from "zod";

const answerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("card-ready") }),
  z.object({ type: z.literal("card-token"), token: z.string().min(1).max(200), brand: z.string().max(40), last4: z.string().max(4) }),
  z.object({ type: z.literal("card-error"), message: z.string().max(300) }),
]);

export type CardFieldState = "loading" | "ready" | "unavailable";

const LOADING_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 15_000;

export type CardField = {
  frame: RefObject<HTMLIFrameElement | null>;
  /** Null on the server and before the page woke up: the provider's own page is used then. */
  address: string | null;
  state: CardFieldState;
  error: string | null;
  /** Asks the field for a token; the number itself never reaches this page. */
  tokenize: () => void;
};

type CardFieldOptions = {
  /** Null when cards are only paid on the provider's own page. */
  cardFieldUrl: string | null;
  isShown: boolean;
  onToken: (token: string) => void;
  onFailure: () => void;
};

/**
 * The conversation with the provider's card field, which lives in a frame of another origin: we post `tokenize`, it answers with
 * a token or a sentence. Only messages of that origin and that very frame count.
 */
export function useCardField({ cardFieldUrl, isShown, onToken, onFailure }: CardFieldOptions): CardField {
  const frame = useRef<HTMLIFrameElement>(null);
  const patience = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listeners = useRef({ onToken, onFailure });
  const [address, setAddress] = useState<string | null>(null);
  const [state, setState] = useState<CardFieldState>("loading");
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    listeners.current = { onToken, onFailure };
  });

  useEffect(() => {
    if (!cardFieldUrl || !isShown) return;
    const { origin } = new URL(cardFieldUrl);
    const hear = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const answer = answerSchema.safeParse(event.data);
      if (!answer.success) return;
      if (answer.data.type === "card-ready") return setState("ready");
      clearTimeout(patience.current);
      if (answer.data.type === "card-token") return listeners.current.onToken(answer.data.token);
      setError(answer.data.message);
      listeners.current.onFailure();
    };
    window.addEventListener("message", hear);
    setState("loading");
    setAddress(fieldAddress(cardFieldUrl));
    const giveUp = setTimeout(() => setState((now) => (now === "loading" ? "unavailable" : now)), LOADING_LIMIT_MS);
    return () => {
      window.removeEventListener("message", hear);
      clearTimeout(giveUp);
      clearTimeout(patience.current);
      setAddress(null);
    };
  }, [cardFieldUrl, isShown]);

  const tokenize = () => {
    setError(null);
    if (!cardFieldUrl) return;
    frame.current?.contentWindow?.postMessage({ type: "tokenize" }, new URL(cardFieldUrl).origin);
    patience.current = setTimeout(() => {
      setError("O campo do cartão não respondeu. Tente de novo.");
      listeners.current.onFailure();
    }, ANSWER_LIMIT_MS);
  };
  return { frame, address, state, error, tokenize };
}

/** The field is told who may talk to it and which theme it stands in. */
function fieldAddress(cardFieldUrl: string): string {
  const address = new URL(cardFieldUrl);
  address.searchParams.set("parent", window.location.origin);
  address.searchParams.set("theme", document.documentElement.classList.contains("dark") ? "dark" : "light");
  return address.href;
}

/** The frame itself, with the sentence beside it when the card is not accepted as typed. */
export function CardFieldFrame({ field }: { field: CardField }) {
  if (field.state === "unavailable" || !field.address) {
    return (
      <p className="text-small text-muted">
        Você digita o cartão na página segura de quem processa o pagamento e volta para cá em seguida.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-1.5">
      <iframe
        ref={field.frame}
        src={field.address}
        title="Dados do cartão"
        className="h-56 w-full rounded-field border border-line bg-card"
        aria-busy={field.state === "loading"}
        referrerPolicy="origin"
      />
      {field.error ? (
        <p role="alert" className="text-small font-medium text-refusal">
          {field.error}
        </p>
      ) : null}
      <p className="text-caption text-muted">O cartão vai direto para quem processa o pagamento. O Coreto nunca vê o número.</p>
    </div>
  );
}
