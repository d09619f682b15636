import { PictureForm } from "#app/components/first-steps/picture-form.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { BannerField } from "#app/components/profiles/profile-fields.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { bannerStepSchema } from "#app/domain/profiles/schema.ts";
import { handleForm } from "#app/http/form.ts";
import { loadPictureStep, savePictureStep } from "./picture-step.server.ts";
import type { Route } from "./+types/banner.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "A sua capa · Coreto" }];

export const loader = async (route: Route.LoaderArgs) => await loadPictureStep(route);

export const action = async (route: Route.ActionArgs) =>
  await handleForm(route.request, bannerStepSchema, ({ banner }) =>
    savePictureStep(route, { after: "banner", banner, message: "Capa salva." }),
  );

/** The banner of the page, on a screen of its own. */
export default function BannerStep({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <StepFrame step="banner" {...loaderData}>
      <PictureForm
        message={actionData?.message}
        hasOne={loaderData.preview.bannerUrl !== null}
        saveLabel="Salvar capa"
        replaceLabel="Trocar capa"
      >
        <BannerField error={actionData?.errors.banner} isRequired />
      </PictureForm>
    </StepFrame>
  );
}
