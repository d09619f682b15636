import type { RouterContextProvider } from "react-router";
import { updatePagePart } from "#app/domain/profiles/commands/first-steps.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { storeProfileImages } from "#app/routes/settings/profile/profile-images.server.ts";
import { firstStepPathOf, loadStep } from "./step.server.ts";

type RouteContext = { context: Readonly<RouterContextProvider> };

/** Loads what the screen of one picture of the page shows. */
export async function loadPictureStep({ context }: RouteContext) {
  const { steps, preview } = await loadStep({ context });
  return { steps, preview };
}

type PictureStep =
  | { after: "photo"; avatar: File; message: string }
  | { after: "banner"; banner: File; message: string };

/** Saves one picture of the member's page and goes on to the step after it. */
export async function savePictureStep(
  { request, context }: RouteContext & { request: Request },
  { after, message, ...files }: PictureStep,
): Promise<Response> {
  const ctx = context.get(domainContext);
  const { id: creatorId, name } = context.get(memberContext);
  const { avatarMediaId, bannerMediaId } = await storeProfileImages(ctx, {
    personId: creatorId,
    name,
    avatar: undefined,
    banner: undefined,
    ...files,
  });
  if (avatarMediaId) await updatePagePart(ctx, { creatorId, part: { avatarMediaId } });
  if (bannerMediaId) await updatePagePart(ctx, { creatorId, part: { bannerMediaId } });
  return await redirectWithToast(request, await firstStepPathOf(ctx, { creatorId, after }), {
    kind: "success",
    message,
  });
}
