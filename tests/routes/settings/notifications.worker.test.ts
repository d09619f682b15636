import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { choicesOf } from "#app/domain/notifications/queries.server.ts";
import { recordMailEvent } from "#app/domain/notifications/commands/addresses.server.ts";
import { countsOpenings, isWanted } from "#app/domain/notifications/rules/kinds.ts";
import * as resumption from "#app/routes/settings/devices/newsletter-resumption.ts";
import * as addressResumption from "#app/routes/settings/devices/address-resumption.ts";
import * as settings from "#app/routes/settings/notifications.tsx";
import { newsletterStops } from "#drizzle/schema/notifications.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

const HERE = "/settings/notifications";
const routes = callRoutesAs([
  { path: "settings/notifications", module: settings },
  { path: "settings/notifications/address/resumption", module: addressResumption },
  { path: "settings/notifications/newsletters/:id/resumption", module: resumption },
]);

let ctx: Context;
let bia: ActingCaller;
beforeEach(async () => {
  ({ ctx } = await testContext());
  bia = { person: await createPerson(ctx, "Bia") };
});

const save = async (fields: [string, string][]): Promise<Response> => {
  const form = new FormData();
  for (const [name, value] of [["digest", "never"] as const, ...fields]) form.append(name, value);
  return await routes.postForm(bia, HERE, form);
};
const wants = async (channel: "app" | "mail" | "push"): Promise<boolean> => {
  const choices = await choicesOf(ctx, { personIds: [bia.person.id] });
  return isWanted(choices.get(bia.person.id) ?? [], "post", channel);
};

describe("saving the settings", () => {
  test("changes nothing of a channel that the form did not show", async () => {
    await save([
      ["shown", "post"],
      ["channels", "app"],
      ["channels", "mail"],
    ]);
    expect([await wants("app"), await wants("mail"), await wants("push")]).toEqual([
      false,
      false,
      true,
    ]);
    await save([
      ["shown", "post"],
      ["channels", "push"],
      ["on", "post:app"],
    ]);
    expect([await wants("app"), await wants("push")]).toEqual([false, false]);
  });

  test("from a form of before pushes leaves them on", async () => {
    await save([["shown", "post"]]);
    expect([await wants("app"), await wants("push")]).toEqual([false, true]);
  });

  test("is refused with what was ticked when a time is wrong", async () => {
    const answer = await save([
      ["shown", "post"],
      ["channels", "app"],
      ["on", "post:mail"],
      ["on", "post:push"],
      ["quietFrom", "25:00"],
    ]);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      values: { on: "post:mail\npost:push", digest: "never" },
      errors: { quietFrom: "Escreva a hora assim: 22:00." },
    });
    expect(await wants("app")).toBe(true);
  });
});

test("a creator whose posts were stopped by email is listed, and comes back in one step", async () => {
  const ana = await createSeller(ctx);
  await commit(ctx.db, [
    ctx.db
      .insert(newsletterStops)
      .values({ personId: bia.person.id, creatorId: ana.id, stoppedAt: ctx.now() }),
  ]);
  const stopped = async () => (await routes.read<{ stopped: unknown }>(bia, HERE)).stopped;
  expect(await stopped()).toEqual([{ id: ana.id, name: ana.name }]);
  const stranger: ActingCaller = { person: await createPerson(ctx, "Caio") };
  await routes.post(stranger, `${HERE}/newsletters/${ana.id}/resumption`, {});
  expect(await stopped()).toHaveLength(1);
  await routes.post(bia, `${HERE}/newsletters/${ana.id}/resumption`, {});
  expect(await stopped()).toEqual([]);
});

describe("the count of openings", () => {
  const isCounted = async () => {
    const choices = await choicesOf(ctx, { personIds: [bia.person.id] });
    return countsOpenings(choices.get(bia.person.id) ?? []);
  };

  test("is on until it is refused, and a form that did not ask leaves it", async () => {
    expect(await isCounted()).toBe(true);
    await save([["openings", "refused"]]);
    expect(await isCounted()).toBe(false);
    await save([]);
    expect(await isCounted()).toBe(false);
    await save([["openings", "counted"]]);
    expect(await isCounted()).toBe(true);
  });
});

test("a stopped address is on the page, until its owner asks for emails again", async () => {
  const shown = async () =>
    (await routes.read<{ address: { reason: string } | null }>(bia, HERE)).address?.reason ?? null;
  expect(await shown()).toBe(null);
  const { email: address } = bia.person;
  await recordMailEvent(ctx, {
    type: "bounced",
    address,
    isPermanent: true,
    occurredAt: ctx.realNow(),
  });
  expect(await shown()).toBe("bounced");
  const form = new FormData();
  form.append("reason", "bounced");
  await routes.postForm(bia, `${HERE}/address/resumption`, form);
  expect(await shown()).toBe(null);
});
