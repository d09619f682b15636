import { expect, test } from "vitest";
import { signIn, newPage } from "#tests/support/browser.ts";
import { hydrated, screenshot } from "#tests/support/steps.ts";

const TITLE = "Ensaio aberto, agora";

test("who runs an event opens its live page, and nothing of another site is asked before a press", async () => {
  for (const theme of ["light", "dark"] as const)
    for (const width of [390, 1440]) {
      const page = await newPage({ width, height: 900, theme });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).host));
      await page.route(
        (url) => !url.host.startsWith("localhost") && !url.host.startsWith("127."),
        (route) => route.abort(),
      );
      await signIn(page, { login: "ana" });
      await page.goto("/");
      await screenshot(page, `feed-live-${width}-${theme}`);
      await page.getByRole("link", { name: TITLE }).first().click();
      await page.getByRole("link", { name: "Assistir ao vivo" }).click();
      await page.getByRole("heading", { name: TITLE }).waitFor();
      await hydrated(page);
      await screenshot(page, `event-live-${width}-${theme}`);
      expect(asked.filter((host) => host.includes("youtube"))).toEqual([]);
      await page.getByRole("button", { name: "Carregar vídeo" }).press("Enter");
      await expect.poll(() => asked.some((host) => host === "www.youtube-nocookie.com")).toBe(true);
      expect(asked.filter((host) => host.includes("youtube.com"))).toEqual([]);
    }
});

test("without JavaScript the button loads the video with the page", async () => {
  const page = await newPage({ javaScript: false, width: 390, height: 844 });
  await page.route(
    (url) => url.host.includes("youtube"),
    (route) => route.abort(),
  );
  await signIn(page, { login: "ana" });
  await page.goto("/events");
  await page.getByRole("link", { name: TITLE }).first().click();
  await page.getByRole("link", { name: "Assistir ao vivo" }).click();
  await page.getByRole("button", { name: "Carregar vídeo" }).click();
  await page.waitForURL(/\?video=1$/);
  await page.locator("iframe[title='Vídeo ao vivo']").waitFor();
});
