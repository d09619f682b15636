import { useEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";
import { z } from "zod";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { CARD_FIELD_PATH } from "#app/domain/payments/rules/choices.ts";

const answerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("card-ready") }),
  z.object({ type: z.literal("card-unavailable") }),
  z.object({ type: z.literal("card-height"), height: z.number().min(40).max(600) }),
  z.object({ type: z.literal("card-submit") }),
  z.object({ type: z.literal("card-token"), token: z.string().min(1).max(200) }),
  z.object({ type: z.literal("card-error"), message: z.string().max(300) }),
]);
type Answer = z.infer<typeof answerSchema>;

const LOADING_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 15_000;
const FIRST_HEIGHT = 232;

export type CardField = {
  /** URL of the frame. Null without JavaScript, where the provider's own page is used. */
  address: string | null;
  state: "loading" | "ready" | "unavailable";
  heightPixels: number;
  error: string | null;
  /** The provider has no page of its own for payers without JavaScript. */
  needsScript: boolean;
  /** Asks the field for a token. The card number never reaches this page. */
  tokenize: () => void;
};

/**
 * Use of the typed card. `amountCents`: centavos charged now, null for none. `keeps`: the card may
 * pay later charges.
 */
export type CardTerms = { amountCents: number | null; keeps: boolean };

type CardFieldOptions = {
  frame: RefObject<HTMLIFrameElement | null>;
  /** Null when only the provider's own page takes cards. */
  cardFieldUrl: string | null;
  isShown: boolean;
  /** Read just before the card becomes a token. */
  terms: () => CardTerms;
  onToken: (token: string) => void;
  onFailure: () => void;
  /** Runs when Enter is pressed inside the field. */
  onSubmit: () => void;
};

/**
 * Talks to the provider's card field, a frame of another origin. We post `tokenize`; it answers
 * with a token or an error message. Ignores messages of any other origin or frame.
 */
export function useCardField({
  frame,
  cardFieldUrl,
  isShown,
  terms,
  ...listeners
}: CardFieldOptions): CardField {
  const isAwake = useHydrated();
  const [state, setState] = useState<CardField["state"]>("loading");
  const [heightPixels, setHeightPixels] = useState(FIRST_HEIGHT);
  const [error, setError] = useState<string | null>(null);
  const patience = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onAnswer = useRef<(answer: Answer) => void>(() => undefined);
  // Reads the theme once: a new URL would clear what was typed.
  const address = useMemo(
    () => (isAwake && isShown && cardFieldUrl ? fieldAddress(cardFieldUrl) : null),
    [isAwake, isShown, cardFieldUrl],
  );

  useEffect(() => {
    onAnswer.current = (answer) => {
      if (answer.type === "card-ready") return setState("ready");
      if (answer.type === "card-unavailable") return setState("unavailable");
      if (answer.type === "card-height") return setHeightPixels(answer.height);
      if (answer.type === "card-submit") return listeners.onSubmit();
      clearTimeout(patience.current);
      if (answer.type === "card-token") return listeners.onToken(answer.token);
      setError(answer.message);
      listeners.onFailure();
    };
  });

  useEffect(() => {
    if (!address) return;
    const { origin } = new URL(address);
    const hear = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const answer = answerSchema.safeParse(event.data);
      if (answer.success) onAnswer.current(answer.data);
    };
    const giveUp = setTimeout(
      () => setState((now) => (now === "loading" ? "unavailable" : now)),
      LOADING_LIMIT_MS,
    );
    window.addEventListener("message", hear);
    return () => {
      window.removeEventListener("message", hear);
      clearTimeout(giveUp);
      clearTimeout(patience.current);
      setState("loading");
    };
  }, [address, frame]);

  const tokenize = () => {
    setError(null);
    if (!address) return;
    frame.current?.contentWindow?.postMessage(
      { type: "tokenize", ...terms() },
      new URL(address).origin,
    );
    patience.current = setTimeout(
      () =>
        onAnswer.current({
          type: "card-error",
          message: "O campo do cartão não respondeu. Tente de novo.",
        }),
      ANSWER_LIMIT_MS,
    );
  };
  return { address, state, heightPixels, error, needsScript: isOurs(cardFieldUrl), tokenize };
}

/**
 * True for our own frame around a provider's field. Other providers also have a page that needs no
 * scripts.
 */
const isOurs = (cardFieldUrl: string | null): boolean =>
  cardFieldUrl !== null && new URL(cardFieldUrl).pathname === CARD_FIELD_PATH;

/** URL of the frame, with the origin it may talk to and the current theme. */
function fieldAddress(cardFieldUrl: string): string {
  const address = new URL(cardFieldUrl);
  address.searchParams.set("parent", window.location.origin);
  address.searchParams.set(
    "theme",
    document.documentElement.classList.contains("dark") ? "dark" : "light",
  );
  return address.href;
}

type CardFieldFrameProps = Omit<CardField, "tokenize"> & {
  frame: RefObject<HTMLIFrameElement | null>;
};

/** The frame, with an error message when the card is not accepted as typed. */
export function CardFieldFrame({
  frame,
  address,
  state,
  heightPixels,
  error,
  needsScript,
}: CardFieldFrameProps) {
  if (needsScript && (state === "unavailable" || !address))
    return <WithoutField hasFailed={state === "unavailable"} />;
  if (state === "unavailable" || !address) {
    return (
      <p className="text-small text-muted">
        Você digita o cartão na página segura de quem processa o pagamento e volta para cá em
        seguida.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="rounded-card border border-line bg-card p-3">
        {/* The frame exchanges messages only with the page that embeds it. It has no cookie of
           ours, and we see none of its inputs. */}
        <iframe
          ref={frame}
          src={address}
          title="Dados do cartão"
          className="block w-full"
          height={heightPixels}
          aria-busy={state === "loading"}
          referrerPolicy="origin"
        />
      </div>
      {error ? (
        <p role="alert" className="text-small font-medium text-refusal">
          {error}
        </p>
      ) : null}
      <p className="text-caption text-muted">
        O cartão vai direto para quem processa o pagamento. O Coreto nunca vê o número.
      </p>
    </div>
  );
}

/** Notice in place of an unavailable field. Other typed fields stay, and Pix needs none of this. */
function WithoutField({ hasFailed }: { hasFailed: boolean }) {
  return hasFailed ? (
    <p role="alert" className="text-small font-medium text-refusal">
      O campo do cartão não abriu. Recarregue a página, ou escolha outra forma de pagar.
    </p>
  ) : (
    <p className="text-small text-muted">Abrindo o campo do cartão…</p>
  );
}

/** Notice beside the payment methods: a card field on our page needs JavaScript. */
export function CardNeedsJavaScript({ cardFieldUrl }: { cardFieldUrl: string | null }) {
  return isOurs(cardFieldUrl) ? (
    <noscript>
      <p className="text-small text-muted">
        Um cartão novo precisa de JavaScript, que está desligado neste navegador. Sem ele, pague com
        Pix.
      </p>
    </noscript>
  ) : null;
}

/** True if the payer ticked the box that saves the card (`SaveCardField`). */
export const isSaveCardChecked = (form: HTMLFormElement | null): boolean =>
  form !== null && new FormData(form).get("keep") === "on";
