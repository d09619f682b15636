import { data, Form, redirect, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { isNotificationKind, NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import {
  isUnsubscribeAddress,
  setEmailsStopped,
} from "#app/domain/notifications/commands/choices.server.ts";
import { areEmailsStopped } from "#app/domain/notifications/queries.server.ts";
import { creatorOfSubject, unsubscribeAddressSchema } from "#app/domain/notifications/schema.ts";
import type { UnsubscribeSubject } from "#app/domain/notifications/schema.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { quoted } from "#app/domain/text.ts";
import type { Context } from "#app/domain/context.ts";
import { domainContext } from "#app/http/contexts.ts";
import { NOINDEX_FORM_HEADERS } from "#app/http/headers/noindex.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/unsubscribe.ts";

const GONE = "Este endereço não é de nenhum e-mail nosso. Confira se ele veio inteiro.";

export const meta: Route.MetaFunction = () => [{ title: "E-mails · Coreto" }];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Reads an address that the product wrote. Answers 404 to any other. */
async function addressOf(ctx: Context, params: unknown) {
  const address = foundOr404(unsubscribeAddressSchema.safeParse(params).data, GONE);
  if (!(await isUnsubscribeAddress(ctx, address))) throw data({ message: GONE }, { status: 404 });
  return address;
}

/** Names the emails that an address stops. */
async function emailsOf(ctx: Context, subject: UnsubscribeSubject): Promise<string> {
  const creatorId = creatorOfSubject(subject);
  if (creatorId !== null) {
    const creator = await profileOfPerson(ctx, { personId: creatorId });
    return `as publicações de ${creator?.name ?? "quem publicou"} por e-mail`;
  }
  return isNotificationKind(subject)
    ? `e-mails de ${quoted(NOTIFICATION_KINDS[subject].label)}`
    : "o resumo do que você não leu";
}

/** Shows what the address stops. Mail scanners open every link: opening changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const address = await addressOf(ctx, params);
  return data(
    {
      emails: await emailsOf(ctx, address.kind),
      isDigest: address.kind === "digest",
      isStopped: await areEmailsStopped(ctx, address),
    },
    { headers: { ...NOINDEX_FORM_HEADERS, "Cache-Control": "private, no-store" } },
  );
}

/**
 * Stops the emails; the button that takes it back sends `again`. The one click of a mail program is
 * answered without a redirect (RFC 8058, section 3.1).
 */
export async function action({ request, params, context, url }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const address = await addressOf(ctx, params);
  const form = await request.formData().catch(() => new FormData());
  const isStopped = form.get("again") === null;
  await setEmailsStopped(ctx, { ...address, isStopped });
  if (form.get("List-Unsubscribe") === "One-Click") return null;
  return redirect(url.pathname, { status: 303, headers: NOINDEX_FORM_HEADERS });
}

export default function Unsubscribe({
  loaderData: { emails, isDigest, isStopped },
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card className="flex flex-col gap-5 p-5 sm:p-6">
      <h1 className="text-title">{isStopped ? "Pronto" : "Parar estes e-mails?"}</h1>
      <p role="status">
        {isStopped ? `Você não recebe mais ${emails}.` : `Você deixa de receber ${emails}.`}
      </p>
      <Form method="post" className="flex flex-wrap gap-3">
        {isStopped ? (
          <Button name="again" value="1" variant="outline" disabled={isBusy}>
            {isDigest ? "Voltar a receber, às segundas" : "Voltar a receber"}
          </Button>
        ) : (
          <Button disabled={isBusy}>Não receber mais</Button>
        )}
        <ButtonLink to="/settings/notifications" variant="ghost">
          Escolher os outros
        </ButtonLink>
      </Form>
    </Card>
  );
}
