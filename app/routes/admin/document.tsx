import { Form, Link, useNavigation } from "react-router";
import { FILE_WORDS, isoToDay, missingSentence } from "#app/components/payouts/document-words.ts";
import { Facts } from "#app/components/payments/facts.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { approveDocuments } from "#app/domain/documents/commands.server.ts";
import { documentsForModerator } from "#app/domain/documents/queries.server.ts";
import { documentFileLink } from "#app/domain/documents/queries/files.server.ts";
import { approvalDeadline, isOfAge } from "#app/domain/documents/rules.ts";
import { missingFiles } from "#app/domain/documents/rules/files.ts";
import { approvalSchema } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema.ts";
import { formatCnpj, formatCpf } from "#app/domain/identity/rules/tax-ids.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/document.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conferir documentos · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const moderatorId = context.get(memberContext).id;
  const { documents, files, views, others } = found(await documentsForModerator(ctx, params), "Esta pessoa não mandou documentos.");
  ctx.log("documents.viewed", { personId: params.personId, moderatorId });
  const isOwn = moderatorId === params.personId;
  return {
    ...documents,
    cpf: formatCpf(documents.cpf),
    cnpj: documents.cnpj && formatCnpj(documents.cnpj),
    isOfAge: isOfAge(documents.birthDate, ctx.now()),
    answerBy: approvalDeadline(documents.submittedAt),
    missing: missingFiles(documents.kinds, documents.cnpj !== null),
    files: isOwn ? [] : await Promise.all(files.map(async ({ id, kind, createdAt }) => ({ kind, createdAt, url: await documentFileLink(ctx, { moderatorId, personId: params.personId, fileId: id }) }))),
    views,
    others,
    isOwn,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitted(request, approvalSchema, async ({ expiresOn, seenAt }) => {
    await approveDocuments(context.get(domainContext), { moderatorId: context.get(memberContext).id, personId: params.personId, expiresOn, seenAt });
    return await redirectWithToast(request, "/admin/documents", { kind: "success", message: "Documentos aprovados." });
  });
}

const STATUS_WORDS = {
  submitted: { label: "Esperando decisão", tone: "attention" },
  approved: { label: "Aprovados", tone: "good" },
  rejected: { label: "Recusados", tone: "refusal" },
} as const;

export default function Document({ loaderData: documents, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const words = STATUS_WORDS[documents.status];
  return (
    <>
      <PageHeader title={documents.sellerName}>
        <Badge tone={words.tone}>{words.label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <Facts facts={factsOf(documents)} />
        </Card>
        <Files {...documents} />
        {documents.status === "submitted" ? <Decision documents={documents} problem={actionData} /> : null}
        <Views views={documents.views} />
        <ButtonLink to={`/admin/payouts/people/${documents.personId}`} variant="outline" className="self-start">
          Ver o dinheiro desta pessoa
        </ButtonLink>
        <ButtonLink to="/admin/documents" variant="ghost" className="-ml-5 self-start">
          Voltar para a fila
        </ButtonLink>
      </div>
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function factsOf(documents: Loaded) {
  return [
    ...(documents.cnpj ? [{ label: "CNPJ", value: documents.cnpj }, { label: "Quem responde pela empresa", value: documents.fullName }] : []),
    { label: "CPF", value: documents.cpf },
    { label: "Nascimento", value: `${isoToDay(documents.birthDate)}${documents.isOfAge ? "" : " (menor de 18)"}` },
    { label: "Perfil", value: `${documents.name} · @${documents.username}` },
    { label: "E-mail", value: documents.email },
    { label: "Enviados em", value: formatMinute(documents.submittedAt) },
    ...(documents.status === "submitted" ? [{ label: "Responder até", value: formatDay(documents.answerBy) }] : []),
    ...(documents.expiresOn ? [{ label: "Documento válido até", value: isoToDay(documents.expiresOn) }] : []),
    ...(documents.rejectionReason ? [{ label: "Motivo da recusa", value: documents.rejectionReason }] : []),
  ];
}

function Files({ files, missing, others }: Loaded) {
  return (
    <Card as="section" label="Arquivos" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">Arquivos</h2>
      {missing.length > 0 ? <p className="font-semibold text-attention">{missingSentence(missing)}</p> : null}
      {files.length > 0 ? (
        <>
          <p className="text-small text-muted">Cada endereço abre por 5 minutos, só para você, e fica anotado.</p>
          <ul className="divide-y divide-line">
            {files.map(({ kind, createdAt, url }) => (
              <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
                <a href={url} target="_blank" rel="noreferrer" className="inline-flex min-h-11 items-center text-leaf underline underline-offset-4">
                  Ver {FILE_WORDS[kind]}
                </a>
                <span className="text-small text-muted">{formatMinute(createdAt)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {others.length > 0 ? (
        <p className="text-small">
          Outras contas com o mesmo CPF:{" "}
          {others.map(({ personId, sellerName, status, isBanned }, index) => (
            <span key={personId}>
              {index > 0 ? ", " : ""}
              <Link to={`/admin/documents/${personId}`} className="text-leaf underline underline-offset-4">
                {sellerName}
              </Link>{" "}
              ({isBanned ? "conta banida" : STATUS_WORDS[status].label.toLowerCase()})
            </span>
          ))}
        </p>
      ) : null}
    </Card>
  );
}

function Decision({ documents: { personId, missing, filesAt, isOwn }, problem }: { documents: Loaded; problem: Route.ComponentProps["actionData"] }) {
  const isBusy = useNavigation().state !== "idle";
  if (isOwn) return <p className="text-muted">Estes são os seus documentos: outra pessoa da moderação decide.</p>;
  return (
    <Card as="section" label="Decisão" className="flex flex-col gap-5 p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-5" noValidate>
        <FormMessage message={problem?.message} />
        <input type="hidden" name="seenAt" value={filesAt ?? 0} />
        {missing.length > 0 ? (
          <p className="text-muted">Dá para aprovar quando tudo tiver chegado.</p>
        ) : (
          <TextField
            label="Validade do documento"
            name="expiresOn"
            inputMode="numeric"
            placeholder="31/12/2030"
            maxLength={10}
            required={false}
            defaultValue={problem?.values.expiresOn}
            error={problem?.errors.expiresOn}
            hint="CNH e passaporte têm; muitos RG, não."
          />
        )}
        <div className="flex flex-wrap gap-2">
          {missing.length > 0 ? null : <Button disabled={isBusy}>Aprovar</Button>}
          <ButtonLink to={`/admin/documents/${personId}/rejection`} variant="outline">
            Recusar
          </ButtonLink>
        </div>
      </Form>
    </Card>
  );
}

function Views({ views }: Pick<Loaded, "views">) {
  if (views.length === 0) return null;
  return (
    <Card as="section" label="Quem viu" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">Quem viu</h2>
      <ul className="flex flex-col gap-1 text-small">
        {views.map(({ kind, viewerName, viewedAt }) => (
          <li key={`${kind} ${viewerName} ${viewedAt}`}>
            {viewerName}, {FILE_WORDS[kind as FileKind]}, {formatMinute(viewedAt)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
