import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import { loadSpace } from "./load-space.server.ts";
import { SpaceView } from "./space-view.tsx";
import type { Route } from "./+types/me.ts";

export const meta: Route.MetaFunction = () => [{ title: "Perfil · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  return found(await loadSpace(context.get(domainContext), { key: member.id, viewerId: member.id, cursor }));
}

export default function Me({ loaderData }: Route.ComponentProps) {
  const { profile } = loaderData;
  return (
    <SpaceView
      space={loaderData}
      actions={
        <>
          <ButtonLink to="/settings/profile" variant="outline">
            Editar perfil
          </ButtonLink>
          {profile.isCreator ? (
            <ButtonLink to={`/space/${profile.username}/public`} reloadDocument variant="outline">
              Ver como visitante
            </ButtonLink>
          ) : (
            <ButtonLink to="/space/create">Abrir minha página</ButtonLink>
          )}
        </>
      }
      empty={<OwnEmpty isCreator={profile.isCreator} />}
    />
  );
}

function OwnEmpty({ isCreator }: { isCreator: boolean }) {
  if (!isCreator) {
    return (
      <EmptyState title="Você também cria?" action={<ButtonLink to="/space/create">Abrir minha página</ButtonLink>}>
        Abra a sua página para publicar, ser acompanhado e vender assinaturas.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="A sua primeira publicação" action={<ButtonLink to="/post/create">Publicar</ButtonLink>}>
      Conte o que você faz. Quem chega à sua página fica pelo que lê primeiro.
    </EmptyState>
  );
}
