import { pageTag, PURGED_AT_HEADER, purgeMarkUrl } from "#app/lib/edge-cache.ts";
import { hex } from "#app/lib/digest.ts";

type PageCacheOptions = { cache(): Cache; now(): number };

type AskedPage = {
  /** The product's own origin, under which purges are marked. */
  origin: string;
  waitUntil(work: Promise<unknown>): void;
  /** Renders the page of `key`, without a viewer. */
  render(key: Request): Promise<Response>;
};

/** The request of a page without anything of its reader, and the tag under which it is stored. */
type PageKey = { request: Request; url: string; tag: string | null };

/** A rendered page as plain values, which requests of one isolate can share. */
type RenderedPage = {
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer;
  renderedAt: number;
};

/** A rendering that others may join, unless the page was purged since it began. */
type Rendering = { page: Promise<RenderedPage>; beganAt: number };

/** When a stored page was rendered, until when it is fresh, and the rule for its reader's cache. */
type StoredTimes = { renderedAt: number; freshUntil: number; rule: string };

const STORED_HEADER = "X-Coreto-Stored";
const TAG_HEADER = "Cache-Tag";

/** How long the others count a stale page as fresh while one renews it. */
const RENEWAL_MS = 10_000;
/** How long an isolate remembers when a tag was purged. */
const MARK_REMEMBERED_MS = 250;
const MOST_MARKS = 5_000;

/**
 * Answers public pages from the edge's cache. The Cache API knows no `stale-while-revalidate`, so a
 * page is stored with an expiry of our own: a stale one is answered at once, and one request renews
 * it after its answer. Requests of one isolate that miss the same page share one rendering. A page
 * that was purged since it was rendered counts as missing.
 */
export function createPageCache({ cache, now }: PageCacheOptions) {
  const renders = new Map<string, Rendering>();
  const marks = new Map<string, { purgedAt: number; readAt: number }>();

  async function answer(request: Request, asked: AskedPage): Promise<Response> {
    const { url } = request;
    const key: PageKey = { request, url, tag: pageTag(new URL(url).pathname) };
    const [found, purgedAt] = await Promise.all([cache().match(request), purgedAtOf(key, asked)]);
    const times = found ? storedTimes(found.headers) : null;
    if (!found || !times || times.renderedAt <= purgedAt)
      return await rendered(key, asked, purgedAt);
    if (times.freshUntil <= now() && !renders.has(key.url)) renew(key, found.clone(), times, asked);
    return withRule(found, times.rule);
  }

  async function rendered(key: PageKey, asked: AskedPage, purgedAt: number): Promise<Response> {
    const running = renders.get(key.url);
    const isJoined = running !== undefined && running.beganAt > purgedAt;
    const page = await (isJoined ? running.page : begin(key, asked, () => render(key, asked)));
    // Cookies are for one person. No public page sets any.
    return isJoined && setsCookie(page) ? await asked.render(key.request) : responseOf(page);
  }

  /** Renews a stale page. It is stored once more, so that other isolates do not renew it too. */
  function renew(key: PageKey, stale: Response, times: StoredTimes, asked: AskedPage): void {
    void begin(key, asked, async () => {
      const freshUntil = now() + RENEWAL_MS;
      await cache().put(key.request, withTimes(stale, { ...times, freshUntil }));
      const page = await render(key, asked);
      if (!isStorable(page) && page.status < 500) await cache().delete(key.request);
      return page;
    }).catch(() => {});
  }

  /** Others join the rendering until its page is stored. It goes on when its first reader leaves. */
  function begin(
    key: PageKey,
    asked: AskedPage,
    rendering: () => Promise<RenderedPage>,
  ): Promise<RenderedPage> {
    const running: Rendering = { page: rendering(), beganAt: now() };
    renders.set(key.url, running);
    const stored = running.page.then((page) => store(key, page)).catch(() => {});
    const forget = () => renders.get(key.url) === running && renders.delete(key.url);
    asked.waitUntil(stored.finally(forget));
    return running.page;
  }

  async function render(key: PageKey, asked: AskedPage): Promise<RenderedPage> {
    const renderedAt = now();
    const response = await asked.render(key.request);
    const body = await response.arrayBuffer();
    const headers = new Headers(response.headers);
    if (response.status === 200 && !headers.has("ETag")) headers.set("ETag", await etagOf(body));
    return { status: response.status, headers: [...headers], body, renderedAt };
  }

  async function store(key: PageKey, page: RenderedPage): Promise<void> {
    if (!isStorable(page)) return;
    const response = responseOf(page);
    const rule = response.headers.get("Cache-Control") ?? "";
    const freshUntil = page.renderedAt + secondsOf(rule, "s-maxage") * 1_000;
    if (key.tag !== null) response.headers.set(TAG_HEADER, key.tag);
    const { renderedAt } = page;
    await cache().put(key.request, withTimes(response, { renderedAt, freshUntil, rule }));
  }

  /** When the pages of this one's tag were purged; 0 if never. */
  async function purgedAtOf({ tag }: PageKey, { origin }: AskedPage): Promise<number> {
    if (tag === null) return 0;
    const seenMark = marks.get(tag);
    if (seenMark && now() - seenMark.readAt < MARK_REMEMBERED_MS) return seenMark.purgedAt;
    const mark = await cache().match(purgeMarkUrl(origin, tag));
    const purgedAt = Number(mark?.headers.get(PURGED_AT_HEADER) ?? 0);
    if (marks.size >= MOST_MARKS) marks.clear();
    marks.set(tag, { purgedAt, readAt: now() });
    return purgedAt;
  }

  return { answer };
}

const responseOf = ({ status, headers, body }: RenderedPage): Response =>
  new Response(status === 204 || status === 304 ? null : body, { status, headers });

const setsCookie = ({ headers }: RenderedPage): boolean =>
  headers.some(([name]) => name === "set-cookie");

function isStorable(page: RenderedPage): boolean {
  const rule = page.headers.find(([name]) => name === "cache-control")?.[1] ?? "";
  return page.status === 200 && rule.startsWith("public") && !setsCookie(page);
}

function storedTimes(headers: Headers): StoredTimes | null {
  const [, renderedAt, freshUntil, rule = ""] =
    /^(\d+) (\d+) (.*)$/.exec(headers.get(STORED_HEADER) ?? "") ?? [];
  return renderedAt && freshUntil
    ? { renderedAt: Number(renderedAt), freshUntil: Number(freshUntil), rule }
    : null;
}

/** The Cache API forgets the page only when it may not be answered as a stale one any more. */
function withTimes(page: Response, { renderedAt, freshUntil, rule }: StoredTimes): Response {
  const stored = new Response(page.body, page);
  const seconds = secondsOf(rule, "s-maxage") + secondsOf(rule, "stale-while-revalidate");
  stored.headers.set("Cache-Control", `public, max-age=${seconds}`);
  stored.headers.set(STORED_HEADER, `${renderedAt} ${freshUntil} ${rule}`);
  return stored;
}

function withRule(stored: Response, rule: string): Response {
  const page = new Response(stored.body, stored);
  page.headers.set("Cache-Control", rule);
  page.headers.delete(STORED_HEADER);
  page.headers.delete(TAG_HEADER);
  return page;
}

const secondsOf = (rule: string, name: string): number =>
  Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(rule)?.[1] ?? 0);

async function etagOf(body: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return `"${hex(digest.subarray(0, 16))}"`;
}
