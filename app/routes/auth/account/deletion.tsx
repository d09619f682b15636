import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import {
  DeletionPreviewCard,
  ConsequenceList,
} from "#app/components/account/deletion/deletion-preview.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { Context } from "#app/domain/context.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { openDeletion } from "#app/domain/deletion/queries/deletions.server.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { loadDeletionBlockers } from "#app/domain/deletion/queries/blockers.server.ts";
import {
  DELETION_GRACE_DAYS,
  deletionDueAt,
  deletionWaitReasons,
  waitReasonText,
} from "#app/domain/deletion/rules.ts";
import { DELETION_PHRASE, deletionSchema } from "#app/domain/deletion/schema.ts";
import type { AccountDeletion } from "#app/domain/deletion/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/deletion.ts";

const HERE = "/auth/account/deletion";

export const meta: Route.MetaFunction = () => [{ title: "Excluir conta · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId, isCreator } = context.get(memberContext);
  const open = await openDeletion(ctx, { personId });
  if (open) return { asked: { ...(await asked(ctx, open)), isCreator }, offer: null };
  await requireReauthentication({ env: context.get(cloudflareContext).env, ctx, request }, HERE);
  const dueAt = deletionDueAt(ctx.now());
  const [figures, blockers] = await Promise.all([
    deletionPreview(ctx, { personId, dueAt }),
    loadDeletionBlockers(ctx, { personId }),
  ]);
  // Only these reasons may still delay the deletion on its due day.
  const waits = deletionWaitReasons(blockers).filter(
    ({ kind }) => kind === "disputes" || kind === "balance" || kind === "payout",
  );
  return {
    asked: null,
    offer: { figures, dueDay: formatDay(dueAt), waits: waits.map(waitReasonText) },
  };
}

async function asked(ctx: Context, deletion: AccountDeletion) {
  const mayStay = deletion.status === "requested" && ctx.now() < deletion.dueAt;
  const reasons = mayStay
    ? []
    : deletionWaitReasons(await loadDeletionBlockers(ctx, deletion)).map(waitReasonText);
  return {
    dueDay: formatDay(deletion.dueAt),
    requestedDay: formatDay(deletion.requestedAt),
    mayStay,
    reasons,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return handleForm(request, deletionSchema, async () => {
    await requireReauthentication({ env: context.get(cloudflareContext).env, ctx, request }, HERE);
    const { dueAt } = await requestDeletion(ctx, { personId: context.get(memberContext).id });
    return redirectWithToast(request, HERE, {
      kind: "success",
      message: `Pedido recebido. A conta será excluída em ${formatDay(dueAt)}.`,
    });
  });
}

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.asked) return <Asked {...loaderData.asked} />;
  const { figures, dueDay, waits } = loaderData.offer;
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Excluir conta"
        lead={`Você tem ${DELETION_GRACE_DAYS} dias para mudar de ideia. Pedindo hoje, a conta é excluída em ${dueDay}; até lá nada se perde.`}
      />
      <div className="flex flex-col gap-4">
        <DeletionPreviewCard figures={figures} dueDay={dueDay} waits={waits} />
        <Card className="p-5 sm:p-6">
          <Phrase problem={actionData} />
        </Card>
      </div>
    </>
  );
}

function Phrase({ problem }: { problem: FormProblem | undefined }) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(problem);
  return (
    <Form method="post" noValidate className="flex flex-col gap-5">
      <FormMessage message={problem?.message} />
      <TextField
        label={`Para confirmar, digite: ${DELETION_PHRASE}`}
        name="phrase"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={60}
        defaultValue={problem?.values.phrase}
        error={problem?.errors.phrase}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" disabled={isBusy}>
          Excluir minha conta
        </Button>
        <ButtonLink to="/auth/account" variant="outline">
          Voltar
        </ButtonLink>
      </div>
    </Form>
  );
}

type AskedProps = {
  dueDay: string;
  requestedDay: string;
  mayStay: boolean;
  reasons: string[];
  isCreator: boolean;
};

function Asked({ dueDay, requestedDay, mayStay, reasons, isCreator }: AskedProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title={mayStay ? `Sua conta será excluída em ${dueDay}` : "Sua conta está sendo excluída"}
        lead={
          mayStay
            ? `Você pediu em ${requestedDay}. Até lá dá para mudar de ideia, e tudo volta a ser como antes.`
            : `O prazo para mudar de ideia terminou em ${dueDay}.`
        }
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        {mayStay ? (
          <>
            <p>
              {isCreator
                ? "Nada renova, nada novo é vendido e a sua página só aparece para quem já assina. Assinaturas, saldo e publicações continuam aqui."
                : "Nenhuma assinatura renova e nada novo é cobrado. O que você assina continua aberto até o fim do período pago."}
            </p>
            <Form method="post" action="/auth/account/deletion/cancellation">
              <Button disabled={isBusy}>Manter minha conta</Button>
            </Form>
          </>
        ) : (
          <>
            <p>
              {reasons.length > 0
                ? "Antes do fim, falta:"
                : "Não falta mais nada: em alguns minutos ela deixa de existir."}
            </p>
            <ConsequenceList consequences={reasons} />
          </>
        )}
      </Card>
    </>
  );
}
