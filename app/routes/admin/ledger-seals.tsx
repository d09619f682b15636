import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { verifySeals } from "#app/domain/ledger/commands/seals.server.ts";
import { sealsOf } from "#app/domain/ledger/queries/journal.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { sha256Hex } from "#app/http/digest.ts";
import { submitted } from "#app/http/form.ts";
import type { Route } from "./+types/ledger-seals.ts";

export const meta: Route.MetaFunction = () => [{ title: "Meses fechados · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const seals = await sealsOf(context.get(domainContext));
  return { seals: seals.map(({ month, entriesCount, hash, sealedAt }) => ({ month, entriesCount, hash, sealedAt })) };
}

/** Every sealed month is read again and its chain compared. */
export async function action({ request, context }: Route.ActionArgs) {
  return await submitted(request, z.object({}), async () => ({ verdicts: await verifySeals(context.get(domainContext), { digest: sha256Hex }) }));
}

export default function LedgerSeals({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const verdicts = actionData && "verdicts" in actionData ? new Map(actionData.verdicts.map(({ month, holds }) => [month, holds])) : null;
  const areWhole = verdicts !== null && [...verdicts.values()].every(Boolean);
  return (
    <>
      <PageHeader title="Meses fechados" lead="Cada mês é selado um dia depois do fim: nada mais entra nele, e o selo continua o do mês anterior.">
        {loaderData.seals.length > 0 ? (
          <Form method="post">
            <Button size="sm" disabled={isBusy}>
              Conferir os selos
            </Button>
          </Form>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-5">
        <p role="status" className={verdicts === null ? "sr-only" : `font-semibold ${areWhole ? "text-leaf" : "text-refusal"}`}>
          {verdicts === null ? "" : areWhole ? "Todos os selos conferem: nenhum lançamento mudou." : "Há selos que não conferem: alguém mexeu em lançamentos fechados."}
        </p>
        {loaderData.seals.length === 0 ? (
          <p className="text-muted">Nenhum mês terminou desde o primeiro lançamento.</p>
        ) : (
          <Table caption="Meses fechados">
            <thead>
              <tr>
                <Th>Mês</Th>
                <Th numeric>Lançamentos</Th>
                <Th>Selado em</Th>
                <Th>Selo</Th>
              </tr>
            </thead>
            <tbody>
              {loaderData.seals.map((seal) => (
                <tr key={seal.month}>
                  <Td className="whitespace-nowrap">{seal.month.split("-").toReversed().join("/")}</Td>
                  <Td numeric>{seal.entriesCount}</Td>
                  <Td className="whitespace-nowrap">{formatMinute(seal.sealedAt)}</Td>
                  <Td>
                    <code className="inline-block min-w-64 text-caption break-all">{seal.hash}</code>{" "}
                    {verdicts?.has(seal.month) ? <Badge tone={verdicts.get(seal.month) ? "good" : "refusal"}>{verdicts.get(seal.month) ? "Confere" : "Não confere"}</Badge> : null}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}
