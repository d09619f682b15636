import { InvitationCard } from "#app/components/first-steps/invitation-card.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { profileByUsername } from "#app/domain/profiles/queries.server.ts";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { storyPicturePath } from "#app/domain/syndication/rules/pictures.ts";
import { dayNumberOf } from "#app/domain/time.ts";
import { countedLinks } from "#app/domain/analytics/links/queries.server.ts";
import { INVITATION_SLUG, withLinkMark } from "#app/lib/link-mark.ts";
import { domainContext } from "#app/http/contexts.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/invitations.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Convidar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { steps, preview, profile } = await loadStep({ context });
  const url =
    ctx.settings.appOrigin + withLinkMark(spaceAddress(profile.username), INVITATION_SLUG);
  // No picture is drawn of a page that visitors cannot see: one for adults, or of a leaving person.
  const range = { from: 0, until: dayNumberOf(ctx.now()) + 1 };
  const [counted] = await countedLinks(ctx, {
    creatorId: profile.id,
    range,
    slug: INVITATION_SLUG,
  });
  const drawn = await profileByUsername(ctx, { username: profile.username });
  return {
    steps,
    preview,
    invitation: {
      name: profile.name,
      username: profile.username,
      url,
      qr: qrDrawing(url),
      storyPath: drawn && storyPicturePath(drawn, url),
      followersCount: profile.followersCount,
      invited: { visitors: counted?.visitors ?? 0, follows: counted?.follows ?? 0 },
    },
  };
}

/** The last step: people to invite to the page. */
export default function InvitationsStep({ loaderData }: Route.ComponentProps) {
  const { invitation, ...frame } = loaderData;
  return (
    <StepFrame step="invitations" {...frame} isPlain>
      <InvitationCard {...invitation} />
    </StepFrame>
  );
}
