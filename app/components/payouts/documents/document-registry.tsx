import { Form, useNavigation } from "react-router";
import { REGISTRY_SITUATION_LABELS, registrySourceLabel } from "./document-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import type { RegistrySituation } from "#app/domain/documents/schema.ts";
import { formatMinute } from "#app/domain/time.ts";

export type TaxIdCheckView = {
  /** Formatted number, such as "CPF 123.456.789-09". */
  shown: string;
  answer: {
    situation: RegistrySituation;
    name: string | null;
    source: string;
    askedByName: string | null;
    answeredAt: number;
  } | null;
  isOtherName: boolean;
};

/** The registry's answer for each tax id of a seller, with a button to ask again. */
export function DocumentRegistry({
  personId,
  numbers,
  mayAsk,
}: {
  personId: string;
  numbers: TaxIdCheckView[];
  mayAsk: boolean;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card
      as="section"
      label="Cadastro da Receita Federal"
      className="flex flex-col gap-3 p-5 sm:p-6"
    >
      <h2 className="text-heading">Cadastro da Receita Federal</h2>
      <ul className="divide-y divide-line">
        {numbers.map((number) => (
          <li key={number.shown} className="flex flex-col gap-1 py-3 first:pt-0">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-semibold">{number.shown}</span>
              <NumberBadge {...number} />
              {number.isOtherName ? <Badge tone="attention">Nome difere</Badge> : null}
            </span>
            {number.answer ? (
              <span className="text-small text-muted">
                {number.answer.name
                  ? `Em nome de ${number.answer.name}. `
                  : "O nome não foi informado. "}
                Consultado em {formatMinute(number.answer.answeredAt)},{" "}
                {registrySourceLabel(number.answer.source, number.answer.askedByName)}.
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {mayAsk ? (
        <Form method="post" action={`/admin/documents/${personId}/registry`}>
          <Button variant="outline" disabled={isBusy}>
            Consultar agora
          </Button>
        </Form>
      ) : null}
    </Card>
  );
}

/** Badge with the status of a tax id. */
function NumberBadge({ answer }: Pick<TaxIdCheckView, "answer">) {
  if (!answer) return <Badge tone="attention">Ainda não consultado</Badge>;
  return (
    <Badge tone={answer.situation === "regular" ? "good" : "refusal"}>
      {REGISTRY_SITUATION_LABELS[answer.situation]}
    </Badge>
  );
}
