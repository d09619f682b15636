import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { allSeals } from "#app/domain/ledger/months/queries/journal.server.ts";
import { verifySeal } from "#app/domain/ledger/months/queries/seals.server.ts";
import { parseMonth, monthLabel } from "#app/domain/ledger/months/rules/months.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/ledger-seals.ts";

export const meta: Route.MetaFunction = () => [{ title: "Meses fechados · Coreto" }];

/**
 * The entries that one request can verify within the query limits of D1: 200 pages. The command
 * verifies longer months.
 */
const MOST_ENTRIES = 100_000;

export async function loader({ context }: Route.LoaderArgs) {
  const seals = await allSeals(context.get(domainContext));
  return {
    seals: seals.map(({ month, entriesCount, hash, sealedAt }) => ({
      month,
      entriesCount,
      hash,
      sealedAt,
      isReadHere: entriesCount <= MOST_ENTRIES,
    })),
  };
}

/** Verifies one sealed month: reads it again and compares its hash chain. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(
    request,
    z.object({ month: z.string().refine((month) => parseMonth(month) !== null) }),
    async ({ month }) => ({
      verdict: await verifySeal(context.get(domainContext), {
        month,
        digest: sha256Hex,
        mostEntries: MOST_ENTRIES,
      }),
    }),
  );
}

export default function LedgerSeals({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const verdict = actionData && "verdict" in actionData ? actionData.verdict : null;
  return (
    <>
      <PageHeader
        title="Meses fechados"
        lead="Cada mês é selado um dia depois do fim: nada mais entra nele, e o selo continua o do mês anterior."
      />
      <div className="flex flex-col gap-5">
        <p
          role="status"
          className={
            verdict === null
              ? "sr-only"
              : `font-semibold ${verdict.holds ? "text-leaf" : "text-refusal"}`
          }
        >
          {verdict === null
            ? ""
            : verdict.holds
              ? `O selo de ${monthLabel(verdict.month)} confere: nenhum lançamento mudou.`
              : `O selo de ${monthLabel(verdict.month)} não confere: alguém mexeu em lançamentos fechados, ou no selo do mês anterior.`}
        </p>
        {loaderData.seals.length === 0 ? (
          <p className="text-muted">Nenhum mês terminou desde o primeiro lançamento.</p>
        ) : (
          <Table
            caption="Meses fechados"
            columns={[
              { title: "Mês" },
              { title: "Lançamentos", numeric: true, wide: true },
              { title: "Selado em", wide: true },
              { title: "Selo", wide: true },
              { title: "Conferência" },
            ]}
          >
            <tbody>
              {loaderData.seals.map((seal) => (
                <tr key={seal.month}>
                  <Td>
                    <Month {...seal} />
                  </Td>
                  <Td numeric wide>
                    {seal.entriesCount}
                  </Td>
                  <Td wide className="whitespace-nowrap">
                    {formatMinute(seal.sealedAt)}
                  </Td>
                  <Td wide>
                    <SealCode hash={seal.hash} />
                  </Td>
                  <Td>
                    <div className="flex flex-col items-start gap-2">
                      {verdict?.month === seal.month ? (
                        <Badge tone={verdict.holds ? "good" : "refusal"}>
                          {verdict.holds ? "Confere" : "Não confere"}
                        </Badge>
                      ) : null}
                      {seal.isReadHere ? (
                        <Form method="post" preventScrollReset>
                          <input type="hidden" name="month" value={seal.month} />
                          <Button
                            size="sm"
                            variant="outline"
                            disabled={isBusy}
                            aria-label={`Conferir ${monthLabel(seal.month)}`}
                          >
                            Conferir
                          </Button>
                        </Form>
                      ) : (
                        <span className="text-small text-muted">
                          Grande para uma página:{" "}
                          <code className="text-caption">npm run ledger</code>
                        </span>
                      )}
                    </div>
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

type Seal = Route.ComponentProps["loaderData"]["seals"][number];

/** Shows the month of a seal, and below it what a narrow screen has no column for. */
function Month({ month, entriesCount, sealedAt, hash }: Seal) {
  return (
    <>
      <span className="font-semibold">{monthLabel(month)}</span>
      <RowNote phoneOnly>
        {entriesCount} lançamentos · selado em {formatMinute(sealedAt)}
        <SealCode hash={hash} />
      </RowNote>
    </>
  );
}

/** The seal's 64 characters, folded: they are compared with a copy, never read. */
function SealCode({ hash }: { hash: string }) {
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center text-small text-leaf underline underline-offset-4">
        Ver o código do selo
      </summary>
      <code className="block max-w-64 text-caption break-all">{hash}</code>
    </details>
  );
}
