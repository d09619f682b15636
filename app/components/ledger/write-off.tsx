import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { TruncatedNote } from "#app/components/ui/links/pager.tsx";
import type { TruncatedList } from "#app/domain/page.ts";
import { typedReais } from "#app/domain/money.ts";
import { formatDay } from "#app/domain/time.ts";
import { WRITE_OFF_DAYS } from "#app/domain/payments/debts/rules.ts";

type Done = {
  id: string;
  amountCents: number;
  reason: string;
  at: number;
  decidedByName: string | null;
};
type WriteOffProps = {
  /** Earlier write-offs. */
  done: TruncatedList<Done>;
  owedCents: number;
  /** Debt old enough to write off. */
  writableCents: number;
  /** The moderator is the debtor or in their team, and may not write it off. */
  isOwn: boolean;
  problem:
    | { errors: Record<string, string>; message: string | null; values: Record<string, string> }
    | undefined;
};

/** Write-off of a creator's debt by a moderator, and earlier write-offs. */
export function WriteOff({ done, ...rest }: WriteOffProps) {
  return (
    <div className="flex flex-col gap-5">
      <WriteOffForm {...rest} />
      {done.items.length > 0 ? (
        <Card as="section" label="Baixas" className="p-0">
          <ul className="divide-y divide-line">
            {done.items.map(({ id, amountCents, reason, at, decidedByName }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-4">
                <span className="flex min-w-0 flex-col wrap-anywhere">
                  {reason}
                  <span className="text-small text-muted">
                    {formatDay(at)}
                    {decidedByName ? `, por ${decidedByName}` : ""}
                  </span>
                </span>
                <Money cents={amountCents} />
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <TruncatedNote list={done} />
    </div>
  );
}

function WriteOffForm({ owedCents, writableCents, isOwn, problem }: Omit<WriteOffProps, "done">) {
  const isBusy = useNavigation().state !== "idle";
  if (owedCents === 0) return null;
  if (isOwn)
    return (
      <p className="text-muted">
        Você deve este valor, ou trabalha na equipe de quem deve: outra pessoa da moderação dá
        baixa.
      </p>
    );
  if (writableCents === 0)
    return (
      <p className="text-muted">
        Nada aqui é devido há mais de {WRITE_OFF_DAYS} dias: ainda não há o que dar baixa.
      </p>
    );
  return (
    <Card as="section" label="Dar baixa" className="p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-5" noValidate>
        <h2 className="text-heading">Dar baixa</h2>
        <p className="text-muted">
          De <Money cents={owedCents} className="font-semibold text-ink" />,{" "}
          <Money cents={writableCents} className="font-semibold text-ink" /> são devidos há mais de{" "}
          {WRITE_OFF_DAYS} dias. O Coreto assume o valor da baixa, e ela não se desfaz.
        </p>
        <FormMessage message={problem?.message} />
        <input type="hidden" name="owed" value={owedCents} />
        <TextField
          label="Valor da baixa"
          name="amount"
          prefix="R$"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={problem?.values["amount"] ?? typedReais(writableCents)}
          error={problem?.errors["amount"]}
        />
        <TextArea
          label="Motivo, para a equipe"
          name="reason"
          rows={2}
          limit={500}
          required
          defaultValue={problem?.values["reason"]}
          error={problem?.errors["reason"]}
        />
        <Button disabled={isBusy} className="self-start">
          Dar baixa
        </Button>
      </Form>
    </Card>
  );
}
