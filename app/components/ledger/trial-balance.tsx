import { Form } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { RowLink, SumRow, Table, Td } from "#app/components/ui/table.tsx";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import { ACCOUNT_COLUMNS, DebitCredit } from "./debit-credit.tsx";

type TrialLine = { kind: LedgerAccountKind; debitCents: number; creditCents: number };

/** Account kinds with one account only, the platform's. */
const OF_THE_PLATFORM: ReadonlySet<LedgerAccountKind> = new Set([
  "platform_cash",
  "fees_reserved",
  "platform_fees",
  "provider_costs",
  "write_offs",
]);

/**
 * Balance of each kind of account at the end of a day, or now. Each line links to its accounts.
 * Debits equal credits.
 */
export function TrialBalance({
  trial,
  until,
  error,
}: {
  trial: TrialLine[];
  until: string;
  error: string | undefined;
}) {
  const sum = (side: "debitCents" | "creditCents") =>
    trial.reduce((total, line) => total + line[side], 0);
  const asOf = until && !error ? `?until=${until}` : "";
  const accountsOf = (kind: LedgerAccountKind) =>
    OF_THE_PLATFORM.has(kind)
      ? `/admin/ledger/accounts/${kind}${asOf}`
      : `/admin/ledger/kinds/${kind}${asOf}`;
  return (
    <section aria-labelledby="trial" className="flex flex-col gap-3">
      <h2 id="trial" className="text-heading">
        Balancete
      </h2>
      <Form method="get" className="flex flex-wrap items-end gap-3" noValidate>
        <TextField
          key={until}
          label="No fim do dia"
          name="until"
          type="date"
          defaultValue={until}
          error={error}
        />
        <Button variant="outline">Mostrar</Button>
      </Form>
      {trial.length === 0 ? (
        <p className="text-muted">Nenhum dinheiro tinha passado por aqui.</p>
      ) : (
        <Table caption="Balancete por tipo de conta" columns={ACCOUNT_COLUMNS}>
          <tbody>
            {trial.map((line) => (
              <tr key={line.kind}>
                <Td>
                  <RowLink to={accountsOf(line.kind)}>
                    {ledgerAccountKinds[line.kind].title}
                  </RowLink>
                </Td>
                <DebitCredit {...line} to={accountsOf(line.kind)} />
              </tr>
            ))}
            <SumRow>
              <Td>Soma</Td>
              <DebitCredit
                debitCents={sum("debitCents")}
                creditCents={sum("creditCents")}
                isTotal
              />
            </SumRow>
          </tbody>
        </Table>
      )}
    </section>
  );
}
