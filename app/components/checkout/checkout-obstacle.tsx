import type { ReactNode } from "react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import { planWayLabel, planWayPath } from "#app/domain/access/rules/plan-way.ts";
import type { PurchaseObstacle, Purchasable } from "#app/domain/purchases/schema.ts";
import type { ExistingAccess } from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import { isPaymentDue } from "#app/domain/subscriptions/rules.ts";
import { formatDay } from "#app/domain/time.ts";

type ObstacleProps = {
  kind: Purchasable["kind"];
  obstacle: PurchaseObstacle;
  path: string;
  creatorPath: string;
  creatorName: string;
  /** What is for sale here, where it is a plan. */
  plan: { id: string; priceId: string } | null;
  live: ExistingAccess | null;
  awayUntil: number | null;
  beginsAt: number | null;
};

const ONE = {
  plan: "Este plano",
  post: "Esta publicação",
  collection: "Esta coleção",
  message: "Esta mensagem",
  event: "Este evento",
};
const SEE = {
  plan: "Ver a página",
  post: "Ver a publicação",
  collection: "Ver a coleção",
  message: "Ver a mensagem",
  event: "Ver o evento",
};

/** Text for a subscriber who need not pay again. */
export function alreadySubscribedText(live: ExistingAccess | null): string {
  if (live?.way.kind === "change_plan")
    return "Você assina outro plano desta página. Mude para este: você vê quanto custa antes, e nada muda até confirmar.";
  if (live && isPaymentDue(live.status))
    return "A renovação ainda não foi paga. Pague por ela na sua assinatura, sem começar outra.";
  if (live?.status === "paused")
    return "Ela está pausada, e tudo abre de novo quando ela voltar. Você pode voltar agora, na sua assinatura.";
  if (live?.status === "canceled" && live.accessUntil !== null)
    return `Está tudo aberto para você até ${formatDay(live.accessUntil)}, quando ela termina. Para continuar depois, veja a sua assinatura.`;
  if (live?.way.kind === "subscribe")
    return "Você tem outro plano desta página, que foi um presente ou uma cortesia. Perto do fim dele, assine o que quiser.";
  return "Não precisa pagar de novo: está tudo aberto para você.";
}

/** Why this person cannot buy this, and where to go instead. */
export function CheckoutObstacle({
  kind,
  obstacle,
  path,
  creatorPath,
  creatorName,
  plan,
  live,
  awayUntil,
  beginsAt,
}: ObstacleProps) {
  const toPage = (
    <ButtonLink to={creatorPath} variant="outline">
      Ver a página
    </ButtonLink>
  );
  const toThing = <ButtonLink to={path}>{SEE[kind]}</ButtonLink>;
  const way = live?.way ?? null;
  const isShort =
    way?.kind === "settle" ||
    way?.kind === "resume" ||
    way?.kind === "change_plan" ||
    way?.kind === "reactivate" ||
    live?.status === "canceled";
  const toBoth = (
    <>
      <ButtonLink to={creatorPath} variant={isShort ? "outline" : "primary"}>
        Ver a página
      </ButtonLink>
      <ButtonLink
        to={
          way === null || way.kind === "subscribe" || plan === null
            ? `/settings/subscriptions/${live?.id ?? ""}`
            : planWayPath(way, { planId: plan.id, priceId: plan.priceId })
        }
        variant={isShort ? "primary" : "outline"}
      >
        {way?.kind === "change_plan"
          ? "Mudar para este plano"
          : ((way && planWayLabel(way)) ?? "Ver minha assinatura")}
      </ButtonLink>
    </>
  );
  const texts: Record<PurchaseObstacle, { title: string; action: ReactNode; text: string }> = {
    own:
      kind === "plan"
        ? {
            title: "Este plano é seu",
            action: toPage,
            text: "Quem cria não assina a própria página: você já vê tudo.",
          }
        : kind === "event"
          ? {
              title: "Este evento é seu",
              action: toThing,
              text: "Quem faz o evento não precisa de ingresso.",
            }
          : {
              title: `${ONE[kind]} é sua`,
              action: toThing,
              text: `${kind === "message" ? "Você enviou o arquivo" : "Você publicou"}, e já vê tudo.`,
            },
    subscribed: {
      title:
        way?.kind === "change_plan"
          ? `Você já assina outro plano de ${creatorName}`
          : `Você já assina ${creatorName}`,
      action: toBoth,
      text: alreadySubscribedText(live),
    },
    upcoming: {
      title:
        beginsAt === null
          ? "Sua assinatura já está paga"
          : `Sua assinatura começa em ${formatDay(beginsAt)}`,
      action: toBoth,
      text: "Ela já está paga: não precisa pagar de novo.",
    },
    bought: {
      title: "Você já comprou",
      action: (
        <>
          {toThing}
          <ButtonLink to="/settings/purchases" variant="outline">
            Minhas compras
          </ButtonLink>
        </>
      ),
      text:
        kind === "event"
          ? "Estes ingressos são seus: não precisa pagar de novo."
          : `${ONE[kind]} é sua: não precisa pagar de novo.`,
    },
    open: {
      title: "Já está aberta para você",
      action: toThing,
      text: "Você já pode ver tudo sem pagar.",
    },
    full:
      kind === "event"
        ? {
            title: "As vagas acabaram",
            action: toThing,
            text: "Nada foi cobrado. No evento há uma fila: se alguém desistir, avisamos você.",
          }
        : {
            title: "Os lugares acabaram",
            action: toPage,
            text: "Quando alguém sair, um lugar volta a aparecer aqui.",
          },
    away: {
      title: awayUntil === null ? "De férias" : vacationLabel(awayUntil),
      action: toPage,
      text: `${creatorName} está descansando, e não vende assinaturas até a volta. Você pode seguir a página e assinar depois.`,
    },
    not_sold:
      kind === "event"
        ? {
            title: "Estes ingressos não estão à venda",
            action: toThing,
            text: "Veja no evento o que ainda há. Nada foi cobrado.",
          }
        : {
            title: `${ONE[kind]} não está à venda`,
            action: toPage,
            text: "Veja na página o que mais há.",
          },
  };
  const { title, action, text } = texts[obstacle];
  return (
    <EmptyState title={title} action={action}>
      {text}
    </EmptyState>
  );
}
