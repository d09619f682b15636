import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { mailTo } from "./emails.ts";
import { picture } from "./picture.ts";

/** A client without JavaScript: it posts forms and keeps cookies. */
export type FormClient = {
  origin: string;
  /** The Cookie header, for requests that this client does not make. */
  cookies(): string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, fields: Record<string, string | string[] | Blob>): Promise<Response>;
  /** Posts a form that must redirect. Returns the new URL without its host. */
  postAndFollow(path: string, fields: Record<string, string | string[] | Blob>): Promise<string>;
};

/** Creates a client. `cookies` is the Cookie header with which another client ended. */
export function createFormClient(origin: string, cookies = ""): FormClient {
  const jar = new Map(
    cookies
      .split("; ")
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const keep = (response: Response): Response => {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split(";");
      const cut = pair.indexOf("=");
      const isOver = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
      if (isOver) jar.delete(pair.slice(0, cut));
      else jar.set(pair.slice(0, cut), pair.slice(cut + 1));
    }
    return response;
  };
  const get: FormClient["get"] = async (path, headers = {}) =>
    keep(
      await fetch(new URL(path, origin), {
        redirect: "manual",
        headers: { Cookie: cookieHeader(), ...headers },
      }),
    );
  const post: FormClient["post"] = async (path, fields) =>
    keep(
      await fetch(new URL(path, origin), {
        method: "POST",
        redirect: "manual",
        body: bodyOf(fields),
        headers: { Origin: origin, Cookie: cookieHeader(), Accept: "text/html" },
      }),
    );
  return {
    origin,
    cookies: cookieHeader,
    get,
    post,
    async postAndFollow(path, fields) {
      const response = await post(path, fields);
      const location = response.headers.get("Location");
      if (response.status >= 300 && response.status < 400 && location)
        return location.startsWith(origin) ? location.slice(origin.length) : location;
      throw new Error(
        `${path} answered ${response.status} and led nowhere: ${visibleText(await response.text())}`,
      );
    },
  };
}

function bodyOf(fields: Record<string, string | string[] | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value, "imagem.png");
    else for (const one of [value].flat()) form.append(name, one);
  }
  return form;
}

const visibleText = (page: string): string =>
  page
    .replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .slice(0, 600);

export const PASSWORD = "uma senha comprida";
export const BIRTH_DATE = "31/01/1990";

export type NewMemberInput = { name: string; username: string; email: string };

let made = 0;

/** Sign-up fields that are unique in every file and run. */
export function newMemberInput(name: string): NewMemberInput {
  made += 1;
  const username = `${name.split(" ")[0]?.toLowerCase() ?? "pessoa"}-${crypto.randomUUID().slice(0, 8)}${made}`;
  return { name, username, email: `${username}@exemplo.test` };
}

export type MemberClient = NewMemberInput & FormClient;

/** Signs up a member without a browser. */
export async function signUpMember(origin: string, name: string): Promise<MemberClient> {
  const person = newMemberInput(name);
  const calls = createFormClient(origin);
  await calls.postAndFollow("/auth/register", {
    ...person,
    password: PASSWORD,
    birthDate: BIRTH_DATE,
    termsVersion: TERMS_VERSION,
  });
  await calls.postAndFollow("/auth/register/code", {
    code: (await mailTo(origin, person.email, "criar a sua conta")).code,
  });
  return { ...person, ...calls };
}

export type SellerClient = MemberClient & { planId: string; planName: string };

/** Signs up a seller with a page and one plan for sale, through the forms. */
export async function signUpSeller(
  origin: string,
  options: { name?: string; price?: string; interval?: "monthly" | "annual" } = {},
): Promise<SellerClient> {
  const member = await signUpMember(origin, options.name ?? "Tereza Lira");
  await member.postAndFollow("/space/create", {
    name: member.name,
    craft: "Rabeca e forró",
    bio: "Toco rabeca e conto como se faz.",
    city: "Recife, PE",
  });
  const planName = "Camarim";
  const activation = await member.postAndFollow("/plan/create", {
    name: planName,
    description: "O que acontece antes do palco.",
    benefits: "Ensaios toda semana\nPartituras",
    price: options.price ?? "19,90",
    interval: options.interval ?? "monthly",
    seats: "",
    welcomeMessage: "Que bom que você veio!",
  });
  await member.postAndFollow(activation, {
    fullName: "Tereza Maria Lira",
    cpf: generateCpf(),
    birthDate: "31/01/1990",
    keyKind: "email",
    pixKey: member.email,
  });
  const planId = /\/plan\/([^/]+)\//.exec(activation)?.[1];
  if (!planId) throw new Error(`no plan in ${activation}`);
  return { ...member, planId, planName };
}

/** Uploads the photos that an approval requires. */
export async function uploadDocumentsOf(seller: FormClient): Promise<void> {
  for (const kind of ["passport", "selfie"])
    await seller.postAndFollow("/settings/check-documents/files", {
      kind,
      file: new Blob([picture(5)], { type: "image/png" }),
    });
}

/** Opens every photo on the page at `path`, as a moderator must before approving. */
async function openPhotosAt(moderator: FormClient, path: string): Promise<void> {
  const page = await (await moderator.get(path)).text();
  for (const [, kind] of page.matchAll(/href="[^"]*\?photo=(\w+)#photos"/g)) {
    const shown = await (await moderator.get(`${path}?photo=${kind}`)).text();
    const [, url = ""] = /<img src="(\/admin\/documents\/[^"]+)"/.exec(shown) ?? [];
    const photo = await moderator.get(url.replaceAll("&amp;", "&"));
    if (!photo.ok) throw new Error(`the photo ${kind} answered ${photo.status}`);
    await photo.arrayBuffer();
  }
}

/** Approves the version of the documents that the page at `path` shows, after opening its photos. */
export async function approveDocumentsAt(
  moderator: FormClient,
  path: string,
  fields: Record<string, string> = {},
): Promise<void> {
  await openPhotosAt(moderator, path);
  const [, seenAt = ""] =
    /name="seenAt" value="(\d+)"/.exec(await (await moderator.get(path)).text()) ?? [];
  await moderator.postAndFollow(path, { seenAt, ...fields });
}

export type PublishedPost = { id: string; title: string; path: string };

/** Publishes a post with a unique picture. */
export async function publishPostByForm(
  seller: SellerClient,
  post: {
    title: string;
    visibility: "public" | "followers" | "subscribers" | "plans";
    seed: number;
  },
): Promise<PublishedPost> {
  const path = await seller.postAndFollow("/post/create", {
    title: post.title,
    content: `O texto inteiro de ${post.title}, que só lê quem pode.`,
    teaser: `A chamada de ${post.title}.`,
    ways: post.visibility,
    planIds: post.visibility === "plans" ? [seller.planId] : [],
    image: new Blob([picture(post.seed)], { type: "image/png" }),
    imageAlt: `Listras de ${post.title}`,
  });
  return { id: path.split("/").at(-1) ?? "", title: post.title, path };
}
