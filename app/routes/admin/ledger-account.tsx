import { LedgerStatement } from "#app/components/payments/ledger-statement.tsx";
import { WriteOff } from "#app/components/payments/write-off.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import type { Context } from "#app/domain/context.ts";
import { ledgerStatement } from "#app/domain/ledger/queries/statement.server.ts";
import { accountNamed } from "#app/domain/ledger/rules/statement.ts";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import type { Account } from "#app/domain/ledger/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { writeDebtOff } from "#app/domain/payments/commands/debts.server.ts";
import { debtAge, writeOffsOf } from "#app/domain/payments/queries/debts.server.ts";
import { writableCents } from "#app/domain/payments/rules/debts.ts";
import { writeOffSchema } from "#app/domain/payments/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { askedPeriod, entryWords } from "#app/http/ledger-statement.server.ts";
import { found } from "#app/http/refusal.ts";
import { submitted } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/ledger-account.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Conta do livro-razão · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const account = found(accountNamed(params.accountId), "Esta conta não existe.");
  const search = new URL(request.url).searchParams;
  const { from, until, values, errors } = askedPeriod(search);
  const { items, ...page } = await ledgerStatement(context.get(domainContext), { of: { account }, from, until, cursor: search.get("cursor"), limit: PAGE_ROWS });
  const lines = items.map(({ id, at, amountCents, balanceCents, chargeId, ...row }) => ({ id, at, amountCents, balanceCents, words: entryWords(row), to: chargeId && `/settings/transactions/${chargeId}` }));
  return { ...page, accountId: params.accountId, title: accountKinds[account.kind].title, lines, values, errors, debt: await debtShown(context.get(domainContext), account, context.get(memberContext).id) };
}

/** Of what a creator owes, what may be written off; null for every other account. */
async function debtShown(ctx: Context, { kind, ownerId }: Account, moderatorId: string) {
  if (kind !== "creator_owed" || ownerId === null) return null;
  const [age, done] = await Promise.all([debtAge(ctx, { creatorId: ownerId }), writeOffsOf(ctx, { creatorId: ownerId })]);
  return { owedCents: age.owedCents, writableCents: writableCents(age), isOwn: ownerId === moderatorId, done };
}

/** A moderator writes off what is owed for more than 180 days. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const account = found(accountNamed(params.accountId), "Esta conta não existe.");
  const creatorId = found(account.kind === "creator_owed" ? account.ownerId : null, "Nesta conta não há o que dar baixa.");
  return await submitted(request, writeOffSchema, async ({ amount, reason, owed }) => {
    await writeDebtOff(context.get(domainContext), { creatorId, amountCents: amount, seenOwedCents: owed, reason, moderatorId: context.get(memberContext).id });
    return await redirectWithToast(request, `/admin/ledger/accounts/${encodeURIComponent(params.accountId)}`, { kind: "success", message: `Baixa de ${formatMoney(amount)} lançada.` });
  });
}

export default function LedgerAccount({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const { accountId, title, lines, next, debt, ...statement } = loaderData;
  return (
    <>
      <PageHeader title={title} lead={accountId} />
      <LedgerStatement path={`/admin/ledger/accounts/${encodeURIComponent(accountId)}`} title={title} lines={lines} {...statement} />
      <MoreLink next={next} />
      {debt ? <WriteOff key={debt.owedCents} {...debt} problem={actionData} /> : null}
      <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
        Voltar para o livro-razão
      </ButtonLink>
    </>
  );
}
