import { Form, redirect, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { reportSubject } from "#app/domain/moderation/reports/commands/report.server.ts";
import { openReportId } from "#app/domain/moderation/reports/queries.server.ts";
import { subjectForReporter } from "#app/domain/moderation/reports/queries/subjects.server.ts";
import { REPORT_REASONS } from "#app/domain/moderation/reports/rules.ts";
import {
  reportedSubjectText,
  subjectPath,
  SUBJECTS,
} from "#app/domain/moderation/reports/rules/subjects.ts";
import {
  REPORT_DETAILS_MAX,
  reportReasons,
  reportSchema,
  reportSubjectSchema,
} from "#app/domain/moderation/reports/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/report.ts";

const GONE = "Não encontramos o que você quer denunciar. Pode já ter saído do ar.";

export const meta: Route.MetaFunction = () => [{ title: "Denunciar · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const subject = foundOr404(reportSubjectSchema.safeParse(params).data, GONE);
  const { id: viewerId } = context.get(memberContext);
  const [found, earlier] = await Promise.all([
    subjectForReporter(ctx, { subject, viewerId }),
    openReportId(ctx, { reporterId: viewerId, subject }),
  ]);
  if (earlier !== null) throw redirect(`/report/received/${earlier}?again=1`);
  const { authorId, evidence } = foundOr404(found, GONE);
  return {
    title: `Denunciar ${SUBJECTS[subject.kind].reported}`,
    subject: reportedSubjectText(evidence),
    backTo: subjectPath(subject, evidence),
    isOwn: authorId === viewerId,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const subject = foundOr404(reportSubjectSchema.safeParse(params).data, GONE);
  return await handleForm(request, reportSchema, async (report) => {
    const { reportId, isNew } = await reportSubject(context.get(domainContext), {
      reporterId: context.get(memberContext).id,
      subject,
      ...report,
    });
    return redirect(`/report/received/${reportId}${isNew ? "" : "?again=1"}`);
  });
}

export default function Report({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  const { title, subject, backTo, isOwn } = loaderData;
  if (isOwn)
    return (
      <>
        <PageHeader
          title={title}
          lead="Isto é seu: só dá para denunciar o que é de outra pessoa."
        />
        <ButtonLink to={backTo} variant="outline" className="self-start">
          Voltar
        </ButtonLink>
      </>
    );
  return (
    <>
      <PageHeader title={title} lead={`Você denuncia ${subject}.`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <FormMessage message={actionData?.message} />
          <Choices
            legend="Motivo"
            name="reason"
            defaultValue={actionData?.values.reason}
            error={actionData?.errors.reason}
            options={reportReasons.map((value) => ({ value, ...REPORT_REASONS[value] }))}
          />
          <TextArea
            label="O que aconteceu"
            name="details"
            required={false}
            limit={REPORT_DETAILS_MAX}
            defaultValue={actionData?.values.details}
            error={actionData?.errors.details}
            hint="Só a moderação lê. Quem foi denunciado não fica sabendo quem denunciou."
          />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Denunciar</Button>
            <ButtonLink to={backTo} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
