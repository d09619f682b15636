import { Form } from "react-router";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { formatDay } from "#app/domain/time.ts";

/** A proposed price change as a page shows it. */
export type PriceChangeDetails = {
  askId: string;
  state: "asked" | "accepted" | "kept";
  fromPrice: string;
  toPrice: string;
  takesEffectAt: number;
  needsMandate: boolean;
  movesToPix: boolean;
  isChargeOpen: boolean;
};

/** The answer to a price change in one line, or what no answer means. */
export function priceAnswerText({
  state,
  fromPrice,
  toPrice,
  takesEffectAt,
}: PriceChangeDetails): string {
  if (state === "accepted")
    return `Você aceitou ${toPrice} a partir de ${formatDay(takesEffectAt)}.`;
  return state === "kept"
    ? `Você manteve ${fromPrice}.`
    : `Sem resposta, você continua pagando ${fromPrice}.`;
}

/** Two buttons of equal weight: neither is hidden, and none is the default. */
export function PriceAnswerForm({
  ask,
  message,
  isBusy,
}: {
  ask: PriceChangeDetails;
  message: string | null | undefined;
  isBusy: boolean;
}) {
  const {
    askId,
    state,
    fromPrice,
    toPrice,
    takesEffectAt,
    needsMandate,
    movesToPix,
    isChargeOpen,
  } = ask;
  const day = formatDay(takesEffectAt);
  return (
    <Form method="post" className="flex flex-col gap-5">
      <input type="hidden" name="askId" value={askId} />
      <FormMessage message={message} />
      <DetailList
        details={[
          { label: "Você paga", value: fromPrice },
          { label: "Preço novo", value: toPrice },
          { label: "Para períodos que começam a partir de", value: day },
        ]}
      />
      <p role="status">
        {priceAnswerText(ask)}{" "}
        {state === "asked"
          ? "Nada muda sem a sua resposta."
          : "Até a cobrança com o preço novo ser feita, dá para mudar de ideia."}
      </p>
      {needsMandate || movesToPix || isChargeOpen ? (
        <ul className="flex flex-col gap-2 text-small text-muted">
          {needsMandate ? (
            <li>
              O Pix Automático que você autorizou não é para esse valor: depois de aceitar, você
              autoriza de novo no banco. Até lá o preço continua {fromPrice}.
            </li>
          ) : null}
          {movesToPix ? (
            <li>
              Valores abaixo de R$&nbsp;10,00 se pagam só com Pix: se aceitar, as próximas cobranças
              passam a ser por Pix.
            </li>
          ) : null}
          {isChargeOpen ? <li>A cobrança que já está aberta não muda de valor.</li> : null}
        </ul>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          name="answer"
          value="accepted"
          variant="outline"
          size="lg"
          className="py-2"
          disabled={isBusy || state === "accepted"}
        >
          Aceitar {toPrice} a partir de {day}
        </Button>
        <Button
          name="answer"
          value="kept"
          variant="outline"
          size="lg"
          disabled={isBusy || state === "kept"}
        >
          Manter {fromPrice}
        </Button>
      </div>
    </Form>
  );
}
