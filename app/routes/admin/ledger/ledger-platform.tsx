import { z } from "zod";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import {
  PlatformMoneySummary,
  PlatformMoneyMoves,
  WithdrawalList,
} from "#app/components/ledger/platform-money.tsx";
import { PlatformForm } from "#app/components/ledger/platform-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import {
  requestPlatformWithdrawal,
  decidePlatformWithdrawal,
  recordPlatformDeposit,
} from "#app/domain/ledger/platform-money/commands/platform-money.server.ts";
import { platformMoneyOverview } from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import { providerNames } from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { movedAmountSchema } from "#app/domain/ledger/schema.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { formatMoney } from "#app/domain/money.ts";
import { isoDay, isoOfDayNumber, parseDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/ledger-platform.ts";

export const meta: Route.MetaFunction = () => [{ title: "Dinheiro da plataforma · Coreto" }];

const HERE = "/admin/ledger/platform";

const money = {
  id: z.string().regex(/^[0-9a-f]{32}$/, "Abra a página de novo"),
  provider: z.string().min(1, "Escolha um provedor").max(64),
  amount: movedAmountSchema,
  movedOn: z.string().transform((text, check): string => {
    const day = parseDay(text);
    if (day !== null) return isoOfDayNumber(day);
    check.addIssue({ code: "custom", message: "Escreva o dia assim: 20/12/2026." });
    return z.NEVER;
  }),
  note: z
    .string()
    .trim()
    .min(1, "Diga como foi movido, como o número da transferência")
    .max(200, "Use até 200 letras"),
};

const schema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("in"), ...money }),
  z.object({ act: z.literal("out"), ...money }),
  z.object({ act: z.literal("approve"), id: z.string().max(64) }),
  z.object({ act: z.literal("refuse"), id: z.string().max(64) }),
]);

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: viewerId } = context.get(memberContext);
  const { withdrawals, ...shown } = await platformMoneyOverview(ctx);
  return {
    ...shown,
    withdrawals: {
      ...withdrawals,
      items: withdrawals.items.map(({ askedBy, ...asked }) => ({
        ...asked,
        isOwn: askedBy === viewerId,
      })),
    },
    providers: providerNames(ctx),
    today: isoDay(ctx.now()),
    ids: { in: ctx.newId(), out: ctx.newId() },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const done = (message: string) => redirectWithToast(request, HERE, { kind: "success", message });
  return await handleForm(request, schema, async (input) => {
    switch (input.act) {
      case "in": {
        const { amount: amountCents, ...put } = input;
        await recordPlatformDeposit(ctx, { ...put, amountCents, personId });
        return await done(
          `Anotado: ${formatMoney(amountCents)} entrou em ${providerLabel(put.provider)}.`,
        );
      }
      case "out": {
        const { amount: amountCents, ...asked } = input;
        await requestPlatformWithdrawal(ctx, {
          ...asked,
          amountCents,
          personId,
          moderatorIds: await moderatorIds(ctx),
        });
        return await done(
          `Retirada de ${formatMoney(amountCents)} pedida. Outra pessoa precisa aprovar.`,
        );
      }
      case "approve":
        await decidePlatformWithdrawal(ctx, { id: input.id, decision: "approved", personId });
        return await done("Aprovada e lançada no livro. Agora o dinheiro pode sair do provedor.");
      case "refuse":
        await decidePlatformWithdrawal(ctx, { id: input.id, decision: "refused", personId });
        return await done("Retirada recusada: nada foi lançado.");
    }
  });
}

export default function LedgerPlatform({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const { ownCents, parts, withdrawals, moves, providers, today, ids } = loaderData;
  const problem = actionData && "errors" in actionData ? actionData : null;
  const of = (act: "in" | "out") => (problem?.values.act === act ? problem : null);
  return (
    <>
      <PageHeader
        title="Dinheiro da plataforma"
        lead="O que a plataforma colocou e tirou das contas dos provedores, e quanto ainda é dela. O resto é de quem cria e de quem pagou."
      />
      <div className="flex flex-col gap-6">
        <FormMessage message={problem?.message ?? problem?.errors.id} />
        <PlatformMoneySummary ownCents={ownCents} parts={parts} />
        <WithdrawalList withdrawals={withdrawals} />
        <PlatformForm
          way="out"
          id={ids.out}
          today={today}
          providers={providers}
          problem={of("out")}
        />
        <PlatformForm way="in" id={ids.in} today={today} providers={providers} problem={of("in")} />
        <PlatformMoneyMoves moves={moves} />
        <ButtonLink to="/admin/ledger/providers" variant="ghost" className="-ml-5 self-start">
          Voltar aos provedores
        </ButtonLink>
      </div>
    </>
  );
}
