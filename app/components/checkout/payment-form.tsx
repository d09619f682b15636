import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { CardFieldFrame, useCardField } from "#app/components/checkout/card-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { FormProblem } from "#app/http/form.ts";

type PaymentFormProps = {
  /** The price of the plan that is subscribed; null for what the address names and is paid once. */
  planPriceId: string | null;
  /** What the page shows and the button agrees to pay now. */
  amountCents: number;
  /** The coupon that discounts it. */
  coupon: string | null;
  methods: PaymentMethod[];
  cardFieldUrl: string | null;
  problem: FormProblem | undefined;
};

const optionOf = (method: PaymentMethod, renews: boolean) =>
  method === "pix" ? { value: method, label: "Pix", hint: "Na hora, pelo app do seu banco." } : { value: method, label: "Cartão", hint: renews ? "Crédito. Renova sozinho." : "Crédito, em uma vez." };

/**
 * Pix or card, and the button that pays. With JavaScript a card becomes a token in the provider's frame first; without, the
 * same form is sent as it is and the provider's own page asks for the card.
 */
export function PaymentForm({ planPriceId, amountCents, coupon, methods, cardFieldUrl, problem }: PaymentFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const token = useRef<HTMLInputElement>(null);
  const [method, setMethod] = useState(chosenMethod(methods, problem));
  const [isAsking, setIsAsking] = useState(false);
  const isCard = method === "card";
  const isSending = useNavigation().state !== "idle";
  const { tokenize, ...field } = useCardField({
    frame,
    cardFieldUrl,
    isShown: isCard,
    onToken(cardToken) {
      if (!token.current || !form.current) return;
      token.current.value = cardToken;
      setIsAsking(false);
      form.current.requestSubmit();
    },
    onFailure: () => setIsAsking(false),
    onSubmit: () => form.current?.requestSubmit(),
  });

  // A token pays once: after a refusal the card is asked for again.
  useEffect(() => {
    if (problem && token.current) token.current.value = "";
  }, [problem]);

  const isLoading = isCard && field.address !== null && field.state === "loading";
  return (
    <Form
      method="post"
      ref={form}
      className="group/pay flex flex-col gap-5"
      onSubmit={(event) => {
        if (isSending) return event.preventDefault();
        if (!isCard || token.current?.value || field.state !== "ready") return;
        event.preventDefault();
        if (isAsking) return;
        setIsAsking(true);
        tokenize();
      }}
    >
      <input type="hidden" name="amountCents" value={amountCents} />
      {planPriceId === null ? null : <input type="hidden" name="planPriceId" value={planPriceId} />}
      {coupon === null ? null : <input type="hidden" name="coupon" value={coupon} />}
      <input type="hidden" name="cardToken" ref={token} defaultValue="" />
      <FormMessage message={problem?.message ?? problem?.errors.payment ?? problem?.errors.coupon ?? problem?.errors.planPriceId} />
      <Choices
        legend="Como você quer pagar"
        name="method"
        options={methods.map((one) => optionOf(one, planPriceId !== null))}
        defaultValue={method}
        error={problem?.errors.method}
        onValueChange={(value) => setMethod(value === "card" ? "card" : "pix")}
      />
      {isCard ? <CardFieldFrame frame={frame} {...field} /> : null}
      <PayButton method={methods.length === 1 ? method : null} isBusy={isAsking || isSending || isLoading} />
    </Form>
  );
}

/** The button says what was chosen by CSS alone, so that it does without JavaScript too. */
function PayButton({ method, isBusy }: { method: PaymentMethod | null; isBusy: boolean }) {
  return (
    <Button size="lg" className="w-full" disabled={isBusy} aria-busy={isBusy}>
      {method ? (
        payLabel(method)
      ) : (
        <>
          <span className="group-has-[input[value=card]:checked]/pay:hidden">{payLabel("pix")}</span>
          <span className="hidden group-has-[input[value=card]:checked]/pay:inline">{payLabel("card")}</span>
        </>
      )}
    </Button>
  );
}

const payLabel = (method: PaymentMethod): string => (method === "card" ? "Pagar com cartão" : "Pagar com Pix");

function chosenMethod(methods: PaymentMethod[], problem: FormProblem | undefined): PaymentMethod {
  const chosen = problem?.values.method === "card" ? "card" : "pix";
  return methods.includes(chosen) ? chosen : (methods[0] ?? "pix");
}
