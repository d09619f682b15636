import type { PixKeyKind } from "#app/domain/payments/schema.ts";

export const KEY_KIND_LABELS: Record<PixKeyKind, string> = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "E-mail",
  phone: "Celular",
  evp: "Chave aleatória",
};

/** Format and keyboard of each key type. */
export const KEY_INPUTS: Record<
  PixKeyKind,
  { placeholder: string; inputMode: "numeric" | "email" | "tel" | "text"; hint: string }
> = {
  cpf: {
    placeholder: "000.000.000-00",
    inputMode: "numeric",
    hint: "O CPF dos seus documentos. De empresa, só vale o CNPJ dela.",
  },
  cnpj: {
    placeholder: "00.000.000/0000-00",
    inputMode: "text",
    hint: "O CNPJ da empresa dos documentos. Pode ter letras.",
  },
  email: {
    placeholder: "voce@exemplo.com.br",
    inputMode: "email",
    hint: "O e-mail cadastrado como chave na sua conta.",
  },
  phone: { placeholder: "(11) 90000-0000", inputMode: "tel", hint: "Com DDD." },
  evp: {
    placeholder: "00000000-0000-0000-0000-000000000000",
    inputMode: "text",
    hint: "A que o seu banco criou. Copie e cole.",
  },
};

/** Inserts separators into the typed part of a text: "12345" by 3 and 3 is "123.45". */
function cut(letters: string, pieces: readonly [length: number, before: string][]): string {
  let from = 0;
  return pieces
    .map(([length, before]) => {
      const piece = letters.slice(from, from + length);
      from += length;
      return piece === "" ? "" : `${before}${piece}`;
    })
    .join("");
}

/**
 * Adds the separators of its type to a typed key. E-mails, and text that may be of another type,
 * stay unchanged. Applying it twice changes nothing.
 */
export function maskTypedKey(kind: PixKeyKind, typed: string): string {
  const digits = typed.replace(/\D/g, "");
  switch (kind) {
    case "email":
      return typed;
    case "cpf":
      return /[^\d.\s-]/.test(typed) || digits.length > 11
        ? typed
        : cut(digits, [
            [3, ""],
            [3, "."],
            [3, "."],
            [2, "-"],
          ]);
    case "phone": {
      const local = digits.length > 11 ? digits.replace(/^55/, "") : digits;
      return /[^\d()+\s-]/.test(typed) || typed.startsWith("+") || local.length > 11
        ? typed
        : cut(local, [
            [2, "("],
            [5, ") "],
            [4, "-"],
          ]);
    }
    case "cnpj": {
      const letters = typed.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
      return /[^0-9A-Za-z./\s-]/.test(typed) || letters.length > 14
        ? typed
        : cut(letters, [
            [2, ""],
            [3, "."],
            [3, "."],
            [4, "/"],
            [2, "-"],
          ]);
    }
    case "evp": {
      const letters = typed.replace(/[^0-9A-Fa-f]/g, "").toLowerCase();
      return /[^0-9A-Fa-f\s-]/.test(typed) || letters.length > 32
        ? typed
        : cut(letters, [
            [8, ""],
            [4, "-"],
            [4, "-"],
            [4, "-"],
            [12, "-"],
          ]);
    }
  }
}
