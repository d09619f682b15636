import { Form, useNavigation } from "react-router";
import { DOCUMENT_FILE_LABELS, fileKinds } from "#app/domain/documents/schema/file-kinds.ts";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FileField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { ACCEPTED_PDF, ACCEPTED_PHOTOS } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const INPUTS: Record<FileKind, { accept: string; capture?: "environment" | "user"; hint: string }> =
  {
    id_front: {
      accept: ACCEPTED_PHOTOS,
      capture: "environment",
      hint: "O lado da foto, inteiro e sem reflexo.",
    },
    id_back: {
      accept: ACCEPTED_PHOTOS,
      capture: "environment",
      hint: "O lado dos números, inteiro e sem reflexo.",
    },
    passport: {
      accept: ACCEPTED_PHOTOS,
      capture: "environment",
      hint: "Aberto na página da foto.",
    },
    id_pdf: {
      accept: ACCEPTED_PDF,
      hint: "O arquivo que o aplicativo Gov.br ou Carteira Digital de Trânsito exporta.",
    },
    selfie: {
      accept: ACCEPTED_PHOTOS,
      capture: "user",
      hint: "De frente, sem óculos escuros nem boné, num lugar claro.",
    },
    company_card: {
      accept: `${ACCEPTED_PDF},${ACCEPTED_PHOTOS}`,
      hint: "Comprovante de inscrição do site da Receita Federal, em PDF ou foto.",
    },
  };

type UploadProps = { kind: FileKind; sentAt: string | null; problem: FormProblem | undefined };

/** Input of one file; on a phone it opens the camera. Sending again replaces the earlier file. */
export function DocumentUpload({ kind, sentAt, problem }: UploadProps) {
  const { state, formData } = useNavigation();
  const { accept, capture, hint } = INPUTS[kind];
  const error =
    problem?.values.kind === kind
      ? (problem.errors.file ?? problem.message ?? undefined)
      : undefined;
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className="flex flex-col gap-3 py-5 first:pt-0 last:pb-0"
      noValidate
    >
      <ActingField />
      <input type="hidden" name="kind" value={kind} />
      <FileField
        label={DOCUMENT_FILE_LABELS[kind]}
        name="file"
        accept={accept}
        capture={capture}
        required
        error={error}
        hint={hint}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant={sentAt ? "outline" : "primary"}
          disabled={state !== "idle"}
          aria-label={`${sentAt ? "Trocar" : "Enviar"}: ${DOCUMENT_FILE_LABELS[kind]}`}
        >
          {state !== "idle" && formData?.get("kind") === kind
            ? "Enviando…"
            : sentAt
              ? "Trocar"
              : "Enviar"}
        </Button>
        {sentAt ? <Badge tone="good">Enviado em {sentAt}</Badge> : null}
      </div>
    </Form>
  );
}

/** Error of an upload whose kind is unknown: the server does not read a far too large file. */
export function UnreadUpload({ problem }: Pick<UploadProps, "problem">) {
  const isOfOneFile = fileKinds.some((kind) => kind === problem?.values.kind);
  return isOfOneFile ? null : <FormMessage message={problem?.message ?? problem?.errors.kind} />;
}
