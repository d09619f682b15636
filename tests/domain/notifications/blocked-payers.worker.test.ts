import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { runMessage, testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import { exampleMessage } from "#workers/sandbox-psp/gallery/examples.ts";

test("a tip of somebody who is blocked by now is told as money, without their words", async () => {
  const { ctx } = await testContext();
  const [ana, bia, caio] = [
    await createPerson(ctx, "Ana"),
    await createPerson(ctx, "Bia"),
    await createPerson(ctx, "Caio"),
  ];
  await block(ctx, { personId: ana.id, otherId: bia.id });
  for (const payer of [bia, caio]) {
    const id = `tip:${payer.id}:given`;
    const message = {
      ...exampleMessage("tip.given"),
      payerId: payer.id,
      payerName: payer.name,
      creatorId: ana.id,
      message: "Você vai ver.",
    } as OutboxMessage;
    await commit(ctx.db, [announce<OutboxMessage>(ctx, id, message)]);
    await runMessage(ctx, { version: 1, type: "outbox.deliver", id });
  }
  const rows = await ctx.db
    .select({ body: notifications.body })
    .from(notifications)
    .where(eq(notifications.personId, ana.id));
  const mails = await ctx.db
    .select({ body: localMails.body })
    .from(localMails)
    .where(eq(localMails.recipient, ana.email));
  for (const told of [rows, mails]) {
    const ofBia = told.filter(({ body }) => body.startsWith("Bia apoiou você com"));
    expect(ofBia).toHaveLength(1);
    expect(ofBia[0]?.body).not.toContain("Você vai ver.");
    const ofCaio = told.filter(({ body }) => body.startsWith("Caio apoiou você com"));
    expect(ofCaio).toMatchObject([{ body: expect.stringContaining("Você vai ver.") as string }]);
  }
});
