import { InvitationCard } from "#app/components/first-steps/invitation-card.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { storyPicturePath } from "#app/domain/syndication/rules/pictures.ts";
import { domainContext } from "#app/http/contexts.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/invitations.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Convidar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { appOrigin } = context.get(domainContext).settings;
  const { steps, preview, profile } = await loadStep({ context });
  const url = appOrigin + spaceAddress(profile.username);
  return {
    steps,
    preview,
    invitation: {
      name: profile.name,
      username: profile.username,
      url,
      qr: qrDrawing(url),
      storyPath: storyPicturePath(profile, url),
      followersCount: profile.followersCount,
    },
  };
}

/** The last step: ten people who hear of the page. */
export default function InvitationsStep({ loaderData }: Route.ComponentProps) {
  const { invitation, ...frame } = loaderData;
  return (
    <StepFrame step="invitations" {...frame} isPlain>
      <InvitationCard {...invitation} />
    </StepFrame>
  );
}
