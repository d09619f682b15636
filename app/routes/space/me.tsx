import { OwnPlans } from "#app/components/plan-form/own-plans.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import { loadSpace } from "./load-space.server.ts";
import { SpaceView } from "./space-view.tsx";
import type { Route } from "./+types/me.ts";

export const meta: Route.MetaFunction = () => [{ title: "Perfil · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const ctx = context.get(domainContext);
  const [space, drafts] = await Promise.all([
    loadSpace(ctx, { key: member.id, viewerId: member.id, cursor }),
    plansOfCreator(ctx, { creatorId: member.id, states: ["draft"] }),
  ]);
  return { ...found(space), drafts };
}

export default function Me({ loaderData }: Route.ComponentProps) {
  const { profile, plans, drafts } = loaderData;
  return (
    <SpaceView
      space={loaderData}
      actions={
        <>
          <ButtonLink to="/settings/profile" variant="outline">
            Editar perfil
          </ButtonLink>
          {profile.isCreator ? (
            <>
              <ButtonLink to={`/space/${profile.username}/public`} reloadDocument variant="outline">
                Ver como visitante
              </ButtonLink>
              {plans.length > 0 ? (
                <ButtonLink to="/plan/create" variant="outline">
                  Novo plano
                </ButtonLink>
              ) : null}
            </>
          ) : (
            <ButtonLink to="/space/create">Abrir minha página</ButtonLink>
          )}
        </>
      }
      studio={profile.isCreator ? <OwnPlans drafts={drafts} hasPlans={plans.length > 0} /> : null}
      empty={<OwnEmpty isCreator={profile.isCreator} />}
    />
  );
}

function OwnEmpty({ isCreator }: { isCreator: boolean }) {
  if (!isCreator) {
    return (
      <EmptyState title="Você também cria?" action={<ButtonLink to="/space/create">Abrir minha página</ButtonLink>}>
        Abra a sua página para publicar, reunir quem gosta do que você faz e vender assinaturas.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="A sua primeira publicação" action={<ButtonLink to="/post/create">Publicar</ButtonLink>}>
      Conte o que você faz. Quem chega à sua página fica pelo que lê primeiro.
    </EmptyState>
  );
}
