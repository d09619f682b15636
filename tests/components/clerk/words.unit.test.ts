import { enUS, ptBR } from "@clerk/localizations";
import { describe, expect, test } from "vitest";
import { clerkLocalization } from "#app/components/clerk/words.ts";

type Words = { [key: string]: unknown };

/** Every text of Clerk's screens, by path. */
function textsOf(words: Words, path = ""): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]): [string, string][] => {
      if (typeof value === "object" && value !== null)
        return [...textsOf(value as Words, `${path}${key}.`)];
      return typeof value === "string" ? [[path + key, value]] : [];
    }),
  );
}

/**
 * Enterprise single sign-on that a company configures itself. This product has no such plan, and
 * Clerk shows it only on a paid one.
 */
const NOT_OFFERED = /^(?:configureSSO|configureDirectorySync|organizationProfile\.securityPage)\./;

const english = textsOf(enUS as Words);
const ours = textsOf(clerkLocalization);
const theirs = textsOf(ptBR as Words);

describe("Portuguese texts of Clerk's screens", () => {
  test("cover every English text that this product can show", () => {
    const missing = [...english.keys()].filter(
      (path) => !NOT_OFFERED.test(path) && !ours.has(path),
    );
    expect(missing).toEqual([]);
  });

  test("keep every placeholder of the English text", () => {
    const values = (text: string | undefined) =>
      [...(text ?? "").matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).toSorted();
    const own = [...ours.keys()].filter((path) => english.has(path) && !theirs.has(path));
    expect(
      own.filter((path) => values(ours.get(path)).join() !== values(english.get(path)).join()),
    ).toEqual([]);
  });

  test('call a team "equipe", never "organização"', () => {
    expect([...ours.values()].filter((text) => /organizaç/i.test(text))).toEqual([]);
  });

  // Spec, section 8.
  test.each([
    ["form_code_incorrect", "Código incorreto"],
    ["form_param_nil", "Campo obrigatório"],
    ["verification_expired", "Esta verificação expirou. Você deve criar uma nova."],
    ["too_many_requests", "Muitas solicitações. Por favor, tente novamente em breve."],
    ["form_param_format_invalid", "Identificador inválido."],
    ["oauth_access_denied", "Você não autorizou o acesso à sua conta do Google."],
    ["session_exists", "Você já está conectado. Só dá para usar uma conta por vez."],
    [
      "verification_failed",
      "Foram tentativas erradas demais. Tente de novo com este ou com outro método.",
    ],
    ["verification_not_sent", "Envie um código antes de verificar."],
  ])("use the spec's text for the error %s", (code, text) => {
    expect(ours.get(`unstable__errors.${code}`)).toBe(text);
  });
});
