import { CircleAlert, CircleCheck } from "lucide-react";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { invariantFindings, totalsByKind } from "#app/domain/ledger/queries.server.ts";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/ledger.ts";

export const meta: Route.MetaFunction = () => [{ title: "Livro-razão · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const [findings, totals] = await Promise.all([invariantFindings(ctx), totalsByKind(ctx)]);
  return {
    checkedAt: ctx.now(),
    findings: findings.map(({ name, title, rows }) => ({ name, title, broken: rows.map((row) => JSON.stringify(row)) })),
    totals,
  };
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Ledger({ loaderData }: Route.ComponentProps) {
  const brokenCount = loaderData.findings.filter((finding) => finding.broken.length > 0).length;
  return (
    <>
      <PageHeader
        title="Livro-razão"
        lead={`${brokenCount === 0 ? "Tudo fecha" : `${brokenCount} regras quebradas`} · conferido em ${formatMinute(loaderData.checkedAt)}`}
      />
      <div className="flex flex-col gap-6">
        <Totals totals={loaderData.totals} />
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {loaderData.findings.map((finding) => (
              <Finding key={finding.name} finding={finding} />
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}

function Totals({ totals }: Pick<LoaderData, "totals">) {
  if (totals.length === 0) return <p className="text-muted">Nenhum dinheiro passou por aqui ainda.</p>;
  return (
    <Table caption="Saldos por tipo de conta">
      <thead>
        <tr>
          <Th>Conta</Th>
          <Th numeric>Quantas</Th>
          <Th numeric>Saldo</Th>
        </tr>
      </thead>
      <tbody>
        {totals.map((total) => (
          <tr key={total.kind}>
            <Td>{accountKinds[total.kind].title}</Td>
            <Td numeric>{total.accounts}</Td>
            <Td numeric>
              <Money cents={total.cents} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Finding({ finding }: { finding: LoaderData["findings"][number] }) {
  const holds = finding.broken.length === 0;
  return (
    <li className="flex flex-col gap-2 px-5 py-4">
      <p className="flex items-start gap-3">
        {holds ? (
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
        ) : (
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-refusal" />
        )}
        <span>
          {finding.title}
          <span className="sr-only">{holds ? ": certo" : ": quebrada"}</span>
        </span>
      </p>
      {holds ? null : <pre className="overflow-x-auto rounded-field bg-sand p-3 text-caption">{finding.broken.join("\n")}</pre>}
    </li>
  );
}
