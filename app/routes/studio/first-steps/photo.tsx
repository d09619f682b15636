import { PictureForm } from "#app/components/first-steps/picture-form.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { AvatarField } from "#app/components/profiles/profile-fields.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { avatarStepSchema } from "#app/domain/profiles/schema.ts";
import { handleForm } from "#app/http/form.ts";
import { loadPictureStep, savePictureStep } from "./picture-step.server.ts";
import type { Route } from "./+types/photo.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "A sua foto · Coreto" }];

export const loader = async (route: Route.LoaderArgs) => await loadPictureStep(route);

export const action = async (route: Route.ActionArgs) =>
  await handleForm(route.request, avatarStepSchema, ({ avatar }) =>
    savePictureStep(route, { after: "photo", avatar, message: "Foto salva." }),
  );

/** The first of the first steps: one picture. */
export default function PhotoStep({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <StepFrame step="photo" {...loaderData}>
      <PictureForm
        message={actionData?.message}
        hasOne={loaderData.preview.avatarUrl !== null}
        saveLabel="Salvar foto"
        replaceLabel="Trocar foto"
      >
        <AvatarField error={actionData?.errors.avatar} isRequired />
      </PictureForm>
    </StepFrame>
  );
}
