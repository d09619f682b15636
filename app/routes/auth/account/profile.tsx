import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FileField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { NAME_MAX } from "#app/domain/identity/schema.ts";
import { ACCEPTED_IMAGES } from "#app/domain/media/rules/limits.ts";
import { accountProfileSchema } from "#app/domain/profiles/schema.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/profile.ts";

export const meta: Route.MetaFunction = () => [{ title: "Nome e foto · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const { name, username, avatarUrl } = member;
  return {
    ...foundOr404(await embedded(asked).profile.ownNames({ member })),
    name,
    username,
    avatarUrl,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, accountProfileSchema, async (input) => {
    const isSaved = await embedded(asked).profile.saveOwnProfile({
      member: context.get(memberContext),
      ...input,
    });
    foundOr404(isSaved || null);
    return redirectWithToast(request, "/auth/account/profile", {
      kind: "success",
      message: "Perfil salvo.",
    });
  });
}

export default function AccountProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { firstName, lastName, name, username, avatarUrl, isPublicNameFollowing } = loaderData;
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  const values = actionData?.values ?? {};
  const errors = actionData?.errors ?? {};
  return (
    <>
      <AccountCrumb />
      <PageHeader title="Nome e foto" lead="O seu nome, a sua foto e o seu nome de usuário." />
      <div className="flex flex-col gap-4">
        <Card as="section" label="Nome e foto" className="p-5 sm:p-6">
          <div className="flex items-center gap-4">
            <Avatar name={name} src={avatarUrl} size="lg" />
            <p className="flex min-w-0 flex-col">
              <span className="font-semibold wrap-anywhere">{name}</span>
              <span className="text-small text-muted">
                {isPublicNameFollowing
                  ? "É assim que as outras pessoas veem você."
                  : "O nome público que você escolheu nos Ajustes."}
              </span>
            </p>
          </div>
          <Form
            key={avatarUrl}
            method="post"
            encType="multipart/form-data"
            noValidate
            className="mt-5 flex flex-col gap-5"
          >
            <FormMessage message={actionData?.message} />
            <TextField
              label="Nome"
              name="firstName"
              autoComplete="given-name"
              required
              limit={NAME_MAX}
              defaultValue={values.firstName ?? firstName}
              error={errors.firstName}
            />
            <TextField
              label="Sobrenome"
              name="lastName"
              autoComplete="family-name"
              required={false}
              limit={NAME_MAX}
              hint={
                isPublicNameFollowing
                  ? "O nome público muda junto. Para usar outro, vá a Ajustes, Página pública."
                  : "O nome público continua o que você escolheu em Ajustes, Página pública."
              }
              defaultValue={values.lastName ?? lastName}
              error={errors.lastName}
            />
            <FileField
              label="Foto de perfil"
              name="avatar"
              accept={ACCEPTED_IMAGES}
              error={errors.avatar}
              required={false}
              hint="JPG, PNG, GIF ou WEBP, até 10 MB."
            />
            <div className="flex flex-wrap gap-2">
              <Button disabled={isBusy}>Salvar</Button>
              {avatarUrl === null ? null : (
                <ButtonLink to="/auth/account/picture/removal" variant="outline">
                  Remover foto
                </ButtonLink>
              )}
            </div>
          </Form>
        </Card>
        <Card
          as="section"
          label="Nome de usuário"
          className="flex flex-wrap items-center justify-between gap-3 p-5"
        >
          <div className="min-w-0">
            <h2 className="text-heading">Nome de usuário</h2>
            <p className="text-muted wrap-anywhere">@{username}</p>
          </div>
          <ButtonLink to="/auth/account/username" variant="outline">
            Trocar nome de usuário
          </ButtonLink>
        </Card>
      </div>
    </>
  );
}
