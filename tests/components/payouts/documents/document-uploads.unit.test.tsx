import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import {
  DocumentUpload,
  UnreadUpload,
} from "#app/components/payouts/documents/document-uploads.tsx";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

/** HTML of an upload's file input, as the browser gets it. */
function inputOf(kind: FileKind): string {
  const Stub = createRoutesStub([
    {
      id: "root",
      path: "/",
      Component: () => <DocumentUpload kind={kind} sentAt={null} problem={undefined} />,
    },
  ]);
  return (
    /<input[^>]*type="file"[^>]*>/.exec(
      renderToStaticMarkup(<Stub initialEntries={["/"]} />),
    )?.[0] ?? ""
  );
}

test.each([
  ["id_front", 'capture="environment"'],
  ["id_back", 'capture="environment"'],
  ["passport", 'capture="environment"'],
  ["selfie", 'capture="user"'],
] as const)("on a phone, the upload of %s opens the camera with %s", (kind, capture) => {
  expect(inputOf(kind)).toContain(capture);
  expect(inputOf(kind)).toContain('accept="image/jpeg,image/png,image/webp"');
});

test.each(["id_pdf", "company_card"] as const)(
  "the upload of %s takes a file and opens no camera",
  (kind) => {
    expect(inputOf(kind)).toContain("application/pdf");
    expect(inputOf(kind)).not.toContain("capture");
  },
);

test("an oversized upload or one of an unknown kind is refused above the uploads; other errors stay beside their own", () => {
  const said = (problem: FormProblem | undefined) =>
    renderToStaticMarkup(<UnreadUpload problem={problem} />);
  expect(
    said({ errors: {}, message: "O envio é grande demais. O limite é 12 MB.", values: {} }),
  ).toContain("grande demais");
  expect(
    said({
      errors: { kind: "Escolha o que o arquivo mostra." },
      message: null,
      values: { kind: "__proto__" },
    }),
  ).toContain("Escolha o que o arquivo mostra.");
  expect(said({ errors: {}, message: "Nada mudou.", values: { kind: "selfie" } })).toBe("");
  expect(said(undefined)).toBe("");
});
