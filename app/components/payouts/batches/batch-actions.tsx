import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";

type Problem =
  | { errors: Record<string, string>; message: string | null; values: Record<string, string> }
  | undefined;
type BatchActsProps = {
  /** Number of payouts that can be retried, and that can be canceled. */
  toDo: {
    retryCount: number;
    cancelCount: number;
  };
  /** Where an action continues after one page of payouts. */
  goesOn: {
    act: string | null;
    from: string;
  };
  problem: Problem;
};

/** Actions on a whole batch; each press handles one page. Renders nothing without any. */
export function BatchActions({
  toDo: { retryCount, cancelCount },
  goesOn,
  problem,
}: BatchActsProps) {
  useFirstError(problem);
  const isBusy = useNavigation().state !== "idle";
  const from = (act: "retry" | "cancel") => (goesOn.act === act ? goesOn.from : "");
  if (retryCount + cancelCount === 0) return null;
  return (
    <section aria-labelledby="acts" className="flex flex-col gap-3">
      <h2 id="acts" className="text-heading">
        O que fazer
      </h2>
      <FormMessage message={problem?.message} />
      {retryCount === 0 ? null : (
        <Card className="flex flex-col items-start gap-3 p-5">
          <p className="text-muted">
            Cada pessoa ganha um saque novo, de tudo o que tem disponível. Quem pede de novo não
            pode aprovar o saque depois.
          </p>
          <Form method="post">
            <input type="hidden" name="act" value="retry" />
            <input type="hidden" name="after" value={from("retry")} />
            <Button disabled={isBusy}>
              {from("retry")
                ? "Continuar a pedir de novo"
                : `Pedir de novo o que falhou (${retryCount})`}
            </Button>
          </Form>
        </Card>
      )}
      {cancelCount === 0 ? null : (
        <details
          open={problem?.values["act"] === "cancel" || goesOn.act === "cancel"}
          className="rounded-card border border-line bg-card px-5"
        >
          <summary className="flex min-h-11 items-center font-semibold">
            Cancelar o que não saiu ({cancelCount})
          </summary>
          <Form method="post" className="flex flex-col gap-4 pb-5" noValidate>
            <input type="hidden" name="act" value="cancel" />
            <input type="hidden" name="after" value={from("cancel")} />
            <TextArea
              label="Motivo, como cada pessoa vai ler"
              name="reason"
              rows={2}
              limit={300}
              required
              hint="O dinheiro continua no saldo de cada uma. O que já está em envio segue."
              defaultValue={problem?.values["reason"]}
              error={problem?.errors["reason"]}
            />
            <Button variant="danger" disabled={isBusy} className="self-start">
              {from("cancel") ? "Continuar a cancelar" : "Cancelar o que não saiu"}
            </Button>
          </Form>
        </details>
      )}
    </section>
  );
}
