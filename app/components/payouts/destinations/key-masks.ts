import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import { CNPJ_PIECES, CPF_PIECES, PHONE_PIECES, withSigns } from "#app/lib/field-masks.ts";

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

/**
 * What was typed of a key, with the signs of its kind; an e-mail, and what may be of another kind,
 * stay as they are. What it gives it leaves as it is.
 */
export function maskTypedKey(kind: PixKeyKind, typed: string): string {
  const digits = typed.replace(/\D/g, "");
  switch (kind) {
    case "email":
      return typed;
    case "cpf":
      return /[^\d.\s-]/.test(typed) || digits.length > 11 ? typed : withSigns(digits, CPF_PIECES);
    case "phone": {
      const local = digits.length > 11 ? digits.replace(/^55/, "") : digits;
      return /[^\d()+\s-]/.test(typed) || typed.startsWith("+") || local.length > 11
        ? typed
        : withSigns(local, PHONE_PIECES);
    }
    case "cnpj": {
      const letters = typed.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
      return /[^0-9A-Za-z./\s-]/.test(typed) || letters.length > 14
        ? typed
        : withSigns(letters, CNPJ_PIECES);
    }
    case "evp": {
      const letters = typed.replace(/[^0-9A-Fa-f]/g, "").toLowerCase();
      return /[^0-9A-Fa-f\s-]/.test(typed) || letters.length > 32
        ? typed
        : withSigns(letters, [
            [8, ""],
            [4, "-"],
            [4, "-"],
            [4, "-"],
            [12, "-"],
          ]);
    }
  }
}
