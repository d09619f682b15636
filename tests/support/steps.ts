import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { formatCpf } from "@brazilian-utils/brazilian-utils/format-cpf";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import type { Page } from "playwright-core";
import { newPage } from "./browser.ts";
import type { PageOptions } from "./browser.ts";
import { BIRTH_DATE, PASSWORD } from "./form-client.ts";
import type { FormClient, NewMemberInput } from "./form-client.ts";
import { mailTo } from "./emails.ts";
import { picture } from "./picture.ts";

/** Waits until React has hydrated the page. React misses whatever is typed before that. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) =>
      key.startsWith("__reactFiber$"),
    ),
  );
}

/**
 * Cuts the connection once nothing is on its way. A page whose data is being loaded then shows that
 * it has no connection, in place of what is written.
 */
export async function goOffline(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
}

/** Signs in a member who signed up without a browser, by posting the form directly. */
export async function signInAsMember(
  page: Page,
  member: FormClient & NewMemberInput,
): Promise<void> {
  const answer = await page.context().request.post(`${member.origin}/auth/login`, {
    form: { identifier: member.username, password: PASSWORD },
    headers: { Origin: member.origin },
    maxRedirects: 0,
  });
  if (answer.status() >= 400)
    throw new Error(`${member.username} could not sign in: ${answer.status()}`);
}

/**
 * Makes the page's polling of a payment's status fail. Only requests that a live update triggers go
 * through. Call it before the page waits. `isListening` resolves on the first WebSocket frame.
 */
export async function blockStatusPolling(page: Page): Promise<{ isListening: Promise<void> }> {
  await page.addInitScript(() => {
    const asks = window.fetch;
    // The event being dispatched at the request: a WebSocket message, or none.
    window.fetch = async (input, init) =>
      String(input).endsWith("/status") && !(window.event?.target instanceof WebSocket)
        ? Promise.reject(new TypeError("asked by its own clock"))
        : asks(input, init);
  });
  const isListening = new Promise<void>((resolve) => {
    page.on("websocket", (socket) => socket.on("framereceived", () => resolve()));
  });
  return { isListening };
}

/** Opens a new page at `path`, signed in as `member`. With JavaScript, waits for hydration. */
export async function openPageAs(
  member: FormClient & NewMemberInput,
  path: string,
  options: PageOptions = {},
): Promise<Page> {
  const page = await newPage(options);
  await signInAsMember(page, member);
  await page.goto(path);
  if (options.javaScript !== false) await hydrated(page);
  return page;
}

/** Fills and submits "Criar conta", and then the code from the email. */
export async function fillSignUp(page: Page, person: NewMemberInput): Promise<void> {
  await fillSignUpForm(page, person);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
  await page
    .getByLabel("Código de 6 dígitos")
    .fill((await mailTo(new URL(page.url()).origin, person.email, "criar a sua conta")).code);
  await page.getByRole("button", { name: "Confirmar e criar a conta" }).click();
}

export async function fillSignUpForm(page: Page, person: NewMemberInput): Promise<void> {
  await page.getByLabel("Nome", { exact: true }).fill(person.name);
  await page.getByLabel("Nome de usuário").fill(person.username);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Data de nascimento").fill(BIRTH_DATE);
  await page.getByLabel("Li e aceito").check();
}

/**
 * Fills the checkout form of a payer without an account, and then the code from the email. The
 * payment method is already chosen.
 */
export async function payAsGuest(
  page: Page,
  { name, email, cpf = formatCpf(generateCpf()) }: { name: string; email: string; cpf?: string },
): Promise<void> {
  await page.getByLabel("Nome", { exact: true }).fill(name);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("CPF ou CNPJ").fill(cpf);
  await page.getByLabel("Data de nascimento").fill(BIRTH_DATE);
  await page.getByLabel("Li e aceito").check();
  await page.getByRole("button", { name: "Receber o código e pagar" }).click();
  await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
  await page
    .getByLabel("Código de 6 dígitos")
    .fill((await mailTo(new URL(page.url()).origin, email, "confirmar sua compra")).code);
  await page.getByRole("button", { name: "Confirmar e pagar" }).click();
}

export async function openPage(page: Page): Promise<void> {
  await page.goto("/space/create");
  await page.getByLabel("O que você faz").fill("Rabeca e forró");
  await page.getByLabel("Sobre você").fill("Toco rabeca desde menina e conto aqui como se faz.");
  await page.getByLabel("Cidade").fill("Recife, PE");
  await page.getByRole("button", { name: "Abrir minha página" }).click();
  await page.waitForURL("**/me/first-steps/photo");
}

/** Fills the seller details and the Pix key that the first plan requires. */
export async function fillSellerDetails(
  page: Page,
  person: NewMemberInput & { fullName: string },
): Promise<void> {
  await page.getByLabel("Nome completo").fill(person.fullName);
  await page.getByRole("textbox", { name: "CPF", exact: true }).fill(formatCpf(generateCpf()));
  await page.getByLabel("Data de nascimento").fill("31/01/1990");
  await page.getByRole("radio", { name: "E-mail" }).check();
  await page.getByLabel("Chave Pix").fill(person.email);
  await page.getByRole("button", { name: "Enviar e colocar à venda" }).click();
}

type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

/** Chooses files in the composer and waits until each is uploaded. */
export async function pickFiles(page: Page, ...files: ChosenFile[]): Promise<void> {
  await page.getByLabel("Imagens, vídeos, áudios ou PDF").setInputFiles(files);
  for (const { name } of files)
    await page
      .getByRole("listitem", { name })
      .getByText(/^Enviado/)
      .waitFor();
}

/** Opens a part of the composer, such as "Quem pode ver", unless it is open. */
export async function openPart(page: Page, title: string): Promise<void> {
  const isOpen = await page.locator("details[open] > summary", { hasText: title }).count();
  if (isOpen === 0) await page.locator("summary", { hasText: title }).click();
}

/**
 * Publishes a post for subscribers of `planName` and returns its path. Without JavaScript the
 * composer takes one image with the form.
 */
export async function publishForPlan(
  page: Page,
  post: { title: string; planName: string; isAwake?: boolean },
): Promise<string> {
  await page.goto("/post/create");
  await page.getByLabel("Título").fill(post.title);
  await page
    .getByLabel("Texto", { exact: true })
    .fill("Gravamos o ensaio inteiro, com os erros.\n\nA segunda parte sai na sexta.");
  const image = { name: "ensaio.png", mimeType: "image/png", buffer: picture(3) };
  await (post.isAwake === false
    ? page.getByLabel("Imagem", { exact: false }).first().setInputFiles(image)
    : pickFiles(page, image));
  await page.getByLabel("Descrição para quem não vê").fill("A rabeca sobre a mesa do camarim");
  await openPart(page, "Quem pode ver");
  const ways = page.getByRole("group", { name: "Quem pode ver" });
  await ways.getByLabel("Todo mundo").uncheck();
  await ways.getByLabel("Quem assina alguns planos").check();
  await page.getByLabel(post.planName).check();
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.waitForURL((url) => /^\/post\/(?!create)/.test(url.pathname));
  return new URL(page.url()).pathname;
}

/** Whether the image `name` loaded, wider than a 24-pixel placeholder. */
export async function imagesLoaded(page: Page, name: string): Promise<boolean> {
  const image = page.getByRole("img", { name });
  await image.scrollIntoViewIfNeeded();
  return image.evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) return false;
    await element.decode();
    return element.naturalWidth > 24;
  });
}

/** Saves a screenshot of the page if `CORETO_SHOTS=<folder>` is set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.CORETO_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Uploads the photos that an approval requires, and a company's CNPJ card. */
export async function uploadDocuments(
  page: Page,
  { isCompany = false }: { isCompany?: boolean } = {},
): Promise<void> {
  await page.goto("/settings/check-documents/files");
  for (const kind of ["id_front", "id_back", "selfie", ...(isCompany ? ["company_card"] : [])]) {
    const form = page.locator("form", { has: page.locator(`input[name=kind][value=${kind}]`) });
    await form
      .locator("input[type=file]")
      .setInputFiles({ name: `${kind}.png`, mimeType: "image/png", buffer: picture(5) });
    await form.getByRole("button", { name: /^Enviar/ }).click();
    await form.getByText(/^Enviado em/).waitFor();
  }
  await page
    .getByText("Recebemos tudo. Agora é com a gente: respondemos em até 14 dias.")
    .waitFor();
}

/** Opens every photo of the documents on a moderator's page, as an approval asks for. */
export async function openDocumentPhotos(office: Page): Promise<void> {
  const files = office.getByRole("region", { name: "Arquivos" });
  await files.getByRole("link", { name: /^Ver / }).first().waitFor();
  for (const name of await files.getByRole("link", { name: /^Ver / }).allInnerTexts()) {
    const [photo] = await Promise.all([
      office.waitForResponse((response) => response.url().includes("/files/") && response.ok()),
      files.getByRole("link", { name, exact: true }).click(),
    ]);
    await photo.finished();
  }
}
