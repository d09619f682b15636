import { Check } from "lucide-react";
import { redirect } from "react-router";
import { FollowButton } from "#app/components/profiles/follow-button.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import { loadSpace } from "./load-space.server.ts";
import { SpaceView } from "./space-view.tsx";
import type { Route } from "./+types/space.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData?.profile.name ?? "Página não encontrada"} · Coreto` }];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const space = found(await loadSpace(context.get(domainContext), { key: params.id, viewerId: member.id, cursor }), "Não encontramos esta página.");
  if (space.profile.isSelf) throw redirect("/me");
  return space;
}

export default function Space({ loaderData }: Route.ComponentProps) {
  const { profile, plans } = loaderData;
  return (
    <SpaceView
      space={loaderData}
      actions={
        profile.isCreator ? (
          <>
            <FollowButton username={profile.username} name={profile.name} isFollowing={profile.isFollowing} variant={plans.length > 0 ? "outline" : "primary"} />
            {profile.subscribedPlanId ? (
              <ButtonLink to="/settings/subscriptions" variant="outline">
                <Check aria-hidden="true" className="size-4 text-leaf" />
                Assinante
              </ButtonLink>
            ) : plans.length > 0 ? (
              <ButtonLink to="#planos">Assinar</ButtonLink>
            ) : null}
          </>
        ) : null
      }
      empty={
        <EmptyState title="Ainda não há publicações">
          {profile.isCreator ? `Siga ${profile.name} para saber quando a primeira sair.` : `${profile.name} ainda não abriu uma página para publicar.`}
        </EmptyState>
      }
    />
  );
}
