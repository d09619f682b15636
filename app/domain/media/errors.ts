import { Refusal } from "#app/domain/errors.ts";

export class NotAnImage extends Refusal {
  constructor(field: string) {
    super("invalid", "Envie uma imagem JPG, PNG, GIF ou WEBP. Outros tipos de arquivo não são aceitos.", field);
  }
}

export class ImageTooHeavy extends Refusal {
  constructor(field: string) {
    super("invalid", "A imagem precisa ter até 10 MB. Reduza o tamanho e envie de novo.", field);
  }
}

export class ImageTooLarge extends Refusal {
  constructor(field: string) {
    super("invalid", "A imagem precisa ter até 12.000 pixels de lado e 50 megapixels no total.", field);
  }
}
