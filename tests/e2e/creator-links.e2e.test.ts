import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newMemberInput, signUpSeller } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, payAsGuest, signInAsMember } from "#tests/support/steps.ts";

test("a creator makes a link, who comes by it subscribes over a post, and the figures and the sheet show it", async () => {
  const { origin } = sharedServer();
  const seller = await signUpSeller(origin, { name: "Tereza da Rabeca" });
  await seller.postAndFollow("/post/create", {
    title: "O ensaio de domingo",
    content: "Tudo o que se ouviu.",
    ways: "subscribers",
  });
  const own = await newPage({ width: 1440 });
  await signInAsMember(own, seller);
  await own.goto("/analytics/links");
  await own.getByLabel("Nome do link").fill("Bio do Instagram");
  await own.getByRole("button", { name: "Criar link" }).click();
  await own.getByRole("heading", { level: 1, name: "Bio do Instagram" }).waitFor();

  const visitor = await newPage({ width: 390, height: 844 });
  await visitor.goto(`/@${seller.username}?l=bio-do-instagram`);
  await visitor.getByRole("link", { name: "O ensaio de domingo", exact: true }).click();
  await visitor.waitForURL(/\/public\/[^?]+\?l=bio-do-instagram$/);
  await visitor.getByRole("link", { name: /^Assinar Camarim por/ }).click();
  await visitor.waitForURL(/\/checkout\?plan=.*l=bio-do-instagram/);
  await hydrated(visitor);
  await visitor.getByRole("radio", { name: /^Pix Na hora/ }).check();
  await payAsGuest(visitor, newMemberInput("Bruno Sá"));
  await visitor.waitForURL(/\/checkout\/[^?]+$/);
  await hydrated(visitor);
  await visitor.getByRole("button", { name: "Copiar código Pix" }).click();
  await visitor.getByRole("button", { name: "Copiado" }).waitFor();
  await payPix(origin, await visitor.evaluate(() => navigator.clipboard.readText()));
  await visitor.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();

  await own.goto("/analytics/links");
  const row = own.getByRole("row", { name: /Bio do Instagram/ });
  await expect.poll(() => row.getByRole("cell").nth(3).textContent()).toBe("1");
  const download = own.waitForEvent("download");
  await own.getByRole("link", { name: /^Baixar planilha/ }).click();
  const sheet = await readFile(await (await download).path(), "utf8");
  const [, starts, sales, net] =
    /Bio do Instagram;bio-do-instagram;\d+;\d+;\d+;(\d+);(\d+);([\d,]+)/.exec(sheet) ?? [];
  expect([starts, sales]).toEqual(["1", "0"]);
  // The amount opens the one payment behind it.
  await row.getByRole("link", { name: /R\$/ }).click();
  await own.getByText("Só o link “Bio do Instagram”.").waitFor();
  const total = own.getByRole("region", { name: "Totais" });
  await expect.poll(() => total.textContent()).toContain(net ?? "no amount");
  await own.getByRole("link", { name: /^De Bruno Sá/ }).waitFor();
});
