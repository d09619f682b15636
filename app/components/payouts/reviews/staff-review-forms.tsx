import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import type { FormProblem } from "#app/lib/form-problem.ts";

/** Button of a staff action that needs no reason. */
export function StaffActionButton({
  act,
  children,
}: {
  act: "retry" | "ask" | "release" | "record";
  children: string;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form method="post">
      <input type="hidden" name="act" value={act} />
      <Button variant="outline" disabled={isBusy}>
        {children}
      </Button>
    </Form>
  );
}

type ReasonedProps = {
  act: "hold" | "cancel";
  title: string;
  hint: string;
  problem: FormProblem | undefined;
  children: string;
};

/** Form of an action whose reason somebody else reads. */
export function ReasonedActionForm({ act, title, hint, problem, children }: ReasonedProps) {
  const isBusy = useNavigation().state !== "idle";
  const isOfThisForm = problem?.values.act === act;
  return (
    <details open={isOfThisForm} className="rounded-card border border-line bg-card px-5">
      <summary className="flex min-h-11 items-center font-semibold">{title}</summary>
      <Form method="post" className="flex flex-col gap-4 pb-5" noValidate>
        <input type="hidden" name="act" value={act} />
        <TextArea
          label="Motivo, como a pessoa vai ler"
          name="reason"
          rows={2}
          limit={300}
          required
          hint={hint}
          defaultValue={isOfThisForm ? problem.values.reason : undefined}
          error={isOfThisForm ? problem.errors.reason : undefined}
        />
        <Button variant="danger" disabled={isBusy} className="self-start">
          {children}
        </Button>
      </Form>
    </details>
  );
}
