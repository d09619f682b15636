import { HelpLink } from "#app/components/help/help-link.tsx";
import { Form } from "react-router";
import { RefreshPaymentButton } from "#app/components/checkout/charge/refresh-button.tsx";
import { SharePixCard } from "./share-pix.tsx";
import { MandatePending } from "./mandate-outcome.tsx";
import type { MandateTermsProps } from "./mandate-terms.tsx";
import { PixCard } from "./pix-card.tsx";
import type { PixCardProps } from "./pix-card.tsx";
import { PixSteps } from "./pix-steps.tsx";

type PixWaitingProps = PixCardProps & {
  amountCents: number;
  description: string;
  /** URL where anybody may pay. Null for a charge that only this payer may pay. */
  shareUrl: string | null;
  /** Pix Automático terms that the payment also accepts. */
  automatic: MandateTermsProps | null;
  /** The bank's answer to the last manual check. */
  answer: string | null;
  isAsking: boolean;
};

/** Pix code to pay, with instructions. */
export function PixPending({
  code,
  qr,
  amountCents,
  description,
  shareUrl,
  automatic,
  leftMs,
  wholeMs,
  expiresAt,
  answer,
  isAsking,
  onEnd,
}: PixWaitingProps) {
  return (
    <>
      <PixCard
        code={code}
        qr={qr}
        leftMs={leftMs}
        wholeMs={wholeMs}
        expiresAt={expiresAt}
        onEnd={onEnd}
      />
      <PixAsked answer={answer} isAsking={isAsking} />
      <PixSteps amountCents={amountCents} />
      {automatic ? <MandatePending {...automatic} /> : null}
      {shareUrl === null ? null : (
        <SharePixCard url={shareUrl} description={description} amountCents={amountCents} />
      )}
      <HelpLink answer="pix">Como pagar com Pix</HelpLink>
    </>
  );
}

function PixAsked({ answer, isAsking }: { answer: string | null; isAsking: boolean }) {
  return (
    <div className="flex flex-col gap-3 rounded-card bg-signal-soft p-5">
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="mt-2 size-3 shrink-0 rounded-full bg-signal ring-4 ring-signal/30"
        />
        <div role="status">
          <p className="font-semibold">Esperando o pagamento</p>
          <p className="text-small text-muted">
            {answer ??
              "Esta página muda sozinha assim que o banco avisar. Pode fechar: mandamos um e-mail."}
          </p>
        </div>
      </div>
      <Form method="post" className="pl-6">
        <RefreshPaymentButton size="sm" isAsking={isAsking}>
          Já paguei
        </RefreshPaymentButton>
      </Form>
    </div>
  );
}
