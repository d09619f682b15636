import { Link } from "react-router";
import { PlanDrafts } from "#app/components/plan-form/plan-drafts.tsx";
import { QuickComposer } from "#app/components/composer/quick-composer.tsx";
import { UnpublishedCard } from "#app/components/posts/own-posts/unpublished-card.tsx";
import { describedSteps } from "#app/components/first-steps/step-texts.ts";
import { CreatorMenu } from "#app/components/profiles/creator-menu.tsx";
import { FirstSteps } from "#app/components/profiles/first-steps.tsx";
import { PageLinkCard } from "#app/components/profiles/page-link-card.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { plansFromRows, plansOfCreatorStatement } from "#app/domain/plans/queries.server.ts";
import {
  toUnpublishedSummary,
  unpublishedSummaryStatements,
} from "#app/domain/posts/queries/studio.server.ts";
import { firstStepsStatement } from "#app/domain/plans/first-steps/queries.server.ts";
import { firstSteps } from "#app/domain/plans/first-steps/rules.ts";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { spaceStatements } from "#app/http/public-pages/space-rows.server.ts";
import { spaceFromRows } from "./load-space.server.ts";
import { SpaceView } from "./space-view.tsx";
import type { Route } from "./+types/me.ts";

const PREPARED_SHOWN = 3;

export const meta: Route.MetaFunction = () => [{ title: "Perfil · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const { member, space: place, isOwn, may } = requireActor({ context }, "space:see");
  const cursor = new URL(request.url).searchParams.get("cursor");
  const ctx = context.get(domainContext);
  const asked = { key: place.personId, viewerId: member.id, cursor, isInside: true };
  const [planDrafts, [page], counts, next, ...rows] = await ctx.db.batch([
    plansOfCreatorStatement(ctx, { creatorId: place.personId, states: ["draft"] }),
    firstStepsStatement(ctx, { creatorId: place.personId }),
    ...unpublishedSummaryStatements(ctx, { authorId: place.personId, limit: PREPARED_SHOWN }),
    ...spaceStatements(ctx, asked),
  ]);
  const space = spaceFromRows(ctx, asked, rows);
  const shown = foundOr404(space);
  // Team members see the page as its creator does. They like and follow as themselves.
  return {
    ...shown,
    profile: { ...shown.profile, isSelf: true },
    drafts: plansFromRows(planDrafts),
    preparation:
      may("posts:publish") && cursor === null ? toUnpublishedSummary(counts, next) : null,
    firstSteps: isOwn && page && !page.isClosed ? describedSteps(firstSteps(page), page) : null,
    page: pageLink(ctx.settings.appOrigin + spaceAddress(shown.profile.username)),
    avatarUrl: shown.profile.avatarMediaId && mediaUrl(shown.profile.avatarMediaId, "320"),
    adultSpaces: ctx.settings.adultSpaces,
    isOwn,
    isStaff: member.isModerator,
    seed: { authorId: place.personId, postId: ctx.newId(), tab: ctx.newId() },
    publishes: may("posts:publish"),
    editsPlans: may("plans:edit"),
  };
}

const pageLink = (url: string) => ({ url, qr: qrDrawing(url) });

export default function Me({ loaderData }: Route.ComponentProps) {
  const {
    profile,
    plans,
    drafts,
    preparation,
    firstSteps: steps,
    seed,
    page,
    avatarUrl,
    isOwn,
    isStaff,
    adultSpaces,
    publishes,
    editsPlans,
    now,
  } = loaderData;
  return (
    <SpaceView
      space={loaderData}
      actions={
        <>
          {profile.isCreator && publishes ? (
            <ButtonLink to="/post/create">Publicar</ButtonLink>
          ) : null}
          {isOwn ? (
            <ButtonLink to="/settings/profile" variant="outline">
              Editar perfil
            </ButtonLink>
          ) : null}
          {profile.isCreator ? (
            <CreatorMenu
              username={profile.username}
              publishes={publishes}
              sells={editsPlans && plans.length > 0}
              isOwn={isOwn}
            />
          ) : (
            <ButtonLink to="/space/create" variant={isStaff ? "outline" : "primary"}>
              Abrir minha página
            </ButtonLink>
          )}
        </>
      }
      mayEditPlans={editsPlans}
      studio={
        profile.isCreator ? (
          <>
            {profile.isForAdults && isOwn ? <AdultLine isShown={adultSpaces} /> : null}
            {steps ? <FirstSteps steps={steps} /> : null}
            <PageLinkCard {...page} invites={isOwn} />
            <PlanDrafts drafts={drafts} hasPlans={plans.length > 0} mayEdit={editsPlans} />
            {preparation ? <UnpublishedCard preparation={preparation} now={now} /> : null}
          </>
        ) : null
      }
      compose={
        profile.isCreator && publishes ? (
          <QuickComposer
            key={seed.authorId}
            name={profile.name}
            avatarUrl={avatarUrl}
            seed={seed}
          />
        ) : null
      }
      empty={
        isOwn ? (
          <OwnEmpty isCreator={profile.isCreator} isStaff={isStaff} />
        ) : (
          <TeamEmpty publishes={publishes} />
        )
      }
    />
  );
}

function AdultLine({ isShown }: { isShown: boolean }) {
  return (
    <p className="rounded-field bg-attention-soft px-4 py-2 text-small font-medium text-attention">
      {isShown
        ? "Página para maiores de 18 anos: só quem confirmou a idade vê o que há nela."
        : "A sua página está marcada como para maiores de 18 anos, e o Coreto está sem páginas assim agora: só você a vê. Nada se perdeu."}{" "}
      <Link to="/settings/profile/adult/removal" className="font-semibold underline">
        Mudar
      </Link>
    </p>
  );
}

function TeamEmpty({ publishes }: { publishes: boolean }) {
  return (
    <EmptyState
      title="Ainda não há publicações"
      action={publishes ? <ButtonLink to="/post/create">Publicar</ButtonLink> : undefined}
    >
      A primeira publicação da página aparece aqui.
    </EmptyState>
  );
}

function OwnEmpty({ isCreator, isStaff }: { isCreator: boolean; isStaff: boolean }) {
  if (!isCreator && isStaff)
    return (
      <EmptyState
        title="Você cuida do Coreto"
        action={<ButtonLink to="/admin">Ver o que espera</ButtonLink>}
      >
        A moderação fica no menu. Uma página sua é outra coisa, e só se você quiser.
      </EmptyState>
    );
  if (!isCreator) {
    return (
      <EmptyState
        title="Você também cria?"
        action={<ButtonLink to="/space/create">Abrir minha página</ButtonLink>}
      >
        Abra a sua página para publicar, reunir quem gosta do que você faz e vender assinaturas.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="A sua primeira publicação"
      action={<ButtonLink to="/post/create">Publicar</ButtonLink>}
    >
      Conte o que você faz. Quem chega à sua página fica pelo que lê primeiro.
    </EmptyState>
  );
}
