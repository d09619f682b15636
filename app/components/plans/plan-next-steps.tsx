import type { ReactNode } from "react";
import { PageLinkCard } from "#app/components/profiles/page-link-card.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

type NextStepsProps = {
  plan: { id: string; name: string };
  username: string;
  page: { url: string; qr: QrDrawing };
  publishes: boolean;
  hasPosts: boolean;
};

/** What follows a plan that went on sale: something to read, people who hear of it, the money. */
export function PlanNextSteps({ plan, username, page, publishes, hasPosts }: NextStepsProps) {
  return (
    <div className="flex flex-col gap-4">
      <ol className="flex flex-col gap-4">
        <Step number={1} title="Publique algo só para quem assina">
          <p className="text-muted">
            {hasPosts
              ? `Em “Quem pode ver”, escolha quem assina ou o plano ${plan.name}. Quem chega vê o título e a chamada, e o botão para assinar.`
              : `A página ainda não tem publicações. Comece por uma: em “Quem pode ver”, escolha quem assina ou o plano ${plan.name}.`}
          </p>
          {publishes ? (
            <ButtonLink to="/post/create" className="self-start">
              Publicar
            </ButtonLink>
          ) : null}
        </Step>
        <Step number={2} title="Conte para as pessoas">
          <p className="text-muted">
            Mande o link da página, ou mostre o QR code. Por ele assina até quem não tem conta.
          </p>
          <PageLinkCard {...page} />
        </Step>
        <Step number={3} title="Acompanhe">
          <p className="text-muted">
            Cada assinatura nova avisa você. O dinheiro aparece em Saques, com o dia em que cada
            valor fica disponível.
          </p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/me/subscribers" variant="outline">
              Ver assinantes
            </ButtonLink>
            <ButtonLink to={`/space/${username}/public`} reloadDocument variant="outline">
              Ver a página como visitante
            </ButtonLink>
          </div>
        </Step>
      </ol>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={`/plan/${plan.id}/update`} variant="ghost" className="-ml-5">
          Mudar o plano
        </ButtonLink>
        <ButtonLink to="/me" variant="ghost">
          Ir para a página
        </ButtonLink>
      </div>
    </div>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <Card as="li" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="flex items-center gap-3 text-heading">
        <span
          aria-hidden="true"
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-signal-soft text-body"
        >
          {number}
        </span>
        {title}
      </h2>
      {children}
    </Card>
  );
}
