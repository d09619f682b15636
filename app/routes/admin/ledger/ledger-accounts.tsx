import { Form, redirect } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { creatorAccounts } from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { personByUsername } from "#app/domain/profiles/queries.server.ts";
import { peopleForStaff } from "#app/domain/profiles/queries/staff-search.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/ledger-accounts.ts";

export const meta: Route.MetaFunction = () => [{ title: "Contas de uma pessoa · Coreto" }];

const typedUsername = (text: string | null): string =>
  (text ?? "").trim().replace(/^@/, "").slice(0, 256);

const FOUND_MAX = 20;
const TEXT_MAX = 256;
const HERE = "/admin/ledger/accounts";

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

/** Finds whom the staff means. Posted, so that no CPF or email stands in an address. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(
    request,
    z.object({ q: z.string().trim().min(1, "Escreva quem você procura.").max(TEXT_MAX) }),
    async ({ q }) => {
      const found = await peopleForStaff(context.get(domainContext), {
        text: q,
        limit: FOUND_MAX,
      });
      const [only] = found;
      return only && found.length === 1
        ? redirect(`${HERE}?username=${only.username}`)
        : { q, found };
    },
  );
}

type Answer = Route.ComponentProps["actionData"];

export default function LedgerAccounts({
  loaderData: { username, person, accounts },
  actionData,
}: Route.ComponentProps) {
  const found = actionData && "found" in actionData ? actionData.found : null;
  return (
    <>
      <PageHeader
        title={person?.name ?? "Contas de uma pessoa"}
        lead={
          person
            ? "O que esta pessoa tem no livro-razão."
            : "O saldo e os lançamentos de quem cria."
        }
      />
      <div className="flex flex-col gap-5">
        <Search answer={actionData} isUnknown={username !== "" && person === null} />
        {found && found.length > 0 ? <People people={found} /> : null}
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
            Ver por que cada valor ainda não saiu
          </ButtonLink>
        ) : null}
        <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}

function Search({ answer, isUnknown }: { answer: Answer; isUnknown: boolean }) {
  const isNobody = answer && "found" in answer ? answer.found.length === 0 : isUnknown;
  const refused = answer && "errors" in answer ? answer.errors["q"] : undefined;
  const typed = answer && "q" in answer ? answer.q : "";
  return (
    <Form method="post" action={HERE} className="flex flex-wrap items-end gap-3" noValidate>
      <TextField
        key={typed}
        label="Nome, e-mail, CPF ou nome de usuário"
        name="q"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={typed}
        error={refused ?? (isNobody ? "Não encontramos ninguém. Confira a ortografia." : undefined)}
      />
      <Button variant="outline">Procurar</Button>
    </Form>
  );
}

function People({ people }: { people: { id: string; name: string; username: string }[] }) {
  return (
    <Table caption="Pessoas encontradas" columns={[{ title: "Pessoa" }]}>
      <tbody>
        {people.map((one) => (
          <tr key={one.id}>
            <Td>
              <RowLink to={`${HERE}?username=${one.username}`}>{one.name}</RowLink>
              <RowNote>@{one.username}</RowNote>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
