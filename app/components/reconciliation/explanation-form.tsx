import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { formatMinute } from "#app/domain/time.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type Asked = { byName: string | null; at: number; isOwn: boolean };
type ExplanationProps = {
  lastSeenAt: number;
  /** Explanation that waits for another person's approval. */
  asked: Asked | null;
  /** Limit in centavos above which two people must explain. */
  forTwo: { limitCents: number } | null;
  problem: FormProblem | undefined;
};

/**
 * Form that explains a difference. Above the limit one person explains and another approves or
 * rejects.
 */
export function ExplanationForm({ lastSeenAt, asked, forTwo, problem }: ExplanationProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card as="section" label="Explicação" className="p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-4" noValidate>
        <h2 className="text-heading">
          {asked ? "Explicação que espera acordo" : "Marcar como explicada"}
        </h2>
        {asked ? (
          <p>
            {asked.isOwn ? "Você" : (asked.byName ?? "Alguém da equipe")} explicou em{" "}
            {formatMinute(asked.at)}.{" "}
            {asked.isOwn
              ? "Outra pessoa da moderação precisa concordar."
              : "Confira por conta própria antes de concordar."}
          </p>
        ) : null}
        {forTwo && !asked ? (
          <p className="text-muted">
            Acima de <Money cents={forTwo.limitCents} />, outra pessoa da moderação precisa
            concordar.
          </p>
        ) : null}
        <FormMessage message={problem?.message} />
        <input type="hidden" name="lastSeenAt" value={lastSeenAt} />
        <TextArea
          label={noteLabel(asked)}
          name="note"
          rows={3}
          required
          limit={500}
          defaultValue={problem?.values.note}
          error={problem?.errors.note}
          hint="Fica com o seu nome e não muda mais. Se um dos lados mudar, ela volta a abrir."
        />
        <div className="flex flex-wrap gap-2">
          {asked?.isOwn ? null : (
            <Button name="act" value="explain" disabled={isBusy}>
              {asked ? "Concordar" : "Marcar como explicada"}
            </Button>
          )}
          {asked ? (
            <Button name="act" value="dismiss" variant="outline" disabled={isBusy}>
              {asked.isOwn ? "Retirar a explicação" : "Não concordar"}
            </Button>
          ) : null}
        </div>
      </Form>
    </Card>
  );
}

function noteLabel(asked: Asked | null): string {
  if (asked === null) return "O que você descobriu";
  return asked.isOwn ? "Por que você a retira" : "O que você conferiu";
}
