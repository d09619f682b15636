import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, Table, Td } from "#app/components/ui/table.tsx";
import { creatorAccounts } from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { personByUsername } from "#app/domain/profiles/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/ledger-accounts.ts";

export const meta: Route.MetaFunction = () => [{ title: "Contas de uma pessoa · Coreto" }];

const typedUsername = (text: string | null): string =>
  (text ?? "").trim().replace(/^@/, "").slice(0, 256);

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const username = typedUsername(new URL(request.url).searchParams.get("username"));
  const person = username === "" ? null : await personByUsername(ctx, { username });
  return {
    username,
    person: person && { id: person.id, name: person.name },
    accounts: person ? await creatorAccounts(ctx, { creatorId: person.id }) : [],
  };
}

export default function LedgerAccounts({
  loaderData: { username, person, accounts },
}: Route.ComponentProps) {
  const isUnknown = username !== "" && person === null;
  return (
    <>
      <PageHeader
        title={person?.name ?? "Contas de uma pessoa"}
        lead={
          person
            ? "O que esta pessoa tem no livro-razão."
            : "O saldo e os lançamentos de quem cria, pelo nome de usuário."
        }
      />
      <div className="flex flex-col gap-5">
        <Form method="get" className="flex flex-wrap items-end gap-3" noValidate>
          <TextField
            key={username}
            label="Nome de usuário"
            name="username"
            prefix="@"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={username}
            error={isUnknown ? "Ninguém usa este nome. Confira na página da pessoa." : undefined}
          />
          <Button variant="outline">Procurar</Button>
        </Form>
        {person && accounts.length === 0 ? (
          <EmptyState title="Nenhuma conta">Nada foi vendido nesta página ainda.</EmptyState>
        ) : null}
        {person && accounts.length > 0 ? (
          <Table
            caption={`Contas de ${person.name}`}
            columns={[{ title: "Conta" }, { title: "Saldo", numeric: true }]}
          >
            <tbody>
              {accounts.map(({ kind, cents }) => (
                <tr key={kind}>
                  <Td>{ledgerAccountKinds[kind].title}</Td>
                  <MoneyTd
                    to={`/admin/ledger/accounts/${kind}:${kind === "payout_in_transit" ? "to:" : ""}${person.id}`}
                    cents={cents}
                  />
                </tr>
              ))}
            </tbody>
          </Table>
        ) : null}
        {person ? (
          <ButtonLink
            to={`/admin/payouts/people/${person.id}`}
            variant="outline"
            className="self-start"
          >
            Por que este dinheiro está parado
          </ButtonLink>
        ) : null}
        <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}
