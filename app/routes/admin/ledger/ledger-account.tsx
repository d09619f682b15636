import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { z } from "zod";
import { LedgerStatementView } from "#app/components/ledger/ledger-statement.tsx";
import { partLabels } from "#app/domain/ledger/rules/ledger-words.ts";
import { WriteOff } from "#app/components/ledger/write-off.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { Context } from "#app/domain/context.ts";
import { isPartyToMoney } from "#app/domain/identity/colleagues/queries.server.ts";
import {
  accountOwnerName,
  creatorUsername,
} from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import { statementAccountKind } from "#app/domain/ledger/statements/queries/statement.server.ts";
import {
  parseAccountId,
  parseStatementSubject,
} from "#app/domain/ledger/statements/rules/statement.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountRef } from "#app/domain/ledger/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { writeOffDebt } from "#app/domain/payments/debts/commands/debts.server.ts";
import { debtAge, creatorWriteOffs } from "#app/domain/payments/debts/queries/debts.server.ts";
import { writeOffLimitCents } from "#app/domain/payments/debts/rules.ts";
import { writeOffSchema } from "#app/domain/payments/schema/forms.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import {
  parseStatementPeriod,
  loadStatementPage,
} from "#app/http/money/ledger-statement.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/ledger-account.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Conta do livro-razão · Coreto" }];

/** Parses which entries the link of a figure selects. */
const askedOnly = z.object({
  kind: z.string().max(40).optional(),
  payoutId: z.string().max(64).optional(),
  creatorId: z.string().max(64).optional(),
});

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const of = foundOr404(parseStatementSubject(params.accountId), "Esta conta não existe.");
  const search = new URL(request.url).searchParams;
  const hidden = Object.fromEntries(
    [...search].filter(([name, value]) => name in askedOnly.shape && value),
  );
  const only = askedOnly.safeParse(hidden).data ?? {};
  const { from, until, values, errors } = parseStatementPeriod(search);
  const shown = {
    of,
    only,
    cursor: search.get("cursor"),
    limit: PAGE_ROWS,
    causeOf,
    legsOf: ({ transactionId }: { transactionId: string }) =>
      `/admin/ledger/postings/${transactionId}`,
  };
  const [page, name, debt, creator] = await Promise.all([
    loadStatementPage(ctx, { from, until, values, errors }, shown),
    accountOwnerName(ctx, of),
    "account" in of ? debtShown(ctx, of.account, context.get(memberContext).id) : null,
    only.creatorId
      ? creatorUsername(ctx, { creatorId: only.creatorId }).then((username) => ({ username }))
      : null,
  ]);
  return {
    ...page,
    accountId: params.accountId,
    title: ledgerAccountKinds[statementAccountKind(of)].title,
    name:
      name !== null && "account" in of && of.account.kind === "provider_clearing"
        ? providerLabel(name)
        : name,
    parts: partLabels({ ...only, creator }),
    hidden: only,
    values,
    errors,
    debt,
  };
}

function causeOf({
  chargeId,
  payoutId,
}: {
  chargeId: string | null;
  payoutId: string | null;
}): string | null {
  if (chargeId !== null) return `/settings/transactions/${chargeId}`;
  return payoutId === null ? null : `/admin/payouts/${payoutId}`;
}

/** Loads how much of a creator's debt can be written off. Null for every other account. */
async function debtShown(ctx: Context, { kind, ownerId }: LedgerAccountRef, moderatorId: string) {
  if (kind !== "creator_owed" || ownerId === null) return null;
  const [age, done, isOwn] = await Promise.all([
    debtAge(ctx, { creatorId: ownerId }),
    creatorWriteOffs(ctx, { creatorId: ownerId }),
    isPartyToMoney(ctx, { creatorId: ownerId, moderatorId }),
  ]);
  return { owedCents: age.owedCents, writableCents: writeOffLimitCents(age), isOwn, done };
}

/** Writes off debt that is older than 180 days. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const account = foundOr404(parseAccountId(params.accountId), "Esta conta não existe.");
  const creatorId = foundOr404(
    account.kind === "creator_owed" ? account.ownerId : null,
    "Nesta conta não há o que dar baixa.",
  );
  return await handleForm(request, writeOffSchema, async ({ amount, reason, owed }) => {
    await writeOffDebt(context.get(domainContext), {
      creatorId,
      amountCents: amount,
      seenOwedCents: owed,
      reason,
      moderatorId: context.get(memberContext).id,
    });
    return await redirectWithToast(
      request,
      `/admin/ledger/accounts/${encodeURIComponent(params.accountId)}`,
      { kind: "success", message: `Baixa de ${formatMoney(amount)} lançada.` },
    );
  });
}

export default function LedgerAccount({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const { accountId, title, name, parts, next, debt, ...statement } = loaderData;
  const here = `/admin/ledger/accounts/${encodeURIComponent(accountId)}`;
  const period = new URLSearchParams(
    Object.entries(statement.values).filter(([, day]) => day),
  ).toString();
  return (
    <>
      <PageHeader title={[name === null ? title : `${title}: ${name}`, ...parts].join(", ")}>
        {parts.length > 0 ? (
          <ButtonLink to={period ? `${here}?${period}` : here} variant="outline" size="sm">
            Ver a conta inteira
          </ButtonLink>
        ) : null}
      </PageHeader>
      <details className="-mt-4 mb-4">
        <summary className="inline-flex min-h-11 items-center text-small text-leaf underline underline-offset-4">
          Código da conta
        </summary>
        <code className="block text-caption wrap-anywhere">{accountId}</code>
      </details>
      <LedgerStatementView path={here} title={title} {...statement} />
      <MoreLink next={next} />
      {debt ? <WriteOff key={debt.owedCents} {...debt} problem={actionData} /> : null}
      <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
        Voltar para o livro-razão
      </ButtonLink>
    </>
  );
}
