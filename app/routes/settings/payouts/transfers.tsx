import { HelpLink } from "#app/components/help/help-link.tsx";
import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { DebtNote } from "#app/components/payouts/debt-note.tsx";
import { BalanceCard } from "#app/components/payouts/balance-card.tsx";
import { requestedText, beforeRequestText } from "#app/components/payouts/payout-labels.ts";
import { PayoutList } from "#app/components/payouts/payout-list.tsx";
import { payoutObstacleText } from "#app/components/payouts/timeline-texts.ts";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { cancelPayout } from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { balancesByDay } from "#app/domain/payouts/timeline/queries/release-days.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import {
  destinationLabel,
  sendableAt,
} from "#app/domain/payouts/destinations/rules/destinations.ts";
import { expectedWait } from "#app/domain/payouts/holds/rules/holds.ts";
import { payoutRequestObstacle } from "#app/domain/payouts/timeline/rules/timeline.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/transfers.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Saques · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const actor = requireActor({ context }, "money:see");
  const { personId: creatorId, isCreator } = actor.space;
  const search = new URL(request.url).searchParams;
  const [balances, history, snapshot] = await Promise.all([
    balancesByDay(ctx, { creatorId }),
    payoutHistory(ctx, { creatorId, cursor: search.get("cursor"), limit: PAGE_ROWS }),
    loadPayoutSnapshot(ctx, { creatorId }),
  ]);
  const { method } = snapshot;
  const obstacle = payoutRequestObstacle({
    ...snapshot,
    hasMethod: method !== null,
    methodKind: method?.pixKeyKind ?? null,
    holdUntil: method?.holdUntil ?? null,
    schedule: method?.schedule ?? "manual",
    now: ctx.now(),
  });
  return {
    of: actor.isOwn ? null : actor.space.name,
    isSeller: isCreator || history.items.length > 0,
    balances,
    hasUnpaid: [
      balances.availableCents,
      balances.pendingCents,
      balances.reservedCents,
      balances.inTransitCents,
    ].some((cents) => cents > 0),
    history,
    obstacle,
    isHeldByBooks: snapshot.isHeldByBooks,
    // Only the owner of the money reads the moderator's note, not their team.
    holdReason: actor.isOwn ? snapshot.holdReason : null,
    mayCancel: actor.may("payouts:request"),
    to: method ? destinationLabel(method.pixKeyKind, method.pixKey) : null,
    arrivesAt:
      method?.pixKeyKind === "bank_account" ? sendableAt(method.pixKeyKind, ctx.now()) : null,
    awaits: expectedWait({ ...snapshot, approvalLimitCents: ctx.settings.payoutApprovalCents }),
    isConfirming: search.has("sacar") && obstacle === null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "payouts:request",
    z.object({ cancel: z.string().max(64).optional() }),
    async ({ cancel }, actor) => {
      const { isOwn, member, space } = actor;
      if (cancel !== undefined) {
        await cancelPayout(context.get(domainContext), {
          payoutId: cancel,
          creatorId: space.personId,
        });
        return await redirectWithToast(request, "/settings/transfers", {
          kind: "success",
          message: "Pedido cancelado. O dinheiro continua no saldo.",
        });
      }
      const ctx = context.get(domainContext);
      const { to, awaits } = await requestPayout(ctx, {
        creatorId: space.personId,
        actedBy: isOwn ? null : { id: member.id, name: member.name },
      });
      const message = requestedText({
        awaits,
        arrivesAt: to === "bank_account" ? sendableAt(to, ctx.now()) : null,
        of: isOwn ? null : space.name,
      });
      return await redirectWithToast(request, "/settings/transfers", { kind: "success", message });
    },
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Transfers({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.isSeller) {
    return (
      <>
        <PageHeader title="Saques" />
        <EmptyState
          title="Aqui fica o dinheiro de quem cria"
          action={<ButtonLink to="/space/create">Abrir minha página</ButtonLink>}
        >
          Abra a sua página, crie um plano e receba por ele.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Saques"
        lead={
          loaderData.of
            ? `O dinheiro da página de ${loaderData.of}. Todo saque vai para a chave Pix ou conta de ${loaderData.of}.`
            : undefined
        }
      >
        {loaderData.of ? null : (
          <ButtonLink to="/settings/withdrawal-method" variant="outline">
            Chave, conta e agenda
          </ButtonLink>
        )}
      </PageHeader>
      <div className="flex flex-col gap-6">
        <FormMessage message={actionData?.message} />
        {loaderData.isHeldByBooks ? (
          <p role="status" className="rounded-card bg-attention-soft p-4">
            Estamos conferindo as contas e os saques esperam um pouco. O dinheiro continua seu, e o
            que foi pedido sai assim que terminarmos.
          </p>
        ) : null}
        {loaderData.balances.owedCents > 0 ? (
          <DebtNote owedCents={loaderData.balances.owedCents} of={loaderData.of} />
        ) : null}
        <BalanceCard balances={loaderData.balances}>
          {loaderData.isConfirming || loaderData.balances.availableCents <= 0 ? null : (
            <Form method="get">
              <input type="hidden" name="sacar" value="sim" />
              <Button variant="ink" size="lg" disabled={loaderData.obstacle !== null}>
                Sacar
              </Button>
            </Form>
          )}
        </BalanceCard>
        {loaderData.hasUnpaid ? (
          <ButtonLink
            to="/settings/transfers/timeline"
            variant="ghost"
            className="-ml-5 self-start"
          >
            Ver por que cada valor ainda não saiu
          </ButtonLink>
        ) : null}
        {loaderData.isConfirming ? (
          <Confirmation {...loaderData} />
        ) : (
          <Obstacle
            obstacle={loaderData.obstacle}
            of={loaderData.of}
            holdReason={loaderData.holdReason}
          />
        )}
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">Histórico</h2>
          {loaderData.history.items.length === 0 ? (
            <p className="text-muted">Nenhum saque ainda.</p>
          ) : (
            <PayoutList
              payouts={loaderData.history.items}
              holdReason={loaderData.holdReason}
              mayCancel={loaderData.mayCancel}
            />
          )}
          <MoreLink next={loaderData.history.next} />
        </section>
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">Documentos</h2>
          <p className="text-muted">
            O que entrou, o que voltou e o que saiu, com cada valor explicado.
          </p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/settings/transfers/extrato" variant="outline">
              Resumo mensal
            </ButtonLink>
            <ButtonLink to="/settings/transfers/resumo" variant="outline">
              Resumo anual
            </ButtonLink>
          </div>
        </section>
      </div>
      <HelpLink answer="saque-parado">Quando um saque espera</HelpLink>
    </>
  );
}

function Confirmation({ balances, to, arrivesAt, awaits, of }: LoaderData) {
  const isBusy = useNavigation().state !== "idle";
  const question = useRef<HTMLParagraphElement>(null);
  // The pressed button is gone. The focus moves to the question for keyboards and screen readers.
  useEffect(() => question.current?.focus(), []);
  return (
    <Card as="section" label="Confirmar saque" className="flex flex-col gap-4 p-5 sm:p-6">
      <p ref={question} tabIndex={-1} className="outline-none">
        Sacar <Money cents={balances.availableCents} className="font-bold" /> para {to}
        {of ? ` de ${of}` : ""}? {beforeRequestText({ awaits, arrivesAt })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Form method="post" action="/settings/transfers">
          <ActingField />
          <Button disabled={isBusy}>Confirmar saque</Button>
        </Form>
        <ButtonLink to="/settings/transfers" variant="outline">
          Agora não
        </ButtonLink>
      </div>
    </Card>
  );
}

function Obstacle({
  obstacle,
  of,
  holdReason,
}: Pick<LoaderData, "obstacle" | "of" | "holdReason">) {
  if (!obstacle) return null;
  const { title, why, todo } = payoutObstacleText(obstacle, { holdReason: holdReason, of });
  const isByStaff = obstacle.why === "held_by_staff";
  return (
    <p
      className={
        isByStaff
          ? "rounded-card bg-attention-soft p-4"
          : "flex flex-wrap items-center gap-3 text-muted"
      }
    >
      <span>
        <strong className="font-semibold">{title}.</strong> {why}
      </span>
      {todo ? (
        <ButtonLink to={todo.to} variant="outline" size="sm">
          {todo.label}
        </ButtonLink>
      ) : null}
    </p>
  );
}
