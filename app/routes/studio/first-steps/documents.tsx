import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import { loadDocumentStatus } from "#app/domain/documents/queries.server.ts";
import { APPROVAL_DAYS } from "#app/domain/documents/rules.ts";
import { documentsProgress } from "#app/domain/documents/rules/progress.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/documents.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Os documentos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { steps, preview, profile } = await loadStep({ context });
  const { documents, files } = await loadDocumentStatus(ctx, { personId: profile.id });
  const missing = missingFiles(
    files.map(({ kind }) => kind),
    documents !== null && documents.cnpj !== null,
  );
  return {
    steps,
    preview,
    progress: documentsProgress(documents, {
      hasAllFiles: missing.length === 0,
      now: ctx.now(),
    }),
  };
}

/** The photos of the documents, which can wait until the first money. */
export default function DocumentsStep({ loaderData }: Route.ComponentProps) {
  const { progress, ...frame } = loaderData;
  const lacksFiles = progress.kind === "files_missing";
  const isAsked = lacksFiles || progress.kind === "missing" || progress.kind === "rejected";
  return (
    <StepFrame step="documents" {...frame}>
      <ProgressText progress={progress} />
      {lacksFiles || progress.kind === "missing" ? (
        <ul className="flex list-disc flex-col gap-1 pl-5 text-muted">
          <li>Frente e verso do RG, da CNH ou de outro documento com foto</li>
          <li>Uma foto do seu rosto</li>
        </ul>
      ) : null}
      <ButtonLink
        to={lacksFiles ? "/settings/check-documents/files" : "/settings/check-documents"}
        size="lg"
        variant={isAsked ? "primary" : "outline"}
        className="self-start"
      >
        {progress.kind === "rejected"
          ? "Mandar de novo"
          : isAsked
            ? "Mandar agora"
            : "Ver os documentos"}
      </ButtonLink>
    </StepFrame>
  );
}

type Progress = Route.ComponentProps["loaderData"]["progress"];

function ProgressText({ progress }: { progress: Progress }) {
  switch (progress.kind) {
    case "missing":
      return (
        <p>
          Podem ficar para depois: o plano vende sem eles por {APPROVAL_DAYS} dias, e o primeiro
          saque sai quando estiverem conferidos.
        </p>
      );
    case "files_missing":
      return progress.isOver ? (
        <FormMessage
          message={`O prazo acabou em ${formatDay(progress.sellsUntil)}, e a venda parou. Mande as fotos: ela volta quando os documentos forem aprovados.`}
        />
      ) : (
        <p>
          Podem ficar para depois: o plano vende sem eles até {formatDay(progress.sellsUntil)}, e o
          primeiro saque sai quando estiverem conferidos.
        </p>
      );
    case "in_review":
      return (
        <p>
          Recebemos os seus documentos e estamos conferindo.{" "}
          {progress.isOver
            ? "O prazo acabou, e a venda fica parada até a resposta."
            : `O plano vende enquanto isso, até ${formatDay(progress.sellsUntil)}.`}
        </p>
      );
    case "rejected":
      return (
        <FormMessage
          message={`Não deu para aprovar os documentos, e a venda parou. ${progress.reason ?? ""}`.trim()}
        />
      );
    case "contested":
      return (
        <p>
          Outra conta diz que o número do seu documento é dela. A venda fica parada até a moderação
          conferir os documentos dos dois lados.
        </p>
      );
    case "approved":
      return <p>Os seus documentos foram aprovados.</p>;
  }
}
