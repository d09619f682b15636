import { quoted } from "#app/domain/text.ts";
import { data, Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { GIFT_PERIODS } from "#app/components/gifts/gift-labels.ts";
import { BenefitList } from "#app/components/plans/benefit-list.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { giftByCode } from "#app/domain/purchases/gifts/queries.server.ts";
import { claimProblem, parseGiftCode } from "#app/domain/purchases/gifts/rules.ts";
import type { ClaimProblem } from "#app/domain/purchases/gifts/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, incompleteMemberContext, viewerContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { enforceSecretUrlLimit } from "#app/http/limits/secret-url-limit.ts";
import { finishPath, loginPath, registerPath } from "#app/lib/own-path.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { refuseIdentityUnknown } from "#app/http/require-member.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { NOINDEX_FORM_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/claim.ts";

const NOT_FOUND = "Não encontramos este presente. Confira o endereço com quem deu.";

export const meta: Route.MetaFunction = () => [{ title: "Um presente para você · Coreto" }];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Shows the gift. Only the button claims it, so that a mail scanner claims nothing. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  await refuseIdentityUnknown(request, url, context);
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const code = parseGiftCode(params.code);
  await throwRefusals(() => enforceSecretUrlLimit(context, request));
  const presented = foundOr404(
    code === null ? null : await giftByCode(ctx, { code, viewerId: viewer?.id ?? null }),
    NOT_FOUND,
  );
  const { gift, claimInput, giverName, plan, creator } = presented;
  const problem = claimProblem({ ...claimInput, memberId: viewer?.id ?? "" }, ctx.now());
  // A page for adults reveals nothing before the age check. A blocked person learns nothing at all.
  const isVeiled = claimInput.isAgeClosed || claimInput.isShut;
  const page = {
    giverName,
    message: gift.message,
    recipientName: gift.recipientName,
    isSignedIn: viewer !== null,
    problem,
    claimUntil: gift.claimUntil,
    awayUntil: claimInput.awayUntil ?? null,
    period: GIFT_PERIODS[gift.interval],
    subscriptionPath: `/settings/subscriptions/${gift.id}`,
    here: url.pathname,
    offer: isVeiled
      ? null
      : {
          plan,
          creatorName: creator.name,
          creatorPath: `/space/${creator.username}${viewer === null ? "/public" : ""}`,
          creatorAvatarUrl: creator.avatarMediaId ? mediaUrl(creator.avatarMediaId, "320") : null,
        },
  };
  return data(page, { headers: { ...NOINDEX_FORM_HEADERS, "Cache-Control": "private, no-store" } });
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  await refuseIdentityUnknown(request, url, context);
  const viewer = context.get(viewerContext);
  if (!viewer)
    throw redirect(
      context.get(incompleteMemberContext) ? finishPath(url.pathname) : loginPath(url.pathname),
      303,
    );
  return await handleForm(request, z.object({}), async () => {
    const { creatorUsername, accessUntil } = await claimGift(context.get(domainContext), {
      memberId: viewer.id,
      memberName: viewer.name,
      code: params.code,
    });
    return await redirectWithToast(request, `/space/${creatorUsername}`, {
      kind: "success",
      message: `Pronto: está tudo aberto para você até ${formatDay(accessUntil)}.`,
    });
  });
}

export default function Claim({ loaderData: gift, actionData }: Route.ComponentProps) {
  const { offer, giverName, message, recipientName, problem } = gift;
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-title wrap-anywhere">
        {recipientName === "" ? "Um" : `${recipientName}, um`} presente de {giverName} para você
      </h1>
      {message === "" || problem === "claimed" ? null : (
        <blockquote className="rounded-card bg-sand px-5 py-4 whitespace-pre-line wrap-anywhere">
          {quoted(message)}
        </blockquote>
      )}
      {offer ? (
        <Card className="flex flex-col gap-4 p-5 sm:p-6">
          <div className="flex items-center gap-3">
            <Avatar name={offer.creatorName} src={offer.creatorAvatarUrl} size="lg" />
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">
                {offer.plan.name}, de {offer.creatorName}
              </p>
              <p className="text-small text-muted">
                Por {gift.period}, já pago. Não renova e não pede cartão.
              </p>
            </div>
          </div>
          {offer.plan.description === "" ? null : <p>{offer.plan.description}</p>}
          <BenefitList benefits={offer.plan.benefits} />
        </Card>
      ) : null}
      <FormMessage message={actionData?.message ?? null} />
      {problem === null ? <ClaimForm {...gift} /> : <Obstacle {...gift} problem={problem} />}
    </div>
  );
}

type GiftShown = Route.ComponentProps["loaderData"];

function ClaimForm({ isSignedIn, here, claimUntil }: GiftShown) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      {isSignedIn ? (
        <Form method="post">
          <Button size="lg" className="w-full" disabled={isBusy}>
            Abrir o presente
          </Button>
        </Form>
      ) : (
        <div className="flex flex-col gap-2">
          <p>Para abrir, entre na sua conta ou crie uma: o presente espera aqui.</p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={registerPath(here)} size="lg">
              Criar conta
            </ButtonLink>
            <ButtonLink to={loginPath(here)} size="lg" variant="outline">
              Entrar
            </ButtonLink>
          </div>
        </div>
      )}
      {claimUntil === null ? null : (
        <p className="text-small text-muted">Vale até {formatDay(claimUntil)}.</p>
      )}
    </>
  );
}

/** The problems that offer a better next step than the creator's page. */
const LEADS_ON: ClaimProblem[] = ["own_claim", "leaving", "age"];

/** Explains why the gift cannot be claimed, and links to the next step. */
function Obstacle({
  problem,
  isSignedIn,
  here,
  claimUntil,
  awayUntil,
  offer,
  subscriptionPath,
}: GiftShown & { problem: ClaimProblem }) {
  const until = claimUntil === null ? "" : ` até ${formatDay(claimUntil)}`;
  const texts: Record<ClaimProblem, string> = {
    claimed: "Este presente já foi resgatado.",
    own_claim: "Você já abriu este presente: está tudo aberto para você.",
    unclaimed: "O prazo para resgatar este presente passou, e o dinheiro voltou para quem deu.",
    returned: "Este presente foi devolvido a quem deu: não dá mais para resgatar.",
    disputed:
      "O banco está conferindo o pagamento deste presente. Volte em alguns dias: o endereço é o mesmo.",
    own_page: `Este presente é da sua própria página. Ele continua valendo para outra pessoa${until}.`,
    shut: "Não dá para resgatar este presente nesta conta. Ele continua valendo: avise quem deu.",
    leaving: "Você pediu para excluir a conta. Para resgatar, mantenha a conta primeiro.",
    age: isSignedIn
      ? `É de uma página só para maiores de 18 anos. Confirme a sua idade e volte: o presente espera${until}.`
      : `É de uma página só para maiores de 18 anos. Entre para confirmar a sua idade: o presente espera${until}.`,
    away: `${offer?.creatorName ?? "Quem cria"} está de férias até ${formatDay(awayUntil ?? 0)}. Abra o presente na volta: ele espera${until}.`,
    subscribed: `Você já assina esta página. O presente continua guardado${until}: resgate quando a assinatura terminar, ou passe o endereço a outra pessoa.`,
  };
  return (
    <Card className="flex flex-col items-start gap-4 p-6">
      <p role="status">{texts[problem]}</p>
      {problem === "own_claim" ? (
        <ButtonLink to={subscriptionPath}>Ver a minha assinatura</ButtonLink>
      ) : null}
      {problem === "leaving" ? (
        <ButtonLink to="/auth/account/deletion">Manter a conta</ButtonLink>
      ) : null}
      {problem === "age" ? (
        <ButtonLink to={isSignedIn ? `/age-check?to=${encodeURIComponent(here)}` : loginPath(here)}>
          {isSignedIn ? "Confirmar a idade" : "Entrar"}
        </ButtonLink>
      ) : null}
      {offer && !LEADS_ON.includes(problem) ? (
        <ButtonLink to={offer.creatorPath} reloadDocument={!isSignedIn}>
          Ver a página de {offer.creatorName}
        </ButtonLink>
      ) : null}
    </Card>
  );
}
