import { Form } from "react-router";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { AvatarField } from "#app/components/profiles/profile-fields.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { updatePagePart } from "#app/domain/profiles/commands/first-steps.server.ts";
import { avatarStepSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { keepProfileImages } from "#app/routes/settings/profile/profile-images.server.ts";
import { firstStepPathOf, loadStep } from "./step.server.ts";
import type { Route } from "./+types/photo.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "A sua foto · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { steps, preview } = await loadStep({ context });
  return { steps, preview };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: creatorId, name } = context.get(memberContext);
  return await handleForm(request, avatarStepSchema, async ({ avatar }) => {
    const { avatarMediaId } = await keepProfileImages(ctx, {
      personId: creatorId,
      name,
      avatar,
      banner: undefined,
    });
    if (avatarMediaId) await updatePagePart(ctx, { creatorId, part: { avatarMediaId } });
    return await redirectWithToast(
      request,
      await firstStepPathOf(ctx, { creatorId, after: "photo" }),
      {
        kind: "success",
        message: "Foto salva.",
      },
    );
  });
}

/** The first of the first steps: one picture. */
export default function PhotoStep({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const hasOne = loaderData.preview.avatarUrl !== null;
  return (
    <StepFrame step="photo" {...loaderData}>
      <Form method="post" encType="multipart/form-data" noValidate className="flex flex-col gap-5">
        <FormMessage message={actionData?.message} />
        <AvatarField error={actionData?.errors.avatar} isRequired />
        <Button size="lg" variant={hasOne ? "outline" : "primary"} className="self-start">
          {hasOne ? "Trocar foto" : "Salvar foto"}
        </Button>
      </Form>
    </StepFrame>
  );
}
