import type { DocumentFileProblem } from "./rules.ts";
import { Refusal } from "#app/domain/errors.ts";

const FILE_PROBLEMS: Record<DocumentFileProblem, string> = {
  too_heavy: "O arquivo passa de 10 MB. Tire outra foto ou escolha um menor.",
  unknown_type: "Use uma foto em JPG, PNG ou WEBP, ou um PDF onde ele é pedido.",
  broken: "Este arquivo não abre. Tire outra foto ou baixe o documento de novo.",
  not_here: "Aqui vai outro tipo de arquivo: foto onde se pede foto, PDF onde se pede PDF.",
};

export class DocumentFileRefused extends Refusal {
  constructor(why: DocumentFileProblem) {
    super("invalid", FILE_PROBLEMS[why], "file");
  }
}

export class TooManyDocumentFiles extends Refusal {
  constructor() {
    super(
      "limit",
      "Foram muitos envios na última hora. Espere até uma hora e mande de novo.",
      "file",
    );
  }
}
