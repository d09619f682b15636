import { describe, expect, test } from "vitest";
import type { AccessRule } from "#app/domain/access/rules.ts";
import { sendLabel, unpublishedText } from "#app/domain/posts/rules/scheduling.ts";

const AT = Date.UTC(2026, 10, 27, 20, 0);
const TYPED = "2026-11-27T17:00";
const rule = (kind: AccessRule["kind"], more: Partial<AccessRule> = {}): AccessRule => ({
  kind,
  planId: null,
  amountCents: null,
  opensAt: null,
  ...more,
});

describe("the main button of a composer says what it does", () => {
  test.each([
    ["new", "", "", "Publicar"],
    ["draft", "", "", "Publicar"],
    ["new", "", TYPED, /^Agendar para 27\/11\/2026.*17:00$/],
    ["new", "", "2026-11-", "Publicar"],
    ["scheduled", TYPED, TYPED, "Salvar agendamento"],
    ["scheduled", TYPED, "2026-11-28T17:00", /^Agendar para 28\/11\/2026.*17:00$/],
    ["scheduled", TYPED, "", "Publicar agora"],
    ["published", "", "", "Salvar alterações"],
  ] as const)("%s, due %j, typed %j", (state, scheduled, publishAt, label) => {
    expect(sendLabel({ state, scheduled, publishAt })).toMatch(label);
  });
});

describe("a post that is not out says for whom it is, and from when", () => {
  const plans = [
    { id: "1", name: "Camarim" },
    { id: "2", name: "Banquinho" },
  ];

  test("a draft", () => {
    expect(unpublishedText(null, [rule("public")], plans)).toBe("Rascunho: só você vê.");
  });

  test("a scheduled one names its hour and every way in, with those that open later", () => {
    const text = unpublishedText(
      AT,
      [
        rule("plan", { planId: "1" }),
        rule("plan", { planId: "2" }),
        rule("public", { opensAt: AT + 86_400_000 }),
        rule("price", { amountCents: 1_500 }),
      ],
      plans,
    ).replaceAll("\u00a0", " ");
    expect(text).toMatch(
      /^Agendada: só você vê até 27\/11\/2026.*17:00, pelo horário de Brasília\. Depois, abre /,
    );
    expect(text).toMatch(/para todo mundo a partir de 28\/11\/2026.*17:00;/);
    expect(text).toContain("para quem comprar por R$ 15,00;");
    expect(text).toMatch(/para quem assina Camarim ou Banquinho\.$/);
  });
});
