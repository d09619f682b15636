import { useCallback } from "react";
import { data, useRevalidator } from "react-router";
import { PixCard } from "#app/components/checkout/pix/pix-card.tsx";
import { PixSteps } from "#app/components/checkout/pix/pix-steps.tsx";
import { SharedPixRefundNote } from "#app/components/checkout/refund-note.tsx";
import { useChargeStatus } from "#app/components/checkout/charge/use-charge-status.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { useUpdateFocus } from "#app/components/ui/use-update-focus.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { sharedPix } from "#app/domain/payments/shared-pix/queries.server.ts";
import { chargeTopic } from "#app/domain/payments/rules.ts";
import { sharedPixPath } from "#app/domain/payments/shared-pix/rules.ts";
import type { SharedPixState } from "#app/domain/payments/shared-pix/rules.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { NOINDEX_HEADERS } from "#app/http/headers/noindex.ts";
import { listensUntil, pixShown } from "./pix-view.server.ts";
import type { Route } from "./+types/shared-pix.ts";

const DEAD = "Este endereço não vale mais. Peça outro a quem mandou.";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? titleOf(loaderData) : "Pix"} · Coreto` },
];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { chargeId, pixCode, creatorAvatarMediaId, createdAt, expiresAt, ...shown } = foundOr404(
    await sharedPix(ctx, params),
    DEAD,
  );
  const page = {
    ...shown,
    creatorAvatarUrl: creatorAvatarMediaId ? mediaUrl(creatorAvatarMediaId, "320") : null,
    pix: pixCode === null ? null : pixShown({ pixCode, expiresAt, createdAt }, ctx.now()),
    listenAt:
      shown.state === "waiting"
        ? await ctx.live.address(chargeTopic(chargeId), listensUntil(ctx.realNow()))
        : null,
  };
  return data(page, { headers: { ...NOINDEX_HEADERS, "Cache-Control": "private, no-store" } });
}

/**
 * Shows a Pix that the buyer asked another person to pay. Needs no account. Shows no personal data
 * except a first name.
 */
export default function SharedPix({ loaderData: shared, params }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const onEnd = useCallback(() => void revalidate(), [revalidate]);
  const waits = shared.state === "waiting";
  const titleRef = useUpdateFocus<HTMLHeadingElement>(shared.state);
  useChargeStatus({
    statusPath: `${sharedPixPath(params.token)}/status`,
    status: shared.state,
    isWaiting: waits,
    listenAt: shared.listenAt,
  });
  return (
    <div className="flex flex-col gap-5">
      {waits ? (
        <noscript>
          <meta httpEquiv="refresh" content="10" />
        </noscript>
      ) : null}
      <header className="flex flex-col gap-4">
        <h1 ref={titleRef} tabIndex={-1} className="text-title outline-none">
          {titleOf(shared)}
        </h1>
        <div className="flex items-center gap-3">
          <Avatar name={shared.creatorName} src={shared.creatorAvatarUrl} size="lg" />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{shared.description}</p>
            <p className="text-muted">
              <Money cents={shared.amountCents} />
            </p>
          </div>
        </div>
      </header>
      <div aria-live="polite" className="flex flex-col gap-5">
        {shared.pix ? (
          <>
            <PixCard {...shared.pix} onEnd={onEnd} />
            <PixSteps amountCents={shared.amountCents} />
            <SharedPixRefundNote payerFirstName={shared.payerFirstName} />
          </>
        ) : (
          <Card className="p-6">
            <p role="status">{stateText(shared)}</p>
          </Card>
        )}
      </div>
    </div>
  );
}

type Shared = Route.ComponentProps["loaderData"];

function titleOf({ state, payerFirstName }: Pick<Shared, "state" | "payerFirstName">): string {
  const titles: Record<SharedPixState, string> = {
    waiting: `${payerFirstName} pediu um Pix a você`,
    paid: "Pago",
    returned: "Pix devolvido",
    over: "O código expirou",
  };
  return titles[state];
}

function stateText({ state, payerFirstName }: Shared): string {
  if (state === "paid")
    return `O Pix chegou e ${payerFirstName} já sabe. Não é preciso fazer mais nada: pode fechar esta página.`;
  if (state === "returned")
    return "Este Pix foi devolvido à conta de quem pagou. Em minutos o dinheiro aparece no banco.";
  return `Ninguém pagou este código a tempo, e nada foi cobrado. Se ainda for para pagar, peça outro a ${payerFirstName}.`;
}
