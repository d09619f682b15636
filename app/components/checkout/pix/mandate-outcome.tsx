import { MandateTerms } from "./mandate-terms.tsx";
import type { MandateTermsProps } from "./mandate-terms.tsx";
import { Card } from "#app/components/ui/card.tsx";
import type { PixMandateState } from "#app/domain/subscriptions/pix-mandates/rules.ts";

/** Terms of the mandate that paying the pending code accepts. */
export function MandatePending(terms: MandateTermsProps) {
  return (
    <Card className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="font-semibold">Este código também autoriza o Pix Automático</h2>
      <p className="text-muted">
        O app do seu banco mostra o pagamento de hoje e a autorização, e você aprova os dois de uma
        vez. Confira se os valores são estes:
      </p>
      <MandateTerms {...terms} />
    </Card>
  );
}

const HEADINGS: Record<PixMandateState, string> = {
  waiting: "Falta o banco confirmar o Pix Automático",
  authorised: "Pix Automático autorizado",
  none: "O Pix Automático não foi autorizado",
};

const TEXTS: Record<PixMandateState, string> = {
  waiting:
    "O pagamento chegou e a assinatura está ativa. Esta página muda sozinha quando o seu banco responder sobre os próximos débitos.",
  authorised: "A renovação sai da sua conta sozinha, e nada mais é preciso.",
  none: "O pagamento chegou e a assinatura está ativa, mas nada sai da sua conta sozinho: a renovação segue sem débito automático, e avisamos antes de cada uma.",
};

/** The bank's answer about the mandate, once the code was paid. */
export function MandateAnswered({
  state,
  ...terms
}: MandateTermsProps & { state: PixMandateState }) {
  return (
    <Card className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="font-semibold">{HEADINGS[state]}</h2>
      <p role="status">{TEXTS[state]}</p>
      {state === "authorised" ? <MandateTerms {...terms} todayCents={null} /> : null}
    </Card>
  );
}
