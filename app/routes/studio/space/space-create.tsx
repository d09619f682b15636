import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { redirect } from "react-router";
import { ProfileFields } from "#app/components/profiles/profile-fields.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { firstStepPath } from "#app/domain/plans/first-steps/rules.ts";
import { openSpace } from "#app/domain/profiles/commands.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { spaceSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/space-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Abrir minha página · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  if (member.isCreator) throw redirect("/me");
  const ctx = context.get(domainContext);
  const { name, username, bio, craft, city, category } = foundOr404(
    await profileOfPerson(ctx, { personId: member.id }),
  );
  return {
    initial: { name, bio, craft, city, category },
    address: new URL(ctx.settings.appOrigin).host + spaceAddress(username),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return handleForm(request, spaceSchema, async (profile) => {
    await openSpace(ctx, {
      ...profile,
      avatarMediaId: null,
      bannerMediaId: null,
      personId: member.id,
    });
    return redirectWithToast(request, firstStepPath("photo"), {
      kind: "success",
      message: "A sua página está aberta.",
    });
  });
}

export default function SpaceCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Abrir minha página"
        lead={`Ela fica em ${loaderData.address}. Você publica, as pessoas seguem, e quem quiser assina.`}
      />
      <Card className="p-5 sm:p-6">
        <GuardedForm method="post" noValidate className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <ProfileFields
            initial={loaderData.initial}
            problem={actionData}
            isCreator
            withPictures={false}
          />
          <Button size="lg" className="self-start">
            Abrir minha página
          </Button>
        </GuardedForm>
      </Card>
    </>
  );
}
