import { useState } from "react";
import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { paymentFormError } from "./form-error.ts";
import {
  CardFieldFrame,
  CardNeedsJavaScript,
  isSaveCardChecked,
} from "#app/components/checkout/card/card-field.tsx";
import { MandateTerms } from "#app/components/checkout/pix/mandate-terms.tsx";
import type { MandateTermsProps } from "#app/components/checkout/pix/mandate-terms.tsx";
import { ChosenMethodLabel } from "./methods/chosen-method-label.tsx";
import { SaveCardField } from "#app/components/checkout/card/save-card-field.tsx";
import { selectedMethod, isTypedCard } from "./methods/method-choices.ts";
import type { SavedCardOption } from "./methods/method-choices.ts";
import { paymentOptions } from "./methods/payment-options.ts";
import { TaxIdField } from "./payer/tax-id-field.tsx";
import { TermsNote } from "./terms-note.tsx";
import { useCardForm } from "#app/components/checkout/card/use-card-form.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { byMethod, renewsByCode, takesCardDetails } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { trialConsentText, trialStartText } from "#app/domain/subscriptions/trials/rules/trial.ts";
import { formatDay } from "#app/domain/time.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type PaymentFormProps = {
  /** Price of the plan to subscribe to. Null for a one-time purchase, which the URL identifies. */
  planPriceId: string | null;
  /** Number of billing periods paid at once. */
  periods: number;
  /** Amount shown on the page, in centavos, which the button agrees to pay now. */
  amountCents: number;
  /** Code of the coupon that discounts the price. */
  coupon: string | null;
  /** Free days before the first charge. A card needs the payer's consent for them. */
  trial?: Trial | null;
  /** Start of the subscription, if it follows the end of a comp. */
  beginsAt?: number | null;
  methods: PaymentMethod[];
  /** Why cards are not offered; null when they are. */
  pixOnly?: string | null;
  /** Terms of the Pix Automático mandate; null when it is not offered. */
  automatic?: MandateTermsProps | null;
  /** The page where a card is typed takes Apple Pay and Google Pay too. */
  hasWallets?: boolean;
  /** Saved cards of the payer, the default card first. */
  cards: SavedCardOption[];
  cardFieldUrl: string | null;
  problem: FormProblem | undefined;
  /** Fields that identify the payer, while they are unknown. */
  who?: ReactNode;
  /** Methods that need the payer's CPF or CNPJ, while no tax id is saved. */
  taxIdFor: PaymentMethod[];
  /** Fields before the payment, such as the recipient of a gift. */
  children?: ReactNode;
  /** A guest confirms a code before the payment starts. */
  isGuest?: boolean;
  /** Sign-in path that returns a guest to the same cart. */
  loginPath?: string | null;
};

type Trial = { days: number; endsAt: number };

/**
 * Form that takes a Pix or card payment. With JavaScript, the provider's frame first turns a card
 * into a token. Without it, the same form is sent unchanged and the provider's own page asks for
 * the card.
 */
export function PaymentForm({
  planPriceId,
  periods,
  amountCents,
  coupon,
  trial = null,
  beginsAt = null,
  methods,
  pixOnly = null,
  hasWallets = false,
  cards,
  cardFieldUrl,
  problem,
  automatic = null,
  who = null,
  taxIdFor,
  isGuest = false,
  loginPath = null,
  children,
}: PaymentFormProps) {
  // Only a signed-in payer may consent to a card.
  useFirstError(problem);
  const chosenFrom = trial && isGuest ? methods.filter(renewsByCode) : methods;
  const options = paymentOptions({
    methods: chosenFrom,
    automatic,
    cards,
    planPriceId,
    trial,
    hasWallets,
  });
  const [chosen, setChoice] = useState(selectedMethod(options, problem?.values.method));
  // The chosen method may no longer be offered after the payer picked another period or prepayment.
  const choice = selectedMethod(options, chosen);
  const isCard = isTypedCard(choice);
  // A subscription saves its card. A one-time purchase saves it only if the payer asks.
  const { form, token, field, isBusy } = useCardForm({
    cardFieldUrl,
    isCard,
    terms: (sent) => ({
      amountCents: trial ? null : amountCents,
      keeps: planPriceId !== null || isSaveCardChecked(sent),
    }),
  });
  return (
    <Form method="post" {...form} noValidate className="group/pay flex flex-col gap-5">
      <AgreedFields
        planPriceId={planPriceId}
        periods={periods}
        amountCents={amountCents}
        coupon={coupon}
        trial={trial}
        beginsAt={beginsAt}
      />
      <input type="hidden" name="cardToken" ref={token} defaultValue="" />
      <FormMessage message={paymentFormError(problem)} link={problem?.link} />
      {who}
      {children}
      <Choices
        key={options.map(({ value }) => value).join(" ")}
        legend={trial ? "Depois dos dias grátis" : "Como você quer pagar"}
        name="method"
        options={options}
        defaultValue={choice}
        error={problem?.errors.method}
        onValueChange={setChoice}
      />
      {pixOnly ? <p className="text-small text-muted">{pixOnly}</p> : null}
      {loginPath !== null && chosenFrom.length < methods.length ? (
        <CardNeedsAccount loginPath={loginPath} />
      ) : null}
      <TaxIdField methods={taxIdFor} problem={problem} isTrial={trial !== null} />
      {methods.some(takesCardDetails) && !trial ? (
        <CardNeedsJavaScript cardFieldUrl={cardFieldUrl} />
      ) : null}
      {isCard && !isGuest ? (
        // The card of a trial can only be typed here. Without JavaScript, the note below replaces
        // it.
        <div className={trial ? "noscript:hidden" : ""}>
          <CardFieldFrame {...field} />
        </div>
      ) : null}
      {methods.some(takesCardDetails) ? (
        <SavedCardNote
          renews={planPriceId !== null}
          trial={trial ? { ...trial, amountCents } : null}
          savesCard={problem?.values.keep === "on"}
        />
      ) : null}
      {trial && chosenFrom.some(takesCardDetails) ? (
        <noscript>
          <p className="text-small text-muted">
            Um cartão novo precisa de JavaScript. Sem ele, comece sem cartão ou com um que você já
            guardou.
          </p>
        </noscript>
      ) : null}
      {automatic ? (
        <div className="hidden rounded-card border border-line bg-card p-5 group-has-[input[value=automatic]:checked]/pay:block">
          <MandateTerms {...automatic} />
        </div>
      ) : null}
      <PayButton
        labels={trial ? trialLabels(trial, amountCents) : PAY_LABELS}
        method={options.length === 1 ? (chosenFrom[0] ?? "pix") : null}
        guestLabel={
          !isGuest ? null : trial ? "Receber o código e começar" : "Receber o código e pagar"
        }
        isBusy={isBusy}
      />
      {isGuest ? null : <TermsNote isFree={trial !== null} />}
    </Form>
  );
}

/** Explains to a guest why a card is not among the choices. */
function CardNeedsAccount({ loginPath }: { loginPath: string }) {
  return (
    <p className="text-small text-muted">
      Para seguir com cartão depois dos dias grátis, é preciso ter conta:{" "}
      <Link to={loginPath} className="font-semibold text-leaf underline underline-offset-4">
        entre
      </Link>{" "}
      e você volta para cá.
    </p>
  );
}

/** Hidden fields with the terms that the button agrees to, as the page showed them. */
function AgreedFields({
  planPriceId,
  periods,
  amountCents,
  coupon,
  trial = null,
  beginsAt = null,
}: Pick<
  PaymentFormProps,
  "planPriceId" | "periods" | "amountCents" | "coupon" | "trial" | "beginsAt"
>) {
  return (
    <>
      <input type="hidden" name="amountCents" value={amountCents} />
      {planPriceId === null ? null : <input type="hidden" name="planPriceId" value={planPriceId} />}
      {periods === 1 ? null : <input type="hidden" name="periods" value={periods} />}
      {beginsAt === null ? null : <input type="hidden" name="beginsAt" value={beginsAt} />}
      {trial ? <input type="hidden" name="trialDays" value={trial.days} /> : null}
      {coupon === null ? null : <input type="hidden" name="coupon" value={coupon} />}
    </>
  );
}

/**
 * Says whether the typed card is saved. A subscription needs it for its renewals. A one-time
 * purchase saves it only if the payer asks.
 */
function SavedCardNote({
  renews,
  trial,
  savesCard,
}: {
  renews: boolean;
  trial: (Trial & { amountCents: number }) | null;
  savesCard: boolean;
}) {
  return (
    <div
      className={`hidden ${trial ? "group-has-[input[value^=card]:checked]/pay:block" : "group-has-[input[value=card]:checked]/pay:block"}`}
    >
      {trial ? (
        <p className="text-small text-muted">
          Você autoriza guardar este cartão com quem processa o pagamento e cobrar nele{" "}
          <Money cents={trial.amountCents} /> em {formatDay(trial.endsAt)}, e depois a cada
          renovação. Hoje nada é cobrado. Cancele quando quiser.
        </p>
      ) : renews ? (
        <p className="text-small text-muted">
          Ao pagar, você autoriza guardar este cartão com quem processa o pagamento, para as
          renovações e para as suas próximas compras. Você o tira quando quiser, em Ajustes,
          Pagamentos.
        </p>
      ) : (
        <SaveCardField savesCard={savesCard} />
      )}
    </div>
  );
}

/** Pay button. CSS alone picks its label by the method, so it works without JavaScript. */
function PayButton({
  labels,
  method,
  guestLabel,
  isBusy,
}: {
  labels: Record<PaymentMethod, string>;
  method: PaymentMethod | null;
  guestLabel: string | null;
  isBusy: boolean;
}) {
  if (guestLabel !== null) {
    return (
      <Button size="lg" className="w-full" disabled={isBusy} aria-busy={isBusy}>
        {guestLabel}
      </Button>
    );
  }
  return (
    <Button size="lg" className="w-full" disabled={isBusy} aria-busy={isBusy}>
      {method ? (
        labels[method]
      ) : (
        <ChosenMethodLabel labels={labels} automatic="Pagar e autorizar no banco" />
      )}
    </Button>
  );
}

const PAY_LABELS = byMethod((method) => methodTexts[method].payLabel);
const trialLabels = ({ days, endsAt }: Trial, amountCents: number) =>
  byMethod((method) =>
    renewsByCode(method) ? trialStartText(days) : trialConsentText(days, amountCents, endsAt),
  );
