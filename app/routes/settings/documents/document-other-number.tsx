import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { withdrawContest } from "#app/domain/documents/contests/commands.server.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { formatPublicTaxId, taxIdLabel } from "#app/domain/identity/tax-ids/rules.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document-other-number.ts";

const BACK = "/settings/check-documents";
const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Mandar outro número · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireActor({ context }, "billing:manage");
  const documents = await documentsOfPerson(context.get(domainContext), space);
  if (documents?.status !== "contested") throw redirect(BACK);
  return { number: formatPublicTaxId(documents), word: taxIdLabel(documents.taxKind) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "billing:manage",
    NO_FIELDS,
    async (_, { space }) => {
      await withdrawContest(context.get(domainContext), { personId: space.personId });
      return await redirectWithToast(request, BACK, {
        kind: "success",
        message: "Pronto. Agora mande os dados com o seu número.",
      });
    },
  );
}

export default function DocumentOtherNumber({
  loaderData: { number, word },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title={`Este ${word} não é seu?`}
        lead={`Você mandou ${number}. Se foi engano, desista dele e mande o seu.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p>
          A moderação deixa de conferir este pedido, e nada muda na outra conta. As fotos que você
          já mandou continuam valendo.
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <Button disabled={isBusy}>Desistir deste {word}</Button>
          <ButtonLink to={BACK} variant="outline">
            Ele é meu: manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
