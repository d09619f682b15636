import { expect, test } from "vitest";
import { eventSchema, eventSchemaOf } from "#app/domain/events/schema.ts";
import { formProblemOf } from "#app/http/form.ts";

const valid = {
  title: "Roda de rabeca",
  startsAt: "2026-12-20T20:00",
  endsAt: "2026-12-20T22:00",
  timeZone: "America/Sao_Paulo",
  place: "Praça da Matriz",
};

const problems = (typed: Record<string, unknown>): Record<string, string> => {
  const parsed = eventSchema.safeParse({ ...valid, ...typed });
  return parsed.success ? {} : formProblemOf(parsed.error).errors;
};

test("a form with a title, times and a place is an event without a limit, for everybody", () => {
  expect(eventSchema.parse(valid)).toMatchObject({
    startsAt: Date.parse("2026-12-20T23:00Z"),
    endsAt: Date.parse("2026-12-21T01:00Z"),
    capacity: null,
    maxPerPerson: 1,
    access: "public",
    link: null,
    publish: false,
  });
});

test("the times are read in the zone of the event", () => {
  const { startsAt } = eventSchema.parse({ ...valid, timeZone: "America/Manaus" });
  expect(startsAt).toBe(Date.parse("2026-12-21T00:00Z"));
});

test.each([
  ["title", "", "Campo obrigatório"],
  ["title", "\u200b", "Campo obrigatório"],
  ["title", "a".repeat(121), "Use até 120 caracteres."],
  ["startsAt", "", "Campo obrigatório"],
  ["startsAt", "2026-02-31T20:00", "Este dia não existe. Confira o dia e o mês."],
  ["startsAt", "31/02/2027 20:00", "Este dia não existe. Confira o dia e o mês."],
  ["startsAt", "logo", "Escreva o dia e a hora, como 20/12/2026 20:00."],
  ["endsAt", "2026-12-20T20:00", "O fim precisa ser depois do começo."],
  ["endsAt", "2026-12-19T20:00", "O fim precisa ser depois do começo."],
  ["endsAt", "2036-12-20T20:00", "Um evento dura até 14 dias."],
  ["timeZone", "America/Olinda", "Não conhecemos este fuso horário. Escolha um da lista."],
  ["place", "a".repeat(10_000), "Use até 300 caracteres."],
  ["place", "", "Escreva o lugar, ou o link de um evento on-line."],
  ["link", "javascript:alert(1)", "Use um endereço que comece com https:// ou http://."],
  ["link", `https://x.test/${"a".repeat(2_000)}`, "O link pode ter até 1.000 caracteres."],
  ["capacity", "0", "Escreva um número de 1 a 100.000, ou deixe em branco."],
  ["capacity", "-3", "Escreva um número de 1 a 100.000, ou deixe em branco."],
  ["capacity", "1.5", "Escreva um número de 1 a 100.000, ou deixe em branco."],
  ["capacity", "9999999", "Escreva um número de 1 a 100.000, ou deixe em branco."],
  ["maxPerPerson", "11", "Escreva um número de 1 a 10."],
  ["access", "price", "Escolha quem pode ir."],
  ["linkFrom", "ontem", "Escolha quando o link aparece."],
])("%s “%s” is refused beside its field", (field, typed, message) => {
  expect(problems({ [field]: typed })).toEqual({ [field]: message });
});

test("an hour that the clocks of the zone skip is refused, with its place", () => {
  const skipped = { startsAt: "2027-03-14T02:30", endsAt: "2027-03-14T05:00" };
  expect(problems({ ...skipped, timeZone: "America/New_York" })).toEqual({
    startsAt: "Neste dia os relógios de Nova York pulam esta hora. Escolha outra.",
  });
  expect(problems(skipped)).toEqual({});
  // The date of a repeating event that stands in such an hour can be saved as it is.
  const timeZone = "America/New_York";
  const saved = { startsWall: skipped.startsAt, endsWall: skipped.endsAt };
  const again = eventSchemaOf(saved).safeParse({ ...valid, ...skipped, timeZone });
  expect(again.data).toMatchObject({ startsWall: skipped.startsAt });
  expect(again.data?.startsAt).toBe(Date.parse("2027-03-14T07:30:00Z"));
  const other = { ...valid, ...skipped, startsAt: "2027-03-14T02:15", timeZone };
  expect(eventSchemaOf(saved).safeParse(other).success).toBe(false);
});

test.each([
  [{}, null],
  [{ linkFrom: "60" }, 60],
  [{ linkFrom: "15", linkMinutes: "999999" }, 15],
  [{ linkFrom: "other", linkMinutes: "120" }, 120],
])("%j shows the link %s minutes before the start", (typed, minutes) => {
  expect(eventSchema.parse({ ...valid, ...typed }).linkMinutes).toBe(minutes);
});

test.each(["", "0", "-5", "1.5", "10081", "999999", "logo"])(
  "“%s” minutes before the start are refused beside the field",
  (linkMinutes) => {
    expect(problems({ linkFrom: "other", linkMinutes })).toEqual({
      linkMinutes: "Escreva um número de minutos, de 1 a 10080 (uma semana).",
    });
  },
);

test("plans are required for some plans, and dropped for everybody else", () => {
  expect(problems({ access: "plans" })).toEqual({ planIds: "Escolha pelo menos um plano." });
  expect(eventSchema.parse({ ...valid, access: "followers", planIds: "abc" }).planIds).toEqual([]);
});

test("a person cannot have more seats than the event", () => {
  expect(problems({ capacity: "2", maxPerPerson: "3" })).toEqual({
    maxPerPerson: "Uma pessoa não pode ter mais vagas do que o evento.",
  });
});
