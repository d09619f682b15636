import { data, Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Facts } from "#app/components/payments/facts.tsx";
import type { Fact } from "#app/components/payments/facts.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { subscriptionTone } from "#app/components/payments/subscription-words.ts";
import { actByLink } from "#app/domain/subscriptions/commands/by-link.server.ts";
import { LINK_OVER } from "#app/domain/subscriptions/errors/links.ts";
import { linkAddress, openedLink } from "#app/domain/subscriptions/queries/links.server.ts";
import type { SubscriptionView } from "#app/domain/subscriptions/queries.server.ts";
import { mayActByLink, UNDO } from "#app/domain/subscriptions/rules/links.ts";
import { accessIfCanceled, pausedFrom } from "#app/domain/subscriptions/rules/pause.ts";
import { linkAddressSchema } from "#app/domain/subscriptions/schema/links.ts";
import type { LinkAct } from "#app/domain/subscriptions/schema/links.ts";
import type { Context } from "#app/domain/context.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { UNSEEN_FORM } from "#app/http/unseen.ts";
import type { Route } from "./+types/renewal-link.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: `${loaderData ? WORDS[loaderData.act].title(loaderData.planName) : "Assinatura"} · Coreto`,
  },
];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Opening it only shows: scanners of mail open every link. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const address = found(linkAddressSchema.safeParse(params).data ?? null, LINK_OVER);
  const { subscription } = found(await openedLink(ctx, address), LINK_OVER);
  const { act } = address;
  const now = ctx.now();
  const { planName, creatorName, badge, status, protocol } = subscription;
  const mayAct = mayActByLink(act, subscription, now);
  const page = {
    act,
    planName,
    creatorName,
    badge,
    tone: subscriptionTone(status),
    protocol: status === "canceled" ? protocol : null,
    facts: mayAct ? factsOf(act, subscription, now) : [],
    mayAct,
    undoPath: mayAct ? null : await undoPath(ctx, act, subscription),
  };
  return data(page, { headers: { ...UNSEEN_FORM, "Cache-Control": "private, no-store" } });
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const address = found(linkAddressSchema.safeParse(params).data ?? null, LINK_OVER);
  return await submitted(request, z.object({}), async () => {
    await actByLink(context.get(domainContext), address);
    return redirect(url.pathname, { status: 303, headers: UNSEEN_FORM });
  });
}

type Words = {
  title: (planName: string) => string;
  what: string;
  label: string;
  variant: "primary" | "danger";
  done: string;
};

const WORDS: Record<LinkAct, Words> = {
  pause: {
    title: (plan) => `Pausar ${plan} por 1 mês?`,
    what: "Durante a pausa nada é cobrado e o que é de assinantes fica fechado para você. Os dias que você já pagou voltam inteiros.",
    label: "Pausar 1 mês",
    variant: "primary",
    done: "Voltar agora",
  },
  cancel: {
    title: (plan) => `Cancelar ${plan}?`,
    what: "Ela não renova mais e nada mais é cobrado.",
    label: "Cancelar assinatura",
    variant: "danger",
    done: "Desfazer o cancelamento",
  },
  resume: {
    title: (plan) => `Voltar com ${plan}?`,
    what: "Tudo abre de novo agora, com os dias que você já tinha pagado.",
    label: "Voltar agora",
    variant: "primary",
    done: "",
  },
  reactivate: {
    title: (plan) => `Continuar com ${plan}?`,
    what: "O cancelamento é desfeito, e ela renova como antes, pelo mesmo preço e no mesmo dia.",
    label: "Continuar assinando",
    variant: "primary",
    done: "",
  },
};

function factsOf(
  act: LinkAct,
  subscription: SubscriptionView,
  now: Instant,
): { label: string; value: string }[] {
  const { currentPeriodEndsAt, accessUntil } = subscription;
  if (currentPeriodEndsAt === null || accessUntil === null) return [];
  const until = accessIfCanceled(subscription, now) ?? accessUntil;
  const rest = pausedFrom({ currentPeriodEndsAt, accessUntil }, now);
  const facts: Record<LinkAct, { label: string; value: string }[]> = {
    pause: [
      { label: "Volta sozinha em", value: formatDay(rest.resumesAt) },
      {
        label: "Próxima cobrança",
        value: `${formatDay(rest.currentPeriodEndsAt)}, em vez de ${formatDay(currentPeriodEndsAt)}`,
      },
    ],
    cancel: [{ label: "Você continua vendo tudo até", value: formatDay(until) }],
    resume: [{ label: "Próxima cobrança", value: formatDay(until) }],
    reactivate: [
      {
        label: "Próxima cobrança",
        value: currentPeriodEndsAt <= now ? "agora" : formatDay(currentPeriodEndsAt),
      },
    ],
  };
  return facts[act];
}

/** What was just done is taken back from the same page. */
async function undoPath(
  ctx: Context,
  act: LinkAct,
  subscription: SubscriptionView,
): Promise<string | null> {
  const undo = act === "pause" || act === "cancel" ? UNDO[act] : null;
  if (undo === null || !mayActByLink(undo, subscription, ctx.now())) return null;
  const address = await linkAddress(ctx, undo, {
    subscriptionId: subscription.id,
    endsAt: subscription.accessUntil ?? ctx.now(),
  });
  return new URL(address).pathname;
}

export default function RenewalLink({ loaderData: page, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const words = WORDS[page.act];
  const facts: Fact[] =
    page.protocol === null
      ? page.facts
      : [{ label: "Protocolo do cancelamento", value: page.protocol }];
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-col items-start gap-2">
        <h1 className="text-title">{page.mayAct ? words.title(page.planName) : page.planName}</h1>
        <p className="text-muted">Assinatura da página de {page.creatorName}.</p>
        <Badge tone={page.tone}>{page.badge}</Badge>
      </header>
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p role={page.mayAct ? undefined : "status"}>
            {page.mayAct
              ? words.what
              : page.undoPath
                ? "Pronto. Mandamos a confirmação por e-mail."
                : "Não há nada a fazer por este link agora: a assinatura está como diz acima."}
          </p>
          {facts.length > 0 ? <Facts facts={facts} /> : null}
          <div className="flex flex-wrap gap-2">
            {page.mayAct ? (
              <Button variant={words.variant} size="lg" disabled={isBusy}>
                {words.label}
              </Button>
            ) : null}
            {page.undoPath ? (
              <ButtonLink to={page.undoPath} size="lg" variant="outline">
                {words.done}
              </ButtonLink>
            ) : null}
          </div>
          <p className="text-small text-muted">
            Este link serve só para esta assinatura e não abre a sua conta.
          </p>
        </Form>
      </Card>
    </div>
  );
}
