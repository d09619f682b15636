import { and, eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { memberSeats } from "#app/domain/teams/queries.server.ts";
import { personOfVouchedUser } from "#app/http/identity/identity.server.ts";
import { people, providerAccounts } from "#drizzle/schema/identity.ts";
import { testClock } from "#tests/support/clock.ts";
import { deletionsOf } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { clerkUser } from "#tests/integrations/clerk/clerk.ts";
import type { Somebody } from "#tests/contracts/identity-port.ts";
import { receiveClerkWebhook } from "#workers/payment-webhooks/receive-clerk.ts";

const SECRET = "whsec_Y29yZXRvLWNsZXJrLXdlYmhvb2stc2VjcmV0LTE=";
let world: World;
beforeEach(async () => {
  world = await testContext({ webhooks: false });
});

type Delivery = {
  secret?: string;
  sentAt?: Date;
  sentBody?: string;
  headers?: Record<string, string>;
};

/** A signed webhook request, as Svix sends it. */
function delivery(
  event: object,
  { secret = SECRET, sentAt = testClock.date(), sentBody, headers }: Delivery = {},
): Request {
  const body = JSON.stringify(event);
  const signed = {
    "svix-id": "msg_1",
    "svix-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
    "svix-signature": new Webhook(secret).sign("msg_1", sentAt, body),
  };
  return new Request("https://coreto.test/webhooks/clerk", {
    method: "POST",
    body: sentBody ?? body,
    headers: { ...signed, ...headers },
  });
}

const receive = (request: Request) => receiveClerkWebhook(world.ctx, SECRET, request);

/** A Clerk user with a member account here. */
async function member(): Promise<{ id: string; somebody: Somebody }> {
  const somebody = signUpFields();
  const id = `user_${crypto.randomUUID()}`;
  await personOfVouchedUser(world.ctx, "clerk", {
    providerUserId: id,
    details: async () => ({ providerUserId: id, ...somebody }),
  });
  return { id, somebody };
}

const updated = (id: string, somebody: Somebody, changes: object) => ({
  type: "user.updated",
  object: "event",
  data: clerkUser(id, somebody, changes),
});
const rowOf = async (id: string) =>
  (
    await world.ctx.db
      .select()
      .from(people)
      .where(and(eq(people.provider, "clerk"), eq(people.providerUserId, id)))
  )[0];
const accountOf = async (id: string) =>
  (
    await world.ctx.db
      .select()
      .from(providerAccounts)
      .where(eq(providerAccounts.providerUserId, id))
  )[0];

describe("an e-mail changed at Clerk", () => {
  test("is changed here, once, with repeated and reordered events", async () => {
    const { id, somebody } = await member();
    const [first, second] = [`1-${somebody.email}`, `2-${somebody.email}`];
    const told = [
      updated(id, { ...somebody, email: second }, { updated_at: 30 }),
      updated(id, { ...somebody, email: first }, { updated_at: 20 }),
      updated(id, { ...somebody, email: second.toUpperCase() }, { updated_at: 30 }),
    ];
    for (const event of told) expect((await receive(delivery(event))).status).toBe(200);
    expect((await rowOf(id))?.email).toBe(second);
  });

  test("stays when another member has it here, and the rest of the event is applied", async () => {
    const [{ id, somebody }, other] = [await member(), await member()];
    const taken = updated(
      id,
      { ...somebody, email: other.somebody.email },
      { updated_at: 20, banned: true },
    );
    expect((await receive(delivery(taken))).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ email: somebody.email, bannedAt: 20 });
    expect(world.logged.at(-1)?.fields).toMatchObject({ applied: "email_taken" });
  });

  test("is the primary one, not the first of the list", async () => {
    const { id, somebody } = await member();
    const addresses = [
      { id: "idn_0", email_address: `old-${somebody.email}` },
      { id: "idn_1", email_address: `new-${somebody.email}` },
    ];
    await receive(delivery(updated(id, somebody, { updated_at: 20, email_addresses: addresses })));
    expect((await rowOf(id))?.email).toBe(`new-${somebody.email}`);
  });

  test("is the newest one after five concurrent events", async () => {
    const { id, somebody } = await member();
    const told = [21, 25, 23, 22, 24].map((version) =>
      updated(id, { ...somebody, email: `${version}-${somebody.email}` }, { updated_at: version }),
    );
    await Promise.all(told.map((event) => receive(delivery(event))));
    expect((await rowOf(id))?.email).toBe(`25-${somebody.email}`);
  });
});

describe("a ban at Clerk", () => {
  test("bans the member here, and its end lifts the ban", async () => {
    const { id, somebody } = await member();
    await receive(delivery(updated(id, somebody, { updated_at: 20, banned: true })));
    expect((await rowOf(id))?.bannedAt).toBe(20);
    await receive(delivery(updated(id, somebody, { updated_at: 30, banned: true })));
    await receive(delivery(updated(id, somebody, { updated_at: 40, banned: false })));
    expect((await rowOf(id))?.bannedAt).toBeNull();
  });

  test("is not applied when its event arrives after the end of the ban", async () => {
    const { id, somebody } = await member();
    await receive(delivery(updated(id, somebody, { updated_at: 40, banned: false })));
    await receive(delivery(updated(id, somebody, { updated_at: 20, banned: true })));
    expect((await rowOf(id))?.bannedAt).toBeNull();
  });

  test("that ends does not lift a ban by our moderators", async () => {
    const { id, somebody } = await member();
    await world.ctx.db.update(people).set({ bannedAt: 7 }).where(eq(people.providerUserId, id));
    await receive(delivery(updated(id, somebody, { updated_at: 20, banned: true })));
    await receive(delivery(updated(id, somebody, { updated_at: 30, banned: false })));
    expect((await rowOf(id))?.bannedAt).toBe(7);
  });
});

describe("a user deleted at Clerk", () => {
  test("is banned here, and later events do not lift the ban", async () => {
    const { id, somebody } = await member();
    const deleted = {
      type: "user.deleted",
      object: "event",
      data: { id, object: "user", deleted: true },
    };
    await receive(delivery(deleted));
    const closedAt = (await rowOf(id))?.bannedAt;
    expect(closedAt).not.toBeNull();
    await receive(delivery(deleted));
    await receive(
      delivery(
        updated(
          id,
          { ...somebody, email: `x-${somebody.email}` },
          { updated_at: testClock.now() + 1_000_000 },
        ),
      ),
    );
    expect(await rowOf(id)).toMatchObject({ bannedAt: closedAt, email: somebody.email });
  });

  test("starts one account deletion, however often the event comes", async () => {
    const { id } = await member();
    const deleted = {
      type: "user.deleted",
      object: "event",
      data: { id, object: "user", deleted: true },
    };
    expect((await receive(delivery(deleted))).status).toBe(200);
    expect((await receive(delivery(deleted))).status).toBe(200);
    const row = await rowOf(id);
    expect(row?.leavingAt).toEqual(expect.any(Number));
    expect(await deletionsOf(world.ctx, row?.id ?? "")).toEqual(["requested"]);
  });

  test("is recorded even if they never signed in here", async () => {
    const id = `user_${crypto.randomUUID()}`;
    expect(
      (await receive(delivery({ type: "user.deleted", data: { id, deleted: true } }))).status,
    ).toBe(200);
    expect((await accountOf(id))?.deletedAt).toEqual(expect.any(Number));
    expect(await rowOf(id)).toBeUndefined();
  });
});

describe("an organisation at Clerk", () => {
  const organization = (id: string, ownerId: string, changes: object = {}) => ({
    type: "organization.updated",
    data: {
      object: "organization",
      id,
      name: "Casa da Rabeca",
      slug: null,
      created_by: ownerId,
      updated_at: 10,
      ...changes,
    },
  });
  const membership = (
    id: string,
    userId: string,
    changes: object = {},
    type = "organizationMembership.updated",
  ) => ({
    type,
    timestamp: 10,
    data: {
      object: "organization_membership",
      organization: { id },
      public_user_data: { user_id: userId },
      role: "org:member",
      permissions: [],
      updated_at: 10,
      ...changes,
    },
  });
  const personId = async (userId: string) => (await rowOf(userId))?.id ?? "";
  const seatIn = async (userId: string) =>
    (await memberSeats(world.ctx, { personId: await personId(userId) }))[0];
  const tell = async (event: object) => (await receive(delivery(event))).status;

  test("becomes its owner's team with the members' roles, whatever the order of the events", async () => {
    const [ana, bruno] = [await member(), await member()];
    const id = `org_${crypto.randomUUID()}`;
    expect(await tell(membership(id, bruno.id)), "a member before the team").toBe(503);
    expect(await tell(organization(id, ana.id, { updated_at: 20, name: "Casa Nova" }))).toBe(200);
    expect(await tell(organization(id, ana.id))).toBe(200);
    expect(await seatIn(ana.id)).toMatchObject({
      teamName: "Casa Nova",
      isOwner: true,
      provider: "clerk",
    });
    expect(await tell(membership(id, bruno.id))).toBe(200);
    expect(await seatIn(bruno.id)).toMatchObject({ role: "basic_member", mayManageBilling: false });
    await tell(
      membership(id, bruno.id, {
        role: "org:admin",
        permissions: ["org:sys_billing:manage"],
        updated_at: 30,
      }),
    );
    await tell(membership(id, bruno.id, { updated_at: 25 }));
    expect(await seatIn(bruno.id)).toMatchObject({ role: "admin", mayManageBilling: true });
  });

  test("gives an unknown role only the rights of a guest", async () => {
    const [ana, bruno] = [await member(), await member()];
    const id = `org_${crypto.randomUUID()}`;
    await tell(organization(id, ana.id));
    await tell(membership(id, bruno.id, { role: "org:superadmin" }));
    expect(await seatIn(bruno.id)).toMatchObject({ role: "guest_member" });
  });

  test("keeps nobody in the team who left or whose organisation was deleted, even with late events", async () => {
    const [ana, bruno] = [await member(), await member()];
    const id = `org_${crypto.randomUUID()}`;
    await tell(organization(id, ana.id));
    await tell(membership(id, bruno.id));
    await tell(membership(id, bruno.id, {}, "organizationMembership.deleted"));
    await tell(membership(id, bruno.id));
    expect(await seatIn(bruno.id)).toBeUndefined();
    expect(
      await tell({
        type: "organization.deleted",
        data: { id, object: "organization", deleted: true },
      }),
    ).toBe(200);
    await tell(organization(id, ana.id, { updated_at: 9_999 }));
    expect(await seatIn(ana.id)).toBeUndefined();
  });

  test("may send invitation events, which are accepted without effect", async () => {
    expect(await tell({ type: "organizationInvitation.created", data: { id: "orginv_1" } })).toBe(
      200,
    );
  });

  test.each([
    { type: "organization.updated", data: { id: "org_1" } },
    { type: "organization.renamed", data: { id: "org_1" } },
    { type: "organizationMembership.created", data: {} },
  ])("is refused with an event of another shape: $type", async (event) => {
    expect(await tell(event)).toBe(401);
  });
});

describe("a webhook request to Clerk's address", () => {
  test.each<[string, Delivery]>([
    [
      "signed with another secret",
      { secret: "whsec_b3V0cm8tc2VncmVkby1xdWFscXVlci0wMDAwMDAwMDA=" },
    ],
    ["six minutes old", { sentAt: new Date(testClock.now() - 6 * 60_000) }],
    ["from the future", { sentAt: new Date(testClock.now() + 6 * 60_000) }],
    ["without a signature", { headers: { "svix-signature": "" } }],
    ["without an id", { headers: { "svix-id": "" } }],
    ["with another id than was signed", { headers: { "svix-id": "msg_2" } }],
    [
      "with the standard names instead of Svix's",
      { headers: { "svix-signature": "", "webhook-signature": "v1,abc" } },
    ],
    ["changed on the way", { sentBody: "{}" }],
    ["no JSON", { sentBody: "user.deleted" }],
  ])("%s is refused and changes nothing", async (_, how) => {
    const { id } = await member();
    expect(
      (await receive(delivery({ type: "user.deleted", data: { id, deleted: true } }, how))).status,
    ).toBe(401);
    expect((await rowOf(id))?.bannedAt).toBeNull();
  });

  test.each([
    [{ type: "user.updated", data: {} }],
    [{ type: "user.deleted", data: { id: "" } }],
    [{ type: "user.renamed", data: { id: "user_1" } }],
    [{ data: {} }],
    [[]],
    [{}],
  ])("signed but of another shape is refused: %j", async (event) => {
    expect((await receive(delivery(event))).status).toBe(401);
  });

  test("signed, with an event type that is not used here, is accepted", async () => {
    expect(
      (await receive(delivery({ type: "session.created", data: { id: "sess_1" } }))).status,
    ).toBe(200);
  });

  test("that is too large is refused before it is read", async () => {
    expect(
      (await receive(delivery({ type: "user.updated", data: "x".repeat(300 * 1024) }))).status,
    ).toBe(413);
    expect((await receive(new Request("https://coreto.test/webhooks/clerk"))).status).toBe(405);
  });
});
