/** What a document file shows. `passport`: the page with the photo. `id_pdf`: the digital RG or CNH. */
export const fileKinds = [
  "id_front",
  "id_back",
  "passport",
  "id_pdf",
  "selfie",
  "company_card",
] as const;
export type FileKind = (typeof fileKinds)[number];

/** What a file shows, in Portuguese. */
export const DOCUMENT_FILE_LABELS: Record<FileKind, string> = {
  id_front: "Frente do RG ou da CNH",
  id_back: "Verso do RG ou da CNH",
  passport: "Passaporte, a página da foto",
  id_pdf: "RG ou CNH digital, em PDF",
  selfie: "Selfie",
  company_card: "Cartão CNPJ",
};
