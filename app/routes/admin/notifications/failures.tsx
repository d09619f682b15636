import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { RowNote, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import { failedDeliveries } from "#app/domain/notifications/queries/failures.server.ts";
import { isNotificationKind, NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import { counted } from "#app/domain/text.ts";
import { formatAgo } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/failures.ts";

const LIMIT = 100;
const CHANNELS: Record<string, string> = { mail: "E-mail", push: "Aviso no aparelho", app: "Tudo" };
const COLUMNS: Column[] = [
  { title: "O que é" },
  { title: "Motivo" },
  { title: "Desde", wide: true },
  { title: "Tentar de novo" },
];

export const meta: Route.MetaFunction = () => [{ title: "Envios que falharam · Coreto" }];

// The list names neither the person nor the text.
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { items, isCut } = await failedDeliveries(ctx, { limit: LIMIT });
  return {
    isCut,
    rows: items.map(({ source, id, about, channel, failure, attempts, createdAt, failedAt }) => {
      const now = source === "message" ? ctx.realNow() : ctx.now();
      return {
        source,
        id,
        about: isNotificationKind(about) ? NOTIFICATION_KINDS[about].label : about,
        channel: CHANNELS[channel] ?? channel,
        failure,
        attempts,
        since: formatAgo(createdAt, now),
        givenUp: formatAgo(failedAt, now),
      };
    }),
  };
}

export default function Failures({ loaderData: { rows, isCut } }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Envios que falharam"
        lead="E-mails e avisos que tentamos por dias e desistimos. Tentar de novo recomeça do zero, e ninguém recebe duas vezes."
      />
      {rows.length === 0 ? (
        <EmptyState title="Nada falhou de vez">
          O que não deu certo ainda está sendo tentado.
        </EmptyState>
      ) : (
        <Table caption="Envios que falharam" columns={COLUMNS}>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.source}:${row.id}`}>
                <Td>
                  {row.about}
                  <RowNote>{row.channel}</RowNote>
                </Td>
                <Td>
                  <code className="text-small break-all">{row.failure || "sem motivo"}</code>
                  <RowNote>{counted(row.attempts, "tentativa", "tentativas")}</RowNote>
                  <RowNote phoneOnly>{row.since}</RowNote>
                </Td>
                <Td wide>
                  {row.since}
                  <RowNote>desistimos {row.givenUp}</RowNote>
                </Td>
                <Td>
                  <Form method="post" action="/admin/notifications/retry">
                    <input type="hidden" name="source" value={row.source} />
                    <input type="hidden" name="id" value={row.id} />
                    <Button variant="outline" size="sm" disabled={isBusy}>
                      Tentar de novo
                    </Button>
                  </Form>
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {isCut ? <p className="text-small text-muted">Só os {LIMIT} mais recentes.</p> : null}
    </>
  );
}
