import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import {
  createFormClient,
  signUpMember,
  publishPostByForm,
  signUpSeller,
} from "#tests/support/form-client.ts";
import { ownProduct } from "#tests/support/own-product.ts";
import { signInAsMember, hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let coreto: RunningProduct;

beforeAll(async () => {
  coreto = await ownProduct({
    ADULT_SPACES: "on",
    AGE_CHECK_PROVIDER: "local",
    ADULT_PAYMENTS: "accepted",
  });
});

afterAll(() => coreto.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

test(
  "an adult page shows a notice to unchecked visitors, opens to checked adults, and is open to all once unmarked",
  { timeout: 120_000 },
  async () => {
    const { origin } = coreto;
    const creator = await signUpSeller(origin, { name: "Tereza Lira" });
    const post = await publishPostByForm(creator, {
      title: "Noite no camarim",
      visibility: "public",
      seed: 5,
    });
    const [young, adult] = await Promise.all([
      signUpMember(origin, "Bia Sá"),
      signUpMember(origin, "Davi Luz"),
    ]);
    const publicPath = `/space/${creator.username}/public`;

    // The creator marks the page as adult and confirms what that means.
    const studio = await openPageAs(creator, "/settings/profile", { origin });
    await link(studio, "Marcar a página").click();
    await studio.getByText("Vale na hora.").waitFor();
    await screenshot(studio, "adult-mark-1280");
    await button(studio, "Marcar a página").click();
    await studio.getByText("A sua página agora é para maiores de 18 anos.").first().waitFor();
    await studio.goto("/me");
    await studio.getByText("só quem confirmou a idade vê o que há nela").waitFor();
    await screenshot(studio, "adult-me-1280");

    // A visitor without JavaScript sees the owner of the page and nothing else.
    const plain = await newPage({ origin, javaScript: false, width: 390, height: 844 });
    await plain.goto(publicPath);
    await plain.getByText("Página para maiores de 18 anos", { exact: true }).waitFor();
    await plain.getByRole("heading", { name: "Tereza Lira" }).waitFor();
    await screenshot(plain, "adult-visitor-390");
    const visitor = createFormClient(origin);
    const [shown, locked] = [
      await visitor.get(publicPath),
      await visitor.get(`${publicPath}/${post.id}`),
    ];
    const markup = await shown.text();
    expect(markup).not.toMatch(
      /Noite no camarim|Toco rabeca|Rabeca e forró|application\/ld\+json|og:image/,
    );
    expect(markup).toContain('<meta name="robots" content="noindex"');
    expect([shown.headers.get("Cache-Control"), locked.headers.get("Location")]).toEqual([
      "private, no-store",
      publicPath,
    ]);

    // Without JavaScript, a signed-in member fails the age check and cannot retry at once.
    await signInAsMember(plain, young);
    await plain.goto(post.path);
    await link(plain, "Confirmar minha idade").click();
    await plain.getByText("Ele conta ao Coreto só sim ou não").waitFor();
    await screenshot(plain, "adult-check-390");
    await button(plain, "Confirmar minha idade").click();
    await plain.getByText("Este é um provedor de teste").waitFor();
    await screenshot(plain, "adult-provider-390");
    await button(plain, "Ainda não tem 18 anos").click();
    await plain.getByRole("heading", { name: "A verificação respondeu que não" }).waitFor();
    await screenshot(plain, "adult-no-390");
    await plain.goto("/age-check");
    await plain.getByText("Você pode tentar de novo a partir de").waitFor();
    await expect.poll(() => button(plain, "Confirmar minha idade").count()).toBe(0);

    // With JavaScript, a passed check leads back to the page, which is open.
    const page = await openPageAs(adult, `/space/${creator.username}`, {
      origin,
      width: 390,
      height: 844,
    });
    await page.getByText("Página para maiores de 18 anos", { exact: true }).waitFor();
    await screenshot(page, "adult-notice-390");
    await link(page, "Confirmar minha idade").click();
    await button(page, "Confirmar minha idade").click();
    await button(page, "Tem 18 anos ou mais").click();
    await page.waitForURL(`**/space/${creator.username}`);
    await page.getByText("Idade confirmada.").first().waitFor();
    await page.getByRole("heading", { name: "Noite no camarim" }).first().waitFor();

    // The mark is removed only after the creator confirms that they reviewed the page.
    await studio.goto("/settings/profile/adult/removal");
    await hydrated(studio);
    await button(studio, "Tirar a marca").click();
    await studio.getByText("Confirme que você conferiu o que está publicado.").waitFor();
    await screenshot(studio, "adult-removal-1280");
    await studio.getByLabel("Conferi o que está publicado").check();
    await button(studio, "Tirar a marca").click();
    await studio.getByText("A sua página é para todas as idades de novo.").first().waitFor();
    expect(await (await visitor.get(publicPath)).text()).toContain("Noite no camarim");
  },
);
