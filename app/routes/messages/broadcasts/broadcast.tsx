import { BroadcastSendForm } from "#app/components/broadcasts/broadcast-send-form.tsx";
import {
  BroadcastPreview,
  BroadcastProgress,
  BroadcastStateBadge,
  BroadcastStatisticsList,
} from "#app/components/broadcasts/broadcast-summary.tsx";
import { useReloadWhile } from "#app/components/reconciliation/use-reload-while.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { broadcastStatistics } from "#app/domain/broadcasts/queries.server.ts";
import { countRecipients } from "#app/domain/broadcasts/queries/recipients.server.ts";
import {
  isCancelableState,
  isEditableState,
  peopleText,
  personalText,
  SEGMENT_LABELS,
} from "#app/domain/broadcasts/rules.ts";
import type { Broadcast } from "#app/domain/broadcasts/schema.ts";
import { civilMoment } from "#app/domain/posts/rules/composing.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { broadcastPlans } from "./broadcast-plans.server.ts";
import { ownBroadcast } from "./own-broadcast.server.ts";
import type { Route } from "./+types/broadcast.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagem para muitos · Coreto" }];

/** The name of the preview; nobody's own. */
const SAMPLE_NAME = "Maria";

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const broadcast = await ownBroadcast(context, params);
  const { id, state, text, sendAt, recipientCount, deliveredCount, skippedCount } = broadcast;
  const isWaiting = isEditableState(state);
  const [count, statistics, plans] = await Promise.all([
    isWaiting ? countRecipients(ctx, broadcast) : recipientCount,
    broadcast.startedAt === null || state === "sending" ? null : broadcastStatistics(ctx, { id }),
    broadcast.segment === "plans" ? broadcastPlans(ctx, broadcast) : [],
  ]);
  return {
    id,
    state,
    preview: personalText(text, SAMPLE_NAME),
    files: broadcast.files,
    priceCents: broadcast.priceCents,
    people: peopleOf(broadcast, plans),
    count,
    when: whenOf(broadcast),
    sendAt: civilMoment(sendAt),
    isDue: state === "scheduled" && sendAt !== null && sendAt <= ctx.now(),
    recipientCount,
    deliveredCount,
    skippedCount,
    statistics,
    bought:
      broadcast.priceCents === null || statistics === null
        ? null
        : { count: statistics.boughtCount, amountCents: statistics.boughtCents },
  };
}

function peopleOf({ segment, planIds }: Broadcast, plans: { id: string; name: string }[]): string {
  if (segment !== "plans") return SEGMENT_LABELS[segment].label;
  const names = plans.filter(({ id }) => planIds.includes(id)).map(({ name }) => name);
  return `Assinantes de ${new Intl.ListFormat("pt-BR").format(names)}`;
}

function whenOf({ state, sendAt, startedAt, endedAt }: Broadcast): string {
  switch (state) {
    case "draft":
      return "Ainda não foi enviada.";
    case "scheduled":
      return sendAt === null ? "" : `Sai em ${formatMinute(sendAt)}.`;
    case "sending":
      return startedAt === null ? "" : `Começou em ${formatMinute(startedAt)}.`;
    case "sent":
      return endedAt === null ? "" : `Terminou em ${formatMinute(endedAt)}.`;
    case "canceled":
      return endedAt === null ? "" : `Cancelada em ${formatMinute(endedAt)}.`;
  }
}

export default function BroadcastPage({ loaderData }: Route.ComponentProps) {
  const { id, state, isDue, count, people, when, statistics } = loaderData;
  const isMoving = state === "sending" || isDue;
  useReloadWhile(isMoving);
  const here = `/messages/broadcasts/${id}`;
  return (
    <>
      <PageHeader title="Mensagem para muitos" lead={when}>
        <BroadcastStateBadge state={state} />
      </PageHeader>
      <div className="flex flex-col gap-5">
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <div className="flex flex-col gap-1">
            <h2 className="text-small font-semibold">Quem recebe</h2>
            <p>
              {people}: {peopleText(count)}
            </p>
          </div>
          <BroadcastPreview
            text={loaderData.preview}
            name={SAMPLE_NAME}
            files={loaderData.files}
            priceCents={loaderData.priceCents}
          />
        </Card>
        {isMoving ? (
          <Card className="flex flex-col gap-4 p-5 sm:p-6">
            <BroadcastProgress {...loaderData} />
            <ButtonLink to={here} size="sm" variant="ghost" className="self-start">
              Atualizar
            </ButtonLink>
          </Card>
        ) : null}
        {statistics ? (
          <Card className="p-5 sm:p-6">
            <BroadcastStatisticsList {...loaderData} {...statistics} />
          </Card>
        ) : null}
        {isEditableState(state) && !isDue ? (
          <Card className="flex flex-col gap-5 p-5 sm:p-6">
            {count === 0 ? (
              <p>Ninguém recebe esta mensagem agora. Escolha outras pessoas, ou agende.</p>
            ) : null}
            <BroadcastSendForm id={id} sendAt={loaderData.sendAt} />
          </Card>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {isEditableState(state) ? (
            <ButtonLink to={`${here}/edit`} variant="outline">
              Mudar
            </ButtonLink>
          ) : null}
          {isCancelableState(state) ? (
            <ButtonLink to={`${here}/cancellation`} variant="outline">
              Cancelar
            </ButtonLink>
          ) : null}
          <ButtonLink to="/messages/broadcasts" variant="ghost">
            Todas as mensagens para muitos
          </ButtonLink>
        </div>
      </div>
    </>
  );
}
