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
