import { Form, useNavigation } from "react-router";
import type { ContestantView } from "./document-review.tsx";
import type { TaxIdCheckView } from "./document-registry.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { CheckboxField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { awaitsDecision } from "#app/domain/documents/rules.ts";
import type { MissingFile } from "#app/domain/documents/files/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const FOR_OTHERS = {
  own: "Estes documentos são seus: outra pessoa da moderação decide.",
  team: "Você trabalha na equipe desta pessoa e vê o dinheiro dela: outra pessoa da moderação decide.",
} as const;

type Decided = Pick<Documents, "personId" | "status" | "filesAt" | "decidedAt"> & {
  missing: MissingFile[];
  sideOf: keyof typeof FOR_OTHERS | null;
  numbers: TaxIdCheckView[];
  rivals: ContestantView[];
};

/**
 * Approves pending documents, with the data that approval requires, or leads to the rejection. For
 * approved documents, only leads to the withdrawal of the approval.
 */
export function DocumentDecision({
  documents,
  problem,
}: {
  documents: Decided;
  problem: FormProblem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  const { personId, status, missing, filesAt, sideOf, numbers, rivals } = documents;
  const refusal = `/admin/documents/${personId}/rejection?seen=${filesAt ?? 0}`;
  if (sideOf !== null) return <p className="text-muted">{FOR_OTHERS[sideOf]}</p>;
  if (!awaitsDecision(documents)) {
    return (
      <Card as="section" label="Decisão" className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          Se algo nestes documentos se mostrar falso, retire a aprovação: as vendas param e os
          saques esperam.
        </p>
        <ButtonLink to={refusal} variant="outline" className="self-start">
          Retirar a aprovação
        </ButtonLink>
      </Card>
    );
  }
  const unasked = numbers.filter(({ answer }) => answer === null).map(({ shown }) => shown);
  const isIrregular = numbers.some(
    ({ answer }) => answer !== null && answer.situation !== "regular",
  );
  const holder =
    status === "contested" ? rivals.find((rival) => rival.status !== "contested") : undefined;
  const mayApprove = missing.length === 0 && !isIrregular;
  return (
    <Card as="section" label="Decisão" className="flex flex-col gap-5 p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-5" noValidate>
        <FormMessage message={problem?.message ?? problem?.errors.seenAt} />
        <input type="hidden" name="seenAt" value={filesAt ?? 0} />
        {missing.length > 0 ? (
          <p className="text-muted">Dá para aprovar quando tudo tiver chegado.</p>
        ) : null}
        {isIrregular ? (
          <p className="text-muted">
            Quem tem número que não está regular não pode ser aprovado. Recuse com esse motivo, ou
            consulte de novo.
          </p>
        ) : null}
        {mayApprove ? (
          <TextField
            label="Validade do documento"
            name="expiresOn"
            inputMode="numeric"
            placeholder="31/12/2030"
            maxLength={10}
            required={false}
            defaultValue={problem?.values.expiresOn}
            error={problem?.errors.expiresOn}
            hint="CNH e passaporte têm; muitos RG, não."
          />
        ) : null}
        {mayApprove && unasked.length > 0 ? (
          <CheckboxField
            label={`Conferi no site da Receita Federal que está regular: ${new Intl.ListFormat("pt-BR").format(unasked)}`}
            name="lookedUp"
            error={problem?.errors.lookedUp}
            hint="Só se o cadastro não respondeu. Fica anotado que foi você."
          />
        ) : null}
        {mayApprove && holder ? (
          <CheckboxField
            label={`Conferi os dois lados: o número passa de @${holder.username} para esta conta`}
            name="takesFrom"
            value={holder.mark}
            error={problem?.errors.takesFrom}
            hint="Os documentos da outra conta voltam, com o motivo; as vendas dela param e os saques esperam."
          />
        ) : null}
        <div className="flex flex-wrap gap-2">
          {mayApprove ? <Button disabled={isBusy}>Aprovar</Button> : null}
          <ButtonLink to={refusal} variant="outline">
            Recusar
          </ButtonLink>
        </div>
      </Form>
    </Card>
  );
}
