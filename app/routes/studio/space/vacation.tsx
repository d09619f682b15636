import { counted, nounFor } from "#app/domain/text.ts";
import { Form, useNavigation } from "react-router";
import { VacationNotice } from "#app/components/plans/vacation-notice.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import {
  vacationUntil,
  daysUntilNextVacation,
  vacationEndFrom,
} from "#app/domain/plans/rules/vacations.ts";
import { VACATION_DAYS_MIN, VACATION_DAYS_MAX } from "#app/domain/plans/rules/limits.ts";
import { vacationDaysSchema, vacationSchema } from "#app/domain/plans/schema/vacations.ts";
import { loadVacationStatus } from "#app/domain/subscriptions/vacations/queries.server.ts";
import { daysLabel } from "#app/domain/subscriptions/vacations/rules.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { formatDay } from "#app/domain/time.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/vacation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Férias · Coreto" }];

const CHOICES = [7, 14, 21, 30, 45, 60];

/** Shows the form only. The creator chooses the days, reads the effect, and then confirms. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const creatorId = requireWriter({ context }, "plans:edit").space.personId;
  const { last, isOver, moved, renewing } = await loadVacationStatus(ctx, { creatorId });
  const now = ctx.now();
  const asked = new URL(request.url).searchParams.get("days");
  const days = asked === null ? null : vacationDaysSchema.safeParse(asked);
  return {
    until: vacationUntil(isOver ? null : last, now),
    isEnding: !isOver && vacationUntil(last, now) === null,
    waitDays: last && isOver ? daysUntilNextVacation(last, now) : 0,
    moved,
    renewing,
    problem: days && !days.success ? (days.error.issues[0]?.message ?? null) : null,
    chosen: days?.success ? { days: days.data, endsAt: vacationEndFrom(now, days.data) } : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    vacationSchema,
    async ({ days }, actor) => {
      const { endsAt } = await startVacation(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        days,
      });
      return await redirectWithToast(request, "/me/vacation", {
        kind: "success",
        message: `Boas férias! Até ${formatDay(endsAt)} nenhuma assinatura começa nem é cobrada.`,
      });
    },
  );
}

export default function VacationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { until, isEnding, waitDays, chosen } = loaderData;
  return (
    <>
      <PageHeader
        title="Férias"
        lead="Descanse sem dever nada a ninguém: enquanto você está fora, ninguém é cobrado, e quem assina ganha os mesmos dias a mais."
      />
      {until !== null ? (
        <Away until={until} moved={loaderData.moved} />
      ) : isEnding ? (
        <Note text="Você voltou das férias, e estamos acertando as datas de quem assina. Leva alguns minutos." />
      ) : waitDays > 0 ? (
        <Note
          text={`Entre umas férias e outras, quem assina precisa de um tempo com você: dá para sair de novo em ${daysLabel(waitDays)}.`}
        />
      ) : chosen ? (
        <Confirmation {...loaderData} chosen={chosen} message={actionData?.message ?? null} />
      ) : (
        <Choice problem={loaderData.problem ?? actionData?.errors.days ?? null} />
      )}
    </>
  );
}

const Note = ({ text }: { text: string }) => (
  <Card className="p-5 sm:p-6">
    <p role="status">{text}</p>
  </Card>
);

function Away({ until, moved }: { until: number; moved: number }) {
  return (
    <Card className="flex flex-col items-start gap-4 p-5 sm:p-6">
      <VacationNotice until={until} name="você" isHere />
      <p>
        Você pode publicar e responder quando quiser; só as assinaturas descansam.{" "}
        {moved === 0
          ? ""
          : `${peopleText(moved)} ${nounFor(moved, "continua", "continuam")} vendo tudo.`}{" "}
        No dia da volta tudo recomeça sozinho.
      </p>
      <ButtonLink to="/me/vacation/return" variant="outline">
        Voltar agora
      </ButtonLink>
    </Card>
  );
}

const peopleText = (count: number): string =>
  counted(count, "pessoa que assina", "pessoas que assinam");

function Choice({ problem }: { problem: string | null }) {
  return (
    <Card className="p-5 sm:p-6">
      {/* The form only previews the effect. The address has the number of days. */}
      <Form method="get" className="flex flex-col items-start gap-5">
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-semibold">Quanto tempo, a partir de agora?</legend>
          {CHOICES.map((days) => (
            <label key={days} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="days"
                value={days}
                defaultChecked={days === 14}
                className="size-5 accent-leaf"
              />
              {daysLabel(days)}
            </label>
          ))}
        </fieldset>
        <p className="text-small text-muted">
          De {VACATION_DAYS_MIN} a {VACATION_DAYS_MAX} dias. Antes de começar você vê as datas; e
          pode voltar antes, quando quiser.
        </p>
        <FormMessage message={problem} />
        <Button>Ver como fica</Button>
      </Form>
    </Card>
  );
}

type Chosen = {
  chosen: { days: number; endsAt: number };
  moved: number;
  renewing: number;
  message: string | null;
};

function Confirmation({ chosen: { days, endsAt }, moved, renewing, message }: Chosen) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card className="flex flex-col gap-5 p-5 sm:p-6">
      <h2 className="text-heading">
        {daysLabel(days)}: de hoje a {formatDay(endsAt)}
      </h2>
      <ul className="flex list-disc flex-col gap-2 pl-5">
        <li>
          {moved === 0
            ? "Ninguém assina a sua página agora: nenhuma data muda."
            : `${peopleText(moved)} ${nounFor(moved, "ganha", "ganham")} ${daysLabel(days)} a mais, e ${nounFor(moved, "é avisada", "são avisadas")} com as datas novas.`}
        </li>
        {renewing > 0 ? (
          <li>
            Nenhuma renovação é cobrada até {formatDay(endsAt)}. Um Pix ou débito já pedido para o
            próximo período é retirado.
          </li>
        ) : null}
        <li>
          Assinaturas, presentes e mudanças de plano não são vendidos até lá: a sua página diz “De
          férias”. Apoios, publicações e coleções avulsas e arquivos de mensagens continuam à venda.
        </li>
        <li>
          O que você já recebeu continua seu; o que falta liberar de períodos futuros anda com as
          datas deles.
        </li>
      </ul>
      <Form method="post" className="flex flex-col gap-4">
        <ActingField />
        <input type="hidden" name="days" value={days} />
        <FormMessage message={message} />
        <div className="flex flex-wrap gap-2">
          <Button disabled={isBusy}>Começar as férias</Button>
          <ButtonLink to="/me/vacation" variant="outline">
            Escolher outro tempo
          </ButtonLink>
        </div>
      </Form>
    </Card>
  );
}
