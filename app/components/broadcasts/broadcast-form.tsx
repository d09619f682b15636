import { Form, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { TextArea } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { BROADCAST_MAX, SEGMENT_LABELS, SEGMENTS } from "#app/domain/broadcasts/rules.ts";
import type { Segment } from "#app/domain/broadcasts/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type BroadcastFormProps = {
  plans: { id: string; name: string }[];
  /** The broadcast that is changed; without it, a new one. */
  broadcast?: { segment: Segment; planIds: string[]; text: string };
  problem: FormProblem | undefined;
};

/** The form "Mensagem para muitos": who gets it, and its text. It sends nothing. */
export function BroadcastForm({ plans, broadcast, problem }: BroadcastFormProps) {
  const isBusy = useNavigation().state !== "idle";
  const planIds = problem ? (problem.values["planIds"] ?? "").split("\n") : broadcast?.planIds;
  // A creator without plans has only followers.
  const segments = plans.length === 0 ? (["followers"] as const) : SEGMENTS;
  return (
    <Form method="post" className="flex flex-col gap-5">
      <ActingField />
      <FormMessage message={problem?.message} link={problem?.link} />
      <Choices
        legend="Quem recebe"
        name="segment"
        options={segments.map((value) => ({ value, ...SEGMENT_LABELS[value] }))}
        defaultValue={problem?.values["segment"] ?? broadcast?.segment ?? segments[0]}
        error={problem?.errors["segment"]}
      />
      {plans.length === 0 ? null : (
        <Choices
          legend="Planos"
          name="planIds"
          type="checkbox"
          hint="Só conta para “Assinantes de alguns planos”."
          options={plans.map(({ id, name }) => ({ value: id, label: name }))}
          defaultValue={planIds}
          error={problem?.errors["planIds"]}
        />
      )}
      <TextArea
        label="Mensagem"
        name="text"
        rows={8}
        limit={BROADCAST_MAX}
        defaultValue={problem?.values["text"] ?? broadcast?.text}
        error={problem?.errors["text"]}
        hint="Escreva {nome} onde deve entrar o primeiro nome de cada pessoa."
      />
      <Button disabled={isBusy} className="self-start">
        Ver antes de enviar
      </Button>
    </Form>
  );
}
