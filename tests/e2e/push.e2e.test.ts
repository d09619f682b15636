import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { webPush } from "#app/integrations/push/web-push.server.ts";
import { newPushKeys } from "#scripts/push-keys.ts";
import { newPage } from "#tests/support/browser.ts";
import { startPushService } from "#tests/support/doubles/push-service.ts";
import type { SubscriptionKeys } from "#tests/support/doubles/push-service.ts";
import { publishPostByForm, signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, screenshot, signInAsMember } from "#tests/support/steps.ts";

const payloadSchema = z.object({
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  tag: z.string(),
});
const pushesSchema = z.object({
  data: z.array(z.object({ endpoint: z.string(), payload: z.string() })),
});

/** Gives the page's browser a subscription, as its push service would; Chromium here has none. */
async function subscribeAt(page: Page, endpoint: string, keys: SubscriptionKeys): Promise<void> {
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(
    (subscription) => {
      PushManager.prototype.subscribe = () =>
        Promise.resolve({ toJSON: () => subscription } as unknown as PushSubscription);
    },
    { endpoint, keys: { ...keys } },
  );
}

/** Hands texts to the page's service worker, as its browser does with a decrypted push. */
async function serviceWorkerOf(page: Page): Promise<(text: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  let registrationId = "";
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? "";
  });
  await session.send("ServiceWorker.enable");
  return async (data) => {
    await expect.poll(() => registrationId).not.toBe("");
    const { origin } = new URL(page.url());
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

type Shown = { title: string; body: string; tag: string; path: string };

/** Notes what the page's service worker shows, because a Chromium without a screen shows nothing. */
async function watchNotifications(page: Page): Promise<() => Promise<Shown[]>> {
  await expect.poll(() => page.context().serviceWorkers().length).toBe(1);
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error("no service worker");
  await worker.evaluate(`
    self.shownByTest = [];
    self.registration.showNotification = async (title, { body, tag, data }) => {
      self.shownByTest.push({ title, body, tag, path: data.path });
    };`);
  return () => worker.evaluate("self.shownByTest");
}

test("a device that asked for pushes shows a new post's, encrypted for it alone, until it is switched off", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Caio Reis");
  await fan.postAndFollow(`/space/${creator.username}/follow`, { following: "true" });
  const page = await newPage({ width: 390, height: 844 });
  const deliver = await serviceWorkerOf(page);
  const service = await startPushService(deliver);
  onTestFinished(() => service.stop());
  const endpoint = `https://fcm.googleapis.com/fcm/send/${fan.username}`;
  await subscribeAt(page, endpoint, service.keys);

  await signInAsMember(page, fan);
  await page.goto("/settings/notifications");
  await hydrated(page);
  await page.getByRole("button", { name: "Ativar avisos neste aparelho" }).click();
  const devices = page.getByRole("list", { name: "Aparelhos com avisos" }).getByRole("listitem");
  await devices.waitFor();
  await screenshot(page, "push-device-390");

  /** What the product sent to this device. */
  const sent = async () => {
    const answer = await fetch(`${origin}/sandbox/pushes?shown=200`, {
      headers: { Accept: "application/json" },
    });
    return pushesSchema
      .parse(await answer.json())
      .data.filter((push) => push.endpoint === endpoint)
      .map((push) => payloadSchema.parse(JSON.parse(push.payload)));
  };
  const post = await publishPostByForm(creator, {
    title: "Diário de estrada",
    visibility: "public",
    seed: 3,
  });
  await expect.poll(async () => (await sent()).map(({ path }) => path)).toEqual([post.path]);

  // The real sender, over the network, to the push service of this machine.
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = newPushKeys();
  const sender = webPush({
    publicKey,
    privateKey,
    subject: "mailto:push@coreto.example",
    fetch: (_, init) => fetch(service.origin, init),
  });
  const [payload] = await sent();
  if (!payload) throw new Error("nothing was sent");
  const shown = await watchNotifications(page);
  expect(await sender.send({ key: "1", device: { endpoint, ...service.keys }, payload })).toBe(
    "sent",
  );
  expect(service.received).toMatchObject([
    { payload, headers: { "content-encoding": "aes128gcm", ttl: "86400" } },
  ]);
  await expect
    .poll(shown)
    .toEqual([{ title: payload.title, body: payload.body, tag: payload.tag, path: post.path }]);
  expect(payload.body).toContain("Diário de estrada");

  await page.getByRole("button", { name: /^Desativar / }).click();
  await expect.poll(() => devices.count()).toBe(0);
  await publishPostByForm(creator, { title: "Segundo dia", visibility: "public", seed: 4 });
  const list = await newPage({ width: 390, height: 844 });
  await signInAsMember(list, fan);
  // Its row is there, so that its pushes were asked for.
  await expect
    .poll(async () => {
      await list.goto("/notifications");
      return list.getByText("Segundo dia").count();
    })
    .toBeGreaterThan(0);
  expect(await sent()).toHaveLength(1);
});
