import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { SelectField, TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import {
  DECISION_LABELS,
  HIDDEN_VIEWERS,
  REPORT_REASONS,
} from "#app/domain/moderation/reports/rules.ts";
import {
  DECISION_REASON_MAX,
  reportReasons,
  SUSPENSION_DAYS_MAX,
} from "#app/domain/moderation/reports/schema.ts";
import type {
  CaseDecision,
  ReportReason,
  SubjectKind,
} from "#app/domain/moderation/reports/schema.ts";

type Problem = {
  errors: Record<string, string>;
  message: string | null;
  values: Record<string, string>;
};

const DECISION_HINTS: Record<Exclude<CaseDecision, "hide">, string> = {
  dismiss: "Não há quebra das regras. Só quem denunciou recebe aviso.",
  warn: "Nada muda na conta; fica no histórico.",
  suspend:
    "A página some, nada renova e nenhum saque é feito até o prazo terminar. De quem vende, os dias pagos e não usados voltam a quem assina depois de um dia.",
  ban: "O mesmo, sem prazo.",
};

/** Claims a case, or gives it back. Posts to a page of its own. */
export function CaseActionForm({
  action,
  version,
  button,
  problem,
}: {
  action: string;
  version: number | string;
  button: string;
  problem?: Problem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form method="post" action={action} className="flex flex-col gap-4" noValidate>
      <FormMessage message={problem?.message} />
      <input type="hidden" name="version" value={version} />
      <TextField
        label="Anotação"
        name="reason"
        required={false}
        limit={DECISION_REASON_MAX}
        defaultValue={problem?.values["reason"]}
        error={problem?.errors["reason"]}
        hint="Fica no registro do caso; só a moderação lê."
      />
      <Button
        variant={button === "Assumir" ? "primary" : "outline"}
        className="self-start"
        disabled={isBusy}
      >
        {button}
      </Button>
    </Form>
  );
}

/** Decides a claimed case. */
export function DecisionForm({
  version,
  reportsSeen,
  kind,
  decisions,
  suggestedRule,
  problem,
}: {
  version: number;
  reportsSeen: number;
  kind: SubjectKind;
  decisions: readonly CaseDecision[];
  suggestedRule: ReportReason;
  problem?: Problem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  const values = problem?.values ?? {};
  const errors = problem?.errors ?? {};
  return (
    <Card as="section" label="Decidir" className="p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-5" noValidate>
        <h2 className="text-heading">Decidir</h2>
        <FormMessage message={problem?.message} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="reportsSeen" value={reportsSeen} />
        <Choices
          legend="O que fazer"
          name="decision"
          defaultValue={values["decision"]}
          error={errors["decision"]}
          options={decisions.map((value) => ({
            value,
            label: DECISION_LABELS[value],
            hint: decisionHint(value, kind),
          }))}
        />
        <TextField
          label="Dias de suspensão"
          name="days"
          inputMode="numeric"
          required={false}
          hint={`Só para suspender: de 1 a ${SUSPENSION_DAYS_MAX}.`}
          defaultValue={values["days"]}
          error={errors["days"]}
        />
        <SelectField
          label="Regra quebrada"
          name="rule"
          hint="Não conta para arquivar."
          defaultValue={values["rule"] ?? suggestedRule}
          error={errors["rule"]}
          options={reportReasons.map((value) => ({ value, label: REPORT_REASONS[value].label }))}
        />
        <TextArea
          label="Motivo"
          name="reason"
          limit={DECISION_REASON_MAX}
          defaultValue={values["reason"]}
          error={errors["reason"]}
          hint="A pessoa denunciada lê estas palavras. Não diga quem denunciou."
        />
        <Button className="self-start" disabled={isBusy}>
          Decidir
        </Button>
      </Form>
    </Card>
  );
}

const decisionHint = (decision: CaseDecision, kind: SubjectKind): string =>
  decision === "hide"
    ? `${HIDDEN_VIEWERS[kind].staff} Desfaz-se por um recurso.`
    : DECISION_HINTS[decision];

/** Decides the appeal of a case. Posts to a page of its own. */
export function AppealForm({ action, problem }: { action: string; problem?: Problem | undefined }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form method="post" action={action} className="flex flex-col gap-5" noValidate>
      <FormMessage message={problem?.message} />
      <Choices
        legend="O recurso"
        name="outcome"
        defaultValue={problem?.values["outcome"]}
        error={problem?.errors["outcome"]}
        options={[
          { value: "upheld", label: "Manter a decisão" },
          {
            value: "reversed",
            label: "Desfazer a decisão",
            hint: "O conteúdo volta a aparecer, ou a suspensão ou o banimento termina. Outra decisão que ainda vale continua valendo.",
          },
        ]}
      />
      <TextArea
        label="Motivo"
        name="reason"
        limit={DECISION_REASON_MAX}
        defaultValue={problem?.values["reason"]}
        error={problem?.errors["reason"]}
        hint="Quem recorreu lê estas palavras."
      />
      <Button className="self-start" disabled={isBusy}>
        Decidir o recurso
      </Button>
    </Form>
  );
}
