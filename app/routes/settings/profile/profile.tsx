import { Link } from "react-router";
import { LinkFields } from "#app/components/profiles/link-fields.tsx";
import { ProfileFields } from "#app/components/profiles/profile-fields.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { isGivenUsername } from "#app/domain/identity/registration/rules/usernames.ts";
import { adultMarkStatement } from "#app/domain/age/queries.server.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { updateProfile } from "#app/domain/profiles/commands.server.ts";
import { profileStatement } from "#app/domain/profiles/queries.server.ts";
import { profileSettingsSchema, spaceSettingsSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { storeProfileImages } from "./profile-images.server.ts";
import type { Route } from "./+types/profile.ts";

export const meta: Route.MetaFunction = () => [{ title: "Página pública · Ajustes · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const [[profile], [marked]] = await ctx.db.batch([
    profileStatement(ctx, { personId }),
    adultMarkStatement(ctx, { personId }),
  ]);
  const { name, username, bio, craft, city, category, avatarMediaId, isCreator, links } =
    foundOr404(profile);
  return {
    adult: adultStateOf({
      isAdult: marked?.isAdult ?? false,
      isCreator,
      adultSpaces: ctx.settings.adultSpaces,
    }),
    initial: { name, bio, craft, city, category },
    links,
    username,
    isCreator,
    avatarUrl: avatarMediaId ? mediaUrl(avatarMediaId, "320") : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const schema = member.isCreator ? spaceSettingsSchema : profileSettingsSchema;
  return handleForm(request, schema, async ({ avatar, banner, ...profile }) => {
    const images = await storeProfileImages(ctx, {
      personId: member.id,
      name: profile.name,
      avatar,
      banner,
    });
    await updateProfile(ctx, { ...profile, ...images, personId: member.id });
    return redirectWithToast(request, "/settings/profile", {
      kind: "success",
      message: "Página pública salva.",
    });
  });
}

export default function SettingsProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { initial, links, username, isCreator, avatarUrl, adult } = loaderData;
  return (
    <>
      <PageHeader title="Página pública" lead="Como as outras pessoas veem você." />
      <Card className="p-5 sm:p-6">
        <GuardedForm
          method="post"
          encType="multipart/form-data"
          noValidate
          className="flex flex-col gap-5"
        >
          <FormMessage message={actionData?.message} />
          <div className="flex items-center gap-4">
            <Avatar name={initial.name} src={avatarUrl} size="lg" />
            <p className="flex min-w-0 flex-col">
              <span className="font-semibold">{initial.name}</span>
              <span className="text-small text-muted">@{username}</span>
              <Link
                to="/auth/account/username"
                className="inline-flex min-h-11 items-center text-small font-semibold text-leaf hover:underline"
              >
                {isGivenUsername(username) ? "Escolher" : "Trocar"} nome de usuário
              </Link>
            </p>
          </div>
          <p className="text-small text-muted">
            O nome abaixo é o que aparece na sua página e no que você publica. O nome de usuário faz
            o endereço dela: o antigo leva ao novo por um ano.
          </p>
          <ProfileFields initial={initial} problem={actionData} isCreator={isCreator} />
          <LinkFields key={links.length} links={links} problem={actionData} />
          <Button size="lg" className="self-start">
            Salvar
          </Button>
        </GuardedForm>
      </Card>
      {adult === null ? null : <AdultCard adult={adult} />}
    </>
  );
}

const ADULT_TEXTS = {
  unmarked:
    "Publica o que só adultos podem ver? Marque a página, e só quem confirmou a idade vê o que há nela.",
  marked:
    "A sua página está marcada: só quem confirmou ter 18 anos vê o que há nela. Os outros veem o seu nome e um aviso.",
  shut: "A sua página está marcada, e o Coreto está sem páginas assim agora: só você a vê. Nada do que está nela se perdeu.",
};

type AdultState = keyof typeof ADULT_TEXTS;

/**
 * Returns the state of the adult mark. Null where adult spaces are off and the page was never
 * marked.
 */
function adultStateOf({
  isAdult,
  isCreator,
  adultSpaces,
}: {
  isAdult: boolean;
  isCreator: boolean;
  adultSpaces: boolean;
}): AdultState | null {
  if (isAdult) return adultSpaces ? "marked" : "shut";
  return adultSpaces && isCreator ? "unmarked" : null;
}

function AdultCard({ adult }: { adult: AdultState }) {
  return (
    <Card
      as="section"
      label="Página para maiores de 18"
      className="mt-4 flex flex-col items-start gap-4 p-5 sm:p-6"
    >
      <h2 className="text-heading">Página para maiores de 18</h2>
      <p className="text-muted">{ADULT_TEXTS[adult]}</p>
      <ButtonLink
        to={adult === "unmarked" ? "/settings/profile/adult" : "/settings/profile/adult/removal"}
        variant="outline"
      >
        {adult === "unmarked" ? "Marcar a página" : "Tirar a marca"}
      </ButtonLink>
    </Card>
  );
}
