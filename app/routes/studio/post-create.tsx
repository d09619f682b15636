import { Form, Link, redirect, useNavigation } from "react-router";
import { useHydrated } from "#app/components/shell/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FileField, TextArea, TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { uploadBytes } from "#app/domain/media/commands.server.ts";
import { ACCEPTED_IMAGES, ALT_MAX } from "#app/domain/media/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { CONTENT_MAX, postFormSchema, TEASER_MAX, TITLE_MAX } from "#app/domain/posts/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/post-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Publicar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  if (!member.isCreator) throw redirect("/space/create");
  const plans = await plansOfCreator(context.get(domainContext), { creatorId: member.id, states: ["active"] });
  return { plans: plans.map(({ id, name, prices: [price] }) => ({ id, name, price: price ? `${formatMoney(price.amountCents)} ${intervalLabel(price.interval)}` : "" })) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return submitted(request, postFormSchema, async ({ image, imageAlt, visibility, ...words }) => {
    const { postId } = await publishPost(ctx, {
      ...words,
      authorId: member.id,
      audience: visibility,
      image: image ? { bytes: await uploadBytes(image, "image"), alt: imageAlt } : null,
    });
    return redirectWithToast(request, `/post/${postId}`, { kind: "success", message: "Publicado." });
  });
}

export default function PostCreate({ loaderData, actionData }: Route.ComponentProps) {
  const { plans } = loaderData;
  useFirstError(actionData);
  const errors = actionData?.errors ?? {};
  const values = actionData?.values ?? {};
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Publicar" />
      <Card className="p-5 sm:p-6">
        <Form method="post" encType="multipart/form-data" noValidate className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <TextField label="Título" name="title" defaultValue={values["title"]} error={errors["title"]} required maxLength={TITLE_MAX} />
          <TextArea
            label="Texto"
            name="content"
            rows={10}
            defaultValue={values["content"]}
            error={errors["content"]}
            required
            maxLength={CONTENT_MAX}
            hint="Uma linha em branco separa os parágrafos. Endereços viram links."
          />
          <ImageFields errors={errors} values={values} />
          <Audience plans={plans} errors={errors} values={values} />
          <TextField
            label="Chamada"
            name="teaser"
            defaultValue={values["teaser"]}
            error={errors["teaser"]}
            required={false}
            maxLength={TEASER_MAX}
            hint="Todo mundo lê esta frase, também quem ainda não tem acesso."
          />
          <Button size="lg" className="self-start" disabled={busy}>
            Publicar
          </Button>
        </Form>
      </Card>
    </>
  );
}

type FieldsProps = { errors: Record<string, string>; values: Record<string, string> };

function ImageFields({ errors, values }: FieldsProps) {
  const isAwake = useHydrated();
  const again = !isAwake && Object.keys(errors).length > 0 ? " Escolha a imagem de novo: o navegador não a guarda." : "";
  return (
    <>
      <FileField label="Imagem" name="image" accept={ACCEPTED_IMAGES} error={errors["image"]} required={false} hint={`JPG, PNG, GIF ou WEBP, até 10 MB.${again}`} />
      <TextField
        label="Descrição para quem não vê"
        name="imageAlt"
        defaultValue={values["imageAlt"]}
        error={errors["imageAlt"]}
        required={false}
        maxLength={ALT_MAX}
        hint="O que aparece na imagem, em uma frase. Quem usa leitor de tela agradece."
      />
    </>
  );
}

type AudienceProps = FieldsProps & { plans: { id: string; name: string; price: string }[] };

/** The plans come into sight once that answer is chosen, by CSS alone. */
function Audience({ plans, errors, values }: AudienceProps) {
  return (
    <div className="group/audience flex flex-col gap-5">
      <Choices
        legend="Quem pode ver"
        name="visibility"
        defaultValue={values["visibility"] ?? "public"}
        error={errors["visibility"]}
        options={[
          { value: "public", label: "Todo mundo", hint: "Aparece também para quem não tem conta." },
          { value: "followers", label: "Quem segue", hint: "Seguir é de graça." },
          { value: "subscribers", label: "Quem assina", hint: "Qualquer um dos seus planos." },
          ...(plans.length > 0 ? [{ value: "plans", label: "Quem assina alguns planos", hint: "Você escolhe quais." }] : []),
        ]}
      />
      {plans.length === 0 ? (
        <p className="text-small text-muted">
          Para publicar só para um plano,{" "}
          <Link to="/plan/create" className="font-semibold text-leaf hover:underline">
            crie o primeiro
          </Link>
          .
        </p>
      ) : (
        <div className="hidden group-has-[input[value=plans]:checked]/audience:block">
          <Choices
            legend="Planos que abrem esta publicação"
            name="planIds"
            type="checkbox"
            defaultValue={(values["planIds"] ?? "").split("\n")}
            error={errors["planIds"]}
            options={plans.map((plan) => ({ value: plan.id, label: plan.name, hint: plan.price }))}
          />
        </div>
      )}
    </div>
  );
}
