import { Form, useNavigation } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { recordProviderTransfer } from "#app/domain/ledger/platform-money/commands/provider-transfers.server.ts";
import {
  providerNames,
  providerBookBalances,
} from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { movedAmountSchema } from "#app/domain/ledger/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { providerBalances } from "#app/domain/ledger/platform-money/queries/provider-balances.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/ledger-providers.ts";

export const meta: Route.MetaFunction = () => [{ title: "Provedores · Coreto" }];

const moveSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/, "Abra a página de novo"),
  from: z.string().min(1).max(64),
  to: z.string().min(1).max(64),
  amount: movedAmountSchema,
  note: z
    .string()
    .trim()
    .min(1, "Diga como foi movido, como o número da transferência")
    .max(200, "Use até 200 letras"),
});

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const [{ providers, moves }, balances] = await Promise.all([
    providerBookBalances(ctx),
    providerBalances(ctx),
  ]);
  const compared = providers.map(({ name, cents }) => ({
    name,
    cents,
    theirCents: balances.get(name) ?? null,
  }));
  return {
    id: ctx.newId(),
    providers: compared,
    configured: providerNames(ctx),
    moves: moves.map(({ id, createdAt, fromProvider, toProvider, amountCents, note }) => ({
      id,
      createdAt,
      fromProvider,
      toProvider,
      amountCents,
      note,
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, moveSchema, async ({ amount, ...move }) => {
    await recordProviderTransfer(context.get(domainContext), {
      ...move,
      amountCents: amount,
      movedBy: context.get(memberContext).id,
    });
    return await redirectWithToast(request, "/admin/ledger/providers", {
      kind: "success",
      message: `Anotado: ${formatMoney(amount)} de ${move.from} para ${move.to}.`,
    });
  });
}

export default function LedgerProviders({
  loaderData: { id, providers, configured, moves },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const problem = actionData && "errors" in actionData ? actionData : null;
  const options = configured.map((name) => ({ value: name, label: providerLabel(name) }));
  return (
    <>
      <PageHeader
        title="Provedores"
        lead="Quanto o livro tem em cada provedor. O que entra em um e sai por outro é movido por fora, pelo banco, e anotado aqui."
      >
        <ButtonLink to="/admin/ledger/platform" variant="outline" size="sm">
          Dinheiro da plataforma
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Table
          caption="Saldo por provedor"
          columns={[
            { title: "Provedor" },
            { title: "No livro", numeric: true },
            { title: "No provedor", numeric: true, wide: true },
            { title: "Diferença", numeric: true },
          ]}
        >
          <tbody>
            {providers.map((provider) => (
              <ProviderBalance key={provider.name} provider={provider} />
            ))}
          </tbody>
        </Table>
        <p className="text-small text-muted">
          “No provedor” é o saldo livre e o que ainda vai entrar, perguntado agora. O que está a
          caminho, e os custos que ele ainda não informou, aparecem como diferença.
        </p>
        {configured.length < 2 ? (
          <p className="text-muted">Só há um provedor configurado: não há para onde mover.</p>
        ) : (
          <Card className="p-5 sm:p-6">
            <Form method="post" className="flex flex-col gap-5" noValidate>
              <h2 className="text-heading">Anotar uma movimentação</h2>
              <FormMessage message={problem?.message ?? problem?.errors.id} />
              <input type="hidden" name="id" value={id} />
              <SelectField
                label="De"
                name="from"
                options={options}
                defaultValue={problem?.values.from ?? configured[0]}
                error={problem?.errors.from}
              />
              <SelectField
                label="Para"
                name="to"
                options={options}
                defaultValue={problem?.values.to ?? configured[1]}
                error={problem?.errors.to}
              />
              <TextField
                label="Valor"
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                prefix="R$"
                maxLength={20}
                required
                defaultValue={problem?.values.amount}
                error={problem?.errors.amount}
              />
              <TextField
                label="Como foi movido"
                name="note"
                autoComplete="off"
                limit={200}
                required
                defaultValue={problem?.values.note}
                error={problem?.errors.note}
                hint="Faça a transferência antes de anotar. O livro não é apagado: um engano é movido de volta."
              />
              <Button className="self-start" disabled={isBusy}>
                Anotar
              </Button>
            </Form>
          </Card>
        )}
        {moves.length > 0 ? <Moves moves={moves} /> : null}
      </div>
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function ProviderBalance({
  provider: { name, cents, theirCents },
}: {
  provider: Data["providers"][number];
}) {
  const entries = `/admin/ledger/accounts/provider_clearing:${name}`;
  const theirs = theirCents === null ? "Não respondeu" : <Money cents={theirCents} />;
  return (
    <tr>
      <Td>
        <RowLink to={entries}>{providerLabel(name)}</RowLink>
        <RowNote phoneOnly>No provedor: {theirs}</RowNote>
      </Td>
      <MoneyTd to={entries} cents={cents} />
      <Td numeric wide>
        {theirs}
      </Td>
      {theirCents === null ? <Td /> : <MoneyTd cents={theirCents - cents} />}
    </tr>
  );
}

function Moves({ moves }: { moves: Data["moves"] }) {
  return (
    <Table
      caption="Movimentações, da mais nova para a mais antiga"
      columns={[
        { title: "Quando" },
        { title: "De", wide: true },
        { title: "Para", wide: true },
        { title: "Valor", numeric: true },
        { title: "Como", wide: true },
      ]}
    >
      <tbody>
        {moves.map((move) => (
          <tr key={move.id}>
            <Td>
              {formatMinute(move.createdAt)}
              <RowNote phoneOnly>
                De {providerLabel(move.fromProvider)} para {providerLabel(move.toProvider)}:{" "}
                <span className="wrap-anywhere">{move.note}</span>
              </RowNote>
            </Td>
            <Td wide>{providerLabel(move.fromProvider)}</Td>
            <Td wide>{providerLabel(move.toProvider)}</Td>
            <MoneyTd
              to={`/admin/ledger/postings/provider-move:${move.id}`}
              cents={move.amountCents}
            />
            <Td wide className="wrap-anywhere">
              {move.note}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
