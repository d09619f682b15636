import { useRef, useState } from "react";
import type { FormEvent } from "react";
import { useNavigation } from "react-router";
import { useCardField } from "./card-field.tsx";
import type { CardTerms } from "./card-field.tsx";

type CardFormOptions = {
  /** Null when only the provider's own page takes cards. */
  cardFieldUrl: string | null;
  /** The form pays with a newly typed card. */
  isCard: boolean;
  /**
   * True if the form requires a token. Otherwise it is sent without one where the field is
   * unavailable, and the provider's own page asks for the card.
   */
  needsToken?: boolean;
  terms: (form: HTMLFormElement | null) => CardTerms;
};

/**
 * Form that turns a card into a token in the provider's frame before it is sent. A token serves
 * once: after a refusal the card is asked for again.
 */
export function useCardForm({ cardFieldUrl, isCard, needsToken = false, terms }: CardFormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const token = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const isSending = useNavigation().state !== "idle";
  const { tokenize, ...field } = useCardField({
    frame,
    cardFieldUrl,
    isShown: isCard,
    terms: () => terms(form.current),
    onToken(cardToken) {
      setIsAsking(false);
      if (!token.current || !form.current) return;
      token.current.value = cardToken;
      // The submit reads the token at once, so that no later submit reuses it.
      form.current.requestSubmit();
      token.current.value = "";
    },
    onFailure: () => setIsAsking(false),
    onSubmit: () => form.current?.requestSubmit(),
  });
  const isReady = field.state === "ready";
  const isOpening = needsToken
    ? !isReady
    : isCard && field.address !== null && field.state === "loading";

  function onSubmit(event: FormEvent): void {
    if (isSending) return event.preventDefault();
    if (!isCard || token.current?.value || (!needsToken && !isReady)) return;
    event.preventDefault();
    if (isAsking || !isReady) return;
    setIsAsking(true);
    tokenize();
  }

  return {
    form: { ref: form, onSubmit },
    token,
    field: { frame, ...field },
    isBusy: isAsking || isSending || isOpening,
  };
}
