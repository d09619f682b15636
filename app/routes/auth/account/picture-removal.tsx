import { redirect } from "react-router";
import { z } from "zod";
import { ContactConfirmation } from "#app/components/account/contacts/contact-confirmation.tsx";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/picture-removal.ts";

const BACK = "/auth/account/profile";
const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Remover foto · Coreto" }];

export function loader({ context }: Route.LoaderArgs) {
  if (context.get(memberContext).avatarUrl === null) throw redirect(BACK);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, NO_FIELDS, async () => {
    await embedded(asked).profile.removeOwnPicture({ member: context.get(memberContext) });
    return redirectWithToast(request, BACK, { kind: "success", message: "Foto removida." });
  });
}

/** Asks first: the picture is erased from the storage at once. */
export default function RemovePicture({ actionData }: Route.ComponentProps) {
  return (
    <ContactConfirmation
      back={BACK}
      list="Nome e foto"
      question="Remover a sua foto?"
      lead="No lugar dela fica um desenho com o seu nome."
      act="Remover"
      variant="danger"
      problem={actionData}
    />
  );
}
