import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { recordMailEvent } from "#app/domain/notifications/commands/addresses.server.ts";
import { unsubscribeAddress } from "#app/domain/notifications/commands/choices.server.ts";
import { choicesOf, unreadCount } from "#app/domain/notifications/queries.server.ts";
import { digestRhythmOf } from "#app/domain/notifications/queries/digests.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as list from "#app/routes/home/notifications.tsx";
import * as unsubscribe from "#app/routes/public/unsubscribe.tsx";
import * as open from "#app/routes/resources/notification.ts";
import * as unread from "#app/routes/resources/notifications-unread.ts";
import * as settings from "#app/routes/settings/notifications.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import {
  createRouteCaller,
  formRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import { memberCookies } from "#tests/support/registered.ts";

const middleware = [requireMember] as MiddlewareFunction[];
const call = createRouteCaller([
  { path: "notifications", module: list, middleware },
  { path: "notifications/unread/:readAt", module: unread, middleware },
  { path: "notifications/:id", module: open, middleware },
  { path: "settings/notifications", module: settings, middleware },
  { path: "unsubscribe/:personId/:kind/:signature", module: unsubscribe },
]);

let ctx: Context;
let personId: string;
let cookie: string;
let stranger: string;
beforeAll(async () => {
  ({ ctx } = await testContext());
  const fields = signUpFields();
  cookie = await memberCookies(fields);
  stranger = await memberCookies(signUpFields());
  const [row] = await ctx.db
    .select({ id: people.id })
    .from(people)
    .where(eq(people.email, fields.email));
  personId = row?.id ?? "";
});

const get = (path: string, of = cookie) =>
  call(new Request(TEST_ORIGIN + path, { headers: { Cookie: of } }));
const post = (path: string, fields: Record<string, string>, of = cookie) =>
  call(formRequest(path, fields, { Cookie: of }));

async function notified(section: string, body: string): Promise<string> {
  const id = ctx.newId();
  await ctx.db.insert(notifications).values({
    id,
    personId,
    section,
    kind: "x",
    body,
    path: "/explore",
    sourceKey: id,
    createdAt: ctx.now(),
  });
  return id;
}

type List = { filter: string; items: { id: string; isNew: boolean; body: string }[] };
const listed = async (query = "") => (await get(`/notifications${query}`)).json<List>();

describe("the list", () => {
  test("shows one section, or what is unread", async () => {
    const money = await notified("money", "Recebemos o seu Pix.");
    const like = await notified("people", "Bia curtiu.");
    const idsOf = async (query: string) => (await listed(query)).items.map(({ id }) => id);
    expect(await idsOf("?filter=money")).toEqual([money]);
    expect(await idsOf("?filter=people")).toEqual([like]);
    expect(await idsOf("?filter=posts")).toEqual([]);
    expect(new Set(await idsOf("?filter=nada"))).toEqual(new Set([money, like]));
    await get(`/notifications/${money}`);
    expect(await idsOf("?filter=unread")).toEqual([like]);
  });

  test("says that the member's address gets no emails, on its first page", async () => {
    const reasonOn = async (query = "") =>
      (await get(`/notifications${query}`)).json<{ stoppedBecause: unknown }>();
    expect(await reasonOn()).toMatchObject({ stoppedBecause: null });
    const [row] = await ctx.db.select().from(people).where(eq(people.id, personId));
    await recordMailEvent(ctx, {
      type: "bounced",
      address: row?.email ?? "",
      isPermanent: true,
      occurredAt: ctx.realNow(),
    });
    expect(await reasonOn()).toMatchObject({ stoppedBecause: "bounced" });
    expect(await reasonOn("?filter=money")).toMatchObject({ stoppedBecause: "bounced" });
  });

  test("opens a notification, read from then on, only for its owner", async () => {
    const id = await notified("people", "Bia comentou.");
    const refused = await get(`/notifications/${id}`, stranger);
    expect(refused.headers.get("Location")).toBe("/notifications");
    expect((await listed()).items.find((one) => one.id === id)?.isNew).toBe(true);
    const response = await get(`/notifications/${id}`);
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/explore"]);
    expect((await listed()).items.find((one) => one.id === id)?.isNew).toBe(false);
  });

  test("undoes that all was read, for what was unread before and nothing else", async () => {
    const read = await notified("people", "Lida antes.");
    await get(`/notifications/${read}`);
    await notified("people", "Nova.");
    const before = await unreadCount(ctx, { personId });
    const marked = await post("/notifications", {});
    expect(await unreadCount(ctx, { personId })).toBe(0);
    const undo = /unread\/(\d+)/.exec(
      atob(
        decodeURIComponent(/toast=([^;]+)/.exec(marked.headers.get("Set-Cookie") ?? "")?.[1] ?? ""),
      ),
    )?.[0];
    await post(`/notifications/${undo}`, {}, stranger);
    expect(await unreadCount(ctx, { personId })).toBe(0);
    expect((await post(`/notifications/${undo}`, {})).status).toBe(302);
    expect(await unreadCount(ctx, { personId })).toBe(before);
    expect((await post("/notifications/unread/ontem", {})).status).toBe(404);
  });
});

describe("the settings", () => {
  type Settings = { kinds: { kind: string; channels: { channel: string; isOn: boolean }[] }[] };
  const isOn = async (kind: string, channel: string) =>
    (await (await get("/settings/notifications")).json<Settings>()).kinds
      .find((one) => one.kind === kind)
      ?.channels.find((one) => one.channel === channel)?.isOn;

  test("keep what was chosen", async () => {
    expect(await isOn("mention", "app")).toBe(true);
    const shown = new URLSearchParams([
      ["on", "reply:app"],
      ["digest", "weekly"],
      ...["reply", "mention", "sale"].map((kind) => ["shown", kind]),
    ] as [string, string][]);
    const saved = await call(
      new Request(`${TEST_ORIGIN}/settings/notifications`, {
        method: "POST",
        body: shown,
        headers: { Origin: TEST_ORIGIN, Cookie: cookie },
      }),
    );
    expect(saved.status).toBe(302);
    expect([await isOn("reply", "app"), await isOn("mention", "app")]).toEqual([true, false]);
    expect(await isOn("post", "app")).toBe(true);
    expect(await isOn("security", "mail")).toBe(true);
    expect(await digestRhythmOf(ctx, { personId })).toBe("weekly");
  });

  test("ask a member without a page nothing about selling", async () => {
    expect(await isOn("sale", "app")).toBe(undefined);
  });

  test("refuse a rhythm that does not exist, beside the field", async () => {
    const refused = await post("/settings/notifications", { digest: "hourly" });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ errors: { digest: "Escolha uma das opções." } });
  });
});

describe("the address at the end of an email", () => {
  const mailIsOff = async () =>
    (await choicesOf(ctx, { personIds: [personId] }))
      .get(personId)
      ?.some(({ kind, channel, isOn }) => kind === "payout" && channel === "mail" && !isOn) ??
    false;

  test("stops nothing when it is opened, and everything at one POST of a mail program", async () => {
    const address = await unsubscribeAddress(ctx, { personId, kind: "payout" });
    const opened = await call(new Request(address));
    expect(await opened.json()).toMatchObject({ isStopped: false });
    expect(await mailIsOff()).toBe(false);
    const stopped = await call(
      new Request(address, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      }),
    );
    expect([stopped.status, stopped.headers.get("Location")]).toEqual([200, null]);
    expect(await mailIsOff()).toBe(true);
    expect(await (await call(new Request(address))).json()).toMatchObject({ isStopped: true });
    await call(formRequest(new URL(address).pathname, { again: "1" }));
    expect(await mailIsOff()).toBe(false);
  });

  test("is nobody's when it was changed", async () => {
    const address = await unsubscribeAddress(ctx, { personId, kind: "payout" });
    for (const wrong of [
      address.replace("/payout/", "/sale/"),
      address.replace("/payout/", "/nada/"),
      // Not the last letter: not all of its bits are of the signature.
      address.slice(0, -9) + (address.at(-9) === "x" ? "y" : "x") + address.slice(-8),
    ]) {
      expect((await call(new Request(wrong))).status).toBe(404);
      expect((await call(new Request(wrong, { method: "POST" }))).status).toBe(404);
    }
  });
});
