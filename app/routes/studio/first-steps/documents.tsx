import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { APPROVAL_DAYS } from "#app/domain/documents/rules.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/documents.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Os documentos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { steps, preview } = await loadStep({ context });
  const isDone = (wanted: string) => steps.some(({ key, isDone: done }) => key === wanted && done);
  return { steps, preview, isSent: isDone("documents"), hasDetails: isDone("payout_method") };
}

/** The photos of the documents, which can wait until the first money. */
export default function DocumentsStep({ loaderData }: Route.ComponentProps) {
  const { isSent, hasDetails, ...frame } = loaderData;
  return (
    <StepFrame step="documents" {...frame}>
      {isSent ? (
        <p>Recebemos os seus documentos.</p>
      ) : (
        <>
          <p>
            Pode ficar para depois: o plano vende sem eles por {APPROVAL_DAYS} dias, e o primeiro
            saque sai quando estiverem conferidos.
          </p>
          <ul className="flex list-disc flex-col gap-1 pl-5 text-muted">
            <li>Frente e verso do RG, da CNH ou de outro documento com foto</li>
            <li>Uma foto do seu rosto</li>
          </ul>
        </>
      )}
      <ButtonLink
        to={hasDetails && !isSent ? "/settings/check-documents/files" : "/settings/check-documents"}
        size="lg"
        variant={isSent ? "outline" : "primary"}
        className="self-start"
      >
        {isSent ? "Ver os documentos" : "Mandar agora"}
      </ButtonLink>
    </StepFrame>
  );
}
