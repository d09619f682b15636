import { data, Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { subscriptionTone } from "#app/components/subscriptions/subscription-labels.ts";
import { performLinkAction } from "#app/domain/subscriptions/email-links/commands.server.ts";
import { LINK_EXPIRED_MESSAGE } from "#app/domain/subscriptions/email-links/errors.ts";
import {
  subscriptionLinkUrl,
  openedLink,
} from "#app/domain/subscriptions/email-links/queries.server.ts";
import type { SubscriptionView } from "#app/domain/subscriptions/queries.server.ts";
import { canActByLink, INVERSE_ACTION } from "#app/domain/subscriptions/email-links/rules.ts";
import { accessUntilIfCanceled, pauseDates } from "#app/domain/subscriptions/pauses/rules.ts";
import { linkParamsSchema } from "#app/domain/subscriptions/email-links/schema.ts";
import type { LinkAction } from "#app/domain/subscriptions/email-links/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { NOINDEX_FORM_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/renewal-link.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: `${loaderData ? TEXTS[loaderData.act].title(loaderData.planName) : "Assinatura"} · Coreto`,
  },
];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Shows the form only. Mail scanners open every link, so opening it changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const address = foundOr404(linkParamsSchema.safeParse(params).data ?? null, LINK_EXPIRED_MESSAGE);
  const { subscription } = foundOr404(await openedLink(ctx, address), LINK_EXPIRED_MESSAGE);
  const { act } = address;
  const now = ctx.now();
  const { planName, creatorName, badge, status, protocol } = subscription;
  const mayAct = canActByLink(act, subscription, now);
  const page = {
    act,
    planName,
    creatorName,
    badge,
    tone: subscriptionTone(status),
    protocol: status === "canceled" ? protocol : null,
    details: mayAct ? detailsOf(act, subscription, now) : [],
    mayAct,
    undoPath: mayAct ? null : await undoPath(ctx, act, subscription),
  };
  return data(page, { headers: { ...NOINDEX_FORM_HEADERS, "Cache-Control": "private, no-store" } });
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const address = foundOr404(linkParamsSchema.safeParse(params).data ?? null, LINK_EXPIRED_MESSAGE);
  return await handleForm(request, z.object({}), async () => {
    await performLinkAction(context.get(domainContext), address);
    return redirect(url.pathname, { status: 303, headers: NOINDEX_FORM_HEADERS });
  });
}

type LinkTexts = {
  title: (planName: string) => string;
  what: string;
  label: string;
  variant: "primary" | "danger";
  done: string;
};

const TEXTS: Record<LinkAction, LinkTexts> = {
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

function detailsOf(
  act: LinkAction,
  subscription: SubscriptionView,
  now: Instant,
): { label: string; value: string }[] {
  const { currentPeriodEndsAt, accessUntil } = subscription;
  if (currentPeriodEndsAt === null || accessUntil === null) return [];
  const until = accessUntilIfCanceled(subscription, now) ?? accessUntil;
  const rest = pauseDates({ currentPeriodEndsAt, accessUntil }, now);
  const details: Record<LinkAction, { label: string; value: string }[]> = {
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
  return details[act];
}

/** Returns the path of the same page for the action that undoes the last one. Null if there is none. */
async function undoPath(
  ctx: Context,
  act: LinkAction,
  subscription: SubscriptionView,
): Promise<string | null> {
  const undo = act === "pause" || act === "cancel" ? INVERSE_ACTION[act] : null;
  if (undo === null || !canActByLink(undo, subscription, ctx.now())) return null;
  const address = await subscriptionLinkUrl(ctx, undo, {
    subscriptionId: subscription.id,
    endsAt: subscription.accessUntil ?? ctx.now(),
  });
  return new URL(address).pathname;
}

export default function RenewalLink({ loaderData: page, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const texts = TEXTS[page.act];
  const details: Detail[] =
    page.protocol === null
      ? page.details
      : [{ label: "Protocolo do cancelamento", value: page.protocol }];
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-col items-start gap-2">
        <h1 className="text-title">{page.mayAct ? texts.title(page.planName) : page.planName}</h1>
        <p className="text-muted">Assinatura da página de {page.creatorName}.</p>
        <Badge tone={page.tone}>{page.badge}</Badge>
      </header>
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p role={page.mayAct ? undefined : "status"}>
            {page.mayAct
              ? texts.what
              : page.undoPath
                ? "Pronto. Mandamos a confirmação por e-mail."
                : "Não há nada a fazer por este link agora: a assinatura está como diz acima."}
          </p>
          {details.length > 0 ? <DetailList details={details} /> : null}
          <div className="flex flex-wrap gap-2">
            {page.mayAct ? (
              <Button variant={texts.variant} size="lg" disabled={isBusy}>
                {texts.label}
              </Button>
            ) : null}
            {page.undoPath ? (
              <ButtonLink to={page.undoPath} size="lg" variant="outline">
                {texts.done}
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
