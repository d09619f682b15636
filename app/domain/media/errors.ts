import { Refusal } from "#app/domain/errors.ts";
import { formatSize } from "./rules.ts";
import type { FileProblem } from "#app/domain/media/rules/inspection.ts";
import { LARGEST_BYTES, MEDIA_PER_POST_MAX } from "#app/domain/media/rules/limits.ts";
import { OPEN_UPLOADS_MAX, QUOTA_BYTES } from "./schema.ts";
import type { MediaKind } from "./schema.ts";

export class NotAnImage extends Refusal {
  constructor(field: string) {
    super(
      "invalid",
      "Envie uma imagem JPG, PNG, GIF, WEBP ou AVIF. Outros tipos de arquivo não são aceitos.",
      field,
    );
  }
}

export class ImageTooHeavy extends Refusal {
  constructor(field: string) {
    super("invalid", "A imagem precisa ter até 10 MB. Reduza o tamanho e envie de novo.", field);
  }
}

export class ImageTooLarge extends Refusal {
  constructor(field: string) {
    super(
      "invalid",
      "A imagem precisa ter até 12.000 pixels de lado e 50 megapixels no total.",
      field,
    );
  }
}

/** The message for a refused file, by reason. */
export const FILE_PROBLEM_MESSAGES: Record<FileProblem, string> = {
  unknown_type:
    "Este tipo de arquivo não é aceito. Envie imagem (JPG, PNG, GIF, WEBP ou AVIF), vídeo (MP4 ou WEBM), áudio (MP3, M4A ou OGG) ou PDF.",
  quicktime: "Vídeos MOV não são aceitos. Exporte o vídeo em MP4 e envie de novo.",
  heic: "Fotos HEIC não são aceitas. Exporte a foto em JPG e envie de novo.",
  wav: "Áudios WAV não são aceitos, porque pesam dez vezes mais. Exporte em MP3 ou M4A e envie de novo: no Audacity, em Arquivo, Exportar áudio; no GarageBand, em Compartilhar.",
  polyglot:
    "Este arquivo mistura dois formatos em um só e não é aceito. Exporte uma cópia limpa e envie de novo.",
  cut: "O arquivo está incompleto: falta o fim dele. Exporte ou baixe de novo e envie outra vez.",
  broken: "Não conseguimos ler este arquivo. Exporte uma cópia e envie de novo.",
  too_large: "A imagem precisa ter até 12.000 pixels de lado e 50 megapixels no total.",
  tracked:
    "Este vídeo guarda o trajeto de onde foi gravado, e não dá para apagar isso sem recodificar. Exporte uma cópia sem localização e envie de novo.",
};

export class FileRefused extends Refusal {
  constructor(why: FileProblem) {
    super("invalid", FILE_PROBLEM_MESSAGES[why], "file");
  }
}

export class FileTypeMismatch extends Refusal {
  constructor() {
    super(
      "invalid",
      "O conteúdo do arquivo não é do tipo que o nome diz. Confira se é o arquivo certo e envie de novo.",
      "file",
    );
  }
}

const KIND_TEXTS: Record<MediaKind, string> = {
  image: "A imagem",
  video: "O vídeo",
  audio: "O áudio",
  document: "O PDF",
};

/** Formats a limit in units of 1,024, as most operating systems do. */
const limitText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${bytes / 1024 ** 2} MB`;

export class FileTooHeavy extends Refusal {
  constructor(kind: MediaKind) {
    super(
      "invalid",
      `${KIND_TEXTS[kind]} precisa ter até ${limitText(LARGEST_BYTES[kind])}. Reduza o tamanho e envie de novo.`,
      "file",
    );
  }
}

export class FormFileTooHeavy extends Refusal {
  constructor() {
    super("invalid", "O arquivo precisa ter até 10 MB. Reduza o tamanho e envie de novo.", "file");
  }
}

export class QuotaReached extends Refusal {
  constructor() {
    super(
      "limit",
      `Você chegou ao limite de ${limitText(QUOTA_BYTES)} de arquivos. Apague publicações com arquivos grandes e tente de novo.`,
      "file",
    );
  }
}

export class TooManyOpenUploads extends Refusal {
  constructor() {
    super(
      "limit",
      `Você tem ${OPEN_UPLOADS_MAX} envios abertos. Termine ou cancele um deles e tente de novo.`,
      "file",
    );
  }
}

export class UploadNotFound extends Refusal {
  constructor() {
    super("not_found", "Este envio não existe mais. Escolha o arquivo de novo.", "file");
  }
}

export class InvalidPart extends Refusal {
  constructor(expectedBytes: number) {
    super(
      "invalid",
      `Esta parte do arquivo deveria ter ${formatSize(expectedBytes)}. O arquivo mudou durante o envio? Escolha-o de novo.`,
      "file",
    );
  }
}

export class PartNotFound extends Refusal {
  constructor() {
    super("invalid", "O arquivo não tem uma parte com este número.", "file");
  }
}

export class PartsMissing extends Refusal {
  constructor() {
    super("conflict", "Ainda faltam partes do arquivo. Continue o envio.", "file");
  }
}

export class MediaNotOwned extends Refusal {
  constructor() {
    super(
      "conflict",
      "Um dos arquivos não está mais disponível. Retire-o da publicação e envie de novo.",
      "mediaIds",
    );
  }
}

export class TooManyMedia extends Refusal {
  constructor() {
    super("invalid", `Use até ${MEDIA_PER_POST_MAX} arquivos por publicação.`, "mediaIds");
  }
}

export class MediaDeleted extends Refusal {
  constructor() {
    super("not_found", "Este arquivo não existe mais.");
  }
}

export class CaptionsInvalid extends Refusal {
  constructor(message: string) {
    super("invalid", message, "captions");
  }
}
