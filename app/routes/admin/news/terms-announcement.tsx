import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import {
  formatTermsVersion,
  TERMS_VERSION,
} from "#app/domain/identity/registration/rules/terms.ts";
import { announceTerms } from "#app/domain/product-news/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/terms-announcement.ts";

export const meta: Route.MetaFunction = () => [{ title: "Avisar dos termos novos · Coreto" }];

/** Tells everybody of the newest terms. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await announceTerms(context.get(domainContext), {
      version: TERMS_VERSION,
      staffId: context.get(memberContext).id,
    });
    return await redirectWithToast(request, "/admin/news", {
      kind: "success",
      message: "O aviso dos termos está a caminho.",
    });
  });
}

export default function TermsAnnouncement({ actionData }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Avisar dos termos novos"
      title={`Os termos do Coreto mudam em ${formatTermsVersion(TERMS_VERSION)}`}
      means="Todas as contas recebem este aviso na lista e por e-mail. Não dá para desfazer."
      button={<Button>Avisar todas as contas</Button>}
      backTo="/admin/news"
      message={actionData?.message}
    />
  );
}
