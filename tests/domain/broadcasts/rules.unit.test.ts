import { expect, test } from "vitest";
import {
  canDeliver,
  isOnlyName,
  personalText,
  sendTimeProblem,
} from "#app/domain/broadcasts/rules.ts";
import { broadcastSchema } from "#app/domain/broadcasts/schema.ts";
import { MESSAGE_MAX } from "#app/domain/messages/rules.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";

test.each([
  ["Oi, {nome}!", "Bia Souza", "Oi, Bia!"],
  ["{NOME}, tudo bem, {nome}?", "Bia", "Bia, tudo bem, Bia?"],
  ["Preço: {nome}", "$& $1", "Preço: $&"],
  ["Oi, {nome}!", "  ", "Oi, !"],
  ["{ nome } fica", "Bia", "{ nome } fica"],
])("%j for %j is %j", (body, name, text) => {
  expect(personalText(body, name)).toBe(text);
});

test("a text with many names is cut to the length of a message", () => {
  expect(personalText("{nome}".repeat(500), "Bernardina-Aparecida")).toHaveLength(MESSAGE_MAX);
});

test("a text of the name alone is refused", () => {
  expect([isOnlyName(" {nome} {nome}"), isOnlyName("{nome}, oi")]).toEqual([true, false]);
});

test.each([
  [{}, true],
  [{ recipientBox: "inbox" as const }, true],
  [{ recipientBox: "request" as const }, true],
  [{ recipientBox: "refused" as const }, false],
  [{ isBlocked: true }, false],
  [{ isUnreachable: true }, false],
  [{ isSelf: true }, false],
])("who has %j gets the message: %j", (person, gets) => {
  expect(
    canDeliver({
      isSelf: false,
      isUnreachable: false,
      isBlocked: false,
      recipientBox: null,
      ...person,
    }),
  ).toBe(gets);
});

test("a broadcast is scheduled from now to 90 days ahead", () => {
  const now = Date.UTC(2026, 10, 27);
  expect(
    [-2 * MINUTE_MS, -MINUTE_MS, 0, 90 * DAY_MS, 90 * DAY_MS + 1].map((from) =>
      sendTimeProblem(now + from, now),
    ),
  ).toEqual(["past", null, null, null, "far"]);
});

test("the form asks for plans only where plans were chosen, and takes one or several", () => {
  const parse = (form: object) => broadcastSchema.safeParse({ text: " Oi ", ...form });
  expect(parse({ segment: "followers" }).data).toMatchObject({
    segment: "followers",
    planIds: [],
    text: "Oi",
    file: [],
    fileIds: [],
    savedFileIds: [],
    price: null,
  });
  // The files that stay count with the new ones.
  const ids = Array.from({ length: 6 }, (_, at) => `file-${at}`);
  const both = { segment: "followers", fileIds: ids, savedFileIds: ids.map((id) => `old-${id}`) };
  expect(parse(both).error?.issues[0]?.path).toEqual(["file"]);
  expect(parse({ ...both, fileIds: [], price: "10,00" }).success).toBe(true);
  expect(parse({ segment: "plans", planIds: "p-1" }).data?.planIds).toEqual(["p-1"]);
  expect(parse({ segment: "plans", planIds: ["p-1", "p-2"] }).data?.planIds).toHaveLength(2);
  expect(parse({ segment: "plans" }).error?.issues[0]).toMatchObject({
    path: ["planIds"],
    message: "Escolha pelo menos um plano.",
  });
  expect(parse({ segment: "everyone" }).error?.issues[0]?.message).toBe("Escolha quem recebe.");
});
